"""A database that another program writes, or died writing, opens to what is finished, and is left alone."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.documents.sqlite_files import folder, two_tables, words
from trace_inspector.core.errors import ReadError
from trace_inspector.documents.reading.reading import read


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with two tables."""
    return two_tables(tmp_path / "a b#?%41é.db")


@pytest.fixture(autouse=True)
def _no_copy_stays(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    where = tmp_path_factory.mktemp("copies")
    monkeypatch.setattr(tempfile, "tempdir", str(where))
    yield
    assert list(where.iterdir()) == []


WRITER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(f"PRAGMA journal_mode={sys.argv[2]}")
connection.execute("PRAGMA cache_size=1")
connection.execute("PRAGMA cache_spill=1")
connection.execute("BEGIN")
connection.executemany("INSERT INTO words (word, more) VALUES ('done', ?)", [("more" * 900,)] * 100)
connection.execute("COMMIT")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE words SET word = 'half' WHERE id <= ?", (int(sys.argv[3]),))
print("writing", flush=True)
sys.stdin.read()
"""


FINISHED = ["one", "zwei", "三", *["done"] * 100]


@contextmanager
def another_program(path: Path, mode: str, rows: int = 1000) -> Iterator[None]:
    """A process that is in the middle of a change; of a large one, some has reached the file."""
    command = [sys.executable, "-c", WRITER, str(path), mode, str(rows)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"writing"
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("rows", [0, 1000])
@pytest.mark.parametrize("mode", ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
def test_a_database_in_use_opens_to_what_is_finished(path: Path, mode: str, rows: int) -> None:
    with another_program(path, mode, rows):
        before = folder(path)
        assert words(read(path)) == FINISHED
        after = folder(path)
        assert set(after) == set(before)
        assert after[path.name] == before[path.name]
        if rows == 1000 and mode != "WAL":
            assert b"half" in before[path.name][0]  # else nothing would be shown by this


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_database_whose_writer_died_opens_to_what_is_finished(path: Path, mode: str) -> None:
    with another_program(path, mode):
        pass
    before = folder(path)
    assert words(read(path)) == FINISHED
    assert folder(path) == before


def test_a_link_is_read_with_what_stands_beside_its_target(path: Path, tmp_path: Path) -> None:
    with another_program(path, "DELETE"):
        (tmp_path / "elsewhere").mkdir()
        link = tmp_path / "elsewhere" / "link.db"
        link.symlink_to(path)
        assert words(read(link)) == FINISHED


def test_a_journal_may_not_name_a_file_that_is_removed(path: Path, tmp_path: Path) -> None:
    """SQLite removes the file in which a journal of several databases says they are joined."""
    victim = tmp_path / "precious"
    victim.write_bytes(b"mine")
    with another_program(path, "DELETE"):
        journal = (tmp_path / f"{path.name}-journal").read_bytes()
    name = os.fsencode(victim)
    tail = b"".join(
        (
            (0x40000000 // 4096 + 1).to_bytes(4, "big"),
            name,
            len(name).to_bytes(4, "big"),
            (sum(byte - (byte > 127) * 256 for byte in name) & 0xFFFFFFFF).to_bytes(4, "big"),
            bytes.fromhex("d9d505f920a163d7"),
        )
    )
    (tmp_path / f"{path.name}-journal").write_bytes(journal + tail)
    with pytest.raises(ReadError, match="spans several databases"):
        read(path)
    assert victim.exists()
