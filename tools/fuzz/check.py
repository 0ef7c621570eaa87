"""Make inputs by a seed, run them, and count: what was tried, what was refused, and what was found."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from tools.fuzz.calls import call
from tools.fuzz.command_lines import command_line
from tools.fuzz.faults import fault
from tools.fuzz.files import file
from tools.fuzz.forms import counted, frame, labels_in_memory
from tools.fuzz.mutated import mutated
from tools.fuzz.rated import ratings
from tools.fuzz.soft_gold import soft
from tools.fuzz.trial import Finding, Try, raised

FAULT = "fault"
Kind = Callable[[Random], Try]
KINDS: dict[str, Kind] = {
    "labels": labels_in_memory,
    "frame": frame,
    "crosstab": counted,
    "file": file,
    "ratings": ratings,
    "soft": soft,
    "mutated": mutated,
    "call": call,
    "options": command_line,
    FAULT: fault,  # not one of the inputs, but as many as are asked for
}
# of a hundred
SHARES = {
    "labels": 34, "frame": 8, "crosstab": 6, "file": 8, "ratings": 6, "soft": 3, "mutated": 10, "call": 20,
    "options": 5
}  # fmt: skip
WORDS = ("answered", "refused", "stricter", "unclear")


@dataclass
class Tally:
    """What came of the tries of each kind, and what was found: a cause and a text each."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[str] = field(
        default_factory=Counter
    )  # why some are stricter than a plain count
    findings: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take in what another process found."""
        self.outcomes.update(other.outcomes)
        self.reasons.update(other.reasons)
        self.findings += other.findings

    def by_cause(self) -> dict[str, list[str]]:
        """Return the texts of the findings of each cause."""
        found: dict[str, list[str]] = {}
        for cause, text in self.findings:
            found.setdefault(cause, []).append(text)
        return found

    @property
    def tried(self) -> int:
        """The number of tries."""
        return self.outcomes.total() + len(self.findings)

    def __str__(self) -> str:
        lines = [" ".join([f"{'kind':10}", *(f"{word:>9}" for word in WORDS)])]
        for kind in dict.fromkeys([*KINDS, *(kind for kind, _ in self.outcomes)]):
            numbers = (f"{self.outcomes[kind, word]:9,}" for word in WORDS)
            lines.append(" ".join([f"{kind:10}", *numbers]))
        of_causes = f" of {len(self.by_cause())} causes" if self.findings else ""
        lines.append(f"tried {self.tried:,}, {len(self.findings)} findings{of_causes}")
        return "\n".join(lines)


def kind_of(index: int) -> str:
    """Return the kind of the input of an index, so that every hundred have the shares above."""
    at = index * 37 % 100  # mixed, so that a short run has all kinds
    for kind, share in SHARES.items():
        at -= share
        if at < 0:
            return kind
    raise AssertionError


def try_one(name: str, tally: Tally, kinds: Mapping[str, Kind] = KINDS) -> None:
    """Make the try of a name, SEED:INDEX or SEED:fault:INDEX, run it and judge it."""
    kind = FAULT if FAULT in name else kind_of(int(name.rpartition(":")[2]))
    generated = kinds[kind](Random(name))
    try:
        try:
            outcome = generated.judge()
        except Finding:
            raise
        except Exception as error:
            raise raised(error) from error
    except Finding as finding:
        text = f"--only {name} ({kind})\n  {finding}\n  {generated.shown}"
        tally.findings.append((f"{kind}: {finding.cause}", text))
    else:
        tally.outcomes[kind, outcome.word] += 1
        tally.reasons.update([outcome.reason] if outcome.reason else [])


def try_many(names: Iterable[str], until: float = math.inf) -> Tally:
    """Make several tries, and begin none after a time."""
    tally = Tally()
    for name in names:
        if time.time() < until:
            try_one(name, tally)
    return tally
