"""The problems that were found in files, and how they are shown."""

from dataclasses import dataclass, replace
from typing import Any

from ordeval.errors import flag
from ordeval.formats import terminal
from ordeval.formats.json import head
from ordeval.formats.names import clean, rising
from ordeval.formats.numbers import counted
from ordeval.formats.result import Result
from ordeval.formats.sheet import Column, Kind, Sheet, value_sheet
from ordeval.inputs.placing import PlacedPatterns

MOST_LABELS = 12  # a longer scale is described by its two ends
MOST_FINE = 10  # files without problems that a terminal names one by one


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a file, and its line if it has one."""

    what: str
    line: int | None = None
    remark: bool = False  # the file can be scored in spite of it

    @property
    def brief(self) -> str:
        """The first sentence without its full stop: it says what is wrong, and not what to do."""
        return self.what.partition(". ")[0].rstrip(".")

    def __str__(self) -> str:
        return self.what if self.line is None else f"line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file and its problems."""

    file: str
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the file can be scored."""
        return all(problem.remark for problem in self.problems)

    @property
    def why_not(self) -> str:
        """The first reason why the file cannot be scored."""
        return next(problem.brief for problem in self.problems if not problem.remark)


@dataclass(frozen=True)
class FilesCheck(Result):
    """The problems of each file; `gold` is gold alone, put on its scale.

    Tables of counts have no file of gold.
    """

    gold_file: str | None
    gold: PlacedPatterns | None
    files: tuple[CheckedFile, ...]
    raters: int | None = None  # who made the gold, if it is known

    @property
    def ok(self) -> bool:
        """Whether all files can be scored."""
        return all(file.ok for file in self.files)

    def __repr__(self) -> str:
        return f"FilesCheck(files={len(self.files)}, ok={sum(file.ok for file in self.files)})"

    @property
    def summary(self) -> str:
        """How many files can be scored, and what to do about the others."""
        bad = [file.file for file in self.files if not file.ok]
        whole = counted(len(self.files), "file")
        if not bad:
            return f"{'The file' if len(self.files) == 1 else f'All {whole}'} can be scored."
        if len(bad) == len(self.files):
            return (
                "The file cannot be scored."
                if len(bad) == 1
                else f"None of the {whole} can be scored."
            )
        good = f"{len(self.files) - len(bad)} of {whole} can be scored; {len(bad)} cannot: {', '.join(map(clean, bad))}"
        return f"{good}. Pass {flag('skip_bad')} to leave these out."

    @property
    def introduction(self) -> str:
        """The size and the classes of gold."""
        if self.gold is None or self.gold_file is None:
            return "Tables of counts, each of which holds its own gold."
        items, labels = self.gold.items, [clean(label) for label in self.gold.scale.labels]
        cases = f" in {counted(len(self.gold.cases), 'test case')}" if self.gold.cases else ""
        classes = f"{counted(len(labels), 'class', 'classes')}: {rising(labels, MOST_LABELS)}"
        raters = f", {counted(self.raters, 'rater')}" if self.raters else ""
        return f"Gold, {clean(self.gold_file)}: {counted(items, 'item')}{cases}{raters}; {classes}."

    def sheet(self) -> Sheet:
        """Return a row for each problem, and one for each file without any."""
        columns = [
            Column("file"), Column("ok"), Column("line", Kind.COUNT), Column("what", prose=True),
        ]  # fmt: skip
        rows = [
            (file.file, "yes" if file.ok else "no", problem.line, problem.what)
            for file in self.files
            for problem in file.problems or (Problem(""),)
        ]
        return replace(value_sheet(columns, rows), lead=[self.summary, self.introduction])

    def to_text(self, *, width: int | None = None, colour: bool = False) -> str:
        """Return the answer, what gold has, and a block for each file with its problems.

        Many files without problems are one line: a long list would move the problems out of sight.
        """
        fine = [file for file in self.files if not file.problems]
        shown = self.files if len(fine) <= MOST_FINE else [f for f in self.files if f.problems]
        blocks = []
        for file in shown:
            bad = terminal.styled("cannot be scored", terminal.BOLD, colour=colour)
            problems = [terminal.wrapped(clean(str(one)), width, "  ") for one in file.problems]
            blocks.append("\n".join([f"{clean(file.file)}: {'ok' if file.ok else bad}", *problems]))
        if len(shown) < len(self.files):
            others = "the other " if shown else "all "
            blocks.append(f"{others}{counted(len(fine), 'file')}: ok")
        answer = [terminal.wrapped(text, width) for text in (self.summary, self.introduction)]
        return "\n\n".join(["\n".join(answer), "\n".join(blocks)]) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **head("check"),
            **({} if self.gold is None else self.about_gold(self.gold)),
            "files": [
                {
                    "file": file.file,
                    "ok": file.ok,
                    "problems": [
                        {"line": problem.line, "what": problem.what, "remark": problem.remark}
                        for problem in file.problems
                    ],
                }
                for file in self.files
            ],
        }

    def about_gold(self, gold: PlacedPatterns) -> dict[str, Any]:
        """Return the scale, the policies and the size of gold for JSON."""
        policy, scale = gold.policy, gold.scale
        return {
            "scale": {"labels": list(scale.labels), "values": list(scale.values)},
            "policy": {
                name: getattr(policy, name) for name in ("missing", "unknown", "duplicates")
            },
            "input": {"gold": self.gold_file, "items": gold.items, "cases": len(gold.cases)},
        }
