"""The column of marks says of every row what asking for its mark says, whatever came first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from tests.models.stories import GOLDENS, TRACES, batches, begin, call, golden, judge, judged, put, trace, turn
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Agent, Event, Turn
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.search import filtering
from trace_inspector.models.search.filtering import ShownCount
from trace_inspector.models.search.verdict_column import MARKS, VerdictColumn
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.reading import file_messages
from trace_inspector.work.runs.evaluating import CasesJudged, RunEnded

BOTH = (ToolCall("search", {"q": "lots"}, "a"), Text("Let me see."), ToolCall("web", {}, "b"))
SEVERAL = Turn(0, user=(Text("one?"),), events=(Event("helper", BOTH),), final_response=(Text("Done."),))
OBSERVED = [
    trace("passes", turn(0, "one?", call("search", q="x"))),
    trace("fails", turn(0, "one?", call("search", q="parking"), call("web", q="y"), spans=2), turn(1, "two?")),
    trace("several", SEVERAL),
    trace("stops early", turn(0, "one?")),
    trace("alone", turn(0, "what else?")),
]
EXPECTED = replace(
    golden(
        ("passes", (turn(0, "one?", call("search", q="x")),)),
        ("fails", (turn(0, "one?", call("search", q="lots"), call("walk")), turn(1, "two?"))),
        ("several", (turn(0, "one?", call("search", q="lots")),)),
        ("stops early", (turn(0, "one?"), turn(1, "two?", call("walk")))),
    ),
    agents=(Agent("helper"),),
)


@pytest.fixture
def files(workspace: Workspace) -> tuple[OpenFile, ...]:
    return put(workspace, TRACES, *OBSERVED), put(workspace, GOLDENS, EXPECTED)


@pytest.fixture
def run() -> RunVerdict:
    return judged(OBSERVED, [EXPECTED])


def column(workspace: Workspace, file: OpenFile) -> VerdictColumn:
    return VerdictColumn(file, lambda: workspace.run.value)


def asked(workspace: Workspace, file: OpenFile) -> list[str]:
    """The marks of the rows that are judged, asked for one by one."""
    table = file.table
    return [
        workspace.verdicts.mark_of(file.number, row) if table.kind(row) in marks.JUDGED_KINDS else ""
        for row in range(len(table))
    ]


def told(known: VerdictColumn, file: OpenFile) -> list[str]:
    return [MARKS[number] for number in known.numbers(range(len(file.table)))]


def test_every_row_has_its_mark(workspace: Workspace, files: tuple[OpenFile, ...], run: RunVerdict) -> None:
    judge(workspace, begin(workspace), run)
    for file in files:
        wanted = asked(workspace, file)
        assert told(column(workspace, file), file) == wanted
        assert len(set(wanted)) > 3
        backwards = column(workspace, file)
        rows = range(len(file.table))
        assert [MARKS[backwards.numbers([row])[0]] for row in reversed(rows)] == wanted[::-1]
        ahead = column(workspace, file)
        assert not ahead.work_ahead(math.inf)
        assert told(ahead, file) == wanted


def test_verdicts_that_come_change_what_they_are_about(
    workspace: Workspace, files: tuple[OpenFile, ...], run: RunVerdict
) -> None:
    current = begin(workspace)
    known = [column(workspace, file) for file in files]
    for case in run.cases:
        before = [told(one, file) for one, file in zip(known, files, strict=True)]
        workspace.evaluation.take(current, CasesJudged((case,)))
        for one, file, old in zip(known, files, before, strict=True):
            changed = current.changed_in(file)
            assert changed != file.table.tops
            one.forget(changed)
            assert told(one, file) == asked(workspace, file)
            assert told(one, file) != old or not changed
    workspace.evaluation.take(current, RunEnded(run))
    for one, file in zip(known, files, strict=True):
        one.forget(current.changed_in(file))
        assert told(one, file) == asked(workspace, file)


def test_rows_that_arrive_later_are_told(workspace: Workspace) -> None:
    file = workspace.files.add(Path(TRACES), "")
    assert file is not None
    begin(workspace)
    known = column(workspace, file)
    for batch in batches(*OBSERVED, size=4):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
        assert told(known, file) == asked(workspace, file)


def test_a_filter_finds_verdicts_at_hand(
    workspace: Workspace,
    files: tuple[OpenFile, ...],
    run: RunVerdict,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worked_out: list[tuple[int, int]] = []
    really = marks.marks_in

    def noted(file: OpenFile, turn: int, run: CurrentRun) -> Iterator[tuple[int, str]]:
        worked_out.append((file.number, turn))
        return really(file, turn, run)

    monkeypatch.setattr(marks, "marks_in", noted)
    monkeypatch.setattr(filtering, "AHEAD_ROWS", 0)
    judge(workspace, begin(workspace), run)
    turns = [(file.number, turn) for file in files for top in file.table.tops for turn in file.table.turns(top)]
    qtbot.waitUntil(lambda: len(worked_out) == len(turns))
    assert sorted(worked_out) == sorted(turns)
    workspace.filtering.set_text("verdict:failed")
    qtbot.waitUntil(lambda: not any(told.searching for told in showing(workspace)))
    assert [told.shown for told in showing(workspace)] == [3, 3]
    assert len(worked_out) == len(turns)


def showing(workspace: Workspace) -> list[ShownCount]:
    return [told for file in workspace.files if (told := workspace.filtering.showing(file.number))]
