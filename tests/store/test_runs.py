"""The store of runs: what goes in comes out, and nothing on disk can break an evaluation."""

from __future__ import annotations

import json
import sqlite3
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.errors import ReadError
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    RubricVerdict,
    RunVerdict,
    Sentence,
    SentenceSupport,
    Status,
    TurnVerdict,
)
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import FILE_NAME, MIGRATIONS, Database, begun_anew, database

METRIC = MetricVerdict(
    "m",
    0.1 + 0.2,
    Status.FAILED,
    0.5,
    "why",
    sentences=(Sentence(0, 4, SentenceSupport.UNSUPPORTED, "nothing says so"),),
    calls=(CallPair(CallMatch.ARGUMENTS, 0, 1, ("a", "b")),),
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


def judged(store: Database, run_id: str) -> RunVerdict:
    """A run that is kept, as it was saved."""
    stored = runs.load(store, run_id)
    assert stored is not None
    return stored.run


@examples(40, 1000)
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


@each("native", [ABSENT, "absent", None, 2, "PASSED"])
def test_what_is_absent_is_no_word(native: Json | Absent) -> None:
    verdict = replace(METRIC, native=native)
    assert from_json(MetricVerdict, json.loads(json.dumps(to_json(verdict)))) == verdict


def test_a_field_that_was_renamed_is_written_by_its_first_name() -> None:
    sentence = Sentence(0, 4, SentenceSupport.UNSUPPORTED, "nothing says so")
    written: Json = {"start": 0, "end": 4, "label": "unsupported", "reason": "nothing says so"}
    assert to_json(sentence) == written
    assert from_json(Sentence, written) == sentence


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        assert runs.save(store, RUN, {"rules": "adk"}, {"golden.json": "abc"}) == ""
    with database(tmp_path) as store:
        assert runs.load(store, "run-1") == runs.StoredRun(RUN, {"rules": "adk"}, {"golden.json": "abc"})
        assert [(line.id, line.status, line.cases) for line in runs.recent(store)] == [("run-1", Status.FAILED, 1)]
        assert runs.load(store, "another") is None


def test_a_damaged_store_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is no database at all" * 200)
    with database(tmp_path) as store:
        assert "damaged" in store.problem
        runs.save(store, RUN, {}, {})
        assert judged(store, "run-1") == RUN
    assert len(list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))) == 1
    with database(tmp_path) as store:
        assert store.problem == ""
        assert judged(store, "run-1") == RUN


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    newer = sqlite3.connect(tmp_path / FILE_NAME)
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    newer.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    with database(tmp_path) as store:
        assert "newer" in store.problem
        assert "newer" in runs.save(store, RUN, {}, {})
        assert judged(store, "run-1") == RUN, "it lives in memory"
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_no_folder_is_no_obstacle(tmp_path: Path) -> None:
    with database(tmp_path / "gone") as store:
        assert "not stored" in store.problem
        assert runs.load(store, "run-1") is None


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
        big = replace(RUN, id="big", notes=tuple(map(str, range(20_000))))
        assert "full" in runs.save(store, big, {}, {})
        assert runs.recent(store) == []
        assert runs.load(store, "big") is None


def test_two_programs_write_one_store(tmp_path: Path) -> None:
    with database(tmp_path) as first, database(tmp_path) as second:
        runs.save(first, RUN, {}, {})
        runs.save(second, RunVerdict("run-2", Status.PASSED, 2_000_000_000.0, "", ""), {}, {})
        assert [line.id for line in runs.recent(first)] == ["run-2", "run-1"]


def test_a_run_saved_again_keeps_its_name(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        runs.save(store, RUN, {}, {})
        runs.rename(store, "run-1", "before \ud83d the prompt")
        runs.save(store, RUN, {}, {}, RunSummary(Status.FAILED, cases=1))
        (line,) = runs.recent(store)
        assert (line.name, line.summary) == ("before ? the prompt", RunSummary(Status.FAILED, cases=1))


def test_a_deleted_run_leaves_nothing(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        for name in ("run-1", "run-2"):
            runs.save(store, replace(RUN, id=name), {}, {})
            overrules.add(store, name, Overrule(name, 0, Status.PASSED, 1.0))
        runs.delete(store, "run-1")
        counts = [
            store.connection.execute(f"SELECT count(*) FROM {table}") for table in ("run", "run_line", "overrule")
        ]
        assert [count.fetchone() for count in counts] == [(1,), (1,), (1,)]
        assert [line.id for line in runs.recent(store)] == ["run-2"]


@pytest.mark.parametrize(
    "broken", ["UPDATE run SET verdict = 'x'", "UPDATE run SET verdict = x'00'", "DROP TABLE run"]
)
def test_a_run_that_cannot_be_read_is_a_sentence(tmp_path: Path, broken: str) -> None:
    with database(tmp_path) as store:
        runs.save(store, RUN, {}, {})
        store.connection.execute(broken)
        with pytest.raises(ReadError, match="cannot be read"):
            runs.load(store, "run-1")


def test_a_store_that_was_damaged_in_its_middle_is_said(tmp_path: Path) -> None:
    with database(tmp_path) as store:
        runs.save(store, RUN, {}, {})
        store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    with database(tmp_path) as store:
        assert store.problem == ""
        with pytest.raises(sqlite3.DatabaseError) as caught:
            runs.save(store, RUN, {}, {})
    with begun_anew(tmp_path, store, caught.value) as fresh:
        assert "damaged" in fresh.problem
        assert "damaged" in runs.save(fresh, RUN, {}, {})
    with begun_anew(tmp_path, store, caught.value) as again:  # as another process would that found it broken, too
        assert again.problem == ""
        assert judged(again, "run-1") == RUN
    assert len(list(tmp_path.glob(f"{FILE_NAME}.damaged-*"))) == 1
    with database(tmp_path) as store:
        assert judged(store, "run-1") == RUN


def test_what_is_set_aside_hides_nothing_that_was_set_aside_before(tmp_path: Path) -> None:
    for content in (b"a" * 5000, b"b" * 5000):
        (tmp_path / FILE_NAME).write_bytes(content)
        with database(tmp_path) as store:
            assert "damaged" in store.problem
    aside = sorted(tmp_path.glob(f"{FILE_NAME}.damaged-*"))
    assert sorted(file.read_bytes()[:1] for file in aside) == [b"a", b"b"]


def test_an_empty_file_becomes_a_store_and_a_folder_in_its_place_stays(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"")
    with database(tmp_path) as store:
        assert runs.save(store, RUN, {}, {}) == ""
    folder = tmp_path / "below" / FILE_NAME
    folder.mkdir(parents=True)
    with database(folder.parent) as store:
        assert "cannot be used" in runs.save(store, RUN, {}, {})
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_data_folder_is_its_owners_alone() -> None:
    assert stat.S_IMODE(ready_data_folder().stat().st_mode) == 0o700


@each(
    "change",
    [
        "DELETE FROM run WHERE id = 'after'",
        "UPDATE run SET configuration = '{}'",
        "UPDATE run SET configuration = 'no JSON'",
        "UPDATE run_line SET name = 'mine' WHERE run_id = 'before'",
        "INSERT INTO overrule (id, run_id, said, withdrawn_s) VALUES ('o', 'before', '{}', 1.0)",
        "INSERT INTO label (digest, subject, line) VALUES (x'00', 'gone', '{}')",
    ],
)
def test_a_run_that_nobody_asked_for_stays_where_people_said_something_of_it(tmp_path: Path, change: str) -> None:
    with database(tmp_path) as store:
        kept_by_itself(store, "before", "turn 1", "gone")
        kept_by_itself(store, "after", "turn 1", "turn 2")
        store.connection.execute("DELETE FROM label")
        store.connection.execute(change)
        runs.give_way(store, runs.Unasked("before", has_only_grown=True), "after")
        assert store.connection.execute("SELECT 1 FROM run WHERE id = 'before'").fetchone()


@each(
    "there, then, has_only_grown, goes",
    [
        (["turn 1"], ["turn 1", "turn 2"], False, True),
        (["turn 1", "half of turn 2"], ["turn 1", "turn 2"], True, True),
        (["turn 1", "half of turn 2"], ["turn 1", "turn 2"], False, False),
    ],
)
def test_a_run_that_nobody_asked_for_gives_way_to_one_that_tells_all_of_it(
    tmp_path: Path, there: list[str], then: list[str], has_only_grown: bool, goes: bool
) -> None:
    with database(tmp_path) as store:
        kept_by_itself(store, "before", *there)
        kept_by_itself(store, "after", *then)
        store.connection.execute("INSERT OR IGNORE INTO label (digest, subject, line) VALUES (x'00', 'turn 1', '{}')")
        runs.give_way(store, runs.Unasked("before", has_only_grown), "after")
        assert (runs.load(store, "before") is None) is goes
        left = store.connection.execute("SELECT DISTINCT run_id FROM run_subject ORDER BY run_id").fetchall()
        assert left == ([("after",)] if goes else [("after",), ("before",)])


def kept_by_itself(store: Database, run_id: str, *turns: str) -> None:
    """A run of one case with these turns."""
    of_turns = [((0, number), subject) for number, subject in enumerate(turns)]
    subjects = [((0, runs.WHOLE_CASE), f"case of {turns}"), *of_turns]
    runs.save(store, replace(RUN, id=run_id), {runs.BY_ITSELF: True}, {}, None, subjects)
