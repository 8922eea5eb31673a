"""Labels of people: only ever appended, each once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.review.label import Answer, Label
from trace_inspector.core.review.label_lines import (
    LONGEST_LINE_BYTES,
    LabelsRead,
    label_line,
    read_each,
    read_label,
    readable,
)
from trace_inspector.store.database import Database, durable_transaction

LINE = "CAST(line AS BLOB)"  # as bytes: one that is no UTF-8 must not keep the others from being read


def add(database: Database, labels: Iterable[Label]) -> int:
    """Store labels, all or none, on the disk when this returns. Returns how many were not there before.

    SaveError where one could not be read again.
    """
    labels = [*labels]
    if any(len(label_line(label).encode()) > LONGEST_LINE_BYTES for label in labels):
        raise SaveError(f"The labels are not stored: one is longer than {LONGEST_LINE_BYTES:,} bytes.")
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
    """The labels of one output, in the order in which they were stored; those that cannot be read are left out."""
    rows = connection.execute(f"SELECT {LINE} FROM label WHERE subject = ? ORDER BY number", (subject,)).fetchall()
    return [label for (line,) in rows if (label := readable(line)) is not None]


def digest_of(label: Label) -> bytes:
    """What a label is found by."""
    return _digest(label_line(label))


def stored_labels(database: Database) -> LabelsRead:
    """All labels, in the order in which they were stored, with a finding for each that cannot be read."""
    try:
        rows = database.connection.execute(f"SELECT number, {LINE} FROM label ORDER BY number").fetchall()
        return read_each(rows, read_label)
    except sqlite3.Error as problem:
        raise ReadError(f"The store of labels cannot be read: {problem}.") from problem


def _digest(line: str) -> bytes:
    return hashlib.sha256(line.encode()).digest()
