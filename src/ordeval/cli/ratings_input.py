"""What every command that reads the marks of raters asks for: the files, their columns, the scale and the policies.

`@ratings_options` gives a command an argument `data: RatingsData`, and `data.read(job)` the ratings.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from ordeval.cli.help import COLUMNS, INPUT, option
from ordeval.cli.inputs import gathered, policy, split_columns
from ordeval.cli.progress import Job, tell
from ordeval.cli.scale_options import CLASS_OPTIONS, read_scale, split_list

if TYPE_CHECKING:
    from ordeval.ratings import Ratings


@dataclass(frozen=True, slots=True)
class RatingsData:
    """The files of marks named on the command line and how to read them."""

    files: tuple[str, ...]
    raters: tuple[str, ...]
    item: str | None
    rater: str | None
    label: str | None
    case: str | None
    repeat: str | None
    count: str | None
    labels: str | None
    values: str | None
    names: str | None
    unknown: str
    duplicates: str
    round: str

    def read(self, job: Job, *, one_rater: bool = False) -> "Ratings":
        """Read the files, the first stage of a job, and give the classes the names by which they are shown.

        A single file without a column of raters is read only if it may be of `one_rater`.
        """
        from ordeval.ratings import Ratings

        self.check()
        with job.stage("counting") as progress:
            ratings = Ratings.from_file(
                self.files, progress=progress, one_rater=one_rater, **self.options()
            )
        for note in ratings.notes:
            tell(note)
        if self.names is None:
            return ratings
        return replace(ratings, scale=ratings.scale.named(split_list(self.names)))

    def options(self) -> dict[str, Any]:
        """Return the columns, the scale and the policies as keywords of `Ratings.from_file`."""
        labels, values = read_scale(self.labels, self.values)
        return {
            "raters": split_columns(self.raters) or None,
            "item": self.item,
            "rater": self.rater,
            "label": self.label,
            "case": self.case,
            "repeat": self.repeat,
            "count": 1 if self.count == "1" else self.count,
            "labels": labels,
            "values": values,
            "unknown": self.unknown,
            "duplicates": self.duplicates,
            "round": self.round,
        }

    def check(self) -> None:
        """Refuse options of long files beside those of wide ones."""
        if self.raters and (self.rater or self.label or self.repeat):
            raise click.UsageError(
                "--rater, --label and --repeat name columns of long files; the columns of a wide file are named with "
                "--raters."
            )
        if self.count and not self.raters:
            raise click.UsageError(
                "--count is for wide files, whose rows stand for items; name the raters' columns too: --raters COL,COL."
            )


RATINGS = (
    click.argument("files", nargs=-1, required=True, metavar="RATINGS..."),
    option(INPUT, "--raters", multiple=True, metavar="COL,COL",
           help="The columns of the raters in a wide file, which has one row for each item; may be repeated."),
    option(COLUMNS, "--item", metavar="COL", help="The column of item ids.  [default: item, id, item_id, doc]"),
    option(COLUMNS, "--rater", metavar="COL",
           help="The column of raters.  [default: rater, annotator, worker, judge, model, or else the names of several "
                "files]"),
    option(COLUMNS, "--label", metavar="COL",
           help="The column of marks, or the scorer or measure of a log.  [default: label, value, gold, prediction, "
                "pred, score, rating, grade]"),
    option(COLUMNS, "--case", metavar="COL",
           help="The column of test cases, where different ones may have items of the same id.  [default: case, "
                "test_case, topic, query]"),
    option(COLUMNS, "--repeat", metavar="COL",
           help="The column that tells the marks of a rater on the same item apart.  [default: repeat, epoch]"),
    option(COLUMNS, "--count", metavar="COL|1",
           help="The column of a wide file that says how many items each row stands for; 1: each row is one item."),
    *CLASS_OPTIONS,
    policy("unknown", "What happens to a mark that is not on the scale: refused, or taken as missing."),
    policy("duplicates", "What happens to a second mark of a rater on the same item: refused, or left out."),
    policy("round", "What happens to a number between two classes: refused, or rounded (a half goes up)."),
)  # fmt: skip

ratings_options = gathered(RATINGS, RatingsData, "data")
