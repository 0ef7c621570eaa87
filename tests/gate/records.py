"""Records as they stand in a history of gates, written by hand."""

RECORD = {
    "schema": 1,
    "time": "2026-03-01T12:00:00Z",
    "name": "c0ffee",
    "metric": "cem_ord",
    "greater_is_better": True,
    "outcome": "pass",
    "baseline": {"name": "main", "value": 0.8, "low": 0.78, "high": 0.82},
    "candidate": {"name": "branch", "value": 0.81, "low": 0.79, "high": 0.83},
    "difference": 0.01,
    "low": -0.01,
    "high": 0.03,
    "margin": 0.02,
    "level": 0.95,
    "items": 500,
    "paired": True,
}


def made(**changed):
    """Return a record with some fields changed."""
    return {**RECORD, **changed}
