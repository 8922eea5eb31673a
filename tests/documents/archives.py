"""Zip archives as other programs write them, and as an attacker would."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import zstandard
from msgspec import Struct

from trace_inspector.documents.zip.layout import CENTRAL, END, LOCAL, find_end, records

JSON = b'{"a": [1, 2, 3]}\n'


def zipped(members: Mapping[str, bytes], comment: bytes = b"") -> bytes:
    """A zip archive, deflated, as Python writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 5, 6, 7, 8, 10)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def named(raw: bytes, data: bytes = JSON, *, mode: int = 0, flags: int = 0, method: int = 0) -> bytes:
    """An archive of one member, whatever its name and what is said of it."""
    placeholder = "n" * len(raw)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(placeholder, (2024, 5, 6, 7, 8, 10))
        info.external_attr = mode << 16
        archive.writestr(info, data)
    whole = bytearray(out.getvalue().replace(placeholder.encode(), raw))
    central = whole.index(b"PK\x01\x02")
    for flags_at, method_at in ((6, 8), (central + 8, central + 10)):
        struct.pack_into("<H", whole, flags_at, flags)
        struct.pack_into("<H", whole, method_at, method)
    return bytes(whole)


def patched_directory(archive: bytes, change: Callable[[bytearray, int], None]) -> bytes:
    """An archive with the directory's record of its first member changed; the change is told where that begins."""
    whole = bytearray(archive)
    change(whole, whole.index(b"PK\x01\x02"))
    return bytes(whole)


class Pipe(io.BytesIO):
    """What cannot go back, so that sizes are written behind each member."""

    def seekable(self) -> bool:
        return False

    def seek(self, _offset: int, _whence: int = 0) -> int:
        raise OSError

    def tell(self) -> int:
        raise OSError


def streamed(members: Mapping[str, bytes]) -> bytes:
    """An archive that was written into a pipe."""
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return pipe.getvalue()


def wide(members: Mapping[str, bytes]) -> bytes:
    """An archive whose members leave room for more than 4 GiB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(data)
    return out.getvalue()


def zstandard_zipped(members: Mapping[str, bytes], *, follow: bool = False) -> bytes:
    """An archive whose members are packed by Zstandard, method 93; with `follow` their sizes stand behind them."""
    body, directory = b"", b""
    flags = 1 << 3 if follow else 0
    for name, data in members.items():
        packed, raw = zstandard.ZstdCompressor().compress(data), name.encode()
        sizes = (zlib.crc32(data), len(packed), len(data))
        stated = (0, 0, 0) if follow else sizes
        head = (63, flags, 93, 0, 0x21, *stated, len(raw), 0)
        directory += CENTRAL.pack(b"PK\x01\x02", 63, *head[:5], *sizes, len(raw), 0, 0, 0, 0, 0, len(body)) + raw
        body += LOCAL.pack(b"PK\x03\x04", *head) + raw + packed
        body += b"PK\x07\x08" + struct.pack("<3L", *sizes) if follow else b""
    return body + directory + END.pack(b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0)


def overlapping(count: int, kernel: bytes) -> bytes:
    """Many names in the directory for one and the same member."""
    one = zipped({"0.json": kernel})
    central, end = one.index(b"PK\x01\x02"), one.rindex(b"PK\x05\x06")
    record = one[central:end]
    directory = b"".join(record.replace(b"0.json", b"%d.json" % at) for at in range(count))
    tail = END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), central, 0)
    return one[:central] + directory + tail


class Piece(Struct, frozen=True):
    """All that an archive says of one member, but for where it lies."""

    header: bytes
    packed: bytes
    behind: bytes
    record: bytes


def pieces(path: Path) -> list[Piece]:
    """The members of an archive in the order of its directory, byte for byte."""
    whole = path.read_bytes()
    end = find_end(io.BytesIO(whole), len(whole))
    assert end is not None
    found = list(records(whole[end.directory_at : end.directory_at + end.directory_bytes], end.shift))
    starts = sorted([record.header_at for record in found] + [end.directory_at])
    made = []
    for record in found:
        fields = LOCAL.unpack_from(whole, record.header_at)
        data_at = record.header_at + LOCAL.size + fields[9] + fields[10]
        data_end = data_at + record.packed_bytes
        following = starts[starts.index(record.header_at) + 1]
        # The offset is the last number of the fixed part.
        without_offset = record.raw[: CENTRAL.size - 4] + record.raw[CENTRAL.size :]
        made.append(
            Piece(
                whole[record.header_at : data_at], whole[data_at:data_end], whole[data_end:following], without_offset
            )
        )
    return made
