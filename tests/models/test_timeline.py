"""The timeline follows the selection, the file as it grows, and what is folded; without a widget."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, batches, call, golden, put, trace, turn
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import Span, SpanKind, Trace
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.timeline import reader as timeline_reader
from trace_inspector.models.timeline.lanes import LaneKind
from trace_inspector.models.timeline.timeline import Timeline
from trace_inspector.models.timeline.words import described, moment_text, point, standing, summary
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.timing import work_of
from trace_inspector.work.reading import file_messages

STORY = trace("t", *(turn(at, f"{at}?", call("search", q=at), spans=1) for at in range(3)))


@pytest.fixture
def timeline(workspace: Workspace, jobs: Jobs) -> Timeline:
    made = Timeline(workspace.files, workspace.selection, workspace.run, jobs, jobs)
    made.set_width(900)
    made.wake()
    return made


def ready(timeline: Timeline, qtbot: QtBot) -> Timeline:
    qtbot.waitUntil(lambda: not timeline.reader.busy, timeout=60_000)
    return timeline


def lanes(timeline: Timeline) -> list[str]:
    return [
        f"{lane.kind.value} {timeline.works[lane.head].label[lane.piece] if lane.piece >= 0 else lane.head}"
        for lane in (timeline.lanes[at] for at in range(len(timeline.lanes)))
    ]


def select(workspace: Workspace, file: OpenFile, row: int) -> None:
    workspace.selection.select(Selection(file.number, row))


def test_the_selected_turn_is_unfolded_and_fills_the_view(
    workspace: Workspace, timeline: Timeline, qtbot: QtBot
) -> None:
    file = put(workspace, TRACES, STORY)
    second = file.table.turns(0)[1]
    select(workspace, file, second)
    ready(timeline, qtbot)
    assert lanes(timeline)[:3] == [f"turn {file.table.turns(0)[0]}", f"turn {second}", f"events {second}"]
    assert timeline.lane == 1
    assert timeline.scale.x(1010.0) == pytest.approx(24)
    assert timeline.scale.x(1020.0) == pytest.approx(876)


def test_a_call_selected_anywhere_is_the_current_lane(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    row = next(row for row in range(len(file.table)) if file.table.kind(row) is Kind.CALL)
    select(workspace, file, row)
    ready(timeline, qtbot)
    assert timeline.works[timeline.current.head].label[timeline.current.piece] == "search"
    assert timeline.row == row
    result = file.table.children(row)[0]
    select(workspace, file, result)
    assert (timeline.row, workspace.selection.value) == (row, Selection(file.number, result))


def test_stepping_selects_everywhere_and_passes_what_stands_for_nothing(
    workspace: Workspace, timeline: Timeline, qtbot: QtBot
) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, file.table.turns(0)[0])
    ready(timeline, qtbot)
    seen = []
    for _ in range(6):
        timeline.step(1)
        assert workspace.selection.value is not None
        seen.append((timeline.lanes[timeline.lane].kind, file.table.kind(workspace.selection.value.row)))
    kinds = [kind for kind, _row in seen]
    assert LaneKind.EVENTS not in kinds
    assert seen[2] == (LaneKind.PIECE, Kind.CALL)
    assert kinds[-1] is LaneKind.TURN
    timeline.step(-100)
    assert timeline.lane == 0


def test_a_model_lane_stays_current_though_its_row_is_that_of_a_tool(
    workspace: Workspace, timeline: Timeline, qtbot: QtBot
) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, file.table.turns(0)[0])
    ready(timeline, qtbot)
    model = lanes(timeline).index("piece model call")
    timeline.select_lane(model)
    assert timeline.lane == model
    assert workspace.selection.value is not None
    assert file.table.kind(workspace.selection.value.row) is Kind.CALL


def test_folding_a_turn_makes_the_turn_current(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    head = file.table.turns(0)[0]
    select(workspace, file, head)
    ready(timeline, qtbot)
    timeline.step(2)
    timeline.toggle(head)
    assert (timeline.lane, timeline.row, len(timeline.lanes)) == (0, head, 3)
    timeline.toggle(head)
    assert len(timeline.lanes) > 3


def test_what_arrives_while_the_file_is_read_is_added(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = workspace.files.add(Path("/made/grows.json"))
    assert file is not None
    select(workspace, file, -1)
    heads = []
    for batch in batches(STORY, size=4):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
        heads.append(len(timeline.reader.heads))
    workspace.files.take(file_messages.FileRead(file.number))
    ready(timeline, qtbot)
    qtbot.waitUntil(lambda: len(timeline.sums.values["turn"].ordered) == 3)
    assert heads[0] == 1
    assert heads[-1] == 3
    assert lanes(timeline).count("piece search") == 3


def test_many_turns_are_read_in_a_child(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    many = trace("t", *(turn(at, "?", call("search", q=at)) for at in range(timeline_reader.HERE_TURNS + 20)))
    file = put(workspace, TRACES, many)
    select(workspace, file, -1)
    assert timeline.reader.busy
    assert not timeline.works
    ready(timeline, qtbot)
    assert len(timeline.works) == len(many.turns)
    assert len(timeline.sums.values["tool"].ordered) == len(many.turns)


def test_a_child_that_fails_is_a_sentence(
    workspace: Workspace, timeline: Timeline, jobs: Jobs, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeline_reader, "HERE_TURNS", 0)
    file = put(workspace, TRACES, STORY)
    select(workspace, file, -1)
    (job,) = (job for job in jobs.jobs if job.kind == timeline_reader.TIMING)
    jobs.stop(job.number)
    assert not timeline.reader.busy
    assert timeline.reader.sentence == "Working out the times was stopped."
    ready(timeline, qtbot)


def test_asleep_nothing_is_read(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    timeline.sleep()
    file = put(workspace, TRACES, STORY)
    select(workspace, file, 0)
    assert timeline.file is None
    timeline.wake()
    assert len(ready(timeline, qtbot).works) == 3


def test_closing_the_file_leaves_nothing(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, 0)
    ready(timeline, qtbot)
    workspace.files.close(file.number)
    assert (timeline.file, len(timeline.lanes), timeline.works) == (None, 0, {})


def test_plumbing_is_shown_and_hidden_with_the_table(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, file.table.turns(0)[0])
    ready(timeline, qtbot)
    before = len(timeline.lanes)
    assert timeline.lanes.hidden == 3
    file.table.hide_plumbing(hidden=False)
    assert (len(timeline.lanes), timeline.lanes.hidden) == (before + 2, 0)


def test_spans_outside_of_turns_do_not_undo_the_folds(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    turns = (turn(0, "a"), turn(9, "b"))
    server = Span("s", "server", SpanKind.OTHER, None, 990.0, 200.0)
    file = put(workspace, TRACES, Trace("t", turns, spans=(server,)))
    select(workspace, file, -1)
    ready(timeline, qtbot)
    assert timeline.scale.axis.folds == 3
    assert f"turn {timeline.top}" in lanes(timeline)
    assert timeline.scale.time_s(0.0) == pytest.approx(990.0)
    select(workspace, file, next(row for row in range(len(file.table)) if file.table.kind(row) is Kind.SPAN))
    assert timeline.works[timeline.top].label[timeline.current.piece] == "server"


def test_spans_of_several_bodies_are_one_group(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    spans = tuple(Span(str(at), f"s{at}", SpanKind.OTHER, str(at - 1), 1000.0 + at, 9.0) for at in range(450))
    file = put(workspace, TRACES, Trace("t", (turn(0, "a"),), spans=spans))
    last = len(file.table) - 1
    select(workspace, file, last)
    ready(timeline, qtbot)
    work = timeline.works[timeline.top]
    assert (len(work), work.around[449]) == (450, 448)
    assert (timeline.row, work.label[timeline.current.piece]) == (last, "s449")


def test_hidden_spans_outside_of_turns_have_no_lane(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    server = Span("s", "POST", SpanKind.PLUMBING, None, 990.0, 200.0)
    file = put(workspace, TRACES, Trace("t", (turn(0, "a"),), spans=(server,)))
    select(workspace, file, -1)
    ready(timeline, qtbot)
    assert f"turn {timeline.top}" not in lanes(timeline)
    file.table.hide_plumbing(hidden=False)
    assert f"turn {timeline.top}" in lanes(timeline)


def test_idle_can_be_drawn_to_scale(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, trace("t", turn(0, "a"), turn(20, "b")))
    select(workspace, file, -1)
    ready(timeline, qtbot)
    assert timeline.scale.axis.folds == 1
    timeline.fold_idle(folded=False)
    assert timeline.scale.axis.folds == 0


def test_a_golden_has_no_times(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    one = turn(0, "a")
    untimed = type(one)(0, user=one.user, final_response=one.final_response)
    file = put(workspace, GOLDENS, golden(("c", (untimed,))))
    select(workspace, file, -1)
    ready(timeline, qtbot)
    assert not timeline.has_times


# Words


def test_what_a_lane_says_of_itself(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, file.table.turns(0)[1])
    ready(timeline, qtbot)
    words = [described(timeline, timeline.lanes[at]) for at in range(len(timeline.lanes))]
    assert words[1] == "Turn 2  “1?”\nStart 1970-01-01 00:16:50.000 UTC\nDuration 10.000 s"
    tool = next(one for one in words if one.startswith("search, tool call"))
    assert "Start 1970-01-01 00:16:50.000 UTC, 0.000 s into Turn 2\nDuration 1.000 s\nOn the critical path" in tool


def test_the_selection_among_all_values(workspace: Workspace, timeline: Timeline, qtbot: QtBot) -> None:
    file = put(workspace, TRACES, STORY)
    select(workspace, file, file.table.turns(0)[1])
    ready(timeline, qtbot)
    assert point(timeline, "turn") == ("Turn 2", 10.0)
    assert point(timeline, "tool") == ("last search", 1.0)
    assert standing(timeline, "turn")[0] == "Turn 2: 10.0 s, slower than 0 %"
    assert summary(timeline) == "Turn 2 critical path: tools 1.0 s; 3 pieces have no time recorded"


def test_moments_beyond_the_calendar_are_seconds() -> None:
    assert moment_text(0.0) == "1970-01-01 00:00:00.000 UTC"
    assert moment_text(3e11) == "300,000,000,000.000 s after 1970"


def test_what_is_damaged_took_no_time() -> None:
    assert math.isnan(work_of([b"damaged"]).start_s)
