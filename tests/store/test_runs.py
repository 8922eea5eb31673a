"""The store of runs: what goes in comes out, and nothing on disk can break an evaluation."""

from __future__ import annotations

import json
import sqlite3
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.core.align import CallPair, Match
from trace_inspector.core.values import ABSENT, Absent, Json
from trace_inspector.core.verdict import (
    CaseVerdict,
    Label,
    MetricVerdict,
    RubricVerdict,
    RunVerdict,
    Sentence,
    Status,
    TurnVerdict,
)
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import runs
from trace_inspector.store.codec import from_json, to_json
from trace_inspector.store.database import FILE_NAME, MIGRATIONS, database

METRIC = MetricVerdict(
    "m",
    0.1 + 0.2,
    Status.FAILED,
    0.5,
    "why",
    sentences=(Sentence(0, 4, Label.UNSUPPORTED, "nothing says so"),),
    calls=(CallPair(Match.ARGUMENTS, 0, 1, ("a", "b")),),
    rubrics=(RubricVerdict("r", None, "", "text", (1.0, None)),),
    figures=(("total_tokens", None), ("input_tokens", 3.0)),
)
CASE = CaseVerdict(
    "c", "s", None, Status.FAILED, (METRIC,), (TurnVerdict(None, 2, Status.FAILED, (METRIC,)),), missing_turns=(2,)
)
RUN = RunVerdict(
    "run-1",
    Status.FAILED,
    1_700_000_000.25,
    "adk",
    "defaults",
    (CASE,),
    (("m", 0.5, {"match_type": "EXACT", "deep": [1, {"x": None}]}),),
    ("t",),
    ("note",),
    asked_for=frozenset({"m", "n"}),
)


@given(
    st.builds(
        MetricVerdict,
        st.text(),
        st.none() | st.floats(allow_nan=False),
        st.sampled_from(list(Status)),
        st.none() | st.floats(allow_nan=False),
        figures=st.lists(st.tuples(st.text(), st.none() | st.floats(allow_nan=False))).map(tuple),
    )
)
def test_any_verdict_survives(verdict: MetricVerdict) -> None:
    assert from_json(MetricVerdict, to_json(verdict)) == verdict


@pytest.mark.parametrize("native", [ABSENT, "absent", None, 2, "PASSED"])
def test_what_is_absent_is_no_word(native: Json | Absent) -> None:
    verdict = replace(METRIC, native=native)
    assert from_json(MetricVerdict, json.loads(json.dumps(to_json(verdict)))) == verdict


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        assert runs.save(store, RUN, {"rules": "adk"}, {"golden.json": "abc"}) == ""
    with database(tmp_path) as store:
        assert runs.load(store, "run-1") == RUN
        assert runs.inputs_of(store, "run-1") == {"golden.json": "abc"}
        assert [(line.id, line.status, line.cases) for line in runs.recent(store)] == [("run-1", Status.FAILED, 1)]
        assert runs.load(store, "another") is None


def test_a_damaged_store_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database at all" * 200)
    with database(tmp_path) as store:
        assert "damaged" in store.problem
        runs.save(store, RUN, {}, {})
        assert runs.load(store, "run-1") == RUN
    assert len(list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))) == 1
    with database(tmp_path) as store:
        assert store.problem == ""
        assert runs.load(store, "run-1") == RUN


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    newer = sqlite3.connect(tmp_path / FILE_NAME)
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    with database(tmp_path) as store:
        assert "newer" in store.problem
        assert "newer" in runs.save(store, RUN, {}, {})
        assert runs.load(store, "run-1") == RUN, "it lives in memory"
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_no_folder_is_no_obstacle(tmp_path: Path) -> None:
    with database(tmp_path / "gone") as store:
        assert "not kept" in store.problem
        assert runs.load(store, "run-1") is None


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        store.connection.execute("PRAGMA max_page_count = 5")
        big = RunVerdict("big", Status.PASSED, 1.0, "", "x" * 100_000)
        assert "full" in runs.save(store, big, {}, {})


def test_two_programs_write_one_store(tmp_path: Path) -> None:
    with database(tmp_path) as first, database(tmp_path) as second:
        runs.save(first, RUN, {}, {})
        runs.save(second, RunVerdict("run-2", Status.PASSED, 2_000_000_000.0, "", ""), {}, {})
        assert [line.id for line in runs.recent(first)] == ["run-2", "run-1"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_data_folder_is_its_owners_alone() -> None:
    assert stat.S_IMODE(ready_data_folder().stat().st_mode) == 0o700
