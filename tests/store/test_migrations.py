"""Stores that older versions wrote, and what becomes of them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

from tests.helpers.tables import each
from tests.store.test_runs import RUN, judged
from trace_inspector.core.rows.codec import to_json
from trace_inspector.core.trace.judge_call import CallKey, JudgeCall
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import FILE_NAME, MIGRATIONS, database
from trace_inspector.store.judge_calls import StoredCalls

# As they were when each version came out; never to be edited with the code.
FIRST = """
    CREATE TABLE run (id TEXT PRIMARY KEY, started_s REAL NOT NULL, status TEXT NOT NULL, cases INTEGER NOT NULL,
        configuration TEXT NOT NULL, inputs TEXT NOT NULL, verdict TEXT NOT NULL);
    CREATE INDEX run_by_start ON run (started_s DESC);
"""
SECOND = """
    CREATE TABLE judge_call (digest TEXT PRIMARY KEY, endpoint TEXT NOT NULL, model TEXT NOT NULL,
        parameters TEXT NOT NULL, prompt BLOB NOT NULL, sample INTEGER NOT NULL, nth INTEGER NOT NULL, reply BLOB,
        started_s REAL NOT NULL, duration_s REAL NOT NULL, attempts INTEGER NOT NULL, input_tokens INTEGER,
        output_tokens INTEGER, note TEXT NOT NULL) WITHOUT ROWID;
"""
THIRD = """
    CREATE TABLE run_line (run_id TEXT PRIMARY KEY, started_s REAL NOT NULL, name TEXT NOT NULL, summary TEXT);
    CREATE INDEX run_line_by_start ON run_line (started_s DESC, run_id);
    DROP INDEX run_by_start;
    CREATE TABLE overrule (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL,
        said TEXT NOT NULL, withdrawn_s REAL);
    CREATE INDEX overrule_by_run ON overrule (run_id, number);
"""
OLD = {0: "", 1: FIRST, 2: FIRST + SECOND, 3: FIRST + SECOND + THIRD}


def old_store(folder: Path, version: int) -> None:
    """A store with a run, as that version wrote it."""
    with contextlib.closing(sqlite3.connect(folder / FILE_NAME)) as old:
        old.executescript(OLD[version])
        if version:
            row = (RUN.id, RUN.started_s, "FAILED", 1, "{}", '{"g": "abc"}', json.dumps(to_json(RUN)))
            old.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        if version > 2:
            old.execute("INSERT INTO run_line VALUES (?, ?, '', NULL)", row[:2])
        old.execute(f"PRAGMA user_version = {version}")
        old.commit()


@each("version", OLD)
def test_what_an_older_version_kept_is_all_there(tmp_path: Path, version: int) -> None:
    old_store(tmp_path, version)
    with database(tmp_path) as store:
        assert store.problem == ""
        assert store.connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
        assert [(line.id, line.name, line.summary) for line in runs.recent(store)] == [("run-1", "", None)][
            : min(version, 1)
        ]
        if version:
            assert judged(store, "run-1") == RUN
            overrules.add(store, "run-1", Overrule("o", 0, Status.PASSED, 1.0))
        assert runs.save(store, RUN, {}, {}) == ""
        call = JudgeCall(CallKey("e", "m", {}, "p", 0), "r", 1.0, 1.0, 1)
        StoredCalls(store).put(call)
        assert StoredCalls(store).get(call.key.digest) == call


def test_all_ways_lead_to_one_shape(tmp_path: Path) -> None:
    shapes = []
    for version in OLD:
        folder = tmp_path / str(version)
        folder.mkdir()
        old_store(folder, version)
        with database(folder) as store:
            rows = store.connection.execute("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
            shapes.append(
                {
                    name: " ".join(sql.split()).replace("( ", "(").replace(" )", ")").replace(" ,", ",")
                    for name, sql in rows
                }
            )
    assert all(shape == shapes[0] for shape in shapes)


def test_a_migration_that_breaks_leaves_the_old_store(tmp_path: Path) -> None:
    old_store(tmp_path, 2)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as old:
        old.execute("CREATE TABLE overrule (x)")
    with database(tmp_path) as store:
        assert "cannot be used" in store.problem
    with contextlib.closing(sqlite3.connect(tmp_path / FILE_NAME)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (2,)
        assert old.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'run_line'").fetchone() == (0,)
