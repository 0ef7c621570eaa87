"""The command: `python -m tools.fuzz --tries 100000 --seed 1`, or `--only SEED:INDEX` to see one input again."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tools.fuzz.check import Tally, try_many

CHUNK = 250
SHOWN = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Try many inputs in all processes that there are cores for; the status is 1 if one fails."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--tries", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--only", metavar="SEED:INDEX", help="try one input again")
    chosen = parser.parse_args(arguments)
    start = time.monotonic()
    if chosen.only:
        seed, index = map(int, chosen.only.split(":"))
        tally = try_many(seed, [index])
    else:
        tally = Tally()
        chunks = [
            range(first, min(first + CHUNK, chosen.tries))
            for first in range(0, chosen.tries, CHUNK)
        ]
        try_chunk = partial(try_many, chosen.seed)
        if chosen.processes == 1:
            parts = [try_chunk(chunk) for chunk in chunks]
        else:
            with ProcessPoolExecutor(chosen.processes, get_context("spawn")) as pool:
                parts = list(pool.map(try_chunk, chunks))
        for part in parts:
            tally.add(part)
    for failure in tally.failures[:SHOWN]:
        print(failure)
    print(tally)
    for reason, times in tally.reasons.most_common(5):
        print(f"  stricter than a plain count {times:,} times: {reason}")
    print(f"seed {chosen.seed}, {time.monotonic() - start:.0f} seconds")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
