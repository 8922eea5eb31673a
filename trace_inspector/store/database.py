"""One SQLite file in the user's data folder, with a schema version and its migrations."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = "trace-inspector.db"
_BUSY_TIMEOUT_S = 5.0

# The file's user_version counts how many of these it has seen. Old ones are never edited.
MIGRATIONS = (
    """
    CREATE TABLE run (
        id TEXT PRIMARY KEY,
        started_s REAL NOT NULL,
        status TEXT NOT NULL,
        cases INTEGER NOT NULL,
        configuration TEXT NOT NULL,
        inputs TEXT NOT NULL,
        verdict TEXT NOT NULL
    );
    CREATE INDEX run_by_start ON run (started_s DESC);
    """,
    """
    CREATE TABLE judge_call (
        digest TEXT PRIMARY KEY,
        endpoint TEXT NOT NULL,
        model TEXT NOT NULL,
        parameters TEXT NOT NULL,
        prompt BLOB NOT NULL,
        sample INTEGER NOT NULL,
        nth INTEGER NOT NULL,
        reply BLOB,
        started_s REAL NOT NULL,
        duration_s REAL NOT NULL,
        attempts INTEGER NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        note TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
)


@dataclass(frozen=True, slots=True)
class Database:
    """An open database. `problem` is a sentence when it lives in memory only or had to begin anew."""

    connection: sqlite3.Connection
    problem: str = ""


@contextlib.contextmanager
def database(folder: Path) -> Iterator[Database]:
    """The database of a data folder, closed at the end. Never fails: in the worst case it lives in memory."""
    opened = _open(folder)
    try:
        yield opened
    finally:
        opened.connection.close()


def _open(folder: Path) -> Database:
    path = folder / FILE_NAME
    try:
        return Database(_connect(str(path)))
    except sqlite3.OperationalError as problem:
        return _in_memory(f"Runs are not kept, because {path} cannot be used: {problem}.")
    except sqlite3.DatabaseError as problem:
        return _begin_anew(path, problem)


def _begin_anew(path: Path, problem: Exception) -> Database:
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
    try:
        path.rename(aside)
        for suffix in ("-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        fresh = _connect(str(path))
    except (OSError, sqlite3.Error) as again:
        return _in_memory(f"Runs are not kept, because {path} is damaged ({problem}) and stays as it is: {again}.")
    return Database(
        fresh, f"The store of runs was damaged ({problem}); it is now {aside.name}, and a new one begins."
    )


def _in_memory(problem: str) -> Database:
    return Database(_connect(":memory:"), problem)


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
    try:
        if _version(connection) > len(MIGRATIONS):
            raise sqlite3.OperationalError("a newer version of Trace Inspector wrote it")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    # Another process may migrate at the same time: look again once the file is ours.
    connection.execute("BEGIN IMMEDIATE")
    try:
        for script in MIGRATIONS[_version(connection) :]:
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    found = connection.execute("PRAGMA user_version").fetchone()
    return int(found[0])
