"""Whatever a command says names options of the command line, and nothing as Python spells it."""

import re

import click
import pytest
from click.testing import CliRunner

from ordeval.cli import COMMANDS, main
from tests.examples import grid
from tests.sentences import sentences, spoken_names

# Options, as subjects of a sentence: "labels is empty". Those in common use as nouns are left out.
NOUNS = {"case", "count", "data", "gold", "item", "items", "label", "metrics", "missing", "names", "output", "parts",
         "pred", "system", "tables", "test", "title", "weight"}  # fmt: skip


def options():
    """Return the options of all commands with the names of their parameters."""
    context = click.Context(main)
    commands = [main.get_command(context, name) for name in COMMANDS]
    return {
        option: parameter.name
        for command in commands
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }


SUBJECTS = "|".join(sorted({name for name in options().values() if name not in NOUNS}))
PYTHON = re.compile(
    rf"""
      (?<![-\w(<])(?<!--fail-under\ )[a-z_]+=(?![="])      # missing='zero', by=
    | \boe\.\w                       # oe.compare
    | \b(?:Table|Runs|Scale|Policy|Metric)\b(?!\ (?:\d|without))
    | \b(?:table|runs|frame|self)\.\w+
    | \b(?:True|False|None)\b(?!\ of)
    | \b(?:y_true|y_pred|n_resamples|sample_weight|gold_missing|rng|dtype|ndarray)\b
    | \[['"] | \{{['"] | \[\.\.\.\]   # ['low', 'high']
    | (?:^|(?<=:\ ))(?:{SUBJECTS})\ (?:is|are|holds|names)\b
    """,
    re.VERBOSE,
)

# What only the caller of a function can read, because a command never gets there: rooms, files, and functions of files.
PYTHON_ALONE = {
    "adapters/": "made for other libraries",
    "agreement/agree.py": "what the function agree takes",
    "agreement/agreement.py": "a measure asked of the result",
    "arguments.py:check_progress": "progress=; a command shows its own",
    "arguments.py:is_true": "an option that is a flag is always true or false",
    "columns.py": "columns of arrays and frames",
    "comparison/evaluate.py": "the function evaluate; the command reads runs or tables of systems",
    "comparison/gate.py": "what the function gate takes; the command names two systems that it has read",
    "comparison/history.py:append_record": "Gate.append_to; the command checks its file before",
    "comparison/history.py:record_of": "the arguments of Gate.append_to",
    "comparison/history.py:read_history": "what oe.plot.history takes",
    "comparison/inputs.py": "what the function compare takes",
    "comparison/plan.py:detectable": "a method of a plan",
    "comparison/plan.py:plan": "oe.plan; --plan plans the pairs of a comparison",
    "formats/frames.py": "to_frame",
    "formats/terminal.py:to_text": "to_text(width)",
    "inputs/arrays.py": "labels in lists and arrays",
    "decide/fit.py:fit": "calibrate=True without gold; the command always has gold",
    "decide/reading.py:read_gold": "gold labels in lists and arrays; those in files go through item_rows.py",
    "decide/scores.py": "scores in lists and arrays; those in files go through item_rows.py",
    "inputs/array_patterns.py": "labels in lists and arrays",
    "inputs/crosstabs.py": "tables of counts in frames and mappings; those in files go through named_counts.py",
    "inputs/files/sql.py": "SQL",
    "inputs/frames/": "data frames come from Python; commands read files",
    "inputs/mark_arrays.py": "Ratings.from_array",
    "judge/matched.py:check_kinds": "what the functions of oe.judge take",
    "judge/correct_scores.py:check_same_systems": "columns of systems in Python",
    "judge/corrected_scores.py": "a measure asked of the result",
    "meta/per_measure.py:resampled": "an interval asked of a result of oe.meta",
    "meta/values.py:check_data": "what oe.meta takes; `ordeval meta` reads runs",
    "metrics/closeness.py": "oe.proximity",
    "metrics/metric.py": "a measure that is called",
    "metrics/names.py:parse": "a function in place of a measure's name",
    "metrics/own.py": "what oe.measure takes",
    "metrics/recommendations.py:calls": "what to type in Python, beside what to type in a terminal",
    "metrics/registry.py:add": "what oe.measure takes",
    "metrics/registry.py:resolve": "metrics= that is no list",
    "one_hot.py": "classes as columns of arrays and frames",
    "paper/": "results with the settings of oe.simulate, and SVG; no errors",
    "properties/subject.py": "oe.properties.check of a function",
    "ratings/ratings.py:select": "Ratings.select",
    "report/chart_input.py": "oe.plot",
    "report/looks.py": "oe.plot",
    "report/plot/": "oe.plot; the report draws its figures without it",
    "simulate/": "oe.simulate; `demo` and `reproduce` call it with settings of their own",
    "table/table.py:from_counts": "Table.from_counts",
    "table/table.py:read_axes": "Table.from_counts",
}


def lies_in(place, room):
    """Tell whether a function of a file belongs to an exception."""
    return place == room if ":" in room else place.startswith(room)


@pytest.fixture(scope="module")
def source(root):
    """Every file of the source, and its name."""
    folder = root / "src" / "ordeval"
    return [(path.relative_to(folder).as_posix(), path) for path in sorted(folder.rglob("*.py"))]


@pytest.fixture(scope="module")
def python_spellings(source):
    """Where a sentence with a Python spelling stands, and what is in it."""
    return [
        (f"{file}:{function}", f"{file}:{line}: {found.group()!r} in {text!r}")
        for file, path in source
        for line, function, text in sentences(path)
        if (found := PYTHON.search(text))
    ]


@pytest.mark.later
def test_no_sentence_that_a_command_can_say_has_a_python_spelling(python_spellings):
    found = [
        what
        for place, what in python_spellings
        if not any(lies_in(place, room) for room in PYTHON_ALONE)
    ]
    assert not found, "\n".join(found)


@pytest.mark.later
def test_every_exception_is_needed(python_spellings):
    places = [place for place, _ in python_spellings]
    unused = [room for room in PYTHON_ALONE if not any(lies_in(place, room) for place in places)]
    assert not unused


# Arguments that messages name and no command has: only callers of functions read of them.
NO_OPTION = {"sample_weight", "comparisons", "items", "rule"}


def test_every_option_that_a_message_names_is_one_of_a_command(source):
    known = options()
    for file, path in source:
        for line, name in spoken_names(path):
            if name in NO_OPTION:
                continue
            option = {
                "predicted": "--pred",
                "n_resamples": "--resamples",
                "rng": "--seed",
                "method": "--interval",
            }.get(name, f"--{name.replace('_', '-')}")
            assert option in known, f"{file}:{line}: {option}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make good and bad files, which no test changes."""
    folder = tmp_path_factory.mktemp("spelling")
    files = {
        "gold.csv": "item,label\n1,1\n2,2\n3,3\n4,2\n",
        "a.csv": "item,label\n1,1\n2,2\n3,3\n4,1\n",
        "off.csv": "item,label\n1,1\n2,2\n3,9\n4,1\n",
        "between.csv": "item,label\n1,1\n2,2.5\n3,3\n4,1\n",
        "fewer.csv": "item,label\n1,1\n2,2\n",
        "twice.csv": "item,label\n1,1\n1,2\n2,2\n3,3\n4,1\n",
        "others.csv": "item,label\n7,1\n8,2\n",
        "words.csv": "item,label\n1,good\n2,bad\n3,fair\n4,bad\n",
        "mixed.csv": "item,label\n1,1\n2,n/a\n3,3\n4,2\n",
        "holes.csv": "item,label\n1,1\n2,\n3,3\n4,2\n",
        "sparse.csv": "item,label\n1,1\n2,900\n3,17\n4,500\n",
        "odd.csv": "alpha,beta\n1,2\n",
        "wide.csv": "item,human,a,b,w,country\n1,1,1,2,1,x\n2,2,2,2,-1,x\n3,3,1,3,1,y\n",
        "matrix.csv": "gold,1,2\n1,3,1\n2,0,4\n",
        "matrix2.csv": "gold,1,2,3\n1,3,1,0\n2,0,4,0\n3,0,0,1\n",
        "unnamed.csv": "gold,1,2,\n1,3,1,1\n2,0,4,0\n",
        "shares.csv": "gold,1,2\n1,0.5,0.5\n2,0.1,0.9\n",
        "empty.csv": "",
        "torn.json": '{"kind": "table", "schema": 1}',
        "array.json": '{"kind": "list"}',
        "country.json": '{"schema":1,"kind":"table","scale":{"labels":[1,2],"values":[1,2],"inferred":false},'
        '"axes":[{"name":"country","labels":["x"]}],"policy":{"missing":"zero","unknown":"error","duplicates":"error",'
        '"gold_missing":"error"},"touched":{},"weighted":false,"answered":[[[1,0],[0,1]]],"missed":[[0,0]]}',
        "textual.json": '{"schema":1,"kind":"table","scale":{"labels":[1,2],"values":[1,2],"inferred":false},"axes":[],'
        '"policy":{"missing":"zero","unknown":"error","duplicates":"error","gold_missing":"error"},"touched":{},'
        '"weighted":false,"answered":[["a",0],[0,1]],"missed":[0,0]}',
        "drop.json": '{"schema":1,"kind":"table","scale":{"labels":[1,2],"values":[1,2],"inferred":false},"axes":[],'
        '"policy":{"missing":"drop","unknown":"error","duplicates":"error","gold_missing":"error"},"touched":{},'
        '"weighted":false,"answered":[[1,0],[0,1]],"missed":[0,0]}',
        "zero.json": '{"schema":1,"kind":"table","scale":{"labels":[1,2],"values":[1,2],"inferred":false},"axes":[],'
        '"policy":{"missing":"zero","unknown":"error","duplicates":"error","gold_missing":"error"},"touched":{},'
        '"weighted":false,"answered":[[1,0],[0,1]],"missed":[0,0]}',
    }  # fmt: skip
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(made, monkeypatch):
    """Go to the folder of the files."""
    monkeypatch.chdir(made)
    return made


def python_in(text):
    """Find a Python spelling in a message; a measure with settings is written so on the command line, too."""
    return PYTHON.search(re.sub(r"[a-z]\w*\([^()]*\)", "NAME", " ".join(text.split())))


WIDE = "wide.csv --gold human --pred a,b"
BAD_COMMANDS = (
    "evaluate gold.csv",
    "evaluate gold.csv none.csv",
    "evaluate gold.csv off.csv --labels 1,2,3",
    "evaluate gold.csv between.csv",
    "evaluate gold.csv between.csv --labels 1,2,3",
    "evaluate gold.csv fewer.csv",
    "evaluate gold.csv twice.csv",
    "evaluate gold.csv others.csv",
    "evaluate gold.csv words.csv",
    "evaluate words.csv words.csv",
    "evaluate words.csv words.csv --labels bad,good",
    "evaluate words.csv words.csv --labels bad,bad,good",
    "evaluate words.csv words.csv --labels bad,fair,good --round nearest",
    "evaluate words.csv words.csv --labels bad,,good",
    "evaluate mixed.csv a.csv",
    "evaluate holes.csv a.csv",
    "evaluate gold.csv mixed.csv",
    "evaluate sparse.csv sparse.csv",
    "evaluate odd.csv odd.csv",
    "evaluate empty.csv a.csv",
    "evaluate gold.csv a.csv a.csv",
    "evaluate gold.csv a.csv --labels 1,2,3 --values 1,2",
    "evaluate gold.csv a.csv --labels 1,2,3 --values 3,2,1",
    "evaluate gold.csv a.csv --labels 1,2,inf",
    "evaluate gold.csv a.csv --values x,y,z",
    "evaluate gold.csv a.csv --names low,high",
    "evaluate gold.csv a.csv --item nonesuch",
    "evaluate gold.csv a.csv --by country",
    "evaluate gold.csv a.csv --weight w",
    "evaluate gold.csv a.csv --resample cases",
    "evaluate gold.csv a.csv --resamples 99999999999 --interval bca",
    "evaluate gold.csv a.csv --metrics rps",
    "evaluate gold.csv a.csv --metrics accuracy_within(n=x)",
    "evaluate gold.csv a.csv --metrics lwk(weights='cubic')",
    "evaluate gold.csv a.csv --metrics ,",
    "evaluate gold.csv a.csv --level 2",
    "evaluate gold.csv a.csv --undefined best",
    "evaluate gold.csv a.csv --fail-under cem",
    f"evaluate {WIDE} --weight w",
    f"evaluate {WIDE} --count w",
    f"evaluate {WIDE} --count 2",
    f"evaluate {WIDE} --by item,nonesuch",
    "evaluate wide.csv --gold humen --pred a",
    "evaluate wide.csv --gold human --pred a --pred a",
    "evaluate unnamed.csv",
    "evaluate shares.csv",
    "evaluate matrix.csv --labels 1,3",
    "evaluate torn.json",
    "evaluate array.json",
    "evaluate country.json",
    "evaluate textual.json",
    "evaluate zero.json --labels 1,2,3",
    "evaluate zero.json --labels 1,2 --values 0,5",
    "score country.json",
    "score torn.json gold.csv",
    "merge zero.json drop.json",
    "merge zero.json country.json",
    "merge zero.json matrix2.csv",
    "merge matrix.csv words.csv",
    f"compare {WIDE} --test wilcoxon",
    f"compare {WIDE} --margin -1",
    f"compare {WIDE} --plan --difference 0",
    f"compare {WIDE} --plan --power 0.01",
    f"compare {WIDE} --test wilcoxon --correction maxt --case country",
    f"compare {WIDE} --primary qwkk",
    f"compare {WIDE} --primary rps",
    f"compare {WIDE} --difference 1",
    "compare matrix.csv zero.json --plan",
    "compare matrix.csv zero.json --test randomisation",
    "compare gold.csv a.csv --metrics rps",
    "gate gold.csv a.csv",
    "gate gold.csv a.csv fewer.csv",
    f"gate {WIDE} --margin -1",
    f"gate {WIDE} --margin nan",
    f"gate {WIDE} --power 0.01",
    f"gate {WIDE} --metric rps",
    f"gate {WIDE} --baseline c",
    f"gate {WIDE} --resample cases",
    f"gate {WIDE} --history words.csv",
    f"gate {WIDE} --history none/gates.jsonl",
    f"gate {WIDE} --name x",
    f"gate {WIDE} --by country",
    "gate matrix.csv matrix2.csv --labels 1,2",
    "gate matrix.csv words.csv",
    f"report {WIDE} --primary nonesuch",
    f"meta {WIDE} --resamples 99999999999",
    f"meta {WIDE} --parts 3",
    "meta wide.csv --gold human --pred a",
    "properties --budget nan mae",
    "properties --properties nonesuch mae",
    "properties --classes 40 --items 40 mae",
    "reproduce table2 --data .",
    "reproduce table3 --data .",
    "reproduce appendix-a --format svg",
    "reproduce sakai2021",
)


@grid("line", BAD_COMMANDS, every=3)
def test_a_bad_command_is_told_what_to_type(folder, line):
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code in {2, 3}, result.output
    said = result.stderr
    assert not (found := python_in(said)), f"{found.group()!r} in {said}"
    assert "Traceback" not in said


# A result says the same wherever it is shown, so it spells nothing as Python does.
GOOD_COMMANDS = (
    "evaluate gold.csv fewer.csv --missing zero --level none",
    "evaluate gold.csv off.csv --labels 1,2,3 --unknown missing --missing drop --level none",
    "evaluate gold.csv between.csv --labels 1,2,3 --round nearest --level none",
    "compare gold.csv a.csv fewer.csv --missing drop --resamples 9",
    f"compare {WIDE} --plan --resamples 9",
    "check gold.csv off.csv words.csv fewer.csv --labels 1,2,3",
)


@pytest.mark.parametrize("line", GOOD_COMMANDS)
def test_a_result_has_no_python_spelling(folder, line):
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code in {0, 1}, result.output
    assert not (found := python_in(result.output)), f"{found.group()!r} in {result.output}"
