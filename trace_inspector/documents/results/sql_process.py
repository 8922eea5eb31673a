"""The process in which SQL is answered. It sees the Parquet files of one folder and ends with its parent.

Both the SQL and the files may come from anybody. DuckDB is told to open these files only, and its settings are
locked; before it runs anything, its own parser says whether the text is one SELECT, and which functions it calls.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import json
import math
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.documents.results.duck import duckdb_module
from trace_inspector.documents.results.tables import TABLES
from trace_inspector.lifeline import end_with_parent

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from duckdb import DuckDBPyConnection

MEMORY: Final = "900MB"  # of DuckDB alone: with Python the process stays below 1 GB
TEMPORARY: Final = "2GB"
_ADDRESSES: Final = 3 << 30  # what DuckDB does not count, such as one very long text, ends here
_BATCH: Final = 500
_MOST_CHARS: Final = 1 << 20
_LONGEST_PROBLEM: Final = 300
_LARGEST: Final = 1 << 63
# Characters of a cell, and of all cells together, where only the first rows are asked for, to be looked at.
_CELL: Final = 10_000
_CELL_WITHOUT_ROOM: Final = 100
_MOST_SHOWN: Final = 16_000_000
# All others read files, look into the engine or change it.
TABLE_FUNCTIONS: Final = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})
_REFUSED_FUNCTIONS: Final = frozenset({"current_setting", "getenv", "write_log"})


class Refused(Exception):
    """The query is not run; the sentence says why."""


class Question(msgspec.Struct, frozen=True):
    """A query with its number: how many rows are wanted, and the file for all of them as Parquet."""

    number: int
    sql: str
    most: int | None = None
    parquet: str = ""


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of the answer to a question: columns with their types first, then rows, then how many there are."""

    number: int
    columns: tuple[tuple[str, str], ...] | None = None
    rows: list[list[Any]] | None = None
    total: int | None = None
    problem: str = ""


def serve(pipe: Connection, tables: Mapping[str, Sequence[str]], temporary: str) -> None:
    """Answer queries until the other end of the pipe closes."""
    _shut_in()
    with pipe, contextlib.suppress(EOFError, OSError):
        try:
            connection = _opened(tables, temporary)
        except Exception as problem:  # whatever DuckDB says of files from anybody
            _send(pipe, Reply(0, problem=f"The tables of this folder cannot be read: {_problem_text(problem)}"))
            return
        _send(pipe, Reply(0, total=0))
        while True:
            question = msgspec.json.decode(pipe.recv_bytes(), type=Question)
            number = question.number
            try:
                for reply in _answer(connection, question):
                    _send(pipe, reply)
            except Refused as problem:
                _send(pipe, Reply(number, problem=str(problem)))
            except (BrokenPipeError, ConnectionError):
                raise
            except MemoryError:
                _send(pipe, Reply(number, problem=_TOO_LARGE))
            except Exception as problem:  # the same
                _send(pipe, Reply(number, problem=_sentence(problem)))


_TOO_LARGE: Final = "The query needs more than 1 GB of memory. Filter or group earlier, or ask for fewer columns."


def _shut_in() -> None:
    """Take away what a query has no business with: keys in the environment, the terminal, unbounded memory."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent decides when this ends
    os.environ.clear()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nowhere, standard)
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))


def _opened(tables: Mapping[str, Sequence[str]], temporary: str) -> DuckDBPyConnection:
    """A database in memory with a view for each table, which can open nothing but their files."""
    connection: DuckDBPyConnection = duckdb_module().connect(
        ":memory:", config={"python_enable_replacements": "false", "temp_directory": temporary}
    )
    files = [file for own in tables.values() for file in own]
    for table in TABLES:
        own = tables.get(table.name) or ()
        if own:
            source = f"SELECT * FROM read_parquet({_list(own)}, hive_partitioning=false)"
        else:
            columns = ", ".join(f"NULL::{kind} AS {column}" for column, kind in table.columns.items())
            source = f"SELECT {columns} WHERE false"
        connection.execute(f"CREATE VIEW {table.name} AS {source}")
    for name, value in (
        ("memory_limit", f"'{MEMORY}'"),
        ("max_temp_directory_size", f"'{TEMPORARY}'"),
        ("home_directory", _text(temporary)),
        ("autoinstall_known_extensions", "false"),
        ("autoload_known_extensions", "false"),
        ("allowed_paths", _list(files)),
        ("enable_external_access", "false"),
        ("lock_configuration", "true"),
    ):
        connection.execute(f"SET {name}={value}")
    return connection


def _answer(connection: DuckDBPyConnection, question: Question) -> Iterator[Reply]:
    sql, tree = _one_select(connection, question.sql)
    number, most = question.number, question.most
    if question.parquet:
        connection.sql(sql).write_parquet(question.parquet, compression="zstd")
        counted = connection.execute(f"SELECT count(*) FROM read_parquet({_text(question.parquet)})").fetchall()
        yield Reply(number, total=counted[0][0])
        return
    if most is not None:
        yield from _first(connection, question, sql, tree)
        return
    connection.execute(sql)
    yield _columns(number, connection.description)
    total = 0
    while rows := connection.fetchmany(_BATCH):
        total += len(rows)
        yield _rows(number, rows)
    yield Reply(number, total=total)


def _first(connection: DuckDBPyConnection, question: Question, sql: str, tree: Any) -> Iterator[Reply]:
    """No more than are wanted: of a million sorted rows these take a tenth of the time that all of them do."""
    number, most = question.number, question.most or 0
    asked = connection.sql(sql)
    rows = asked.limit(most + 1).fetchall()
    yield _columns(number, asked.description)
    room = _MOST_SHOWN
    for start in range(0, min(most, len(rows)), _BATCH):
        reply = _rows(number, rows[start : min(most, start + _BATCH)])
        for row in reply.rows or ():
            for index, value in enumerate(row):
                row[index], chars = _shown(value, _CELL if room > 0 else _CELL_WITHOUT_ROOM)
                room -= chars
        yield reply
    yield Reply(number, total=len(rows) if len(rows) <= most else max(len(rows), _counted(connection, sql, tree)))


def _columns(number: int, description: Sequence[Any] | None) -> Reply:
    return Reply(number, columns=tuple((name, str(kind)) for name, kind, *_rest in description or ()))


def _rows(number: int, rows: Sequence[Sequence[Any]]) -> Reply:
    return Reply(number, rows=[[_value(value) for value in row] for row in rows])


def _shown(value: Json, most: int) -> tuple[Json, int]:
    """A value as it is looked at, no more than the beginning of a long one, and how many characters that has."""
    if not isinstance(value, list | dict | str):
        return value, 0
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return (value, len(text)) if len(text) <= most else (f"{text[: most - 1]}…", most)


def _counted(connection: DuckDBPyConnection, sql: str, tree: Any) -> int:
    """How many rows a query has. They need no order for that, which would take most of the time.

    Only those that are shown are worked out: what breaks in another one breaks where all of them are asked for.
    """
    with contextlib.suppress(Exception):  # what cannot be written without its order is asked as it is
        ((count,),) = connection.sql(_unordered(connection, tree)).count("*").fetchall()
        return int(count)
    ((count,),) = connection.sql(sql).count("*").fetchall()
    return int(count)


def _unordered(connection: DuckDBPyConnection, tree: Any) -> str:
    """The query of a tree without the order of its rows; "" where it has none of its own."""
    match tree:
        case {"statements": [{"node": {"modifiers": [*modifiers]} as node}]}:
            node["modifiers"] = [one for one in modifiers if one.get("type") != "ORDER_MODIFIER"]
            encoded = msgspec.json.encode(tree).decode()
            written = connection.execute("SELECT json_deserialize_sql(?::JSON)", [encoded]).fetchall()
            return str(written[0][0])
    return ""


def _one_select(connection: DuckDBPyConnection, text: str) -> tuple[str, Any]:
    """The query with its tree, if DuckDB's parser says that it is one SELECT which calls nothing that is refused."""
    if len(text) > _MOST_CHARS:
        raise Refused(f"The query has more than {_MOST_CHARS:,} characters. Write a shorter one.")
    statements = connection.extract_statements(text)
    if len(statements) != 1:
        found = f"there are {len(statements)}" if statements else "there is none"
        raise Refused(f"Ask one SELECT at a time; {found} here.")
    kind = statements[0].type.name
    if kind != "SELECT":
        raise Refused(f"Only a SELECT can be asked, and this is {_KINDS.get(kind, kind)}. Nothing was run.")
    written = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [statements[0].query]).fetchall()
    tree = msgspec.json.decode(written[0][0])
    if tree.get("error"):
        raise Refused(f"Only a SELECT can be asked: {one_line(str(tree.get('error_message')), _LONGEST_PROBLEM)}")
    for function in _functions(tree):
        if function:
            allowed = ", ".join(sorted(TABLE_FUNCTIONS))
            raise Refused(
                f"The function “{one_line(function, 60)}” is not allowed: a query reads the tables of this folder. "
                f"Table functions that are: {allowed}."
            )
    return statements[0].query, tree


_KINDS: Final = {"MULTI": "several statements in one, as PIVOT is", "LOAD": "INSTALL or LOAD"}


def _functions(tree: Json) -> Iterator[str]:
    """The functions of a parsed query that are refused."""
    waiting: list[Json] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, dict):
            name = _called(node)
            if name in _REFUSED_FUNCTIONS:
                yield name
            function = node.get("function")
            if node.get("type") == "TABLE_FUNCTION" and isinstance(function, dict):
                named = _called(function)
                if named not in TABLE_FUNCTIONS:
                    yield named
            waiting += node.values()


def _called(node: Mapping[str, Json]) -> str:
    name = node.get("function_name")
    return name.lower() if isinstance(name, str) else ""


def _send(pipe: Connection, reply: Reply) -> None:
    pipe.send_bytes(msgspec.json.encode(reply))


def _value(value: Any) -> Json:
    """A value of DuckDB as JSON has it; what is not finite is null, other kinds are their text."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if -_LARGEST <= value < _LARGEST else str(value)
        case float():
            return value if math.isfinite(value) else None
        case decimal.Decimal():
            return _exact(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case list() | tuple():
            return [_value(item) for item in value]
        case dict():
            return {str(name): _value(item) for name, item in value.items()}
        case _:
            return str(value)


def _exact(value: decimal.Decimal) -> Json:
    """A number, if one has all its digits, else these as text."""
    number = float(value)
    if not math.isfinite(number):
        return None
    return number if decimal.Decimal(repr(number)) == value else str(value)


def _sentence(problem: Exception) -> str:
    kind = type(problem).__name__
    if kind == "OutOfMemoryException":
        return _TOO_LARGE
    if kind == "PermissionException":
        return f"A query reads the tables of this folder and nothing else: {_problem_text(problem)}"
    return f"The query could not be answered: {_problem_text(problem)}"


def _problem_text(problem: Exception) -> str:
    """What DuckDB says, in one line, without its picture of the place."""
    text = str(problem).partition("\n\nLINE ")[0]
    return one_line(text, _LONGEST_PROBLEM)


def _text(text: str | Path) -> str:
    return "'" + str(text).replace("'", "''") + "'"


def _list(paths: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, paths))}]"
