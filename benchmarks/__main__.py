"""Run every benchmark and print one table; `--quick` shrinks the work, `--json FILE` keeps the numbers."""

import argparse
import datetime as dt
import importlib
import json
import os
import platform
from pathlib import Path
from typing import Any

PARTS = ("core", "files", "comparison", "meta")


def described(seconds: float) -> str:
    """Write a time with a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.1e} s"


def verdict(ratio: float) -> str:
    """Say how ours compares with theirs."""
    return f"{ratio:.3g} times faster" if ratio >= 1 else f"{1 / ratio:.3g} times the time"


def main() -> None:
    """Run the parts asked for, print rows as they come."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"which of {', '.join(PARTS)}; all unless told")
    parser.add_argument("--quick", action="store_true", help="smaller inputs")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    arguments = parser.parse_args()
    names = arguments.parts or [
        part for part in PARTS if Path(__file__).with_name(f"{part}.py").exists()
    ]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{dt.datetime.now(dt.UTC):%Y-%m-%d}, {machine}\n")
    print(f"{'work':<46} {'against':<32} {'ours':>9} {'theirs':>9}  ours is (spread)")
    kept: list[dict[str, Any]] = []
    for name in names:
        for row in importlib.import_module(f"benchmarks.{name}").rows(quick=arguments.quick):
            kept.append(row)
            spread = "" if "spread" not in row else " to ".join(f"{x:.3g}" for x in row["spread"])
            print(
                f"{row['work']:<46} {row['competitor']:<32} {described(row['ours']):>9} {described(row['theirs']):>9}  "
                f"{verdict(row['theirs'] / row['ours'])}"
                + (f" ({spread})" if spread else "")
                + (f"; goal: {row['goal']}" if row.get("goal") else ""),
                flush=True,
            )
    if arguments.json:
        content = {
            "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
            "machine": machine,
            "rows": kept,
        }
        arguments.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
