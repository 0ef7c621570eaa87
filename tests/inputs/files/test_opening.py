"""Files before and while they are read: by whatever name, whole and unchanged, or not read at all."""

import gzip
import itertools
import os
import re
import zlib
from io import BytesIO
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import ordeval as oe
from ordeval.cli import main
from ordeval.inputs.files import engine
from ordeval.inputs.files.archives import gzip_fault, zstd_fault
from ordeval.inputs.files.locate import find
from ordeval.inputs.files.read import columns_of_files
from tests.duckdb_files import writer
from tests.examples import grid

pytestmark = pytest.mark.usefixtures("own_engine")

GOLD = "item,label\nd1,1\nd2,2\nd3,2\n"
RUN = "item,label\nd1,1\nd2,1\nd3,2\n"
COUNTS = [[1, 0], [1, 1]]  # by hand: gold 1, 2, 2 and answers 1, 1, 2


def raw_block(data: bytes, *, last: bool) -> bytes:
    """Return a block of a .zst that is not compressed (RFC 8878, 3.1.1.2)."""
    return (int(last) | len(data) << 3).to_bytes(3, "little") + data


def zstd_frame(*blocks: bytes) -> bytes:
    """Return a .zst whose blocks are not compressed: magic number, descriptor, window of 1 MB, blocks."""
    parts = [raw_block(data, last=at == len(blocks) - 1) for at, data in enumerate(blocks)]
    return bytes.fromhex("28b52ffd 00 50") + b"".join(parts)


def counts_of(gold, run, **options):
    return oe.Runs.from_files(gold, run, **options).table.answered[0].tolist()


def message(door):
    with pytest.raises(oe.errors.DataError) as caught:
        door()
    return str(caught.value)


@grid(
    "folder, form",
    itertools.product(["label=3", "item=d1", "system=x", "case=1"], ["csv", "parquet"]),
)
def test_the_name_of_a_folder_is_no_column(tmp_path, folder, form):
    (tmp_path / folder).mkdir()
    with writer() as connection:
        for name, text in (("gold", GOLD), ("run", RUN)):
            (tmp_path / f"{name}.csv").write_text(text)
            scan = f"read_csv('{tmp_path / name}.csv')"
            target = tmp_path / folder / f"{name}.{form}"
            connection.execute(f"COPY (SELECT * FROM {scan}) TO '{target}'")
    runs = oe.Runs.from_files(tmp_path / folder / f"gold.{form}", tmp_path / folder / f"run.{form}")
    assert runs.table.answered.tolist() == [COUNTS]
    assert runs.systems == ("run",)


@pytest.mark.parametrize("folder", ["~", "file:", "http:", "https:/x.org", "s3:/b", "a'b", "$HOME"])
def test_a_folder_may_have_any_name(tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    Path(folder).mkdir(parents=True)
    gold, run = f"{folder}/gold.csv", f"{folder}/run.csv"
    Path(gold).write_text(GOLD)
    Path(run).write_text(RUN)
    assert counts_of(gold, run) == COUNTS


def test_a_name_through_a_link_to_a_folder_and_back_is_the_file_that_the_system_finds(
    tmp_path, monkeypatch
):
    (tmp_path / "deep" / "inside").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "deep" / "inside")
    (tmp_path / "deep" / "run.csv").write_text(RUN)  # what link/../run.csv means
    (tmp_path / "run.csv").write_text(GOLD)
    (tmp_path / "gold.csv").write_text(GOLD)
    monkeypatch.chdir(tmp_path)
    assert counts_of("gold.csv", "link/../run.csv") == COUNTS


def test_a_link_to_nothing_says_where_it_points(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run.csv").symlink_to("gone.csv")
    Path("gold.csv").write_text(GOLD)
    assert message(lambda: oe.Runs.from_files("gold.csv", "run.csv")) == (
        "'run.csv' is a link to 'gone.csv', which does not exist. Correct the link, or name the file."
    )


@pytest.mark.parametrize(
    "words",
    [["score"], ["merge"], ["evaluate", "gold.csv"], ["check", "gold.csv"], ["count", "gold.csv"]],
)
@pytest.mark.parametrize("device", ["/dev/zero", "pipe.csv"])
def test_every_command_refuses_what_is_no_plain_file(tmp_path, monkeypatch, words, device):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.csv")
    Path("gold.csv").write_text(GOLD)
    result = CliRunner().invoke(main, [*words, device])
    assert result.exit_code in {1, 3}
    assert "is a pipe or a device" in result.output


# --- packed files


def test_a_zst_is_whole_only_if_its_last_block_is_there():
    blocks = [GOLD.encode(), b"d4,1\n" * 9]
    skippable = bytes.fromhex("502a4d18 03000000") + b"abc"
    for whole in (zstd_frame(*blocks), zstd_frame(*blocks) + skippable + zstd_frame(b"d9,2\n")):
        assert zstd_fault(BytesIO(whole)) == ""
        inside = [len(zstd_frame(*blocks)), len(zstd_frame(*blocks) + skippable)]
        for end in range(1, len(whole)):
            if end not in inside:  # there it is another whole file
                assert zstd_fault(BytesIO(whole[:end]))
    assert zstd_fault(BytesIO(zstd_frame(*blocks) + b"more")) == "has more data after its end"
    assert zstd_fault(BytesIO(GOLD.encode())) == "is not a zstd file"


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_zst_that_is_cut_between_two_blocks_is_refused(tmp_path, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    text = RUN if form == "csv" else '{"item": "d1", "label": 1}\n{"item": "d2", "label": 1}\n'
    packed = zstd_frame(text.encode(), b"")
    Path("gold.csv").write_text(GOLD)
    run = f"run.{form}.zst"
    Path(run).write_bytes(packed)
    assert oe.Runs.from_files("gold.csv", run, missing="zero").table.answered.sum() in {2, 3}
    Path(run).write_bytes(packed[:-3])
    said = (
        f"cannot read {run!r}: it ends too early: a part of it is missing. Fetch or write it again."
    )
    assert message(lambda: oe.Runs.from_files("gold.csv", run, missing="zero")) == said
    assert message(lambda: oe.Runs.from_wide(run, gold="label", predicted="label")) == said
    Path(run).write_bytes(b"item,label\n")
    assert message(lambda: oe.Runs.from_files("gold.csv", run)) == (
        f"cannot read {run!r}: it is not a zstd file. Fetch or write it again."
    )


def test_a_gz_with_any_bit_wrong_is_damaged_or_holds_the_same():
    text = (GOLD * 4).encode()
    packed = gzip.compress(text, mtime=0)
    for bit in range(8 * len(packed)):
        spoilt = bytearray(packed)
        spoilt[bit // 8] ^= 1 << bit % 8
        fault = gzip_fault(BytesIO(bytes(spoilt)), lambda: False)
        assert fault or zlib.decompress(bytes(spoilt), 31) == text
    for end in range(1, len(packed)):
        assert gzip_fault(BytesIO(packed[:end]), lambda: False)


def test_a_gz_may_have_several_members_and_nothing_else():
    packed = gzip.compress(GOLD.encode())
    members = packed + gzip.compress(b"") + packed
    assert gzip_fault(BytesIO(members), lambda: False) == ""
    assert gzip_fault(BytesIO(members[:-1]), lambda: False).startswith("ends too early")
    for more in (b"more", b"\0", b"\x1f"):
        assert gzip_fault(BytesIO(packed + more), lambda: False)
    large = gzip.compress(bytes(5 << 20))  # 5 MB are held back when the last byte is read
    assert gzip_fault(BytesIO(large), lambda: False) == ""


def wrong_sum(text: str) -> bytes:
    """Return a .gz whose content is as given and whose checksum is that of another."""
    packed = gzip.compress(text.encode(), mtime=0)
    return packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]


def test_a_gz_with_a_wrong_sum_is_refused_by_every_reader(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("run.csv.gz").write_bytes(wrong_sum(RUN))
    Path("matrix.csv.gz").write_bytes(wrong_sum("gold,1,2\n1,3,4\n2,5,6\n"))
    table = oe.Table.from_labels([1, 2], [1, 1]).to_json()
    Path("table.json.gz").write_bytes(wrong_sum(table))

    def said(name):
        return (
            f"cannot read {name!r}: it is damaged: incorrect data check. Fetch or write it again."
        )

    assert message(lambda: oe.Runs.from_files("gold.csv", "run.csv.gz")) == said("run.csv.gz")
    assert message(lambda: oe.Runs.from_files("run.csv.gz", "gold.csv")) == said("run.csv.gz")
    for name in ("matrix.csv.gz", "table.json.gz"):
        assert f"cannot read {name!r}: " in message(lambda name=name: oe.Table.from_file(name))
        for command in ("score", "merge"):
            result = CliRunner().invoke(main, [command, name])
            assert result.exit_code == 3
            assert f"cannot read {name!r}: " in result.output


def test_a_damaged_file_is_one_problem_beside_others_and_can_be_left_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("good.csv").write_text(RUN)
    Path("bad.csv.gz").write_bytes(wrong_sum(RUN))
    result = CliRunner().invoke(main, ["check", "gold.csv", "bad.csv.gz", "good.csv"])
    assert result.exit_code == 1
    assert "incorrect data check" in result.output
    runs = oe.Runs.from_files("gold.csv", ["good.csv", "bad.csv.gz"], skip_bad=True)
    assert runs.systems == ("good",)
    assert "bad.csv.gz" in runs.notes[0]


# --- files that change


@pytest.mark.parametrize("how", ["more", "other", "gone"])
def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path, monkeypatch, how):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("run.csv").write_text(RUN)
    finish = engine.Database.rejected

    def meanwhile(self, relation):
        if how == "more":
            Path("run.csv").write_text(RUN + "d4,1\n")
        elif how == "other":
            Path("new.csv").write_text(RUN)
            Path("new.csv").replace("run.csv")
        elif Path("run.csv").exists():
            Path("run.csv").unlink()
        return finish(self, relation)

    monkeypatch.setattr(engine.Database, "rejected", meanwhile)
    what = {"gone": "No such file or directory."}.get(
        how, "it changed while it was read. Wait until it is written, and try again."
    )
    assert message(lambda: oe.Runs.from_files("gold.csv", "run.csv")) == (
        f"cannot read 'run.csv': {what}"
    )


# --- the engine


def test_the_engine_is_locked_and_reads_nothing_but_the_files_that_were_named(tmp_path):
    named, other = tmp_path / "na[m]ed*.csv", tmp_path / "other.csv"
    named.write_text(RUN)
    other.write_text(RUN)

    def work(database):
        scan = database.lines([str(named)], find(named), "rejects")
        assert database.rows(f"SELECT count(*) FROM {scan}") == [(4,)]
        for query in (
            f"SELECT * FROM read_csv('{other}')",
            f"SELECT * FROM read_text('{other}')",
            "SELECT * FROM read_text('/etc/hostname')",
            f"SELECT * FROM glob('{tmp_path}/*')",
            f"COPY (SELECT 1) TO '{tmp_path}/written.csv'",
            f"ATTACH '{tmp_path}/database.db'",
            "SELECT * FROM 'http://localhost:9/x.csv'",
        ):
            with pytest.raises(duckdb.PermissionException):
                database.rows(query)
        for query in ("INSTALL httpfs", "LOAD httpfs", "INSTALL h3 FROM community"):
            with pytest.raises(duckdb.Error):
                database.rows(query)
        for setting in ("enable_external_access=true", "lock_configuration=false", "threads=9"):
            with pytest.raises(duckdb.InvalidInputException, match="locked"):
                database.rows(f"SET {setting}")
        asked = "lock_configuration", "autoinstall_known_extensions", "autoload_known_extensions"
        shown = ", ".join(f"current_setting('{name}')::VARCHAR" for name in asked)
        assert database.rows(f"SELECT {shown}") == [("true", "false", "false")]

    engine.reading(work, sources=[find(named)])


def test_what_the_engine_says_names_the_file_as_the_caller_did(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with writer() as connection:
        rows = "SELECT 'd' || i AS item, i % 3 AS label FROM range(9999) t(i)"
        connection.execute(f"COPY ({rows}) TO 'gold.parquet' (COMPRESSION uncompressed)")
    spoilt = bytearray(Path("gold.parquet").read_bytes())
    spoilt[4:4000] = b"\xff" * 3996
    Path("run.parquet").write_bytes(spoilt)
    Path("gold.csv").write_text(GOLD)
    for door in (
        lambda: oe.Runs.from_files("gold.parquet", "run.parquet"),
        lambda: oe.Runs.from_wide("run.parquet", gold="label", predicted="label"),
    ):
        said = message(door)
        assert "'run.parquet' cannot be read" in said
        assert str(tmp_path) not in said
    Path("packed.parquet.gz").write_bytes(gzip.compress(b"PAR1" + bytes(8) + b"PAR1"))
    said = message(lambda: oe.Runs.from_files("gold.parquet", "packed.parquet.gz"))
    assert "'packed.parquet.gz' cannot be read" in said
    assert "unpacked-" not in said
    Path("run.parquet").write_bytes(b"PAR1" + bytes(8) + b"PAR1")
    said = message(lambda: oe.Runs.from_files("gold.csv", "run.parquet"))
    assert said.startswith("'run.parquet' cannot be read")
    assert str(tmp_path) not in said


def test_an_error_about_a_copy_names_the_file_that_was_copied(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("run.csv").write_bytes(b'item,label\r\nd1,1\nd2,"2\r\nd3,3\n')  # copied for its line ends
    said = message(lambda: oe.Runs.from_files("gold.csv", "run.csv"))
    assert "'run.csv'" in said
    assert not re.search("copy-|ordeval-", said)


def test_a_full_temporary_folder_is_not_blamed_on_the_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    Path("run.csv").write_text(
        "item,label\r\nd1,1\nd2,1\nd3,2\n" * 9999
    )  # copied for its line ends
    opened = Path.open

    def full(self, *arguments, **options):
        return opened(Path("/dev/full") if "copy-" in self.name else self, *arguments, **options)

    monkeypatch.setattr(Path, "open", full)
    said = message(lambda: oe.Runs.from_files("gold.csv", "run.csv", duplicates="first"))
    assert re.fullmatch(
        r"the temporary folder '.*' is full\. Make room in it, or choose another folder with the environment "
        r"variable TMPDIR\.",
        said,
    )


def test_the_engine_without_room_to_spill_says_so():
    said = "IO Error: Could not write file '/tmp/x': No space left on device"

    def work(database):
        del database
        raise duckdb.IOException(said)

    assert "is full. Make room in it" in message(lambda: engine.reading(work))


def test_no_temporary_folder_at_all_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("gold.csv").write_text(GOLD)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    assert message(lambda: oe.Runs.from_files("gold.csv", "gold.csv")) == (
        "no temporary folder can be made: No such file or directory. Make room in it, or choose another folder with "
        "the environment variable TMPDIR."
    )


def test_headers_are_read_and_refused_without_starting_the_engine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(engine.duckdb, "connect", None)
    Path("gold.csv").write_text(GOLD)
    Path("gold.jsonl").write_text('{"item": "d1", "label": 1}\n\n{"label": 2, "who": "me"}\n')
    assert columns_of_files("gold.csv", {}) == ["item", "label"]
    assert columns_of_files("gold.jsonl", {}) == ["item", "label", "who"]
    Path("run.csv").write_text("item,mark\nd1,1\n")
    assert "has no column of labels" in message(lambda: oe.Runs.from_files("run.csv", "gold.csv"))
