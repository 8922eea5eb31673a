"""The bytes of an edit journal: framed records with checksums, each readable when all before it are whole."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, to_builtins

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.base.document import Stamp
from trace_inspector.documents.saving.history import Move, Patches
from trace_inspector.documents.text.patch import Patch

MAGIC = b"trace-inspector journal 2\n"
MAGICS = (MAGIC, b"trace-inspector journal 1\n")  # the one before had no groups
_FRAME = struct.Struct("<QI")  # length and CRC-32 of what follows
_PATCH = struct.Struct("<QQQ")  # where, and the lengths of old and new
_GROUP = struct.Struct("<QI")  # of a record; and for how many edits it stands
_ORIGIN, _COPY = b"o", b"c"
_ORIGIN_START = b'o{"path": "'
_LONGEST_ORIGIN = 1 << 20  # a path and some numbers
_LONGEST = 1 << 33  # no disk takes more at once


class Origin(Struct, frozen=True):
    """What a journal starts from: a file as it was, and who opened it when."""

    path: str
    digest: str  # SHA-256 of the document's bytes
    size: int
    stamp: Stamp | None
    started_s: float
    process: int


class Record(Struct, frozen=True):
    """One change that was made. Of one `group` other than 0 they are one edit to a person; one may stand for more."""

    move: Move
    change: Patches
    group: int = 0
    edits: int = 1


class Journal(Struct, frozen=True):
    """What a journal holds. `end` is where its whole records end; `note` says why there is more behind it.

    A `torn` one ends inside a record: that edit was never confirmed to anybody.
    """

    origin: Origin
    copy: bytes | None  # the bytes it starts from, when they were small enough to keep
    records: tuple[Record, ...]
    end: int
    torn: bool = False
    note: str = ""


class UnfinishedError(ReadError):
    """A journal ends before its first record, so there is nothing in it to recover."""


def digest_of(data: bytes) -> str:
    """The digest by which contents are compared."""
    return hashlib.sha256(data).hexdigest()


def head(origin: Origin, copy: bytes | None) -> bytes:
    """The beginning of a journal."""
    data = framed(_ORIGIN + json.dumps(to_builtins(origin)).encode())
    return MAGIC + data + (framed(_COPY + copy) if copy is not None else b"")


def record_bytes(record: Record) -> bytes:
    """A record as it is appended."""
    parts = [record.move.value.upper().encode(), _GROUP.pack(record.group, record.edits)]
    for patch in record.change:
        parts += [_PATCH.pack(patch.offset, len(patch.old), len(patch.new)), patch.old, patch.new]
    return framed(b"".join(parts))


def framed(payload: bytes) -> bytes:
    """A payload as it is written: its length and checksum before it."""
    return _FRAME.pack(len(payload), zlib.crc32(payload)) + payload


def parse_journal(data: bytes, path: Path) -> Journal:
    """The journal that these bytes are; ReadError when they are none. What is damaged ends it, with a note."""
    if any(magic.startswith(data.rstrip(b"\0")) for magic in MAGICS):  # also nothing at all
        raise UnfinishedError(_UNFINISHED, path=str(path))
    if not data.startswith(MAGICS):
        raise ReadError("This is no edit journal of this version. Leave it to the one that wrote it.", path=str(path))
    read = frames(data, len(MAGIC))
    try:
        kind, payload, end = next(read)
        origin = _origin(payload) if kind == _ORIGIN else None
    except (StopIteration, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        origin = None
    if origin is None:
        if _is_torn(data, len(MAGIC)):
            raise UnfinishedError(_UNFINISHED, path=str(path))
        sentence = (
            "The edit journal is damaged where it says which file it is about, and is kept as it is. Remove it when "
            "you do not want to look into it."
        )
        raise ReadError(sentence, path=str(path))
    copy: bytes | None = None
    records: list[Record] = []
    for kind, payload, frame_end in read:
        if kind == _COPY:
            copy = payload
        elif (record := _record(kind, payload)) is not None:
            records.append(record)
        else:
            break
        end = frame_end
    if end == len(data):
        return Journal(origin, copy, tuple(records), end)
    torn = _is_torn(data, end)
    note = _TORN if torn else f"The journal is damaged from byte {end + 1} on; the edits before it are there."
    return Journal(origin, copy, tuple(records), end, torn, note)


_UNFINISHED = "The edit journal ends before its first edit. There is nothing to recover."
_TORN = "The last edit was only half written to the journal and is left out."


def _is_torn(data: bytes, start: int) -> bool:
    """Whether the frame that begins here is the last one, which was not finished; or zeros of a power cut.

    A length that is damaged may lead behind the end as well, so what is there of the frame must look like its start.
    """
    if len(data) - start < _FRAME.size or not any(data[start : start + _FRAME.size]):
        return True
    length, _checksum = _FRAME.unpack_from(data, start)
    end = start + _FRAME.size + length
    payload = data[start + _FRAME.size : end]
    is_last = end <= start + _LONGEST and not any(data[end:])  # a power cut may leave more zeros than were missing
    is_whole = len(payload) == length and not payload.endswith(b"\0")
    return is_last and not is_whole and _begins_frame(payload.rstrip(b"\0"), length)


def _begins_frame(payload: bytes, length: int) -> bool:
    """Whether these bytes can be the beginning of what a frame of that length holds."""
    kind = payload[:1]
    if kind == _ORIGIN:
        return length <= _LONGEST_ORIGIN and _ORIGIN_START.startswith(payload[: len(_ORIGIN_START)])
    if kind.lower() in _MOVES:
        end = 1 + (_GROUP.size if kind.isupper() else 0)
        while len(payload) - end >= _PATCH.size:
            _where, old, new = _PATCH.unpack_from(payload, end)
            end += _PATCH.size + old + new
        return end + (0 if len(payload) <= end else _PATCH.size) <= length
    return kind in (b"", _COPY)


def frames(data: bytes, offset: int) -> Iterator[tuple[bytes, bytes, int]]:
    """The whole frames of a journal, each with its kind and its end."""
    while len(data) - offset > _FRAME.size:
        length, checksum = _FRAME.unpack_from(data, offset)
        start, end = offset + _FRAME.size, offset + _FRAME.size + length
        if end > len(data) or zlib.crc32(data[start:end]) != checksum:
            return
        yield data[start : start + 1], data[start + 1 : end], end
        offset = end


def _origin(payload: bytes) -> Origin:
    fields = json.loads(payload)
    stamp = fields["stamp"]
    return Origin(
        path=str(fields["path"]),
        digest=str(fields["digest"]),
        size=int(fields["size"]),
        stamp=Stamp(**{name: int(stamp[name]) for name in ("size", "modified_ns", "inode")}) if stamp else None,
        started_s=float(fields["started_s"]),
        process=int(fields["process"]),
    )


_MOVES = {move.value.encode(): move for move in Move}


def _record(kind: bytes, payload: bytes) -> Record | None:
    patches: list[Patch] = []
    is_grouped = kind.isupper()
    if is_grouped and len(payload) < _GROUP.size:
        return None
    group, edits = _GROUP.unpack_from(payload) if is_grouped else (0, 1)
    offset = _GROUP.size if is_grouped else 0
    while len(payload) - offset >= _PATCH.size:
        where, old, new = _PATCH.unpack_from(payload, offset)
        offset += _PATCH.size
        patches.append(Patch(where, payload[offset : offset + old], payload[offset + old : offset + old + new]))
        offset += old + new
    move = _MOVES.get(kind.lower())
    return Record(move, tuple(patches), group, edits) if move and offset == len(payload) else None
