"""Matchers that a coding agent proposes for goldens: rows that a person decides on; no file is touched here."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.store.database import Database, durable_transaction

MOST_OPEN = 2_000  # of all goldens together: nobody looks through more
_MOST_CHARS = 20_000


def keep(database: Database, golden: str, case_id: str, lines: Iterable[str], at_s: float) -> int:
    """Keep proposals for a golden, each once, also after it was decided. Returns how many are new."""
    if database.problem and database.file is None:  # only in memory
        raise SaveError(f"The proposals are not kept. {database.problem}")
    rows = [
        (hashlib.sha256(f"{golden}\0{case_id}\0{line}".encode("utf-8", "surrogatepass")).digest(), line)
        for line in lines
        if len(line) <= _MOST_CHARS
    ]
    try:
        with durable_transaction(database.connection):
            return sum(_kept(database.connection, digest, golden, case_id, line, at_s) for digest, line in rows)
    except sqlite3.Error as problem:
        raise SaveError(f"The proposals are not kept: {problem}.") from problem


def _kept(connection: sqlite3.Connection, digest: bytes, golden: str, case_id: str, line: str, at_s: float) -> int:
    return connection.execute(
        "INSERT OR IGNORE INTO proposal (digest, golden, case_id, line, made_s) SELECT ?, ?, ?, ?, ?"
        " WHERE (SELECT count(*) FROM proposal WHERE decision = '') < ?",
        (digest, golden, case_id, line, at_s, MOST_OPEN),
    ).rowcount


def undecided(database: Database, golden: str, case_id: str) -> list[tuple[int, str]]:
    """The open proposals for a golden, with the numbers of their rows."""
    try:
        rows = database.connection.execute(
            "SELECT number, line FROM proposal WHERE golden = ? AND case_id = ? AND decision = '' ORDER BY number",
            (golden, case_id),
        ).fetchall()
    except sqlite3.Error as problem:
        raise ReadError(f"The proposals cannot be read: {problem}.") from problem
    return [(int(number), str(line)) for number, line in rows]


def decide(database: Database, number: int, decision: str) -> None:
    """Note what a person decided; the first decision stays."""
    try:
        with durable_transaction(database.connection):
            database.connection.execute(
                "UPDATE proposal SET decision = ? WHERE number = ? AND decision = ''", (decision, number)
            )
    except sqlite3.Error as problem:
        raise SaveError(f"The decision is not kept: {problem}.") from problem
