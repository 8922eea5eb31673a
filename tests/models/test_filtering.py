from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.models.conftest import HoldToRules
from tests.models.stories import (
    GOLDENS,
    TRACES,
    batches,
    begin,
    call,
    golden,
    judge,
    judged,
    printed,
    put,
    trace,
    turn,
)
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.conversation.conversation import Conversation
from trace_inspector.models.search.filtering import ShownCount
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.work.reading import file_messages

LONG = "word " * 100 + "needle in it"
OBSERVED = [
    trace("passes", turn(0, "one?", call("search", q="x"))),
    trace("fails", turn(0, "one?", call("search", q="parking"), call("web", q="y"), spans=2), turn(1, "two?")),
    trace("stops early", turn(0, "one?", answer=LONG)),
]
EXPECTED = golden(
    ("passes", (turn(0, "one?", call("search", q="x")),)),
    ("fails", (turn(0, "one?", call("search", q="lots"), call("walk")), turn(1, "two?"))),
    ("stops early", (turn(0, "one?", answer=LONG), turn(1, "two?", call("walk")))),
)


@pytest.fixture
def file(workspace: Workspace) -> OpenFile:
    return put(workspace, TRACES, *OBSERVED)


def settle(workspace: Workspace, qtbot: QtBot) -> None:
    """Until all is judged."""

    def quiet() -> bool:
        told = [workspace.filtering.showing(file.number) for file in workspace.files]
        return not any(showing and showing.searching for showing in told)

    qtbot.waitUntil(quiet)


def lines(file: OpenFile) -> list[str]:
    return [line.strip() for line in printed(file.table)]


def test_only_what_matches_is_shown_and_all_comes_back(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    before = printed(file.table)
    workspace.filtering.set_text("tool:web")
    settle(workspace, qtbot)
    assert printed(file.table) == [
        "TRACE fails",
        "  TURN Turn 1  “one?”",
        '    CALL web(q="y")',
        '      RESULT {"ok": true}',
    ]
    assert workspace.filtering.showing(file.number) == ShownCount(1, 3, searching=False)
    workspace.filtering.set_text("")
    assert printed(file.table) == before
    assert workspace.filtering.showing(file.number) is None


def test_words_behind_the_end_of_a_line_are_found(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    workspace.filtering.set_text("Needle")
    settle(workspace, qtbot)
    assert [line.partition(" ")[0] for line in lines(file)] == ["TRACE", "TURN", "ANSWER"]
    workspace.filtering.set_text("-needle kind:answer")
    settle(workspace, qtbot)
    assert lines(file).count("ANSWER “Done.”") == 3
    assert not [line for line in lines(file) if "word" in line]


def test_what_cannot_be_read_is_explained_and_leaves_the_rows(
    workspace: Workspace, file: OpenFile, qtbot: QtBot
) -> None:
    workspace.filtering.set_text("tool:web")
    settle(workspace, qtbot)
    before = printed(file.table)
    workspace.filtering.set_text("tool:web verdit:failed")
    assert workspace.filtering.wrong is not None
    assert workspace.filtering.wrong.position == 9
    assert printed(file.table) == before


@pytest.mark.parametrize("size", [1, 3, 100])
def test_rows_that_arrive_are_filtered_as_they_come(
    workspace: Workspace, qtbot: QtBot, hold_to_rules: HoldToRules, size: int
) -> None:
    workspace.filtering.set_text("tool:web")
    file = workspace.files.add(Path(TRACES), "")
    assert file is not None
    model = TraceTreeModel(workspace.files, workspace.run)
    hold_to_rules(model)
    model.set_file(file.number)
    for batch in batches(*OBSERVED, size=size):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
        settle(workspace, qtbot)
        model.rowCount(model.index(0, 0))
    assert [line.split()[0] for line in lines(file)] == ["TRACE", "TURN", "CALL", "RESULT"]
    assert model.index(0, 0).data() == "fails"


def test_verdicts_that_arrive_are_filtered_as_they_come(
    workspace: Workspace, file: OpenFile, qtbot: QtBot, hold_to_rules: HoldToRules
) -> None:
    put(workspace, GOLDENS, EXPECTED)
    model = TraceTreeModel(workspace.files, workspace.run)
    hold_to_rules(model)
    model.set_file(file.number)
    workspace.filtering.set_text("verdict:failed,missing")
    settle(workspace, qtbot)
    assert lines(file) == []
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    settle(workspace, qtbot)
    assert [line for line in lines(file) if "MISSING" in line] == [
        "MISSING_CALL walk()",
        "MISSING_TURN Turn 2  “two?”",
    ]
    assert "TRACE passes" not in lines(file)
    workspace.filtering.set_text("verdict:pending")
    settle(workspace, qtbot)
    assert lines(file) == []


def test_missing_rows_obey(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    for text, expected in (
        ("verdict:missing", ["TRACE fails", "TURN Turn 1  “one?”", "MISSING_CALL walk()", "TRACE stops early",
                             "MISSING_TURN Turn 2  “two?”"]),
        ("verdict:missing turn:2", ["TRACE stops early", "MISSING_TURN Turn 2  “two?”"]),
        ("verdict:missing tool:w*", ["TRACE fails", "TURN Turn 1  “one?”", "MISSING_CALL walk()"]),
        ("verdict:missing kind:turn -case:fails", ["TRACE stops early", "MISSING_TURN Turn 2  “two?”"]),
        ("verdict:missing walk", ["TRACE fails", "TURN Turn 1  “one?”", "MISSING_CALL walk()"]),
        ("verdict:missing agent:x*", []),
    ):  # fmt: skip
        workspace.filtering.set_text(text)
        settle(workspace, qtbot)
        assert lines(file) == expected, text


def test_pending_rows_go_when_they_are_judged(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    put(workspace, GOLDENS, EXPECTED)
    run = begin(workspace)
    workspace.filtering.set_text("verdict:pending")
    settle(workspace, qtbot)
    assert workspace.filtering.showing(file.number) == ShownCount(3, 3, searching=False)
    judge(workspace, run, judged(OBSERVED, [EXPECTED]))
    settle(workspace, qtbot)
    assert lines(file) == []


def test_going_on_keeps_to_what_is_shown(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    assert workspace.navigation.failing_position()[1] > 1
    workspace.filtering.set_text("turn:1")
    settle(workspace, qtbot)
    assert workspace.navigation.failing_position()[1] == 1
    last = file.table.turns(file.table.tops[1])[1]
    workspace.selection.select(Selection(file.number, last))
    assert workspace.navigation.next_turn(-1)
    assert workspace.selection.value == Selection(file.number, file.table.turns(file.table.tops[1])[0])
    workspace.selection.select(Selection(file.number, last))
    assert workspace.navigation.next_turn(1)
    assert workspace.selection.value == Selection(file.number, file.table.turns(file.table.tops[2])[0])


def test_texts_are_remembered_once(workspace: Workspace) -> None:
    for text in ("a", "b", "a", "verdict:", " "):
        workspace.filtering.set_text(text)
        workspace.filtering.remember()
    assert workspace.filtering.remembered == ["b", "a"]


def test_kinds_of_rows_are_told_apart(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    workspace.filtering.set_text("kind:turn")
    settle(workspace, qtbot)
    kinds = {file.table.kind(row) for row in file.table.visible_children(file.table.tops[0])}
    assert kinds == {Kind.TURN}


def test_what_a_file_reports_counts_before_any_run(workspace: Workspace, file: OpenFile, qtbot: QtBot) -> None:
    workspace.filtering.set_text("verdict:failed")
    settle(workspace, qtbot)
    assert lines(file) == []
    reported = ReportedBatch()
    told = judged(OBSERVED, [EXPECTED]).cases
    reported.add(file.table.tops[1], next(one for one in told if one.case_id == "fails"))
    workspace.files.take(file_messages.VerdictsReported(file.number, reported))
    qtbot.waitUntil(lambda: "TRACE fails" in lines(file))
    assert "TRACE passes" not in lines(file)


def test_the_workspace_says_how_much_of_each_file_is_shown(
    workspace: Workspace, file: OpenFile, qtbot: QtBot
) -> None:
    model = WorkspaceModel(workspace)
    workspace.filtering.set_text("tool:web")
    settle(workspace, qtbot)
    assert model.index_of(file.number).data(Role.CAPTION) == "1 of 3"
    workspace.filtering.set_text("")
    assert model.index_of(file.number).data(Role.CAPTION) == "3 traces"


def test_what_is_filtered_out_is_not_shown_in_the_conversation_either(
    workspace: Workspace, file: OpenFile, qtbot: QtBot
) -> None:
    shown = Conversation(file.table, file.table.tops[1], lambda: None)
    assert len(shown) == 3
    workspace.filtering.set_text("turn:2")
    settle(workspace, qtbot)
    assert [file.table.label(shown.row(number)) for number in range(1, len(shown))] == ["Turn 2  “two?”"]
    workspace.filtering.set_text("")
    assert len(shown) == 3
