"""Whether a packed file is whole: what the engine does not look at, or looks at too late.

The engine takes a .zst that ends between two blocks for a whole one, and reads over a wrong checksum of a .gz. Each
function here returns what is wrong with a file, in the words that follow "it", or nothing.
"""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

PIECE = 1 << 20  # bytes that are unpacked at a time
GZIP = b"\x1f\x8b"
# zlib then reads the header of a .gz, and checks the sum and the length at its end.
WITH_HEADER = 31
ZSTD = 0xFD2FB528
SKIPPABLE = range(0x184D2A50, 0x184D2A60)  # frames that hold something else
PARQUET = frozenset({b"PAR1", b"PARE"})  # as they are, and with an encrypted end

CUT = "ends too early: a part of it is missing"
FOLLOWED = "has more data after its end"


def fault_of(file: str, form: str, compression: str, stopped: Callable[[], bool]) -> str:
    """Return what is wrong with a file of a format that can tell; `stopped` tells when nobody waits any longer."""
    with Path(file).open("rb") as stream:
        if not stream.read(1):
            return ""  # whoever reads it says that it is empty
        stream.seek(0)
        if compression == "gzip":
            return gzip_fault(stream, stopped)
        if compression == "zstd":
            return zstd_fault(stream)
        return parquet_fault(stream) if form == "parquet" else ""


def gzip_fault(stream: BinaryIO, stopped: Callable[[], bool]) -> str:
    """Unpack a .gz of one member or several, and compare its sums and lengths."""
    if stream.read(len(GZIP)) != GZIP:
        return "is not a gzip file"
    stream.seek(0)
    unpacker = zlib.decompressobj(WITH_HEADER)
    try:
        while not stopped() and (packed := stream.read(PIECE)):
            while packed:
                if unpacker.eof:
                    if not packed.startswith(GZIP[: len(packed)]):
                        return FOLLOWED
                    unpacker = zlib.decompressobj(WITH_HEADER)
                unpacker.decompress(packed, PIECE)
                packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
        while unpacker.decompress(b"", PIECE):  # what was held back
            pass
    except zlib.error as error:
        return f"is damaged: {str(error).rpartition(': ')[2]}"
    return "" if unpacker.eof or stopped() else CUT


def zstd_fault(stream: BinaryIO) -> str:
    """Walk over the frames of a .zst and their blocks by the headers (RFC 8878), without unpacking them."""
    size = stream.seek(0, 2)
    at = 0
    while at < size:
        stream.seek(at)
        magic = number_from(stream, 4)
        if magic in SKIPPABLE:
            at += 8 + number_from(stream, 4)
        elif magic == ZSTD:
            end = end_of_frame(stream)
            if end is None:
                return "is damaged: a block has no type"
            at = end
        else:
            return FOLLOWED if at else "is not a zstd file"
    return CUT if at > size else ""


def end_of_frame(stream: BinaryIO) -> int | None:
    """Return where the frame ends whose magic number was read, beyond the file if it is cut; None if it is no frame."""
    descriptor = number_from(stream, 1)
    single, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    content_size = (single, 2, 4, 8)[descriptor >> 6]
    dictionary = (0, 1, 2, 4)[descriptor & 3]
    at = stream.seek(1 - single + dictionary + content_size, 1)
    while True:
        header = stream.read(3)
        if len(header) < 3:
            return at + 3
        last, kind, size = header[0] & 1, header[0] >> 1 & 3, int.from_bytes(header, "little") >> 3
        if kind == 3:
            return None
        at = stream.seek(1 if kind == 1 else size, 1)  # kind 1 repeats one byte
        if last:
            return at + 4 * checksum


def number_from(stream: BinaryIO, length: int) -> int:
    """Read a number, the lowest byte first; what is not there counts as 0."""
    return int.from_bytes(stream.read(length), "little")


def parquet_fault(stream: BinaryIO) -> str:
    """Look at the first and the last bytes of a Parquet file."""
    first = stream.read(4)
    if first not in PARQUET:
        return "is not a Parquet file"
    stream.seek(-4, 2)
    return "" if stream.read(4) == first else CUT
