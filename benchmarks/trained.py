"""Does training with `expected_loss` beat cross-entropy on its measure? Print a board, and write it into its page.

On real data a small network is trained in four ways: with cross-entropy, with the loss of a measure alone, with this
loss after cross-entropy, and with both together. The answers on held-out items are the most probable classes.
`--splits` says how often the data is divided anew; `--page FILE` writes the boards between the marks of a page. The
data lies in ../shared/data, beside the repository, and is not part of it.
"""

import argparse
import copy
import csv
import gzip
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ordeval as oe
from benchmarks.written import between_marks

DATA = Path(__file__).parents[2] / "shared" / "data" / "classic_ordinal"
SETS = {"wine_quality_white": 30, "lev": 60, "era": 60}  # how many epochs
MEASURES = ("cem_ord", "weighted_kappa(weights='quadratic')", "macro_mae")
WAYS = ("cross-entropy", "loss alone", "loss after cross-entropy", "loss + 0.2 cross-entropy")
BATCH, RATE, FINE_RATE, HIDDEN = 256, 1e-2, 3e-3, 32
FIRST_SEED = 100  # the splits 0 to 9 were used to choose the ways and the rates

# --- what kind of loss each measure is, which takes the kernels alone ---

LINES, POINTS = 30, 1001  # of lines through tables, and of tables on each
ROUNDED = 1e-12  # a second difference up to which a line has no bend
SHARP = 4.0  # times the second differences a few points away: a bend at a point, and not a curve
KINDS = {
    "linear": "linear in the probabilities",
    "curve": "smooth",
    "bends": "smooth but for bends",
    "refused": "refused",
}


def kind(metric: oe.Metric) -> str:
    """Return what kind of function of the probabilities a measure is, along lines between tables of the same gold."""
    if metric.per_item is not None:
        return "refused"
    rng = np.random.default_rng(0)
    share = np.linspace(0, 1, POINTS)[:, None, None]
    found = "linear"
    for line in range(LINES):
        k = 3 + line % 3
        gold = rng.uniform(5, 50, (k, 1))
        right = (
            line % 2
        )  # half of the answers in every other line, as when a model has learnt something
        first, last = (
            gold * (right * np.eye(k) + rng.dirichlet(np.full(k, 0.5), k)) / (1 + right)
            for _ in range(2)
        )
        bend = np.abs(np.diff(metric.from_counts((1 - share) * first + share * last), n=2))
        if bend.max() > ROUNDED:
            around = np.maximum(bend[:-8], bend[8:])
            sharp = (bend[4:-4] > SHARP * around + ROUNDED).any()
            found = "bends" if sharp or found == "bends" else "curve"
    return found


def kinds() -> Iterator[str]:
    """Write the measures of each kind as a table."""
    named: dict[str, list[str]] = defaultdict(list)
    for name, metric in oe.registry.items():
        named[kind(metric)].append(f"`{name}`")
    yield "| as a loss | measures |"
    yield "|---|---|"
    for each, words in KINDS.items():
        yield f"| {words} | {', '.join(named[each])} |"


# --- training ---


@dataclass(frozen=True)
class Part:
    """Items: their features and the indices of their classes, as tensors."""

    features: Any
    gold: Any


def read(name: str) -> tuple[Any, Any, int]:
    """Return features[item, feature], codes[item] and the number of classes of a set."""
    with gzip.open(DATA / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    features = np.array([[float(row[each]) for each in row if each != "label"] for row in rows])
    labels, codes = np.unique([int(row["label"]) for row in rows], return_inverse=True)
    return features, codes, len(labels)


def divided(features: Any, codes: Any, seed: int) -> list[Part]:
    """Return items to train on, to choose an epoch by, and to score: 40%, 10% and 50%, in units of the training."""
    import torch

    order = np.random.default_rng(seed).permutation(len(codes))
    ends = [len(codes) * 4 // 10, len(codes) // 2]
    train = features[order[: ends[0]]]
    scaled = (features - train.mean(axis=0)) / np.maximum(train.std(axis=0), 1e-9)
    return [
        Part(torch.tensor(scaled[some], dtype=torch.float32), torch.tensor(codes[some]))
        for some in np.split(order, ends)
    ]


def score(metric: oe.Metric, model: Any, part: Part, k: int) -> float:
    """Return the measure of the most probable classes."""
    import torch

    with torch.no_grad():
        answers = model(part.features).argmax(dim=1)
    counts = np.bincount((part.gold * k + answers).numpy(), minlength=k * k)
    return float(metric.from_counts(counts.reshape(k, k)))


def trained(
    model: Any, loss: Callable[..., Any], parts: list[Part], metrics: list[oe.Metric], *,
    k: int, epochs: int, rate: float, seed: int,
) -> list[Any]:  # fmt: skip
    """Return, for each measure, the model of the epoch that had the best score of the items to choose by."""
    import torch

    optimiser = torch.optim.Adam(model.parameters(), lr=rate, weight_decay=1e-4)
    shuffle = torch.Generator().manual_seed(seed)
    train, choose = parts[:2]
    best: list[Any] = [(-np.inf, None)] * len(metrics)
    for epoch in range(epochs + 1):
        for at, metric in enumerate(metrics):
            value = score(metric, model, choose, k) * (1 if metric.greater_is_better else -1)
            if value > best[at][0]:
                best[at] = value, copy.deepcopy(model)
        if epoch < epochs:
            for items in torch.randperm(len(train.gold), generator=shuffle).split(BATCH):
                optimiser.zero_grad()
                loss(model(train.features[items]), train.gold[items]).backward()
                optimiser.step()
    return [model for _, model in best]


def split_scores(features: Any, codes: Any, k: int, *, epochs: int, seed: int) -> dict[Any, float]:
    """Return the score on held-out items of every measure and way of training."""
    import torch

    from ordeval.adapters.torch import expected_loss

    parts = divided(features, codes, seed)
    entropy = torch.nn.CrossEntropyLoss()
    metrics = [oe.registry[name] for name in MEASURES]

    def new() -> Any:
        torch.manual_seed(seed)
        first, last = torch.nn.Linear(features.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, k)
        return torch.nn.Sequential(first, torch.nn.ReLU(), last)

    given = {"k": k, "epochs": epochs, "seed": seed}
    plain = trained(new(), entropy, parts, metrics, rate=RATE, **given)
    found = {}
    for name, metric, start in zip(MEASURES, metrics, plain, strict=True):
        loss = expected_loss(metric, classes=k)

        def both(answers: Any, gold: Any, loss: Any = loss) -> Any:
            return loss(answers, gold) + 0.2 * entropy(answers, gold)

        fine = copy.deepcopy(start)
        models = [
            [start],
            trained(new(), loss, parts, [metric], rate=RATE, **given),
            trained(fine, loss, parts, [metric], rate=FINE_RATE, **given),
            trained(new(), both, parts, [metric], rate=RATE, **given),
        ]
        for way, (model,) in zip(WAYS, models, strict=True):
            found[name, way] = score(metric, model, parts[2], k)
    return found


@dataclass(frozen=True)
class Row:
    """The scores of one set by one measure: scores[way, split]."""

    data: str
    measure: str
    scores: Any

    @property
    def gains(self) -> Any:
        """How much better than with cross-entropy each way was, for each split."""
        sign = 1 if oe.registry[self.measure].greater_is_better else -1
        return sign * (self.scores - self.scores[0])

    @property
    def better_and_worse(self) -> tuple[Any, Any]:
        """In how many splits each way was better than cross-entropy, and in how many worse."""
        return (self.gains > 0).sum(axis=1), (self.gains < 0).sum(axis=1)

    def wins(self, way: int) -> bool:
        """Tell whether a way was better than cross-entropy on average and in more splits than it was worse."""
        better, worse = self.better_and_worse
        return bool(self.gains[way].mean() > 0 and better[way] > worse[way])


def board(names: list[str], *, splits: int) -> Iterator[Row]:
    """Give the scores of every set and measure."""
    for name in names:
        features, codes, k = read(name)
        found = [
            split_scores(features, codes, k, epochs=SETS[name], seed=FIRST_SEED + split)
            for split in range(splits)
        ]
        for measure in MEASURES:
            scores = [[one[measure, way] for one in found] for way in WAYS]
            yield Row(name, measure, np.array(scores))


def lines(rows: list[Row], splits: int) -> Iterator[str]:
    """Write the board, and where the loss did not win, in Markdown."""
    yield f"| set | measure | {' | '.join(WAYS)} |"
    yield "|---|---|" + "---:|" * len(WAYS)
    for row in rows:
        means, better, worse = row.scores.mean(axis=1), *row.better_and_worse
        cells = [f"{means[0]:.3f}"]
        cells += [f"{means[at]:.3f} ({better[at]}:{worse[at]})" for at in range(1, len(WAYS))]
        arrow = "↑" if oe.registry[row.measure].greater_is_better else "↓"
        yield f"| {row.data} | `{row.measure}` {arrow} | {' | '.join(cells)} |"
    yield ""
    yield f"In brackets: in how many of {splits} splits it was better and worse than cross-entropy."
    yield ""
    for at, way in enumerate(WAYS[1:], 1):
        failed = [row for row in rows if not row.wins(at)]
        where = ", ".join(f"{row.data} by {oe.registry[row.measure].name}" for row in failed)
        yield f"- {way}: {f'not better on {where}' if failed else 'better everywhere'}."


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trained", description=__doc__)
    parser.add_argument("sets", nargs="*", help=f"{', '.join(SETS)}; all unless told")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--page", type=Path, help="also write the boards to this file")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit("../shared/data is absent, and the board is made of its data.")
    import torch

    torch.set_num_threads(1)
    rows = list(board(arguments.sets or list(SETS), splits=arguments.splits))
    print("\n".join(lines(rows, arguments.splits)))
    if arguments.page:
        between_marks(arguments.page, "losses", kinds())
        between_marks(arguments.page, "trained", lines(rows, arguments.splits))


if __name__ == "__main__":
    main()
