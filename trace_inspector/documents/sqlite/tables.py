"""The rows of an untrusted SQLite database: tables only, nothing in its schema is run."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.sqlite.message_pack import NoMessagePack, SeenValues, unpacked

# A ValueError where a name or what SQLite says about it is no UTF-8.
FAILURES = (sqlite3.Error, ValueError)
_OPERATIONS_PER_TICK = 1000
_MOST_TABLES = 1000
_MOST_SQL_BYTES = 1 << 20
# What a read of a table asks leave for; a view, a trigger or a generated column would ask for more.
_ALLOWED_PRAGMAS = frozenset({"table_xinfo"})
_CELLS_PER_ROW = 4  # what a row weighs beside its cells
_MOST_NAMED, _LONGEST_NAME = 20, 80
_JSON_BEGINS = (b"{", b"[")
_CALLS_A_FUNCTION = "unsafe use of"  # what SQLite says of a schema that it does not trust
_PACKED = "msgpack"  # what a row says of its own bytes
# Objects, lists and extensions; a text or a number alone could be any bytes.
_MESSAGE_PACK_BEGINS = frozenset({*range(0x80, 0xA0), *range(0xC7, 0xCA), *range(0xD4, 0xD9), *range(0xDC, 0xE0)})
_SPLIT = " Delete what is not needed from a copy of the file, and open that."
_RECOVER = " Repair a copy with “sqlite3 FILE .recover”."


class Budget(Struct):
    """How much of a database is held in memory, and until when reading it may go on."""

    cells: int
    characters: int
    deadline: float
    is_spent: bool = False
    seen: SeenValues = field(default_factory=SeenValues)  # what is held once, however often it comes

    def takes(self, row: JsonObject) -> bool:
        """Whether one more row fits; after the first that does not, none does."""
        self.cells -= len(row) + _CELLS_PER_ROW
        self.characters -= sum(len(cell) for cell in row.values() if isinstance(cell, str))
        self.is_spent = self.is_spent or self.cells < 0 or self.characters < 0
        return not self.is_spent

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.deadline


def budget_for(size: int) -> Budget:
    """The budget of a file of so many bytes: far more than google-adk's rows take, far less than a made-up file asks.

    Pages that a damaged or made-up database uses several times can hold more text than the file has bytes.
    """
    return Budget(1_000_000 + size // 4, min(1 << 28, (1 << 20) + 2 * size), time.monotonic() + 5 + size / 1e6)


@contextmanager
def opened(address: str, budget: Budget, tick: Callable[[], None]) -> Iterator[sqlite3.Connection]:
    """A connection that reads rows and nothing else, until the budget's time is up or `tick` raises."""
    raised: list[BaseException] = []

    def go_on() -> int:
        try:
            tick()
        except BaseException as problem:  # SQLite swallows it; it is raised again below
            raised.append(problem)
            return 1
        return int(budget.is_late)

    with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(budget.characters, _MOST_SQL_BYTES))
        connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, _MOST_SQL_BYTES)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for setting in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {setting}")
        connection.text_factory = _text
        connection.set_progress_handler(go_on, _OPERATIONS_PER_TICK)
        try:
            connection.execute("PRAGMA query_only=ON")
            _trust_indexes(connection)
            connection.set_authorizer(_allows)
            yield connection
        finally:
            if raised:
                raise raised[0]


def _trust_indexes(connection: sqlite3.Connection) -> None:
    """Lets the schema be read where an index is of what a function gives: without trust SQLite refuses it as a whole.

    No function is called: the authorizer denies all of them, and rows are read without any index.
    """
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")
    except sqlite3.DatabaseError as problem:
        if _CALLS_A_FUNCTION not in str(problem):
            raise
        connection.execute("PRAGMA trusted_schema=ON")


def tables_of(connection: sqlite3.Connection, budget: Budget) -> tuple[JsonObject, list[Finding]]:
    """Every table as a list of rows by column name, and what could not be read; a failure when nothing can."""
    listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").fetchall()
    names = dict.fromkeys(name for (name,) in listed if isinstance(name, str) and not name.startswith("sqlite_"))
    tables: JsonObject = {}
    findings: list[Finding] = []
    for name in names:
        if budget.is_spent or len(tables) >= _MOST_TABLES:
            break
        rows: list[Json] = []
        tables[name] = rows
        findings.extend(_read_into(rows, connection, name, budget))
    unread = [name for name in names if name not in tables]
    if unread:
        findings.append(
            warning("too-much", f"Not read any more: {_listed([_named(name) for name in unread])}.{_SPLIT}")
        )
    return tables, [_summary(tables), *findings]


def _read_into(rows: list[Json], connection: sqlite3.Connection, name: str, budget: Budget) -> Iterator[Finding]:
    place = join("", name)
    try:
        for row in _rows(connection, name, budget):
            if not budget.takes(row):
                message = f"{_named(name)} holds more than is read from one file: {_counted(rows)} are shown.{_SPLIT}"
                yield warning("too-much", message, place)
                return
            rows.append(row)
    except FAILURES as problem:
        if budget.is_late:
            budget.is_spent = True
            message = f"Reading took too long; {_counted(rows)} of {_named(name)} are shown.{_SPLIT}"
            yield warning("too-slow", message, place)
        else:
            message = f"{_named(name)} could be read as far as {_counted(rows)}: {shortened(problem)}.{_RECOVER}"
            yield error("damaged-table", message, place)


def _rows(connection: sqlite3.Connection, table: str, budget: Budget) -> Iterator[JsonObject]:
    described = connection.execute(f"PRAGMA table_xinfo({_quoted(table)})").fetchall()
    columns = [name for _index, name, _type, _needed, _default, _key, is_computed in described if not is_computed]
    if not columns:
        return
    column_list = ", ".join(map(_quoted, columns))
    for cells in connection.execute(f"SELECT {column_list} FROM main.{_quoted(table)} NOT INDEXED"):
        is_packed = _PACKED in cells
        yield {column: _shown(cell, budget, is_packed) for column, cell in zip(columns, cells, strict=True)}


def _shown(cell: Json | bytes, budget: Budget, is_packed: bool) -> Json:
    """A cell as a value: bytes that are words as a text, MessagePack as what it holds, others by their number."""
    if not isinstance(cell, bytes):
        return cell
    if cell[:1] in _JSON_BEGINS:
        try:
            return cell.decode("utf-8")
        except UnicodeDecodeError:
            pass
    if cell and (is_packed or cell[0] in _MESSAGE_PACK_BEGINS):
        try:
            value, count = unpacked(cell, max(0, budget.cells), budget.seen)
        except NoMessagePack:
            pass
        else:
            budget.cells -= count
            budget.characters -= len(cell)
            return value
    return f"({len(cell)} bytes, not shown)"


def _quoted(name: str) -> str:
    # Within double quotes SQLite takes a name that does not exist for a text.
    return "`" + name.replace("`", "``") + "`"


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _allows(action: int, first: str | None, _second: str | None, _database: str | None, inside: str | None) -> int:
    """SQLite asks this before it runs a statement; `inside` names the view or the trigger that a part belongs to."""
    is_reading = action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ)
    is_describing = action == sqlite3.SQLITE_PRAGMA and first in _ALLOWED_PRAGMAS
    return sqlite3.SQLITE_OK if (is_reading or is_describing) and not inside else sqlite3.SQLITE_DENY


def _summary(tables: JsonObject) -> Finding:
    counted = [f"{_named(name)} ({_counted(rows)})" for name, rows in tables.items() if isinstance(rows, list)]
    return info("database-tables", f"A SQLite database that holds {_listed(counted) or 'no tables'}.")


def _named(name: str) -> str:
    return f"“{name}”" if len(name) <= _LONGEST_NAME else f"“{name[:_LONGEST_NAME]}…”"


def _counted(rows: list[Json]) -> str:
    return "1 row" if len(rows) == 1 else f"{len(rows)} rows"


def _listed(words: list[str]) -> str:
    more = len(words) - _MOST_NAMED
    return ", ".join(words[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def shortened(problem: Exception) -> str:
    """What SQLite says about a failure, bounded: it may quote the file."""
    return str(problem).splitlines()[0][:200] if str(problem) else type(problem).__name__
