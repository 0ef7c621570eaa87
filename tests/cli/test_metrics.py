"""`ordeval metrics`: the list and the single measure, for people and for programs."""

import json
import re

import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.cli.measure_facts import description_of
from ordeval.cli.metrics import list_of
from ordeval.cli.streams import LOOK_ALIKES
from ordeval.formats.formulas import in_unicode


def run(*arguments: str):
    return CliRunner().invoke(main, ["metrics", *arguments])


def test_the_list_has_a_line_for_every_measure_with_its_direction_and_summary():
    lines = run().stdout.splitlines()
    for name, metric in oe.registry.items():
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        direction = "higher" if metric.greater_is_better else "lower"
        assert line.split(maxsplit=2)[1:] == [direction, metric.summary]


def test_the_list_is_grouped_by_family_in_the_registrys_order():
    shown = run().stdout
    families = list(dict.fromkeys(metric.family.value for metric in oe.registry.values()))
    headings = [line for line in shown.splitlines() if line in families]
    assert headings == families


def test_no_line_of_a_listing_ends_in_spaces_and_none_is_coloured_in_a_pipe():
    for result in (run(), run("weighted_kappa")):
        assert "\x1b" not in result.stdout
        assert all(line == line.rstrip() for line in result.stdout.splitlines())


@pytest.mark.parametrize("name", list(oe.registry))
def test_one_measure_is_told_in_full(name):
    metric = oe.registry[name]
    result = run(name)
    assert result.exit_code == 0, result.output
    formula = " ".join(in_unicode(metric.formula).split())
    for known in (metric.summary, metric.family.value, formula, metric.undefined_when):
        assert known in " ".join(result.stdout.split())
    for parameter in metric.parameters:
        assert parameter.meaning in result.stdout
    assert "references" in result.stdout


def test_a_measure_with_parameters_is_shown_as_asked_for():
    result = run("weighted_kappa(weights='quadratic')")
    assert result.stdout.splitlines()[0] == "weighted_kappa(weights='quadratic')"


def test_an_unknown_measure_ends_with_a_suggestion_and_status_2():
    result = run("cem_odr")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "there is no measure 'cem_odr'. Did you mean cem_ord?" in result.stderr


def test_a_wrong_parameter_ends_with_status_2_and_no_traceback():
    result = run("weighted_kappa(weights='cubic')")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "cubic" in result.stderr


def test_the_json_lists_every_measure_and_says_what_wrote_it():
    content = json.loads(run("--format", "json").stdout)
    assert (content["schema"], content["ordeval"], content["command"]) == (
        1,
        oe.__version__,
        "metrics",
    )
    assert [entry["name"].split("(")[0] for entry in content["metrics"]] == list(oe.registry)


def test_the_json_of_one_measure_has_its_bounds_with_null_for_infinity():
    (mae,) = json.loads(run("mae", "--format", "json").stdout)["metrics"]
    assert mae["bounds"] == [0.0, None]
    assert mae["greater_is_better"] is False
    assert mae["references"]


def without_style(text):
    return re.sub(r"\x1b\[\dm", "", text)


@pytest.mark.parametrize("width", [66, 200])
def test_a_narrow_screen_wraps_the_summaries_and_loses_none(width):
    shown = without_style(list_of(list(oe.registry.values()), width=width))
    assert max(map(len, shown.splitlines())) <= width
    words = " ".join(shown.split())
    for metric in oe.registry.values():
        start = " ".join(metric.summary.split()[:3])
        assert start in words
    assert "Not shown" not in shown


def test_a_narrow_screen_keeps_the_meaning_of_every_parameter_and_what_is_allowed():
    for metric in oe.registry.values():
        for width in (40, 80):
            shown = without_style(description_of(metric, width=width))
            sentences = [
                line
                for line in shown.splitlines()
                if not line.startswith((">>>", " " * 11, "formula"))
            ]
            assert all(len(line) <= width for line in sentences if " " in line.strip()), metric.name
            words = " ".join(shown.split())
            assert "Not shown" not in words
            for parameter in metric.parameters:
                assert parameter.meaning.split()[-1] in words
                assert parameter.allowed in words


def names_found(*options):
    return [one["name"] for one in json.loads(run(*options, "--format", "json").stdout)["metrics"]]


PROBABILISTIC = [
    *("ranked_probability_score", "expected_cem", "log_loss", "brier_score", "calibration_error"),
]
SOFT = ["wasserstein", "manhattan", "cross_entropy", "soft_jensen_shannon", "soft_rps"]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--family", "probabilistic"], PROBABILISTIC),
        (["--needs", "probabilities"], [*PROBABILISTIC, *SOFT]),
        (["--search", "KAPPA", "--family", "classification"], ["cohen_kappa"]),
        (["--search", "qwk"], ["weighted_kappa"]),
        # names in the literature, and functions of other packages
        (["--search", "balanced accuracy"], ["macro_accuracy"]),
        (["--search", "free-marginal"], ["brennan_prediger"]),
        (["--search", "f1_score"], ["macro_f1"]),
        (["--search", "irr::kappa2"], ["cohen_kappa", "weighted_kappa"]),
        # the paper's table 2: of the error measures only the two means over classes take imbalance into account
        (["--family", "error", "--property", "imbalance"], ["macro_mae", "macro_mse"]),
        (["--family", "closeness", "--property", "monotonicity"], ["cem_ord", "cem_int"]),
        (["--search", "nonesuch"], []),
    ],
)
def test_measures_are_found_by_words_family_need_and_property(options, names):
    assert names_found(*options) == names


def test_measures_by_scale_type_are_all_measures():
    kinds = ("nominal", "ordinal", "interval")
    found = [name for kind in kinds for name in names_found("--needs", kind)]
    assert sorted(found) == sorted(oe.registry)
    assert set(names_found("--needs", "values")) >= {"mae", "weighted_kappa"}


def test_a_measure_is_told_with_its_guidance_and_its_names_elsewhere():
    words = " ".join(run("macro_accuracy").stdout.split())
    guidance = oe.macro_accuracy.guidance
    for text in (guidance.use, guidance.avoid, guidance.reading, ", ".join(guidance.also_called)):
        assert text in words
    assert "scikit-learn: sklearn.metrics.balanced_accuracy_score(gold, predicted)" in words
    assert "`" not in run("geometric_mean").stdout  # its text names another measure


def test_the_json_of_a_measure_has_its_guidance():
    (entry,) = json.loads(run("qwk", "--format", "json").stdout)["metrics"]
    assert entry["guidance"]["use"] == oe.weighted_kappa.guidance.use
    calls = {each["call"]: each["measure"] for each in entry["guidance"]["elsewhere"]}
    squared = 'irr::kappa2(ratings, weight = "squared")$value'
    assert calls[squared] == "weighted_kappa(weights='quadratic')"


def test_a_measure_of_ones_own_is_told_without_guidance(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import ordeval as oe\n@oe.measure(greater_is_better=True)\n"
        "def hits(counts):\n    'Share of hits.'\n    return 1.0\n",
        encoding="utf-8",
    )
    shown = run("hits", "--plugin", str(path))
    assert shown.exit_code == 0, shown.output
    assert "in other packages" not in shown.stdout
    (entry,) = json.loads(run("hits", "--plugin", str(path), "--format", "json").stdout)["metrics"]
    assert entry["guidance"] is None
    assert names_found("--search", "hits", "--plugin", str(path)) == ["hits"]


def test_a_search_without_a_match_says_so_and_suggests_a_near_name():
    assert run("--search", "kapppa").stdout == (
        "No measure is like this. Did you mean kappa (cohen_kappa)? 'ordeval metrics' lists them all.\n"
    )


def test_a_name_and_a_search_exclude_each_other():
    result = run("mae", "--family", "error")
    assert result.exit_code == 2
    assert "Leave one out" in result.stderr


def test_a_measure_is_shown_with_its_aliases():
    assert "aliases    alpha\n" in run("alpha").stdout
    (entry,) = json.loads(run("alpha", "--format", "json").stdout)["metrics"]
    assert entry["aliases"] == ["alpha"]


def test_no_line_of_a_description_is_wider_than_the_screen():
    for metric in oe.registry.values():
        lines = without_style(description_of(metric, width=100)).splitlines()
        assert max(map(len, lines)) <= 100, metric


def test_every_letter_of_a_formula_has_a_look_alike_where_the_encoding_lacks_it():
    letters = {letter for metric in oe.registry.values() for letter in in_unicode(metric.formula)}
    lacking = {letter for letter in letters if not letter.isascii()} - set(LOOK_ALIKES)
    assert not lacking
    assert all(LOOK_ALIKES[letter].isascii() for letter in letters if not letter.isascii())
