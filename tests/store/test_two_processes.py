"""One store, several processes that begin it, write to it and find it broken at the same time."""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from trace_inspector.store.database import FILE_NAME, database

RUNS, WRITERS = 15, 4
WRITER = """
import sys
from pathlib import Path
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import RunVerdict, Status
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import database

folder, own, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for at in range(count):
    with database(folder) as store:
        run = RunVerdict(f"{own}-{at}", Status.PASSED, float(at), "", "x" * 5000)
        said = runs.save(store, run, {}, {})
        if said and "damaged" not in said:
            sys.exit(said)
        overrules.add(store, run.id, Overrule(run.id, 0, Status.FAILED, 1.0))
"""


def write_together(folder: Path) -> None:
    """Several processes that all begin at once."""
    line = [sys.executable, "-c", WRITER, str(folder)]
    with contextlib.ExitStack() as stack:
        writers = []
        for at in range(WRITERS):
            command = [*line, str(at), str(RUNS)]
            writers.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            stack.callback(writers[-1].kill)
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        for writer in writers:
            writer.communicate(timeout=240)
    assert [writer.returncode for writer in writers] == [0] * WRITERS


def counted(folder: Path, table: str) -> int:
    """The rows of a table."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME)) as store:
        return int(store.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize("version", [None, 0])
def test_nothing_is_lost_when_all_begin_at_once(tmp_path: Path, version: int | None) -> None:
    if version is not None:  # the file is there, and all want to migrate it
        (tmp_path / FILE_NAME).touch()
    write_together(tmp_path)
    assert [counted(tmp_path, table) for table in ("run", "run_line", "overrule")] == [RUNS * WRITERS] * 3


def test_a_store_that_somebody_begins_is_waited_for(tmp_path: Path) -> None:
    """SQLite itself waits for nobody here: how a store is written is changed while another one holds it."""
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    soon = threading.Timer(0.1, other.rollback)
    soon.start()
    try:
        with database(tmp_path) as store:
            assert (store.problem, store.file is None) == ("", False)
    finally:
        soon.join()
        other.close()


def test_a_broken_store_is_set_aside_once(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"no database " * 1000)
    write_together(tmp_path)
    aside = list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))
    assert [file.read_bytes()[:11] for file in aside] == [b"no database"]
    assert counted(tmp_path, "run") == RUNS * WRITERS
