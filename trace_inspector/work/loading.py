"""Opens files in a child process and sends their rows as they are read."""

from __future__ import annotations

import gc
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from trace_inspector.core.contents import Holds
from trace_inspector.core.criteria import Criteria
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden import Suite
from trace_inspector.core.row_writer import RowWriter
from trace_inspector.core.rows import RowBatch
from trace_inspector.core.trace import Trace, Turn
from trace_inspector.core.verdict import CaseVerdict
from trace_inspector.work.child import Channel, Progress

FIRST_STEPS = 4  # a trace and three turns: few enough to show at once, enough to fill a good part of a window
ROWS_A_BATCH = 5_000  # takes the window a few milliseconds
FINDINGS_A_MESSAGE = 500
SEND_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class Listed:
    """What lies in the folders that were opened, and a sentence when that is not everything."""

    paths: tuple[Path, ...]
    sentence: str = ""


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


FileMessage: TypeAlias = Recognised | RowsRead | Found | FileRead


def split_place(text: str) -> tuple[Path, str]:
    """A path and the JSON pointer behind it: FILE#/POINTER, unless a file has that whole name."""
    path = Path(text).absolute()
    head, mark, pointer = text.partition("#/")
    if not mark or path.exists():
        return path, ""
    return Path(head).absolute(), f"/{pointer}"


def is_folder(path: Path) -> bool:
    """Whether a path is a folder of documents, or an archive, which is one too."""
    from trace_inspector.documents.folders import is_folder

    return is_folder(path)


def load(channel: Channel, files: Sequence[tuple[int, str]], folders: Sequence[str]) -> None:
    """In the child: read files one after the other, and say what lies in folders."""
    gc.disable()  # nothing here is thrown away before the process ends
    for name in folders:
        channel.send(_list(Path(name)))
    sizes = [_size(path) for _number, path in files]
    for at, (number, path) in enumerate(files):
        sender = _Sender(channel, number, bytes_before=sum(sizes[:at]), bytes_all=sum(sizes))
        try:
            sender.send_all(Path(path))
        except InspectorError as problem:
            channel.send(FileRead(number, str(problem)))
        except RecursionError:
            channel.send(FileRead(number, f"{path}: its values are nested too deeply to be read."))


def _list(folder: Path) -> Listed:
    from trace_inspector.documents.folders import refuse
    from trace_inspector.flows.listing import expand

    try:
        paths = expand([folder])
        if paths == [folder]:
            refuse(folder)
    except InspectorError as problem:
        return Listed((), str(problem))
    return Listed(tuple(paths))


class _Sender:
    """Sends one file, the first turns at once and the rest in larger helpings."""

    def __init__(self, channel: Channel, number: int, *, bytes_before: int, bytes_all: int) -> None:
        self._channel = channel
        self._number = number
        self._bytes_before = bytes_before
        self._bytes_all = bytes_all
        self._writer = RowWriter()
        self._steps = 0
        self._rows = 0
        self._sent_s = time.monotonic()
        self._findings: list[Finding] = []

    def send_all(self, path: Path) -> None:
        """Read the file to its end."""
        from trace_inspector.flows.open_file import Recognised as Known
        from trace_inspector.flows.open_file import stream_file

        self._progress()
        reported = 0
        for item in stream_file(path):
            match item:
                case Known():
                    self._channel.send(Recognised(self._number, item.format))
                case Suite() | Trace() | Turn():
                    for _step in self._writer.steps(item):
                        self._after_step()
                case Finding():
                    self._find(item)
                case Criteria():
                    self._channel.send(Found(self._number, criteria=item))
                case Holds():
                    self._channel.send(Found(self._number, holds=(item,)))
                case CaseVerdict():
                    reported += 1
        if reported:
            self._channel.send(Found(self._number, holds=(Holds("reported verdicts", reported),)))
        for _step in self._writer.finish():
            self._after_step()
        self._flush()
        self._send_findings()
        self._channel.send(FileRead(self._number, digest=_digest(path)))

    def _after_step(self) -> None:
        self._steps += 1
        late = time.monotonic() - self._sent_s > SEND_EVERY_S
        if len(self._writer.batch) >= ROWS_A_BATCH or self._steps == FIRST_STEPS or late:
            self._flush()

    def _flush(self) -> None:
        batch = self._writer.take()
        for part in batch.split(ROWS_A_BATCH) if len(batch) else ():
            self._channel.send(RowsRead(self._number, part))
        self._rows += len(batch)
        self._sent_s = time.monotonic()
        self._progress()

    def _find(self, finding: Finding) -> None:
        self._findings.append(finding)
        if len(self._findings) >= FINDINGS_A_MESSAGE:
            self._send_findings()

    def _send_findings(self) -> None:
        if self._findings:
            self._channel.send(Found(self._number, tuple(self._findings)))
            self._findings = []

    def _progress(self) -> None:
        # How far a file is nobody knows before its end; of several, those before it are done.
        note = f"{self._rows:,} rows" if self._rows else ""
        self._channel.send(Progress(self._bytes_before, self._bytes_all if self._bytes_before else 0, note))


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
