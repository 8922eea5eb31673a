"""Messages of a child that reads files: rows, other contents, and how reading ended."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.outline import FullCounts, Outline
from trace_inspector.core.verdict.reported import ReportedBatch

REPORTED = "reported verdicts"


class ListedFiles(Struct, frozen=True):
    """Files of a folder, and a sentence when some are missing. `begin`: start reading those listed."""

    paths: tuple[Path, ...]
    sentence: str = ""
    begin: bool = True


class SessionsListed(Struct, frozen=True):
    """Some sessions of a folder of a coding agent, and why a file in it cannot be read, if so.

    `total`: how many files there are; `others`: what lies beside them, as their program put it there; `foreign`:
    files with the same ending that are no sessions.
    """

    folder: Path
    outlines: tuple[Outline, ...]
    unread: tuple[tuple[Path, str], ...] = ()
    total: int = 0
    others: int = 0
    foreign: tuple[Path, ...] = ()
    is_last: bool = False


class SessionCounted(Struct, frozen=True):
    """What a session of a folder holds, read to its end; None where it cannot be read."""

    path: Path
    counts: FullCounts | None


class Outlined(Struct, frozen=True):
    """What a session of a mixed folder is about, by its beginning: told of all of them before most are read."""

    file: int
    outline: Outline


class Recognised(Struct, frozen=True):
    """The format of a file; "" when it is not recognised."""

    file: int
    format: str


class RowsRead(Struct, frozen=True):
    """The next rows of a file."""

    file: int
    batch: RowBatch


class BodyCompleted(Struct, frozen=True):
    """A more complete body for a row of the preview."""

    file: int
    number: int
    body: bytes


class ReadingRestarted(Struct, frozen=True):
    """The rows of the preview were wrong: all rows of the file follow."""

    file: int


class VerdictsReported(Struct, frozen=True):
    """Reported verdicts on traces whose rows were sent before."""

    file: int
    batch: ReportedBatch


class Found(Struct, frozen=True):
    """Other contents of a file."""

    file: int
    findings: tuple[Finding, ...] = ()
    criteria: Criteria | None = None
    holds: tuple[Holds, ...] = ()


class FileRead(Struct, frozen=True):
    """A file is read completely; with a sentence, it could not be."""

    file: int
    sentence: str = ""
    digest: str = ""  # SHA-256 of the bytes
    size_bytes: int = 0  # how many they are; 0 where that is not known, or the file is packed


class Reopened(Struct, frozen=True):
    """A file is unchanged and in the index cache: `bodies` are those of the rows that follow."""

    file: int
    bodies: Sequence[bytes]


class IndexNotStored(Struct, frozen=True):
    """Why a file was not stored in the index cache."""

    file: int
    sentence: str


class GrowthBegun(Struct, frozen=True):
    """A file that was read has grown. Its first rows stay; some of their bodies changed; other rows follow.

    `moved`: the new rows of those that do not stay, -1 for none; None where nobody looked: rows are known by place.
    """

    file: int
    rows: int
    bodies: int
    authors: int
    changed: dict[int, bytes]
    moved: array[int] | None


class GrowthRead(Struct, frozen=True):
    """All rows of a file that grew are told, and what else is known of it now."""

    file: int
    format: str
    new_turns: tuple[int, ...]
    findings: tuple[Finding, ...]
    criteria: Criteria | None
    holds: tuple[Holds, ...]
    sentence: str
    digest: str
    size_bytes: int
    goes_on: bool  # whether what was read before is still the beginning of the file


class Look(Struct, frozen=True):
    """Look at a file again. The first time, what the window shows of it is given.

    `whole`: it rests, so that also a last line without an end is read, and all bytes are compared.
    """

    number: int
    path: str
    digest: str = ""
    size_bytes: int = 0
    rows: int = 0
    whole: bool = False


class Looked(Struct, frozen=True):
    """What a look took, whether there is more to read at once (`behind`), and why the file could not be read."""

    took_s: float
    behind: bool = False
    is_continued: bool = False  # it took as long as what is new
    problem: str = ""
    is_gone: bool = False


FileMessage: TypeAlias = (
    Outlined
    | Recognised
    | Reopened
    | RowsRead
    | BodyCompleted
    | ReadingRestarted
    | VerdictsReported
    | Found
    | FileRead
    | IndexNotStored
    | GrowthBegun
    | GrowthRead
)
