"""Look for faults: `python -m tools.fuzz --tries 100000 --faults 1000`, or `--only NAME` to see one try again."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tools.fuzz.check import FAULT, KINDS, Tally, kind_of, try_many

CHUNK, FEW = 250, 10  # tries and faults that a process takes at once


def main(arguments: Sequence[str] | None = None) -> int:
    """Try many inputs in all processes that there are cores for; the status is 1 if something is found."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--tries", type=int, default=100_000)
    parser.add_argument("--faults", type=int, default=0, help="faults injected into processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--kinds", default=",".join(KINDS), help="try these alone")
    parser.add_argument("--only", metavar="NAME", help="try this one again, as findings say it")
    parser.add_argument("--shown", type=int, default=20, help="causes shown, an example each")
    chosen = parser.parse_args(arguments)
    start = time.monotonic()
    if chosen.only:
        tally = try_many([chosen.only])
    else:
        tally, kinds = Tally(), chosen.kinds.split(",")
        wanted = [index for index in range(chosen.tries) if kind_of(index) in kinds]
        names = [f"{chosen.seed}:{index}" for index in wanted]
        faults = [f"{chosen.seed}:{FAULT}:{index}" for index in range(chosen.faults)]
        chunks = [
            part[first : first + size]
            for part, size in ((faults, FEW), (names, CHUNK))
            for first in range(0, len(part), size)
        ]
        try_chunk = partial(try_many, until=time.time() + chosen.seconds)
        if chosen.processes == 1:
            parts = [try_chunk(chunk) for chunk in chunks]
        else:
            with ProcessPoolExecutor(chosen.processes, get_context("spawn")) as pool:
                parts = list(pool.map(try_chunk, chunks))
        for part in parts:
            tally.add(part)
    for cause, texts in list(tally.by_cause().items())[: chosen.shown]:
        print(f"{len(texts):,} x {cause}\n{texts[0]}")
    print(tally)
    for reason, times in tally.reasons.most_common(5):
        print(f"  stricter than a plain count {times:,} times: {reason}")
    print(f"seed {chosen.seed}, {time.monotonic() - start:.0f} seconds")
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
