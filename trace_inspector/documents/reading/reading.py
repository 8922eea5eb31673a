"""From a path to a document: bounded reading, then the reader of its container."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.base.document import Container, Document, Stamp, stamp_of
from trace_inspector.documents.bundles.bundles import is_bundle
from trace_inspector.documents.bundles.folders import is_folder, refuse
from trace_inspector.documents.json.json_document import parse_json
from trace_inspector.documents.json.strict import keys_agree
from trace_inspector.documents.packing.packing import Packing, member_at, spot_of, unpacked
from trace_inspector.documents.reading.unsupported import refusal
from trace_inspector.documents.text.encoding import body_of
from trace_inspector.documents.text.event_stream import is_event_stream
from trace_inspector.documents.text.magic import SQLITE
from trace_inspector.regular_file import IrregularFileError, opened

MAX_BYTES = 1 << 30
_CHUNK = 1 << 23
_HEAD = 1 << 16
_JSON = frozenset({Container.JSON, Container.JSON_LINES})


def _no_tick() -> None:
    """Nobody waits for progress."""


def read(path: Path, tick: Callable[[], None] = _no_tick, *, unique: bool = True) -> Document:
    """The document at a path. `tick` is called at every progress point and may raise Stopped.

    Without `unique` nobody looks for duplicate keys, which takes as long as reading; `completed` does that later.
    """
    try:
        if is_bundle(path):
            from trace_inspector.documents.bundles.bundle_document import read_bundle

            return read_bundle(path, lambda member: read(member, tick), tick)
        data, stamp, packing = _bytes_at(path, tick)
    except OSError as problem:
        raise ReadError(_sentence(problem), path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise ReadError("No file can have this name. Check the spelling.", path=str(path)) from problem
    try:
        return parse(data, path, stamp=stamp, tick=tick, unique=unique, packing=packing)
    except ReadError as problem:
        if packing is None or not packing.problem:
            raise
        rest = problem.sentence if data else "Nothing could be unpacked. Get the file again."
        sentence = f"The file was packed and is damaged: {packing.problem}. {rest}"
        raise ReadError(sentence, path=str(path)) from problem


def stamp_at(path: Path) -> Stamp | None:
    """The stamp of the file at a path, or of the archive that it leads into, as it is now; None without one."""
    try:
        if not is_bundle(path):
            return stamp_of(spot_of(path).file.stat())
        from trace_inspector.documents.bundles.bundle_document import bundle_stamp

        return bundle_stamp(path)
    except (OSError, ValueError):
        return None


def completed(document: Document, tick: Callable[[], None] = _no_tick) -> Document:
    """The same document with what was left out when it was read without looking for duplicate keys."""
    if document.container not in _JSON or keys_agree(body_of(document.data).data, document.value):
        return document
    return parse(document.data, document.path, stamp=document.stamp, tick=tick, packing=document.packing)


def parse(
    data: bytes,
    path: Path,
    *,
    stamp: Stamp | None = None,
    tick: Callable[[], None] = _no_tick,
    unique: bool = True,
    packing: Packing | None = None,
) -> Document:
    """The document that these bytes are, whatever container they are in; `packing` is how they lie on disk."""
    if packing is None:
        return _parsed(data, path, stamp, tick, unique=unique)
    # These bytes lie nowhere on disk, so there is no stamp of them that a reader could look for.
    document = _parsed(data, path, None, tick, unique=unique)
    return replace(document, stamp=stamp, packing=packing, findings=(*packing.findings, *document.findings))


def _parsed(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None], *, unique: bool) -> Document:
    if parse_binary := _reader_among(_BINARY, data, path):
        return parse_binary(data, path, stamp, tick)
    if sentence := refusal(data):
        raise ReadError(sentence, path=str(path))
    tick()
    if is_event_stream(data, path):
        return parse_json(data, path, stamp, tick)
    if parse_text := _reader_among(_TEXT, data, path):
        return parse_text(data, path, stamp, tick)
    return parse_json(data, path, stamp, tick, unique=unique)


_Applies: TypeAlias = Callable[[bytes, Path], bool]
_Parse: TypeAlias = Callable[[bytes, Path, Stamp | None, Callable[[], None]], Document]


class _Kind(Struct, frozen=True):
    """A container other than JSON: whether bytes may be one, told without it; what is sure, and its reader."""

    may_be: _Applies
    load: Callable[[], tuple[_Applies, _Parse]]


def _reader_among(kinds: tuple[_Kind, ...], data: bytes, path: Path) -> _Parse | None:
    for kind in kinds:
        if kind.may_be(data, path):
            applies, parse_container = kind.load()
            if applies(data, path):
                return parse_container
    return None


def _sqlite() -> tuple[_Applies, _Parse]:
    from trace_inspector.documents.sqlite.document import is_sqlite, parse_sqlite

    return is_sqlite, parse_sqlite


def _protobuf() -> tuple[_Applies, _Parse]:
    from trace_inspector.documents.protobuf.document import is_protobuf, parse_protobuf

    return is_protobuf, parse_protobuf


def _page() -> tuple[_Applies, _Parse]:
    from trace_inspector.documents.page.document import is_page, parse_page

    return is_page, parse_page


def _yaml() -> tuple[_Applies, _Parse]:
    from trace_inspector.documents.yaml.document import is_yaml, parse_yaml

    return is_yaml, parse_yaml


def _csv() -> tuple[_Applies, _Parse]:
    from trace_inspector.documents.csv.document import is_csv, parse_csv

    return is_csv, parse_csv


_BRACKETS = (b"{", b"[")
_TAGS_OF_RECORDS = (b"\x12", b"\x92")  # of spans and log records in protobuf
_BEGINNINGS_OF_PAGES = (b"<!doctype html", b"<html")
_NAMES_ITS_FORMAT = frozenset({".yaml", ".yml"})


def _may_be_protobuf(data: bytes, _path: Path) -> bool:
    return any(tag in data for tag in _TAGS_OF_RECORDS)


def _has_no_bracket(data: bytes, path: Path) -> bool:
    """Whether a file does not begin as JSON does, or is called YAML; the suffix is a hint, no more."""
    body = body_of(data[:_HEAD])
    return path.suffix.lower() in _NAMES_ITS_FORMAT or body.data[body.start :].lstrip()[:1] not in _BRACKETS


def _may_be_page(data: bytes, _path: Path) -> bool:
    return data[:_HEAD].lstrip().lower().startswith(_BEGINNINGS_OF_PAGES)


_BINARY = (
    _Kind(lambda data, _path: data.startswith(SQLITE), _sqlite),
    _Kind(_may_be_page, _page),
    _Kind(_may_be_protobuf, _protobuf),
)
_TEXT = (_Kind(_has_no_bracket, _yaml), _Kind(_has_no_bracket, _csv))


_SENTENCES: tuple[tuple[type[OSError], str], ...] = (
    (FileNotFoundError, "There is no such file. Check the path."),
    (NotADirectoryError, "Part of this path is a file, not a folder. Check the path."),
    (PermissionError, "You are not allowed to read this file. Change its permissions, or copy it."),
)


def _sentence(problem: OSError) -> str:
    if isinstance(problem, IrregularFileError):
        return problem.sentence
    specific = next((sentence for kind, sentence in _SENTENCES if isinstance(problem, kind)), "")
    return specific or f"The file could not be read ({problem.strerror or problem}). Check the disk or copy the file."


def _bytes_at(path: Path, tick: Callable[[], None]) -> tuple[bytes, Stamp, Packing | None]:
    """A document's bytes, however they lie on disk, and the stamp of the file that they lie in."""
    spot = spot_of(path)
    if is_folder(path):
        refuse(path)
    packing: Packing | None = None
    try:
        if spot.member:
            stamp = stamp_of(spot.file.stat())
            data, packing = member_at(spot, tick)
        else:
            data, stamp = _bytes_of(path, tick)
        data, packing = unpacked(data, packing, tick)
    except ReadError as problem:
        raise ReadError(problem.sentence, path=str(path)) from problem
    return data, stamp, packing


def _bytes_of(path: Path, tick: Callable[[], None]) -> tuple[bytes, Stamp]:
    with opened(path) as file:
        status = os.fstat(file.fileno())
        if status.st_size > MAX_BYTES:
            raise ReadError(_TOO_LARGE, path=str(path))
        chunks, total = [], 0
        while chunk := file.read(_CHUNK):
            tick()
            chunks.append(chunk)
            total += len(chunk)
            if total > MAX_BYTES:  # it grows while it is read
                raise ReadError(_TOO_LARGE, path=str(path))
    return b"".join(chunks), stamp_of(status)


_TOO_LARGE = (
    "The file is larger than 1 GiB, which is the limit for what is read whole. Split it and open the parts; OTLP in "
    "lines is read in pieces and may have any size."
)
