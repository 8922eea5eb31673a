"""Stored runs: verdicts, configuration and inputs, and a short row of each for lists."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.core.verdict.verdict import MANY_CASES, RunVerdict, Status
from trace_inspector.store.database import Database, is_damage, transaction

# What a turn of a case is: the index of the case, that of the turn or WHOLE_CASE, and the digest of the output.
Subjects: TypeAlias = Iterable[tuple[tuple[int, int], str]]
WHOLE_CASE = -1
BY_ITSELF = "by_itself"  # in the configuration of a run that the program started without being asked
_QUICK = 1  # verdicts are repetitive: even the fastest level makes them ten times smaller


# Outputs of a run that its successor does not have, and those of them that people labelled.
_GONE = (
    "SELECT subject FROM run_subject WHERE run_id = :before"
    " AND subject NOT IN (SELECT subject FROM run_subject WHERE run_id = :after)"
)
_SAID = f"SELECT 1 FROM label WHERE subject IN ({_GONE})"
_MISSING = f"{_GONE} AND (turn != {WHOLE_CASE} OR subject IN (SELECT subject FROM label))"


class Unasked(Struct, frozen=True):
    """Of a run that nobody asked for: the one whose place it takes, where nobody needs that any more."""

    instead_of: str = ""  # the id of that run
    has_only_grown: bool = False  # whether its files were only added to since


class RunLine(Struct, frozen=True):
    """One line of the list of runs. `summary` is None until it is computed; `status` ignores overrules."""

    id: str
    started_s: float
    status: Status
    cases: int
    name: str = ""
    summary: RunSummary | None = None
    inputs: Mapping[str, str] = field(default_factory=dict)  # the SHA-256 of each input, by path
    suite: tuple[str, ...] = ()  # its goldens, by path


class StoredRun(Struct, frozen=True):
    """A run as it was saved, never changed."""

    run: RunVerdict
    configuration: JsonObject
    inputs: Mapping[str, str]  # the SHA-256 of each input, by path


def save(
    database: Database,
    run: RunVerdict,
    configuration: JsonObject,
    inputs: Mapping[str, str],
    summary: RunSummary | None = None,
    subjects: Subjects = (),
) -> str:
    """Store a run. Returns a sentence when that failed, else ""; damage of the file is raised."""
    row = (
        run.id,
        run.started_s,
        run.status.value,
        len(run.cases),
        json.dumps(configuration),
        json.dumps(dict(inputs)),
        _packed(run),
    )
    summary_text = None if summary is None else json.dumps(to_json(summary))
    connection = database.connection
    try:
        with transaction(connection):
            connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            connection.execute(
                "INSERT INTO run_line VALUES (?, ?, '', ?)"
                " ON CONFLICT (run_id) DO UPDATE SET started_s = excluded.started_s, summary = excluded.summary",
                (run.id, run.started_s, summary_text),
            )
            connection.execute("DELETE FROM run_subject WHERE run_id = ?", (run.id,))
            put_subjects(connection, run.id, subjects)
    except sqlite3.Error as problem:
        if is_damage(problem):
            raise
        return f"This run is not stored: {problem}."
    return database.problem


def _packed(run: RunVerdict) -> bytes:
    """The JSON of a run, case by case: as an object in memory it would take a hundred times as much."""
    packer = zlib.compressobj(_QUICK)
    head = json.dumps(to_json(replace(run, cases=())))
    pieces = [packer.compress(f'{head[:-1]}, "cases": ['.encode())]
    for number, case in enumerate(run.cases):
        pieces.append(packer.compress(f"{', ' if number else ''}{json.dumps(to_json(case))}".encode()))
    pieces += [packer.compress(b"]}"), packer.flush()]
    return b"".join(pieces)


def put_subjects(connection: sqlite3.Connection, run_id: str, subjects: Subjects) -> None:
    """Store what turns of a run are, within a transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO run_subject VALUES (?, ?, ?, ?)",
        ((run_id, *place, subject) for place, subject in subjects),
    )


def recent(database: Database, limit: int = 1000, also: Sequence[str] = ()) -> list[RunLine]:
    """The newest runs first, then those with the ids in `also`, however old."""
    with _reading():
        newest = _lines(database, "ORDER BY line.started_s DESC, run_id LIMIT ?", (limit,))
        older = sorted({*also} - {line.id for line in newest})
        return newest + _lines(
            database, f"WHERE run_id IN ({', '.join('?' * len(older))}) ORDER BY line.started_s DESC, run_id", older
        )


def named(database: Database, name: str, least_chars: int) -> list[str]:
    """The ids of runs by id or name, else by a prefix of the id with at least so many characters."""
    whole = _whole(name)
    with _reading():
        rows = database.connection.execute(
            "SELECT run_id FROM run_line JOIN run ON id = run_id"
            " WHERE run_id = :name OR (name = :name AND name != '')",
            {"name": whole},
        ).fetchall()
        if not rows and len(whole) >= least_chars:
            rows = database.connection.execute(
                "SELECT run_id FROM run_line JOIN run ON id = run_id WHERE substr(run_id, 1, ?) = ?",
                (len(whole), whole),
            ).fetchall()
    return [run_id for (run_id,) in rows]


def load(database: Database, run_id: str) -> StoredRun | None:
    """A run as it was saved."""
    with _reading():
        row = database.connection.execute(
            "SELECT verdict, configuration, inputs FROM run WHERE id = ? AND cases <= ?", (run_id, MANY_CASES)
        ).fetchone()
        if row is None:
            _refuse_many(database, run_id)
            return None
        verdict, configuration, inputs = row
        text = zlib.decompress(verdict) if isinstance(verdict, bytes) else verdict  # the first version wrote text
        return StoredRun(from_json(RunVerdict, json.loads(text)), json.loads(configuration), json.loads(inputs))


def _refuse_many(database: Database, run_id: str) -> None:
    row = database.connection.execute("SELECT cases FROM run WHERE id = ?", (run_id,)).fetchone()
    if row is not None:
        raise ReadError(
            f"This run has {row[0]:,} cases; one of more than {MANY_CASES:,} is not opened as a whole. Evaluate its "
            "files with --results, open that folder, and ask it with “query”."
        )


def put_summary(database: Database, run_id: str, summary: RunSummary) -> None:
    """Store the summary of a run for the next list."""
    with _writing():
        database.connection.execute(
            "UPDATE run_line SET summary = ? WHERE run_id = ?", (json.dumps(to_json(summary)), run_id)
        )


def rename(database: Database, run_id: str, name: str) -> None:
    """Name a run; "" removes the name."""
    with _writing():
        database.connection.execute("UPDATE run_line SET name = ? WHERE run_id = ?", (_whole(name), run_id))


def delete(database: Database, run_id: str) -> None:
    """Delete a run and its overrules; labels are about outputs, and stay."""
    with _writing(), transaction(database.connection):
        _delete(database.connection, run_id)


def give_way(database: Database, unasked: Unasked, successor: str) -> None:
    """Delete a run that nobody asked for, in favour of its successor on the same files.

    It stays where people named it or said something of it, of an output that the successor does not have included.
    Where files were not only added to, it stays for every turn that the successor does not have.
    """
    kept_for = _SAID if unasked.has_only_grown else _MISSING
    with _writing(), transaction(database.connection):
        found = database.connection.execute(
            "SELECT 1 FROM run JOIN run_line ON run_id = id WHERE id = :before AND name = ''"
            f" AND json_valid(configuration) AND json_extract(configuration, '$.{BY_ITSELF}')"
            " AND EXISTS (SELECT 1 FROM run WHERE id = :after)"
            " AND NOT EXISTS (SELECT 1 FROM overrule WHERE run_id = :before)"
            f" AND NOT EXISTS ({kept_for})",
            {"before": unasked.instead_of, "after": successor},
        ).fetchone()
        if found:
            _delete(database.connection, unasked.instead_of)


def _delete(connection: sqlite3.Connection, run_id: str) -> None:
    for table, key in (("overrule", "run_id"), ("run_subject", "run_id"), ("run_line", "run_id"), ("run", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (run_id,))


def _whole(name: str) -> str:
    """The text without lone surrogates, which SQLite cannot store."""
    return name.encode("utf-8", "replace").decode()


def _lines(database: Database, which: str, values: Sequence[object]) -> list[RunLine]:
    """Lines of the list. Runs of older versions have no suite, and their goldens are taken for it."""
    rows = database.connection.execute(
        "SELECT id, line.started_s, status, cases, name, summary, inputs,"
        " CASE WHEN json_valid(configuration) THEN"
        " COALESCE(json_extract(configuration, '$.suite'), json_extract(configuration, '$.goldens')) END"
        f" FROM run_line AS line JOIN run ON id = run_id {which}",
        values,
    ).fetchall()
    return [
        RunLine(
            name, float(start), Status(status), int(cases), called, _summary(summary), json.loads(inputs),
            _paths(suite),
        )
        for name, start, status, cases, called, summary, inputs, suite in rows
    ]  # fmt: skip


def _paths(text: object) -> tuple[str, ...]:
    try:
        paths = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return ()
    return tuple(map(str, paths)) if isinstance(paths, list) else ()


def _summary(text: str | None) -> RunSummary | None:
    try:
        return None if text is None else from_json(RunSummary, json.loads(text))
    except (ValueError, TypeError):  # of another version; it is computed again
        return None


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, zlib.error, ValueError, TypeError, KeyError) as problem:
        raise ReadError(f"The store of runs cannot be read: {problem}.") from problem


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as problem:
        raise SaveError(f"The store of runs cannot be written: {problem}.") from problem
