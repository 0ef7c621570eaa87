"""What to do with an item that has no answer, an answer off the scale, no gold label, or more than one answer."""

from dataclasses import asdict, dataclass

from ordeval.errors import ParameterError, suggestion

__all__ = ["CHOICES", "Policy"]

CHOICES = {
    "missing": ("error", "zero", "farthest", "drop"),
    "unknown": ("error", "missing"),
    "gold_missing": ("error", "drop"),
    "duplicates": ("error", "first"),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """The policies that a result was computed under.

    `missing`: no prediction for a gold item. `unknown`: a prediction outside the scale. `gold_missing`: an item without a
    gold label. `duplicates`: a second answer of one system to one item (files and frames alone can have it).
    """

    missing: str = "error"
    unknown: str = "error"
    gold_missing: str = "error"
    duplicates: str = "error"

    def __post_init__(self) -> None:
        for name, choice in asdict(self).items():
            if choice not in CHOICES[name]:
                near = suggestion(str(choice), CHOICES[name])
                raise ParameterError(f"{name}={choice!r} is not a policy; it is one of {', '.join(CHOICES[name])}.{near}")
