"""Whatever a command says names options of the command line, and nothing as Python spells it."""

import re

import click
import pytest
from click.testing import CliRunner

from ordeval.cli import COMMANDS, main
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
      (?<![-\w(<])(?<!--fail-under\ )[a-z_]+=(?!=)      # missing='zero', by=
    | \boe\.\w                       # oe.compare
    | \b(?:Table|Runs|Scale|Policy|Metric)\b(?!\ \d)
    | \b(?:table|runs|frame|self)\.\w+
    | \b(?:True|False|None)\b(?!\ of)
    | \b(?:y_true|y_pred|n_resamples|sample_weight|gold_missing|rng|dtype|ndarray)\b
    | \[['"] | \{{['"] | \[\.\.\.\]   # ['low', 'high']
    | (?:^|(?<=:\ ))(?:{SUBJECTS})\ (?:is|are|holds|names)\b
    """,
    re.VERBOSE,
)

# What only the caller of a function can read: a command never gets there.
PYTHON_ALONE = {
    "adapters/": "made for other libraries",
    "inputs/frames/": "data frames come from Python; commands read files",
    "inputs/arrays.py": "labels in lists and arrays",
    "inputs/array_patterns.py": "labels in lists and arrays",
    "inputs/crosstabs.py": "tables of counts in frames and mappings; those in files go through named_counts.py",
    "columns.py": "columns of arrays and frames",
    "one_hot.py": "arrays with a column for each class",
    "metrics/probability_input.py": "arrays of probabilities",
    "formats/frames.py": "to_frame",
    "report/plot.py": "oe.plot; the report draws its figures without it",
    "simulate/": "oe.simulate; `demo` and `reproduce` call it with settings of their own",
    "inputs/files/sql.py": "SQL",
    "comparison/captions.py": "what a result says of itself, the same words wherever it is shown",
    "comparison/verdict.py": "the same",
    "paper/": "results with the settings of oe.simulate, and SVG; no errors",
}
# Single sentences of the same kind, by their beginning.
PYTHON_ALONE_SENTENCES = {
    "X is X; it is True or False": "an option that is a flag is always one of the two",
    "what=X is not a part": "to_frame(what)",
    "X was not evaluated": "evaluation[name]",
    "evaluate was given": "what the function evaluate takes; `ordeval evaluate` reads runs or tables of systems",
    "evaluate lacks y_pred": "the same",
    "this table has the axes ['X']; evaluate takes": "the same",
    "compare was given": "what the function compare takes",
    "the table X has the axes ['X']; samples": "tables by name",
    "plan takes two Tables": "oe.plan; --plan plans the pairs of a comparison",
    "plan was given runs": "oe.plan",
    "X has leading axes; plan": "oe.plan",
    "items=X is not a number of items": "Plan.detectable(items)",
    "width is X": "to_text(width)",
    "none: pass resamples=": "an interval asked of a result of oe.meta",
    "measures are evaluated on Runs": "oe.meta; `ordeval meta` reads runs",
    "this table has the axes X; it needs 'system'": "oe.meta",
    "it lists measures or their names, as [": "metrics= that is no list",
    "X was called without y_pred": "a measure that is called",
    "X was given a Table": "a measure that is called",
    "X takes no reference=": "a measure that is called",
    "values is X; it must have": "from_counts, and Scale with values that are no numbers: --values is read before",
    "labels is X; it must list": "Scale with no list of labels: --labels is one",
    "scale_type=X is not": "oe.proximity",
    "the counts have leading axes": "Table.from_counts",
    "axes is X; it lists": "Table.from_counts",
    "labels_from is": "oe.properties.check",
    "progress is X": "oe.properties.check",
    "cannot tell whether higher is better": "oe.properties.check of a function",
    "cannot check X": "oe.properties.check of anything else",
    "reference is X": "a measure that is called",
    "read_parquet(": "SQL",
}  # fmt: skip


def reachable(path, text):
    if any(path.startswith(room) for room in PYTHON_ALONE):
        return False
    return not any(text.startswith(beginning) for beginning in PYTHON_ALONE_SENTENCES)


def test_no_sentence_that_a_command_can_say_has_a_python_spelling(root):
    source = root / "src" / "ordeval"
    found = [
        f"{path.relative_to(source)}:{line}: {match.group()!r} in {text!r}"
        for path in sorted(source.rglob("*.py"))
        for line, text in sentences(path)
        if (match := PYTHON.search(text)) and reachable(path.relative_to(source).as_posix(), text)
    ]
    assert not found, "\n".join(found)


def test_the_exceptions_are_sentences_that_there_are(root):
    source = root / "src" / "ordeval"
    texts = [text for path in source.rglob("*.py") for _, text in sentences(path)]
    for beginning in PYTHON_ALONE_SENTENCES:
        assert any(text.startswith(beginning) for text in texts), beginning
    for room in PYTHON_ALONE:
        assert (source / room).exists(), room


# Arguments that messages name and no command has: only callers of functions read of them.
NO_OPTION = {"sample_weight", "comparisons", "items"}


def test_every_option_that_a_message_names_is_one_of_a_command(root):
    known = options()
    for path in sorted((root / "src" / "ordeval").rglob("*.py")):
        for line, name in spoken_names(path):
            if name in NO_OPTION:
                continue
            option = {
                "predicted": "--pred",
                "n_resamples": "--resamples",
                "rng": "--seed",
                "method": "--interval",
            }.get(name, f"--{name.replace('_', '-')}")
            assert option in known, f"{path}:{line}: {option}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Make good and bad files, and go to their folder."""
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
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
)


@pytest.mark.parametrize("line", BAD_COMMANDS)
def test_a_bad_command_is_told_what_to_type(folder, line):
    result = CliRunner().invoke(main, line.split())
    assert result.exit_code in {2, 3}, result.output
    said = result.stderr
    assert not (found := python_in(said)), f"{found.group()!r} in {said}"
    assert "Traceback" not in said
