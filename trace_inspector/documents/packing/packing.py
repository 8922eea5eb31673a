"""How a document lies packed on disk: in gzip or Zstandard, in an archive, in both; its way there and back."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding, error, warning
from trace_inspector.documents.text.magic import is_archive, is_gzip, is_zstd
from trace_inspector.regular_file import read_regular

if TYPE_CHECKING:
    from trace_inspector.documents.packing.gzip_layer import Unpacked
    from trace_inspector.documents.zip.layout import MemberRecord

_MAGIC_BYTES = 4


class Packing(Struct, frozen=True):
    """What stands between a document's bytes and the disk.

    `layer` are the bytes packed by gzip or Zstandard as they were read, `record` is the member of the archive; a
    `problem` means that not all of it could be unpacked.
    """

    layer: bytes | None = None
    record: MemberRecord | None = None
    problem: str = ""
    findings: tuple[Finding, ...] = ()


class Spot(Struct, frozen=True):
    """Where a path leads: to a file, or to a member of it when it is an archive."""

    file: Path
    member: str = ""


def spot_of(path: Path) -> Spot:
    """The file on disk that a path leads to or into. What does not exist is a file, too."""
    if _mode(path):
        return Spot(path)
    for depth in range(1, len(path.parts)):
        parent = Path(*path.parts[:depth])
        mode = _mode(parent)
        if not stat.S_ISDIR(mode):
            if stat.S_ISREG(mode) and is_archive(first_bytes(parent, _MAGIC_BYTES)):
                return Spot(parent, "/".join(path.parts[depth:]))
            break
    return Spot(path)


def _mode(path: Path) -> int:
    """What kind of file a path leads to, 0 when there is none; a member's name may be longer than any of theirs."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):
        return 0


def is_real_folder(path: Path) -> bool:
    """Whether a path leads to a folder on disk."""
    return stat.S_ISDIR(_mode(path))


def is_there(path: Path) -> bool:
    """Whether something has this name on disk, or may have where nobody may look; not what no name can be."""
    try:
        path.stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def is_file(path: Path) -> bool:
    """Whether a path leads to a file, or to a member of an archive."""
    spot = spot_of(path)
    if not spot.member:
        return stat.S_ISREG(_mode(path))
    from trace_inspector.documents.zip.directory import directory_of

    try:
        return spot.member in directory_of(spot.file).members
    except (OSError, ReadError):
        return False


def first_bytes(path: Path, most: int) -> bytes:
    """The first bytes of a file; none when they may not be read."""
    try:
        return read_regular(path, most)
    except OSError:
        return b""


def member_at(spot: Spot, tick: Callable[[], None]) -> tuple[bytes, Packing]:
    """What a member of an archive holds. OSError when the archive cannot be read, ReadError without a path else."""
    from trace_inspector.documents.zip.directory import directory_of
    from trace_inspector.documents.zip.member import read_member

    directory = directory_of(spot.file)
    member = directory.members.get(spot.member)
    if member is None:
        raise ReadError(f"There is no “{spot.member}” in the archive {spot.file.name}. Check the spelling.")
    content = read_member(spot.file, member, tick)
    if is_archive(content.data):
        raise ReadError("This is an archive inside an archive, which is not opened. Unpack the outer one first.")
    findings: list[Finding] = []
    if not directory.is_whole:
        findings.append(
            error("archive-damaged", "The archive is cut off or damaged; everything before that was read.")
        )
    if member.copies > 1:
        sentence = (
            f"The archive contains {member.copies} files with this name; the last one was read, as unpacking tools "
            "do."
        )
        findings.append(warning("duplicate-member", sentence))
    if content.problem:
        sentence = f"This part of the archive is damaged: {content.problem}. What could be unpacked was read."
        findings.append(error("packed-damaged", sentence))
    return content.data, Packing(None, member.record, content.problem, tuple(findings))


def unpacked(data: bytes, packing: Packing | None, tick: Callable[[], None]) -> tuple[bytes, Packing | None]:
    """What a file packed by gzip or Zstandard holds; other bytes as they are."""
    if not (is_gzip(data) or is_zstd(data)):
        return data, packing
    from trace_inspector.documents.zip.inflate import BOMB

    packing = packing or Packing()
    record = packing.record
    on_disk = len(data) if record is None else 0 if packing.problem else record.packed_bytes
    layer, name = _layer_of(data, on_disk, tick)
    if layer.too_much:
        raise ReadError(BOMB)
    if is_gzip(layer.data) or is_zstd(layer.data) or is_archive(layer.data):
        raise ReadError(f"This is packed twice, as an archive or gzip inside {name}. Unpack it once and open that.")
    findings = list(packing.findings)
    if layer.problem:
        sentence = f"The {name} file is damaged: {layer.problem}. What could be unpacked was read."
        findings.append(error("packed-damaged", sentence))
    elif data[layer.end :].strip(b"\0"):
        findings.append(
            warning(
                "packed-tail", f"More bytes follow after the end of the {name} data. They are kept, but not read."
            )
        )
    return layer.data, Packing(data, record, packing.problem or layer.problem, tuple(findings))


def packed(data: bytes, packing: Packing | None) -> bytes:
    """A document's bytes as they go to disk: those that lay there when it is unchanged, else packed the same way."""
    before = packing.layer if packing else None
    if before is None:
        return data
    layer, _name = _layer_of(before, len(before), lambda: None)
    if layer.data == data:
        return before
    from trace_inspector.documents.packing import gzip_layer
    from trace_inspector.documents.zip.zstd_frames import pack_frame

    again = gzip_layer.pack(data, before) if is_gzip(before) else pack_frame(data)
    return again + (b"" if layer.problem else before[layer.end :])


def _layer_of(packed: bytes, on_disk: int, tick: Callable[[], None]) -> tuple[Unpacked, str]:
    """What a packed file holds, and what packed it."""
    from trace_inspector.documents.packing import gzip_layer

    if is_gzip(packed):
        return gzip_layer.unpack(packed, on_disk, tick), "gzip"
    from trace_inspector.documents.zip.inflate import allowance
    from trace_inspector.documents.zip.zstd_frames import unpack_frames

    frames = unpack_frames(packed, allowance(on_disk), tick)
    too_much = frames.too_much or frames.too_dense
    return gzip_layer.Unpacked(frames.data, frames.end, frames.problem, too_much), "Zstandard"
