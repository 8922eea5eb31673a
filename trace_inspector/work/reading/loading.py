"""Opens files in a child process and sends their rows as they are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.work.processes.child import Channel

REPORTED = "reported verdicts"
_ARCHIVE = ".zip"
FILES_A_MESSAGE = 250  # take the window some 25 milliseconds; more often would be painted more often


@dataclass(frozen=True, slots=True)
class Listed:
    """Some of what lies in a folder, and a sentence when that is not everything. `begin`: read what was listed."""

    paths: tuple[Path, ...]
    sentence: str = ""
    begin: bool = True


@dataclass(frozen=True, slots=True)
class Recognised:
    """A file's format is known; "" when nobody recognised it."""

    file: int
    format: str


@dataclass(frozen=True, slots=True)
class RowsRead:
    """The next rows of a file."""

    file: int
    batch: RowBatch


@dataclass(frozen=True, slots=True)
class BodyKnown:
    """Of what a row told early looks into more is known now."""

    file: int
    number: int
    body: bytes


@dataclass(frozen=True, slots=True)
class BeginsAgain:
    """The rows told early do not stand at the beginning of the file: all of it follows."""

    file: int


@dataclass(frozen=True, slots=True)
class VerdictsReported:
    """What the file says of traces whose rows were read before."""

    file: int
    batch: ReportedBatch


@dataclass(frozen=True, slots=True)
class Found:
    """What else a file holds."""

    file: int
    findings: tuple[Finding, ...] = ()
    criteria: Criteria | None = None
    holds: tuple[Holds, ...] = ()


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file is read to its end; with a sentence, it could not be."""

    file: int
    sentence: str = ""
    digest: str = ""  # SHA-256 of the bytes


@dataclass(frozen=True, slots=True)
class Reopened:
    """A file is as it was when it was read, and what was read is still there: `bodies` for the rows that follow."""

    file: int
    bodies: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class NotKept:
    """Why a file will be read again next time."""

    file: int
    sentence: str


FileMessage: TypeAlias = (
    Recognised | Reopened | RowsRead | BodyKnown | BeginsAgain | VerdictsReported | Found | FileRead | NotKept
)


def split_place(text: str) -> tuple[Path, str]:
    """A path and the JSON pointer behind it: FILE#/POINTER, unless a file has that whole name."""
    path = Path(text).absolute()
    head, mark, pointer = text.partition("#/")
    if not mark or path.exists():
        return path, ""
    return Path(head).absolute(), f"/{pointer}"


def may_be_folder(path: Path) -> bool:
    """Whether a path is a folder of documents, or an archive, which is one too, as far as its name tells.

    The main thread asks, so nothing of a file is read; `listed_in` finds out what it really is.
    """
    packed = not path.suffix and any(above.suffix.lower() == _ARCHIVE for above in path.parents)
    return packed or path.suffix.lower() == _ARCHIVE or path.is_dir()


def load(channel: Channel, files: Sequence[tuple[int, str]], folders: Sequence[str]) -> None:
    """In the child: read files one after the other, and say what lies in folders."""
    from trace_inspector.work.reading.row_sender import read_files

    gc.disable()  # nothing here is thrown away before the process ends
    for name in folders:
        for listed in listed_in(Path(name)):
            channel.send(listed)
    read_files(channel, files)


def listed_in(folder: Path) -> Iterator[Listed]:
    """In small helpings; the first is read at once, the others together."""
    from trace_inspector.documents.bundles.folders import is_folder, refuse
    from trace_inspector.flows.opening.listing import expand

    skipped: list[Path] = []
    try:
        paths = expand([folder], skipped)
        if paths == [folder] and is_folder(folder):
            refuse(folder)
    except InspectorError as problem:
        yield Listed((), str(problem))
        return
    if skipped:
        others = f" {len(skipped) - 1} more are." if len(skipped) > 1 else ""
        yield Listed((), f"{skipped[0]} is no regular file, and was skipped.{others}", begin=False)
    for first in range(0, len(paths), FILES_A_MESSAGE):
        some = tuple(paths[first : first + FILES_A_MESSAGE])
        yield Listed(some, begin=first == 0 or first + FILES_A_MESSAGE >= len(paths))
