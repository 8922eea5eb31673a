from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.models.conftest import HoldToRules
from tests.models.stories import TRACES, batches, call, put, trace, turn
from tests.views.tales import opened
from trace_inspector.core.trace.judge_call import CallKey, JudgeCall
from trace_inspector.flows.judges.stored_calls import stored_calls
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.search import finding as finding_room
from trace_inspector.models.search.find_model import FindModel
from trace_inspector.models.search.find_query import Query, excerpt
from trace_inspector.models.search.finding import Finding
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.reading import file_messages

LONG = "word " * 100 + "Needle in it"


def found(finding: Finding, query: Query, qtbot: QtBot) -> list[tuple[str, str, str]]:
    finding.start(query)
    qtbot.waitUntil(lambda: not finding.running)
    return [(hit.where, hit.kind, hit.excerpt.text) for hit in finding.hits]


@pytest.fixture
def made(workspace: Workspace, jobs: Jobs) -> Finding:
    return Finding(workspace.files, workspace.selection, workspace.run, jobs)


def test_lines_and_whole_texts_are_found(workspace: Workspace, made: Finding, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, trace("haystack", turn(0, "Where is the needle?", call("search"), answer=LONG)))
    workspace.selection.select(Selection(file.number))
    hits = found(made, Query("needle"), qtbot)
    assert [hit[:2] for hit in hits] == [("haystack › Turn 1", "user"), ("haystack › Turn 1", "answer")]
    assert hits[1][2].endswith("word Needle in it")
    first = made.hits[0].excerpt
    assert first.text[first.start : first.end] == "needle"
    assert [hit[1] for hit in found(made, Query("needle", match_case=True), qtbot)] == ["user"]
    assert [hit[1] for hit in found(made, Query("N[e]+dle in", is_pattern=True), qtbot)] == ["answer"]
    assert found(made, Query("nowhere"), qtbot) == []


def test_one_file_or_all_with_what_was_judged(workspace: Workspace, made: Finding, qtbot: QtBot) -> None:
    file = opened(workspace)
    workspace.selection.select(Selection(file.number))
    here = found(made, Query("parking"), qtbot)
    assert {hit[1] for hit in here} == {"call"}
    everywhere = found(made, Query("not called", everywhere=True), qtbot)
    assert any(hit.verdict for hit in made.hits)
    assert len(everywhere) > 0
    assert found(made, Query("not called"), qtbot) == []


def test_a_pattern_that_cannot_be_used_is_explained(made: Finding) -> None:
    made.start(Query("(", is_pattern=True))
    assert "not a regular expression" in made.sentence
    assert not made.running
    made.start(Query("a" * 2_000))
    assert "At most" in made.sentence


def test_hits_are_bounded_and_can_be_stopped(
    workspace: Workspace, made: Finding, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(workspace, TRACES, trace("a", *(turn(at, "same?") for at in range(30))))
    workspace.selection.select(Selection(file.number))
    monkeypatch.setattr(finding_room, "MOST_HITS", 7)
    assert len(found(made, Query("same"), qtbot)) == 7
    assert made.full
    made.start(Query("same"))
    made.stop()
    assert (made.stopped, made.running) == (True, False)


def test_hits_of_a_closed_file_go(
    workspace: Workspace, made: Finding, qtbot: QtBot, hold_to_rules: HoldToRules
) -> None:
    file = put(workspace, TRACES, trace("b", turn(0, "same?")), trace("a", turn(0, "same?")))
    other = put(workspace, "/made/other.json", trace("c", turn(0, "same?")))
    model = FindModel(made)
    hold_to_rules(model)
    found(made, Query("same", everywhere=True), qtbot)
    model.sort(1)
    assert [model.index(row, 1).data() for row in range(3)] == ["a › Turn 1", "b › Turn 1", "c › Turn 1"]
    model.sort(2)
    assert [hit.where[0] for hit in model.records] == ["a", "b", "c"], "equal kinds keep their order"
    model.sort(-1)
    assert model.records[0].where == "b › Turn 1"
    workspace.files.close(file.number)
    assert [hit.selection.file for hit in made.hits] == [other.number]
    assert model.rowCount() == 1


@given(st.text(max_size=30), st.text(max_size=300), st.text(max_size=30))
def test_an_excerpt_holds_what_was_found(before: str, hit: str, behind: str) -> None:
    made = excerpt(before + hit + behind, len(before), len(before) + len(hit))
    assert 0 <= made.start <= made.end <= len(made.text)
    assert made.text.isprintable() or not made.text


@given(st.text(min_size=1, max_size=10), st.text(max_size=50))
def test_a_place_lies_inside_the_text(wanted: str, text: str) -> None:
    place = Query(wanted).find(text)
    assert place is None or 0 <= place[0] < len(text) or len(text.lower()) != len(text)
    exact = Query(wanted, match_case=True).find(text + wanted)
    assert exact is not None
    assert (text + wanted)[exact[0] : exact[1]] == wanted


def test_kept_replies_of_judges_are_looked_through(
    workspace: Workspace, made: Finding, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path))
    call_made = JudgeCall(
        CallKey("http://here", "judge", {}, "Is it so?", 0, 0), "The verdict is zebra.", 0.0, 1.0, 1
    )
    with stored_calls() as calls:
        assert calls is not None
        calls.put(call_made)
    file = opened(workspace)
    run = workspace.run.value
    assert run is not None
    asked = replace(run.cases[0].turns[0].metrics[0], replies=(call_made.key.digest, "gone"))
    turn_judged = replace(run.cases[0].turns[0], metrics=(asked,))
    run.cases[0] = replace(run.cases[0], turns=(turn_judged,))
    ((where, kind, line),) = found(made, Query("zebra", everywhere=True), qtbot)
    assert (where, line) == ("passes › Turn 1", "The verdict is zebra.")
    assert kind.startswith("judge reply")
    assert made.hits[0].selection.file == file.number


def test_a_search_goes_on_with_rows_that_arrive_later(workspace: Workspace, made: Finding, qtbot: QtBot) -> None:
    reading = workspace.files
    early, late = turn(0, "Where is the needle?", call("search")), turn(1, "And now?", answer=LONG)
    file = reading.add(Path(TRACES), "")
    assert file is not None
    first, *others = batches(trace("haystack", early, late), size=3)
    reading.take(file_messages.RowsRead(file.number, first))
    workspace.selection.select(Selection(file.number))
    assert [kind for _where, kind, _line in found(made, Query("needle"), qtbot)] == ["user"]
    assert made.unread == 1
    for batch in others:
        reading.take(file_messages.RowsRead(file.number, batch))
    reading.take(file_messages.FileRead(file.number))
    qtbot.waitUntil(lambda: len(made.hits) == 2 and not made.running)
    assert [hit.kind for hit in made.hits] == ["user", "answer"]
    assert made.unread == 0
    qtbot.wait(1)
    assert len(made.hits) == 2


def test_a_search_that_was_stopped_does_not_go_on(workspace: Workspace, made: Finding, qtbot: QtBot) -> None:
    workspace.selection.select(Selection(put(workspace, TRACES, trace("one", turn(0, "needle"))).number))
    made.start(Query("needle", everywhere=True))
    made.stop()
    put(workspace, "/made/other.json", trace("two", turn(0, "needle")))
    qtbot.wait(1)
    assert made.hits == []


def test_a_file_that_is_opened_later_is_looked_through_too(workspace: Workspace, made: Finding, qtbot: QtBot) -> None:
    put(workspace, TRACES, trace("one", turn(0, "needle")))
    assert len(found(made, Query("needle", everywhere=True), qtbot)) == 1
    put(workspace, "/made/other.json", trace("two", turn(0, "needle")))
    qtbot.waitUntil(lambda: len(made.hits) == 2)
