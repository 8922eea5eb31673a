"""Labels of people: only ever appended, each once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.review.label import Answer, Label
from trace_inspector.core.review.label_lines import label_line, read_label
from trace_inspector.store.database import Database, durable_transaction


def add(database: Database, labels: Iterable[Label]) -> int:
    """Store labels, all or none, on the disk when this returns. Returns how many were not there before."""
    if database.problem and database.file is None:  # only in memory
        raise SaveError(f"The labels are not stored. {database.problem}")
    try:
        with durable_transaction(database.connection):
            return sum(append(database.connection, label) for label in labels)
    except sqlite3.Error as problem:
        raise SaveError(f"The labels are not stored: {problem}.") from problem


def append(connection: sqlite3.Connection, label: Label) -> bool:
    """Append one label within a transaction; false where it was there before.

    Of runs whose verdicts it may turn, the summaries are outdated.
    """
    line = label_line(label)
    new = connection.execute(
        "INSERT OR IGNORE INTO label (digest, subject, line) VALUES (?, ?, ?)",
        (_digest(line), label.subject, line),
    ).rowcount
    if new and (label.overrules or label.value is Answer.WITHDRAWN):
        connection.execute(
            "UPDATE run_line SET summary = NULL WHERE run_id IN (SELECT run_id FROM run_subject WHERE subject = ?)",
            (label.subject,),
        )
    return bool(new)


def about(connection: sqlite3.Connection, subject: str) -> list[Label]:
    """The labels of one output, in the order in which they were stored."""
    rows = connection.execute("SELECT line FROM label WHERE subject = ? ORDER BY number", (subject,)).fetchall()
    return [read_label(line.encode()) for (line,) in rows]


def digest_of(label: Label) -> bytes:
    """What a label is found by."""
    return _digest(label_line(label))


def stored_labels(database: Database) -> list[Label]:
    """All labels, in the order in which they were stored."""
    try:
        rows = database.connection.execute("SELECT line FROM label ORDER BY number").fetchall()
        return [read_label(line.encode()) for (line,) in rows]
    except (sqlite3.Error, ValueError) as problem:
        raise ReadError(f"The store of labels cannot be read: {problem}.") from problem


def _digest(line: str) -> bytes:
    return hashlib.sha256(line.encode()).digest()
