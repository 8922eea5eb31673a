"""Where recordings lie: their names, their parts, how large and how old they are."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

SUFFIXES = (".jsonl", ".ndjson")  # a single line in a file of another name would be a file of another kind
_ENDING = ".otlp.jsonl"


class RecordingFile(Struct, frozen=True):
    """One file of a recording."""

    path: Path
    size_bytes: int
    changed_s: float


def new_name(folder: Path) -> Path:
    """A name by the time, which no recording of the folder has yet."""
    stem = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    names = (
        folder / f"{stem}-{count}{_ENDING}" if count else folder / f"{stem}{_ENDING}" for count in itertools.count()
    )
    return next(name for name in names if is_free(name))


def is_free(path: Path) -> bool:
    """Whether nothing is at the name of a recording, nor a part that a recording of that name would go on with."""
    return not path.exists() and not part(path, 2).exists()


def part(first: Path, number: int) -> Path:
    """The name of a part of a recording, counted from 1; the first has the name of the recording."""
    if number == 1:
        return first
    stem, dot, rest = first.name.partition(".")
    return first.with_name(f"{stem}-part{number}{dot}{rest}")


def parts(first: Path) -> Iterator[Path]:
    """The parts of a recording that are there, in order."""
    for number in itertools.count(1):
        path = part(first, number)
        if not path.is_file():
            return
        yield path


def recordings_in(folder: Path) -> list[RecordingFile]:
    """The recordings of a folder, the newest first; none where there is no such folder."""
    listed: list[RecordingFile] = []
    try:
        paths = [path for path in folder.iterdir() if path.name.endswith(_ENDING)]
    except OSError:
        return []
    for path in paths:
        try:
            status = path.stat()
        except OSError:  # deleted meanwhile
            continue
        listed.append(RecordingFile(path, status.st_size, status.st_mtime))
    return sorted(listed, key=lambda file: (file.changed_s, file.path), reverse=True)
