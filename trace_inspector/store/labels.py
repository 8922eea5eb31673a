"""Labels of people: only ever appended, each once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_lines import label_line, read_label
from trace_inspector.store.database import Database, durable_transaction


def add(database: Database, labels: Iterable[Label]) -> int:
    """Store labels, all or none, on the disk when this returns. Returns how many were not there before."""
    if database.problem and database.file is None:  # only in memory
        raise SaveError(f"The labels are not stored. {database.problem}")
    rows = [(hashlib.sha256(line.encode()).digest(), label.subject, line) for label, line in _lines(labels)]
    connection = database.connection
    try:
        with durable_transaction(connection):
            before = connection.total_changes
            connection.executemany("INSERT OR IGNORE INTO label (digest, subject, line) VALUES (?, ?, ?)", rows)
            return connection.total_changes - before
    except sqlite3.Error as problem:
        raise SaveError(f"The labels are not stored: {problem}.") from problem


def stored_labels(database: Database) -> list[Label]:
    """All labels, in the order in which they were stored."""
    try:
        rows = database.connection.execute("SELECT line FROM label ORDER BY number").fetchall()
        return [read_label(line.encode()) for (line,) in rows]
    except (sqlite3.Error, ValueError) as problem:
        raise ReadError(f"The store of labels cannot be read: {problem}.") from problem


def _lines(labels: Iterable[Label]) -> Iterable[tuple[Label, str]]:
    return ((label, label_line(label)) for label in labels)
