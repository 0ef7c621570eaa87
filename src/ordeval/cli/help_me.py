"""`ordeval metrics --help-me`: the questions of `metrics/choosing.py` in a terminal, or answered beforehand.

The questions go to stderr and the recommendation to stdout, so that it can be kept in a file or read by a program.
"""

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

import click

from ordeval.cli.metrics import INDENT, folded
from ordeval.cli.output import deliver, screen
from ordeval.cli.progress import remark
from ordeval.formats.json import head, to_json
from ordeval.formats.terminal import BOLD, styled
from ordeval.metrics.choosing import FIRST, Question, Step
from ordeval.metrics.recommendations import Recommendation

__all__ = ["help_me"]

BACK, QUIT = "b", "q"
HOW = f"Type a number. Enter: I do not know (takes 1). {BACK}: back. {QUIT}: quit."
A_LINE = 1000  # bytes of an answer that are read at once

Way = list[Step]


def help_me(answers: str | None, form: str) -> None:
    """Ask until a measure can be recommended; without a terminal and without answers, show all questions."""
    asking = answers is None and sys.stdin.isatty()
    lines = lines_of_stdin() if answers is None else iter(answers.split(","))
    first = None if asking else next(lines, None)
    if first is None and not asking:
        content: dict[str, Any] = {"tree": FIRST.to_dict()}
        text = tree(FIRST)
    else:
        found = walk(lines if first is None else chain([first], lines), asking=asking)
        if found is None:
            remark("You left before a measure was recommended.")
            return
        way, chosen = found
        if answers is not None and next(lines, None) is not None:
            raise click.UsageError(
                f"--answers has more answers than there are questions: {len(way)} lead to {chosen.measure}. "
                "Leave out the others."
            )
        content = {"path": [written(step) for step in way], "recommendation": chosen.to_dict()}
        text = recommended(way, chosen, screen(None))
    deliver(to_json({**head("metrics"), **content}) if form == "json" else text, None, form)


def lines_of_stdin() -> Iterator[str]:
    """Yield what is typed or piped, line by line; bytes that are no text are wrong answers like others."""
    while line := sys.stdin.buffer.readline(A_LINE):
        yield line.decode(errors="replace")


def walk(lines: Iterator[str], *, asking: bool) -> tuple[Way, Recommendation] | None:
    """Follow the answers to a recommendation; None if the user quits."""
    way: Way = []
    place: Question | Recommendation = FIRST
    while isinstance(place, Question):
        if asking:
            remark(asked(place, len(way) + 1))
            click.echo("> ", nl=False, err=True)
        line = next(lines, None)
        if line is None:
            raise click.UsageError(
                f"the answers ended before a measure could be recommended. The next question is: {place.text} "
                f"{allowed(place)}"
            )
        word = line.strip().lower()
        numbers = {"": 1, **{str(at): at for at in range(1, len(place.answers) + 1)}}
        if word == QUIT:
            return None
        if word == BACK:
            place = way.pop().question if way else FIRST
        elif word in numbers:
            way.append(Step(place, numbers[word]))
            place = way[-1].answer.then
        elif asking:
            remark(f"{word[:20]!r} is not an answer. {HOW}")
        else:
            raise click.UsageError(
                f"{word[:20]!r} is not an answer to: {place.text} {allowed(place)}"
            )
    return way, place


def allowed(question: Question) -> str:
    """Return the answers to a question in a sentence."""
    listed = "; ".join(f"{at} ({one.text})" for at, one in enumerate(question.answers, start=1))
    return f"Answer {listed}; or leave the answer empty if you do not know."


def asked(question: Question, number: int) -> str:
    """Return a question as the terminal shows it."""
    answers = (f"{INDENT}{at}  {one.text}" for at, one in enumerate(question.answers, start=1))
    return "\n".join(["", f"{number}. {question.text}", question.why, *answers, HOW])


def written(step: Step) -> dict[str, str | int]:
    """Return a question that was answered, for JSON."""
    return {
        "question": step.question.text,
        "answer": step.answer.text,
        "number": step.number,
    }


def recommended(way: Way, chosen: Recommendation, width: int | None) -> str:
    """Return a recommendation for a screen of a width."""

    def listed(heading: str, lines: list[str]) -> list[str]:
        wrapped = (folded(f"{INDENT}{line}", width, 2 * INDENT) for line in lines)
        return ["", heading, *wrapped]

    typed = [f"{INDENT}{line}" for line in chosen.commands]  # as they are, to be copied
    calls = [f"{INDENT}{line}" for line in ("import ordeval as oe", *chosen.calls)]
    return "\n".join(
        [
            styled(f"Use {chosen.measure}.", BOLD, colour=width is not None),
            folded(chosen.why, width),
            *listed("your answers", [f"{step.question.text} {step.answer.text}" for step in way]),
            *listed("show with it", [", ".join(chosen.beside)]),
            *listed("do not use", [f"{name}: {why}" for name, why in chosen.avoid.items()]),
            *["", "in a terminal", *typed],
            *["", "in Python", *calls],
            "",
            folded(
                "If the classes are words, add --labels with all of them, lowest first. The documentation tells more "
                f"on its page 'Which measure should I use?': {chosen.page}",
                width,
            ),
            "",
        ]
    )


def tree(question: Question, indent: str = "") -> str:
    """Return a question and all that follow from its answers, each deeper than the one before."""
    lines = [f"{indent}{question.text}"]
    for at, answer in enumerate(question.answers, start=1):
        if isinstance(answer.then, Question):
            lines += [
                f"{indent}{at}  {answer.text}",
                tree(answer.then, f"{indent}   ").rstrip("\n"),
            ]
        else:
            lines += [f"{indent}{at}  {answer.text}", f"{indent}   Use {answer.then.measure}."]
    return "\n".join(lines) + "\n"
