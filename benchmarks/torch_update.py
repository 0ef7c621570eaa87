"""How long does an update of a metric of torchmetrics take? Print ours beside the confusion matrix of torchmetrics.

On the CPU always, and on a GPU if torch sees one: there the updates of ours run while torch refuses everything that
makes the host wait, and theirs, which waits, without. Each time is a median of calls in turn. `--most` is the largest
number of pairs, `--page FILE` writes the table of this machine between the marks of a page.
"""

import argparse
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.rivals import version
from benchmarks.timing import side_by_side
from benchmarks.written import between_marks

__all__ = ["board", "lines"]

PAIRS = (10_000, 1_000_000, 100_000_000)
CLASSES = (3, 5, 10, 32, 100)


def board(device: str, most: int) -> Iterator[dict[str, Any]]:
    """Give the times of every number of pairs and classes, and of two types."""
    import torch
    from torchmetrics.classification import MulticlassConfusionMatrix

    from ordeval.adapters.torchmetrics import CemOrd

    generator = torch.Generator().manual_seed(0)
    for n in (n for n in PAIRS if n <= most):
        for k in CLASSES:
            for dtype in (torch.int64, torch.uint8):
                preds, target = (
                    torch.randint(k, (n,), generator=generator, dtype=dtype).to(device)
                    for _ in range(2)
                )
                ours, *theirs = (
                    one_update(metric.to(device), preds, target)
                    for metric in (
                        CemOrd(k),
                        MulticlassConfusionMatrix(k, validate_args=False),
                        MulticlassConfusionMatrix(k, validate_args=True),
                    )
                )
                pairs = [side_by_side(ours, other) for other in theirs]
                medians = [[statistics.median(times) for times in pair] for pair in pairs]
                yield {"pairs": n, "classes": k, "type": str(dtype)[6:], "medians": medians}


def one_update(metric: Any, preds: Any, target: Any) -> Callable[[], None]:
    """Return a function that updates a metric and waits for the device to be done."""
    import torch

    if target.device.type != "cuda":
        return lambda: metric.update(preds, target)
    allowed = "error" if type(metric).__module__.startswith("ordeval") else "default"

    def update() -> None:
        torch.cuda.set_sync_debug_mode(allowed)
        metric.update(preds, target)
        torch.cuda.set_sync_debug_mode("default")
        torch.cuda.synchronize()

    return update


def shown(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError


def lines(rows: list[dict[str, Any]], about: str) -> Iterator[str]:
    """Write the table in Markdown: a column for each way, and how many times faster ours is."""
    yield about
    yield ""
    yield "| pairs | classes | type | ours | torchmetrics, unchecked | torchmetrics, checked | faster by |"
    yield "|---:|---:|---|---:|---:|---:|---|"
    for row in rows:
        (ours, unchecked), (beside, checked) = row["medians"]
        yield (
            f"| {row['pairs']:,} | {row['classes']} | {row['type']} | {shown(ours)} | {shown(unchecked)} | "
            f"{shown(checked)} | {unchecked / ours:.2f} and {checked / beside:.1f} times |"
        )
    slower = sum(ours > theirs for row in rows for ours, theirs in row["medians"])
    yield ""
    yield f"Ours was slower in {slower} of {2 * len(rows)} comparisons."


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.torch_update", description=__doc__)
    parser.add_argument("--most", type=int, default=PAIRS[-1], help="the largest number of pairs")
    parser.add_argument("--threads", type=int, help="of torch; as many as cores unless told")
    parser.add_argument("--page", type=Path, help="also write the tables to this file")
    arguments = parser.parse_args()
    import torch

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    versions = f"torch {torch.__version__}, torchmetrics {version('torchmetrics')}"
    for device in ("cpu", "cuda") if torch.cuda.is_available() else ("cpu",):
        where = f"{machine()}, threads of torch: {torch.get_num_threads()}"
        if device == "cuda":
            where = torch.cuda.get_device_name()
        table = list(lines(list(board(device, arguments.most)), f"{where}, {versions}."))
        print("\n".join(table), "\n")
        if arguments.page:
            between_marks(arguments.page, f"updates on {device}", table)


if __name__ == "__main__":
    main()
