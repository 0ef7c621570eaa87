"""The memory that the engine takes: what the machine, the container and the shell leave to it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ordeval.inputs.files import engine, memory

pytestmark = pytest.mark.usefixtures("own_engine")

MB = 1_000_000
NO_LIMIT = 9_223_372_036_854_771_712  # as the older version of the groups writes it


def write(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n")


@pytest.mark.parametrize(
    ("files", "lowest"),
    [
        pytest.param({}, None, id="no groups"),
        pytest.param({
            "proc/self/cgroup": "0::/user/job",
            "sys/fs/cgroup/user/job/memory.max": "max",
            "sys/fs/cgroup/user/memory.max": 1000 * MB,
        }, 1000 * MB, id="the group around it"),
        pytest.param({
            "proc/self/cgroup": "0::/user/job",
            "sys/fs/cgroup/user/job/memory.max": 700 * MB,
            "sys/fs/cgroup/user/job/memory.high": 600 * MB,
        }, 600 * MB, id="where it is slowed down"),
        pytest.param({
            "proc/self/cgroup": "5:devices:/x\n4:cpu,memory:/docker/abc\n0::/",
            "sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes": 500 * MB,
            "sys/fs/cgroup/memory/memory.limit_in_bytes": NO_LIMIT,
        }, 500 * MB, id="the older version"),
        pytest.param({
            "proc/self/cgroup": "4:memory:/docker/abc",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": 400 * MB,
        }, 400 * MB, id="a container that sees itself as the root"),
        pytest.param({
            "proc/self/cgroup": "0::/../..\nrubbish",
            "sys/fs/cgroup/memory.max": "rubbish",
        }, None, id="rubbish"),
    ],
)  # fmt: skip
def test_the_lowest_limit_of_the_groups_around_a_process_is_found(tmp_path, files, lowest):
    write(tmp_path, files)
    assert min(memory.group_limits(tmp_path), default=None) == lowest


@pytest.mark.parametrize(
    ("limit", "engines"),
    [
        (1_000 * MB, 450),  # half of the 900 MB that this process leaves
        (64_000 * MB, 1_500),  # never more than it needs
        (120 * MB, 100),  # never less than it can work with
    ],
)
def test_the_engine_takes_half_of_what_is_left(monkeypatch, limit, engines):
    monkeypatch.setattr(memory, "used_bytes", lambda: (400 * MB, 100 * MB))
    monkeypatch.setattr(memory, "physical_bytes", lambda: 64_000 * MB)
    monkeypatch.setattr(memory, "group_limits", lambda: [limit])
    assert memory.engine_memory() == engines

    def work(database):
        ((shown, threads),) = database.rows(
            "SELECT current_setting('memory_limit'), current_setting('threads')"
        )
        number, unit = shown.split()
        assert float(number) * {"MiB": 2**20, "GiB": 2**30}[unit] == pytest.approx(
            engines * MB, rel=0.08
        )
        assert threads <= max(engines // 250, 1)

    engine.reading(work)


JOIN = """
import os, resource, sys
from pathlib import Path
import ordeval as oe
gold, run, limit, group = sys.argv[1:]
if group:
    Path(group, "cgroup.procs").write_text(str(os.getpid()))
else:
    resource.setrlimit(resource.RLIMIT_AS, (int(limit), int(limit)))
print(oe.Runs.from_files(gold, run).table.answered[0].tolist())
"""


@pytest.fixture
def group():
    """A group of processes that may have 700 MB; none where such groups cannot be made."""
    folder = Path(f"/sys/fs/cgroup/memory/ordeval-{os.getpid()}")
    try:
        folder.mkdir()
    except OSError:
        yield ""
        return
    (folder / "memory.limit_in_bytes").write_text(str(700 * MB))
    yield str(folder)
    folder.rmdir()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_more_rows_than_fit_are_joined_under_a_limit(tmp_path, form, group):
    # 4 million ids of 30 letters: 1.5 GB for the engine where nothing limits it
    n = 4_000_000
    with duckdb.connect() as connection:
        for name, step in (("gold", 7919), ("run", 104729)):
            rows = f"SELECT 'the name of an item, long ' || (i * {step} % {n}) AS item, i * {step} % {n} % 5 AS label"
            connection.execute(f"COPY ({rows} FROM range({n}) t(i)) TO '{tmp_path / name}.{form}'")
    files = [str(tmp_path / f"{name}.{form}") for name in ("gold", "run")]
    for where in {group, ""}:  # the address space can be limited everywhere
        done = subprocess.run(
            [sys.executable, "-c", JOIN, *files, str(2_000 * MB), where],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (where, done.stderr)
        # each of the five labels is that of every fifth item, and all answers are right
        assert done.stdout == f"{[[n // 5 * (a == b) for b in range(5)] for a in range(5)]}\n"


def test_too_small_a_limit_of_addresses_is_an_error_and_no_crash(tmp_path):
    (tmp_path / "gold.csv").write_text("item,label\nx,1\ny,2\n")
    script = (
        "import resource, ordeval as oe, ordeval.inputs.files.engine as engine\n"
        "import ordeval.inputs.files.small_text as small_text\nsmall_text.SMALL = 0\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({600 * MB}, {600 * MB}))\n"
        "try:\n    oe.Runs.from_files('gold.csv', 'gold.csv')\n"
        "except oe.OrdevalError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert re.search(
        r"ulimit -v or -d\) leaves \d+ MB of addresses, and the engine reserves 900 MB", done.stdout
    )
