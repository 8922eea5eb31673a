"""What a child that reads files sends: their rows, what they hold, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.verdict.reported import ReportedBatch

REPORTED = "reported verdicts"


@dataclass(frozen=True, slots=True)
class ListedFiles:
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
class BodyCompleted:
    """Of what a row told early looks into more is known now."""

    file: int
    number: int
    body: bytes


@dataclass(frozen=True, slots=True)
class ReadingRestarted:
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
class IndexNotStored:
    """Why a file will be read again next time."""

    file: int
    sentence: str


FileMessage: TypeAlias = (
    Recognised
    | Reopened
    | RowsRead
    | BodyCompleted
    | ReadingRestarted
    | VerdictsReported
    | Found
    | FileRead
    | IndexNotStored
)
