"""Small databases for tests, and what is looked at in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Document


@contextmanager
def made(path: Path) -> Iterator[sqlite3.Connection]:
    """A database in the making; what is made is there afterwards."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous=OFF")
        yield connection


def two_tables(path: Path) -> Path:
    """A database with three words, and a table without rows."""
    with made(path) as connection:
        connection.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, more)")
        connection.execute("INSERT INTO words (word, more) VALUES ('one', NULL), ('zwei', 0.5), ('三', x'0102')")
        connection.execute("CREATE TABLE empty (cell)")
    return path


def folder(path: Path) -> dict[str, tuple[bytes, int]]:
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in path.parent.iterdir()}


def words(document: Document) -> list[Json]:
    assert isinstance(document.value, dict)
    rows = document.value.get("words", [])
    assert isinstance(rows, list)
    return [row.get("word") for row in rows if isinstance(row, dict)]
