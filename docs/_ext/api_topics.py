"""Which public names there are, and on which page of the reference each of them is.

The names of most modules are what their `__all__` lists, so that a new name finds its page by itself. The names of
`ordeval` itself, and the classes of results that nobody makes by hand, are put on their pages here.
"""

from dataclasses import dataclass

from api_source import Source, find, names_of

# Modules of which a page shows everything that `__all__` lists, with what they are called in a heading.
ADAPTERS = {
    "ordeval.adapters.sklearn": "scikit-learn",
    "ordeval.adapters.torch": "PyTorch",
    "ordeval.adapters.torchmetrics": "torchmetrics",
    "ordeval.adapters.inspect_ai": "Inspect AI",
    "ordeval.adapters.lm_eval": "lm-evaluation-harness",
    "ordeval.adapters.mlflow": "MLflow",
    "ordeval.adapters.pytest_plugin": "pytest",
}


@dataclass(frozen=True)
class Topic:
    """One page: its file, its title, its opening, and what it describes: single names, and modules."""

    file: str
    title: str
    opening: str
    names: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


TOPICS = (
    Topic(
        "scores",
        "Scores and comparisons",
        "These functions score one system, compare many, plan how many items a comparison needs, and decide whether a "
        "new system may replace an old one. See [how to compare systems](../../howto/comparison.md) and "
        "[gates](../../howto/gates.md).",
        (
            "ordeval.evaluate",
            "ordeval.compare",
            "ordeval.plan",
            "ordeval.gate",
            "ordeval.comparison.evaluate.Evaluation",
            "ordeval.comparison.comparison.Comparison",
            "ordeval.comparison.plan.Plan",
            "ordeval.comparison.gate_result.Gate",
            "ordeval.comparison.results.Score",
            "ordeval.comparison.results.Baseline",
            "ordeval.comparison.results.Standing",
            "ordeval.comparison.results.PairDifference",
        ),
    ),
    Topic(
        "results",
        "Every result",
        "Everything that a function returns can be printed, and written in these forms.",
        ("ordeval.formats.result.Result",),
    ),
    Topic(
        "tables",
        "Table and Scale",
        "A table counts how often each gold class got each answer, and a scale holds the classes in order. Every "
        "measure is a function of a table. See [what can be read](../../howto/inputs.md) and "
        "[how the order of the classes is found](../scale.md).",
        ("ordeval.Table", "ordeval.Scale", "ordeval.table.Axis"),
    ),
    Topic(
        "runs",
        "Runs",
        "Runs hold the answers of many systems to the same items, which `compare` needs to compare them in pairs. See "
        "[what can be read](../../howto/inputs.md).",
        ("ordeval.Runs",),
    ),
    Topic(
        "ratings",
        "Ratings and agreement",
        "Ratings hold the marks of several people or models on the same items, and `agree` tells how well they agree. "
        "See [agreement of raters](../../howto/agreement.md).",
        ("ordeval.Ratings", "ordeval.agree", "ordeval.agreement.agreement.Agreement"),
    ),
    Topic(
        "judge",
        "judge: models that mark in place of humans",
        "See the guide to [judges](../../howto/judges.md).",
        modules=("ordeval.judge",),
    ),
    Topic(
        "decide",
        "decide: from probabilities or scores to answers",
        "See the guides to [decisions](../../howto/decisions.md) and [cut points](../../howto/cut_points.md).",
        modules=("ordeval.decide",),
    ),
    Topic(
        "measures",
        "Measures, and measures of your own",
        "Every measure is a function, `oe.mae(y_true, y_pred)`, and has [a page of its own](../../measures/index.md). "
        "Here is what they have in common, and how to [add one](../../howto/own_measures.md).",
        ("ordeval.measure", "ordeval.registry", "ordeval.proximity", "ordeval.Metric"),
        ("ordeval.metrics",),
    ),
    Topic(
        "properties",
        "properties: what holds for a measure",
        "See [formal properties](../../explanation/properties.md).",
        modules=("ordeval.properties",),
    ),
    Topic(
        "meta",
        "meta: which measure to trust",
        "See [comparing measures](../../explanation/meta.md).",
        modules=("ordeval.meta",),
    ),
    Topic(
        "simulate",
        "simulate and paper",
        "These modules make synthetic data, and repeat published results. See "
        "[the reproduction](../../evidence/reproduction.md).",
        modules=("ordeval.simulate", "ordeval.paper"),
    ),
    Topic(
        "plot",
        "plot: charts",
        "See [reports and charts](../../howto/report.md).",
        modules=("ordeval.report.plot",),
    ),
    Topic(
        "report",
        "report: results as one page",
        "See [reports and charts](../../howto/report.md).",
        modules=("ordeval.report",),
    ),
    Topic(
        "adapters",
        "adapters: other libraries",
        "Each adapter needs the library that it is for, and nothing else in `ordeval` imports it. See the guides to "
        "[scikit-learn](../../howto/sklearn.md), [PyTorch](../../howto/torch.md), "
        "[torchmetrics](../../howto/torchmetrics.md), [evaluation frameworks](../../howto/frameworks.md) and "
        "[gates in tests](../../howto/gates.md).",
        modules=tuple(ADAPTERS),
    ),
)

# Public, and described elsewhere: the version in the index, errors on a page of their own.
ELSEWHERE = ("ordeval.__version__", "ordeval.OrdevalError", "ordeval.errors")

# Members that other parts of the package use: they may change, so that no page promises them.
INTERNAL = {
    "Table": "from_parts cells scored scaled scaled_along only rearranged axis sheet weighting",
    "Scale": "is_between_classes widened index numbers",
    "Runs": "from_rated from_patterns from_rows only weighting slice_codes shares answers case gold predicted "
    "count clusters ratings",
    "Ratings": "from_placed from_marks from_slots named_items marks_of_pattern pattern_shares places place_of "
    "of_raters each_mark pair_tables same_items rater mark item_names pattern_of",
    "Metric": "kernel needs per_item of_means of_table of_ratings compute evaluate check_observed check_parts "
    "rater_parts apply of_sums in_range item_costs from_means in_fixed_unit no_reference checked_reference unit claims",
    "Evaluation": "scores",
    "Comparison": "scores order better ranked pair_values cells row measure_order pair_difference impossible "
    "number_of_pairs corrected content systems_content",
    "Gate": "settled_by silent in_words items_of certainly_worse",
    "Agreement": "content",
    "Plan": "units",
    "Result": "sheet sheets csv_sheet pieces",
    "AltTest": "content",
    "CorrectedScore": "why_no_worth",
    "CorrectedScores": "worth_sentence ranked shown_metrics hidden method_sheet method_sentence systems_content "
    "csv_sheet about",
    "Correction": "judged",
    "Cuts": "trial gains_sheet",
    "Decision": "trial worth_sheet",
    "PredictionSets": "uneven",
    "Study": "best_coverage best_set robustness_and_power cell rows about",
    "ProbabilityScorer": "get_metadata_routing requests",
    "ExpectedLoss": "extra_repr gold_shares refuse",
    "OrdinalMetric": "extra_repr check_spare counts",
    "Parameter": "check",
}


def modules() -> list[str]:
    """Return the modules whose names are public."""
    return [module for topic in TOPICS for module in topic.modules]


def in_order(module: str) -> list[str]:
    """Return the public names of a module: first its functions, then its classes, then what else there is."""
    found = [find(module, name) for name in names_of(module)]
    kinds = [(not source.is_function, not source.is_class) for source in found]
    return [name for _, name in sorted(zip(kinds, names_of(module), strict=True), key=kind_of)]


def kind_of(entry: tuple[tuple[bool, bool], str]) -> tuple[bool, bool]:
    """Return the kind of a name, which comes before it."""
    return entry[0]


def names_on(topic: Topic) -> list[str]:
    """Return the dotted names that a page describes; a name that an earlier part of it has is not repeated."""
    found, seen = list(topic.names), {place(name) for name in topic.names}
    for module in topic.modules:
        found += [
            f"{module}.{name}" for name in in_order(module) if place(f"{module}.{name}") not in seen
        ]
    return found


def place(dotted: str) -> tuple[str, str]:
    """Return where a name is defined: one that two modules have is the same there."""
    source = source_of(dotted)
    return source.module, source.name


def source_of(dotted: str) -> Source:
    """Return what the source says of a dotted name."""
    module, _, name = dotted.rpartition(".")
    return find(module, name)


def internal(class_name: str) -> set[str]:
    """Return the members of a class that no page promises."""
    return set(INTERNAL.get(class_name, "").split())
