"""SQLite databases as documents: an object of tables, each an array of rows. Reading one changes nothing anywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.documents.text.magic import SQLITE
from trace_inspector.regular_file import read_regular

if TYPE_CHECKING:
    from trace_inspector.documents.sqlite.snapshot import State

# A program that wrote in all of ten attempts most likely writes all the time.
_MOST_ATTEMPTS = 10


def is_sqlite(data: bytes, _path: Path) -> bool:
    """Whether bytes begin like a SQLite database."""
    return data.startswith(SQLITE)


def parse_sqlite(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None]) -> Document:
    """The tables of a database as of its last finished change, also while another program writes it."""
    from trace_inspector.documents.sqlite.snapshot import state_of

    try:
        if stamp is None:  # unpacked: these bytes lie nowhere on disk
            return _document(data, path, stamp, _read(data, path, None, tick))
        for _attempt in range(_MOST_ATTEMPTS):
            state = state_of(path)
            if state.main == stamp:
                read = _read(data, path, state, tick)
                if state_of(path) == state:
                    return _document(data, path, stamp, read)
            data, stamp = read_regular(path), state.main
    except OSError as problem:
        raise ReadError(_NO_COPY.format(problem.strerror or problem), path=str(path)) from problem
    raise ReadError(_BUSY, path=str(path))


class _Read(Struct, frozen=True):
    """What SQLite gave; `problem` says why it gave nothing."""

    value: Json = None
    findings: tuple[Finding, ...] = ()
    problem: str = ""


_DAMAGED = "This begins like a SQLite database, but cannot be read as one ({}). Copy it again, or decrypt it."
_BUSY = "Another program writes this database faster than it can be read. Open a copy (“sqlite3 FILE .backup COPY”)."
_NO_COPY = "The database could not be read beside its journal ({}). Check the disk, or open a copy."


def _read(data: bytes, path: Path, state: State | None, tick: Callable[[], None]) -> _Read:
    from trace_inspector.documents.sqlite.snapshot import database_address
    from trace_inspector.documents.sqlite.tables import FAILURES, budget_for, opened, shortened, tables_of

    budget = budget_for(len(data))
    tick()
    try:
        with (
            database_address(data, path, state) as address,
            opened(address, budget, tick) as connection,
            gc_paused(),
        ):
            tables, findings = tables_of(connection, budget)
    except FAILURES as problem:
        return _Read(problem=shortened(problem))
    return _Read(tables, tuple(findings))


def _document(data: bytes, path: Path, stamp: Stamp | None, read: _Read) -> Document:
    if read.problem:
        raise ReadError(_DAMAGED.format(read.problem), path=str(path))
    return Document(path, data, Container.SQLITE, read.value, stamp, read.findings)
