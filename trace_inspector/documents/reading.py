"""From a path to a document: bounded reading, then the fast reader, then the tolerant one."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

from trace_inspector.core.errors import ReadError
from trace_inspector.core.values import Json
from trace_inspector.documents.document import Container, Document, Stamp, stamp_of
from trace_inspector.documents.encoding import Body, body_of, lines_and_columns
from trace_inspector.documents.fast import keys_agree
from trace_inspector.documents.oddities import Oddity, findings_of
from trace_inspector.documents.refusals import refusal
from trace_inspector.documents.regions import regions
from trace_inspector.documents.tolerant import TolerantReader

MAX_BYTES = 1 << 30
_CHUNK = 1 << 23
_LINES_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_STRAYS = 2  # so many stray words for each object or array, and the file is prose


def _no_tick() -> None:
    """Nobody waits for progress."""


def read(path: Path, tick: Callable[[], None] = _no_tick, *, unique: bool = True) -> Document:
    """The document at a path. `tick` is called at every progress point and may raise Stopped.

    Without `unique` nobody looks for duplicate keys, which takes as long as reading; `completed` does that later.
    """
    try:
        data, stamp = _bytes_of(path, tick)
    except OSError as problem:
        raise ReadError(_sentence(problem), path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise ReadError("No file can have this name. Check how it is spelt.", path=str(path)) from problem
    return parse(data, path, stamp=stamp, tick=tick, unique=unique)


def completed(document: Document, tick: Callable[[], None] = _no_tick) -> Document:
    """The same document with what was left out when it was read without looking for duplicate keys."""
    if keys_agree(body_of(document.data).data, document.value):
        return document
    return parse(document.data, document.path, stamp=document.stamp, tick=tick)


def parse(
    data: bytes,
    path: Path,
    *,
    stamp: Stamp | None = None,
    tick: Callable[[], None] = _no_tick,
    unique: bool = True,
) -> Document:
    """The document that these bytes are; the path's suffix alone makes a single line a JSON Lines file."""
    if sentence := refusal(data):
        raise ReadError(sentence, path=str(path))
    body = body_of(data)
    tick()
    reader = TolerantReader(body.data, tick, unique=unique)
    values: list[Json] = []
    for start, end in regions(body):
        values.extend(reader.values(start, end))
        tick()
    _refuse_prose(values, reader, body, path)
    is_lines = len(values) > 1 or path.suffix.lower() in _LINES_SUFFIXES
    odd = [*_odd_encoding(body, data), *([] if reader.plain else _odd_bytes(body)), *reader.odd]
    findings = findings_of(body, odd, reader.hidden, is_lines=is_lines)
    if is_lines:
        return Document(path, data, Container.JSON_LINES, values, stamp, findings, reader.plain)
    return Document(path, data, Container.JSON, values[0], stamp, findings, reader.plain)


_SENTENCES: tuple[tuple[type[OSError], str], ...] = (
    (FileNotFoundError, "There is no such file. Check the path."),
    (NotADirectoryError, "Part of this path is a file, not a folder. Check the path."),
    (IsADirectoryError, "This is a folder. Name a file in it."),
    (PermissionError, "The file may not be read. Ask for the right to read it, or copy it."),
)


def _sentence(problem: OSError) -> str:
    known = next((sentence for kind, sentence in _SENTENCES if isinstance(problem, kind)), "")
    return known or f"The file could not be read ({problem.strerror or problem}). Check the disk or copy the file."


def _bytes_of(path: Path, tick: Callable[[], None]) -> tuple[bytes, Stamp]:
    # Asked before opening, because opening a pipe waits for its other end.
    _refuse_special(path, path.stat())
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        _refuse_special(path, status)
        chunks, total = [], 0
        while chunk := file.read(_CHUNK):
            tick()
            chunks.append(chunk)
            total += len(chunk)
            if total > MAX_BYTES:  # it grows while it is read
                raise ReadError(_TOO_LARGE, path=str(path))
    return b"".join(chunks), stamp_of(status)


_TOO_LARGE = "The file is larger than 1 GiB, which is the limit. Split it and open the parts."


def _refuse_special(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    if not stat.S_ISREG(status.st_mode):
        raise ReadError("This is no regular file. Copy what it delivers into a file and open that.", path=str(path))
    if status.st_size > MAX_BYTES:
        raise ReadError(_TOO_LARGE, path=str(path))


def _odd_encoding(body: Body, data: bytes) -> list[Oddity]:
    if body.encoding.name != "utf-8":
        half = [Oddity("half-character", len(body.data))] if len(data) % 2 else []
        return [Oddity("utf-16", 0), *half]
    return [Oddity("byte-order-mark", 0)] if body.start else []


def _odd_bytes(body: Body) -> list[Oddity]:
    """Where the bytes stop being text, when they do."""
    try:
        body.data.decode("utf-8", body.encoding.errors if body.encoding.name != "utf-8" else "strict")
    except UnicodeDecodeError as problem:
        return [Oddity("invalid-utf-8", problem.start)]
    return []


def _refuse_prose(values: list[Json], reader: TolerantReader, body: Body, path: Path) -> None:
    """Text with little JSON in it is another kind of file, not a document with findings."""
    if not values:
        raise ReadError(
            "The file holds no value, only white space or comments. Open a JSON or JSON Lines file.", path=str(path)
        )
    containers = sum(isinstance(value, dict | list) for value in values)
    if len(reader.strays) > _STRAYS * containers:
        line, column = lines_and_columns(body.data, body.utf_8, reader.strays[:1])[reader.strays[0]]
        sentence = "This is not JSON; other text stands here. Open a JSON or JSON Lines file."
        raise ReadError(sentence, path=str(path), line=line, column=column)
