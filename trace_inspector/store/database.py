"""SQLite files in the user's data folder, each with a schema version and its migrations."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.private_files import create, free_name, open_private

# Never edit an old one; statements are split at each semicolon.
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
    # The list of runs reads small rows of its own: those of `run` are megabytes. A summary that is NULL is made on
    # demand. Overrules are only ever added and withdrawn.
    """
    CREATE TABLE run_line (
        run_id TEXT PRIMARY KEY,
        started_s REAL NOT NULL,
        name TEXT NOT NULL,
        summary TEXT
    );
    CREATE INDEX run_line_by_start ON run_line (started_s DESC, run_id);
    INSERT INTO run_line SELECT id, started_s, '', NULL FROM run;
    DROP INDEX run_by_start;
    CREATE TABLE overrule (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        run_id TEXT NOT NULL,
        said TEXT NOT NULL,
        withdrawn_s REAL
    );
    CREATE INDEX overrule_by_run ON overrule (run_id, number);
    """,
    # Labels of people as lines of JSON, only ever appended; the digest is of the line.
    """
    CREATE TABLE label (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE,
        subject TEXT NOT NULL,
        line TEXT NOT NULL
    );
    CREATE INDEX label_by_subject ON label (subject);
    """,
    # What each turn of a run is, -1 for the whole case; and the digest of the label that an overrule has become.
    """
    CREATE TABLE run_subject (
        run_id TEXT NOT NULL,
        case_number INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        subject TEXT NOT NULL,
        PRIMARY KEY (run_id, case_number, turn)
    ) WITHOUT ROWID;
    CREATE INDEX run_subject_by_subject ON run_subject (subject);
    ALTER TABLE overrule ADD COLUMN label BLOB;
    """,
    # Matchers that coding agents propose for goldens, until a person decides; the digest is of golden, case and line.
    """
    CREATE TABLE proposal (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        digest BLOB NOT NULL UNIQUE,
        golden TEXT NOT NULL,
        case_id TEXT NOT NULL,
        line TEXT NOT NULL,
        made_s REAL NOT NULL,
        decision TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX proposal_by_golden ON proposal (golden, case_id);
    """,
    # Batch jobs of judges with the digests of their questions, until each reply is stored.
    """
    CREATE TABLE batch_job (
        name TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        begun_s REAL NOT NULL,
        asked_s REAL NOT NULL
    );
    CREATE TABLE batch_question (
        digest TEXT NOT NULL,
        name TEXT NOT NULL,
        PRIMARY KEY (digest, name)
    ) WITHOUT ROWID;
    """,
)


class Schema(Struct, frozen=True):
    """A database: its file, its tables, and what a sentence says of it when it cannot be used."""

    file_name: str
    migrations: tuple[str, ...]
    name: str  # “the store of runs”
    loss: str  # what follows from not having it


FILE_NAME = "trace-inspector.db"
RUNS = Schema(FILE_NAME, MIGRATIONS, "store of runs", "Runs are not stored")
_BUSY_TIMEOUT_S = 5.0
_LOOK_AGAIN_S = 0.02
_BESIDE = ("", "-wal", "-shm")  # the files of one database


class Database(Struct, frozen=True):
    """An open database. `problem` is a sentence when it is only in memory or had to be created anew."""

    connection: sqlite3.Connection
    problem: str = ""
    file: tuple[int, int] | None = None  # device and inode of the file when it was opened; None in memory
    schema: Schema = RUNS


@contextlib.contextmanager
def database(folder: Path, schema: Schema = RUNS) -> Iterator[Database]:
    """A database of a data folder, closed at the end. Never fails: in the worst case it is in memory."""
    opened = _open(folder, schema)
    try:
        yield opened
    finally:
        opened.connection.close()


@contextlib.contextmanager
def begun_anew(folder: Path, damaged: Database, damage: sqlite3.DatabaseError) -> Iterator[Database]:
    """A new database that replaces one, already closed, whose damage showed only in use."""
    fresh = _begin_anew(folder / damaged.schema.file_name, damaged.schema, damage, damaged.file)
    try:
        yield fresh
    finally:
        fresh.connection.close()


def is_damage(problem: sqlite3.Error) -> bool:
    """Whether the file itself is damaged, not only inaccessible or the disk full."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF  # the higher bits only refine the code
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextlib.contextmanager
def durable_transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that has reached the disk when it ends: the usual ones survive a crash, but no power cut."""
    connection.execute("PRAGMA synchronous = FULL")
    try:
        with transaction(connection):
            yield
    finally:
        connection.execute("PRAGMA synchronous = NORMAL")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, with an exclusive write lock."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise


def _open(folder: Path, schema: Schema) -> Database:
    path = folder / schema.file_name
    identity = _identity(path)
    try:
        return _connected(path, schema)
    except sqlite3.DatabaseError as problem:
        if is_damage(problem):
            return _begin_anew(path, schema, problem, identity)
        return _in_memory(schema, f"{schema.loss}, because {path} cannot be used: {problem}.")


def _begin_anew(path: Path, schema: Schema, problem: Exception, damaged: tuple[int, int] | None) -> Database:
    try:
        with _alone(path):
            if _identity(path) != damaged:  # another process was faster, and its new file is good
                return _connected(path, schema)
            aside = free_name(path, "damaged")
            for suffix in reversed(_BESIDE):
                with contextlib.suppress(FileNotFoundError):
                    path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
            fresh = _connected(path, schema)
    except (OSError, sqlite3.Error) as again:
        sentence = f"{schema.loss}, because {path} is damaged ({problem}) and stays as it is: {again}."
        return _in_memory(schema, sentence)
    sentence = f"The {schema.name} was damaged ({problem}); it is now {aside.name}, and a new one begins."
    return replace(fresh, problem=sentence)


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock, so that no other process replaces the file between the check and the renaming."""
    with open_private(path.with_name(f"{path.name}.lock"), "a") as lock_file:
        until_s = time.monotonic() + _BUSY_TIMEOUT_S
        while not lock(lock_file.fileno()):
            if time.monotonic() > until_s:
                raise OSError("another process is busy with it")
            time.sleep(_LOOK_AGAIN_S)
        yield


def _connected(path: Path, schema: Schema) -> Database:
    """Connect, with retries: SQLite itself waits for writers, but not while another process creates the file."""
    until_s = time.monotonic() + _BUSY_TIMEOUT_S
    while True:
        with contextlib.suppress(OSError):  # SQLite then gives the error
            create(path)
        try:
            return Database(_connect(str(path), schema), file=_identity(path), schema=schema)
        except sqlite3.OperationalError as problem:
            busy = getattr(problem, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > until_s:
                raise
            time.sleep(_LOOK_AGAIN_S)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _in_memory(schema: Schema, problem: str) -> Database:
    return Database(_connect(":memory:", schema), problem, schema=schema)


def _connect(path: str, schema: Schema) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
    try:
        if _version(connection) > len(schema.migrations):
            raise sqlite3.OperationalError("a newer version of Trace Inspector wrote it")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection, schema.migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, migrations: tuple[str, ...]) -> None:
    if _version(connection) == len(migrations):
        return
    with transaction(connection):
        # Another process may have migrated meanwhile: check again under the lock.
        for script in migrations[_version(connection) :]:
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def _version(connection: sqlite3.Connection) -> int:
    row = connection.execute("PRAGMA user_version").fetchone()
    return int(row[0])
