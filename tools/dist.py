"""Build the source distribution and the wheel twice, compare the bytes, and keep one of each: python -m tools.dist.

The second build has another folder, other times of files, and another umask, locale, time zone and order of hashes. Its
wheel is built from the unpacked source distribution, as users of pip and conda-forge build it.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

__all__ = ["build", "build_twice"]

ROOT = Path(__file__).parents[1]
ONE = {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "1"}
OTHER = {"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2"}


def git(*words: str) -> str:
    """Return what git says about the checkout."""
    return subprocess.run(  # noqa: S603
        ["git", *words],  # noqa: S607
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip


def build(source: Path, kind: str, folder: Path, conditions: dict[str, str], umask: int) -> Path:
    """Build an sdist or a wheel, and return the file."""
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", folder, source],
        check=True, stdout=subprocess.DEVNULL, umask=umask,
        env={**os.environ, **conditions},
    )  # fmt: skip
    (built,) = folder.glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def build_twice(target: Path) -> list[Path]:
    """Build everything twice, and copy it to a folder if the bytes are the same; else end with a sentence."""
    # The time that is written into archives is that of the last commit.
    epoch = {"SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct").strip()}
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        first = [
            build(ROOT, kind, work / "first", ONE | epoch, 0o022) for kind in ("sdist", "wheel")
        ]
        copy = work / "a copy"
        for file in git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0"):
            if file and (ROOT / file).is_file():
                (copy / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / file, copy / file)
        sdist = build(copy, "sdist", work / "second", OTHER | epoch, 0o077)
        with tarfile.open(sdist) as archive:
            archive.extractall(work, filter="data")
        unpacked = work / sdist.name.removesuffix(".tar.gz")
        second = [sdist, build(unpacked, "wheel", work / "second", OTHER | epoch, 0o077)]
        for one, other in zip(first, second, strict=True):
            if one.read_bytes() != other.read_bytes():
                raise SystemExit(f"two builds of {one.name} differ; compare them with diffoscope.")
        target.mkdir(parents=True, exist_ok=True)
        return [Path(shutil.copy(one, target)) for one in first]


if __name__ == "__main__":
    for built in build_twice(Path(sys.argv[1] if len(sys.argv) > 1 else "dist")):
        print(built)
