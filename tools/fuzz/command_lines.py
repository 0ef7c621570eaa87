"""Command lines: any options of any command, with values from a bag of odd ones, run by click in this process."""

import functools
from random import Random

import click
from click.testing import CliRunner

from ordeval.cli import main
from tools.fuzz.calls import named
from tools.fuzz.folder import BAD, GOOD, small_files
from tools.fuzz.trial import Finding, Outcome, Try, attempt, raised

STATUSES = {0: "answered", 1: "answered", 2: "refused", 3: "refused", 4: "answered"}
# fmt: off
ODD = [
    "", " ", "\n", "a\nb", "\t", "\0", ",", ",,", "a,a", "1,2,3", "3,2,1", "1,2", "a,b,c", "1,,3", "0", "1",
    "-1", "3", "0.5", "1e308", "-0", "nan", "inf", "-inf", "9" * 5000, "1000000000000",
    "10000000000000000000000", "0x10", "\uff11", "é", "\u202e", "\x1b[31m", "\udcff", "a" * 3000, "truth", "a", "id",
    "case", "gold", "half", "w", "none", "error", "zero", "json", "accuracy", "cem_ord,mae", "accuracy=0.5",
    "accuracy=x", "=", "accuracy_within(n=-1)", "accuracy_within(n=1e9)", "weighted_kappa(weights='linear')",
    "cem_ord(", "qwk", "*", "?[", "{}", "'; drop table x; --", "\"", "$(true)", "%s", "{0}", "--", "-", "-x",
    "--gold", "label=3", "~", "http:", "file:///etc/passwd", "/proc/self/mem",
]
# fmt: on
FITTING = {
    "labels": "1,2,3",
    "values": "1,2,4",
    "metrics": "accuracy,mae",
    "level": "0.9",
    "resamples": "99",
    "seed": "1",
    "gold": "truth",
    "pred": "a",
    "weight": "w",
    "by": "half",
    "output": "out",
    "fail_under": "accuracy=0.5",
    "classes": "3",
    "items": "4",
    "raters": "a,b",
    "rater": "rater",
    "ceiling": "mae,qwk",
    "judges": "a,b",
    "judge": "j0",
    "margin": "0.1",
    "epsilon": "0.1",
    "score": "accuracy",
    "primary": "mae",
    "repeat": "epoch",
    "budget": "50",
    "target": "0.1",
    "cost_human": "2",
    "cost_judge": "0.5",
    "n_resamples": "99",
    "scores": "w",
    "sets": "0.8",
    "apply": "rule.json",
    "abstain": "0.2",
    "folds": "3",
    "metric": "qwk",
    "history": "gates.jsonl",
    "baseline": "a",
    "candidate": "b",
}  # fmt: skip
SLOW = ("demo", "reproduce", "meta", "properties", "report")
SHORT = {"reproduce": ["appendix-a", "figure1", ""], "properties": ["accuracy", "mae", ""]}


@functools.cache
def commands() -> dict[str, click.Command]:
    """Return the commands by name."""
    assert isinstance(main, click.Group)  # noqa: S101
    context = click.Context(main)
    found = {name: main.get_command(context, name) for name in main.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def option(rng: Random, parameter: click.Parameter) -> list[str]:
    """Write an option with a value that fits or does not."""
    name = rng.choice([*parameter.opts, *parameter.secondary_opts])
    if getattr(parameter, "is_flag", False):
        return [name]
    fitting = [FITTING.get(parameter.name or "", "x")]
    if isinstance(parameter.type, click.Choice):
        fitting = [str(choice) for choice in parameter.type.choices]
    elif parameter.name == "output":
        fitting += ["out", "folder", "null", "folder/none/x", "a.csv", "n" * 250, "dangling.csv"]
    value = rng.choice(fitting if parameter.name == "output" or rng.random() < 0.6 else ODD)
    return [name, value] if rng.random() < 0.9 or not name.startswith("--") else [f"{name}={value}"]


def files(rng: Random, command: str) -> list[str]:
    """Write the arguments of a command: files mostly."""
    if command in SHORT or rng.random() < 0.1:
        return [rng.choice(SHORT.get(command, ODD))]
    usual = (
        ["gold.csv", "a.csv"],
        ["gold.csv", "a.csv", "b.csv"],
        ["wide.jsonl", "--gold", "truth", "--pred", "a"],
    )
    if command == "gate":
        usual = (
            ["gold.csv", "a.csv", "b.csv"],
            ["wide.jsonl", "--gold", "truth", "--pred", "a,b"],
            ["table.json", "--baseline", "a"],
            ["matrix.csv", "table.json"],
        )
    elif command in {"merge", "score"}:
        usual = (["table.json"], ["matrix.csv"], ["table.json", "table.json"])
    elif command == "agree":
        usual = (["marks.csv"], ["wide.jsonl", "--raters", "truth,a,b"])
    elif command == "judge":
        usual = (
            ["marks.csv", "a.csv"],
            ["marks.csv", "judges.csv"],
            ["marks.csv", "a.csv", "log.json"],
            ["marks.csv", "log.json"],
            ["marks.csv", "--judges", "r2"],
            ["wide.jsonl", "--raters", "truth,a", "--judges", "b"],
        )
    elif command == "correct":
        usual = (
            ["gold.csv", "judge.csv"],
            ["marks.csv", "judge.csv", "answers.csv"],
            ["marks.csv", "judges.csv", "--judge", "j1"],
            ["gold.csv", "log.json", "answers.csv"],
        )
    elif command == "decide":
        usual = (
            ["decided.csv"],
            ["decided.csv", "--scores", "w"],
            ["decided.csv", "--sets", "0.8"],
            *(["decided.csv", "--apply", f"{rule}.json"] for rule in ("rule", "cuts", "sets")),
        )
    elif rng.random() < 0.2:
        usual = (["marks.csv", "a.csv"], ["marks.csv", "probabilities.csv", "--proba"])
    if rng.random() < 0.7:
        return list(rng.choice(usual))
    return [rng.choice(GOOD + BAD) for _ in range(rng.randint(0, 3))]


def command_line(rng: Random) -> Try:
    """Draw a command with some files and some options."""
    name = rng.choice([one for one in commands() if one not in SLOW or rng.random() < 0.2])
    parameters = [p for p in commands()[name].params if isinstance(p, click.Option)]
    parameters = [p for p in parameters if "--help" not in p.opts or rng.random() < 0.1]
    chosen = rng.sample(parameters, min(len(parameters), rng.choice([0, 1, 1, 2, 3])))
    given = [name, *files(rng, name)]
    for parameter in chosen:
        at = rng.randint(1, len(given)) if rng.random() < 0.1 else len(given)
        given[at:at] = option(rng, parameter)

    def judge() -> Outcome:
        with small_files(named()["table"].to_json()):
            result, _ = attempt(lambda: CliRunner().invoke(main, given, prog_name="ordeval"))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise raised(result.exception) from result.exception
        if result.exit_code not in STATUSES:
            raise Finding(f"status {result.exit_code}")
        if "Traceback" in result.output:
            raise Finding(result.output, "a traceback")
        return Outcome(STATUSES[result.exit_code])

    return Try(f"ordeval {given}", judge)
