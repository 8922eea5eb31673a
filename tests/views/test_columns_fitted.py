"""Which columns of the tree find room by themselves: what failed first, what is empty not at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from tests.models.stories import GOLDENS, TRACES, begin, golden, judge, judged, put, trace, turn
from tests.views.doing import trigger, wait_for
from tests.views.tales import EXPECTED, OBSERVED, opened
from tests.views.test_tree_columns import tick, titles
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Steps, Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.models.base.roles import Role
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

CALM = ("tool_trajectory_avg_score", "response_match_score", "final_response_match_v2", "local_grounding")
ROOMY_PX = 900
LAST = "trajectory_match"


def failing_by_the_last(verdict: RunVerdict, status: Status = Status.FAILED) -> RunVerdict:
    """The same run, in which everything passes by the first criteria and one case fails by the last."""

    def metrics(status: Status) -> tuple[MetricVerdict, ...]:
        calm = (MetricVerdict(name, 1.0, Status.PASSED) for name in CALM)
        return (*calm, MetricVerdict(LAST, 0.5, status, 1.0))

    def case(judged_case: CaseVerdict) -> CaseVerdict:
        own = status if judged_case.case_id == "fails" else Status.PASSED
        turns = tuple(replace(one, status=own, metrics=metrics(own)) for one in judged_case.turns)
        return replace(judged_case, status=own, metrics=metrics(own), turns=turns)

    return replace(verdict, cases=tuple(map(case, verdict.cases)))


def test_the_criterion_that_failed_is_in_sight_where_there_is_little_room(window: MainWindow) -> None:
    window.resize(1100, 700)
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(
        workspace, begin(workspace, (*CALM, LAST)), failing_by_the_last(judged(OBSERVED, [EXPECTED]), Status.PASSED)
    )
    assert wait_for(lambda: "Calls" in titles(window))
    assert "Matched calls" not in titles(window)
    judge(workspace, begin(workspace, (*CALM, LAST)), failing_by_the_last(judged(OBSERVED, [EXPECTED])))
    assert wait_for(lambda: "Matched calls" in titles(window))
    assert window.page.columns.shown < window.page.columns.total


def test_columns_come_back_when_there_is_room_though_the_tree_was_not_in_front(window: MainWindow) -> None:
    opened(window.desk.workspace)
    for width, room in ((900, False), (1600, True)):  # at 900 even without the workspace beside it
        trigger(window, "view-timeline")
        window.resize(width, 700)
        assert wait_for(lambda: (window.views.width() > ROOMY_PX) is room)  # noqa: B023
        trigger(window, "view-tree")
        assert wait_for(lambda: ("Tokens" in titles(window)) is room)  # noqa: B023


def test_a_column_without_a_value_takes_no_room_until_it_is_asked_for(window: MainWindow) -> None:
    workspace = window.desk.workspace
    bare = Turn(0, user=(Text("one?"),), final_response=(Text("Done."),), steps=Steps.ABSENT)
    put(workspace, TRACES, Trace("bare", (bare,), case_id="bare", place="/bare"))
    assert titles(window) == ["What happened"]
    tick(window, "Tokens")
    assert titles(window) == ["What happened", "Tokens"]


def test_the_hourglass_leaves_the_group_of_runs_when_the_run_ends_with_it_in_front(window: MainWindow) -> None:
    workspace = window.desk.workspace
    runs = [replace(trace(f"run {number}", turn(0, "one?")), case_id="c", case_runs=2) for number in (1, 2)]
    put(workspace, TRACES, *runs)
    put(workspace, GOLDENS, golden(("c", (turn(0, "one?"),))))
    run = begin(workspace)
    model = window.page.tree.model()
    assert model.index(0, 0).data(Role.MARK) == "pending"
    verdict = judged(runs, [golden(("c", (turn(0, "one?"),)))])
    judge(workspace, run, replace(verdict, cases=()))
    assert model.index(0, 0).data(Role.MARK) == "none"


def test_a_case_that_failed_by_a_turn_alone_says_so_on_its_row(window: MainWindow) -> None:
    workspace = window.desk.workspace
    one, two = turn(0, "one?"), turn(1, "two?")
    traces = [trace("long", one, two), trace("short", one)]
    goldens = golden(("long", (one,)), ("short", (one, two)))
    file = put(workspace, TRACES, *traces)
    put(workspace, GOLDENS, goldens)
    judge(workspace, begin(workspace), judged(traces, [goldens]))
    model = window.page.tree.model()

    def said(row: int) -> object:
        return window.page.index_of(row).data(Role.FAILED_BY)

    assert [said(top) for top in file.table.tops] == ["1 turn extra", "1 turn missing"]
    assert [said(row) for row in file.table.turns(file.table.tops[0])] == ["", "extra"]
    assert [said(row) for row in file.table.visible_children(file.table.tops[1])] == ["", "missing"]
    assert "1 turn extra" in model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    cell = window.page.tree.visualRect(model.index(0, 0)).adjusted(60, 0, 0, 0)  # without its mark
    picture, red = window.page.tree.viewport().grab(cell).toImage(), window.desk.theme.color("fail")
    assert any(picture.pixelColor(x, y) == red for x in range(picture.width()) for y in range(picture.height()))


def test_what_happened_has_room_while_details_are_wide(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace, (*CALM, LAST)), failing_by_the_last(judged(OBSERVED, [EXPECTED])))
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    panel.tabs.setCurrentIndex(VERDICTS)
    assert wait_for(lambda: window.desk.docks["details"].width() == 760)
    assert wait_for(lambda: window.page.tree.columnWidth(0) >= 460)
    assert "Matched calls" in titles(window)  # which failed


def test_columns_grow_with_the_text(window: MainWindow) -> None:
    workspace = window.desk.workspace
    put(workspace, TRACES, *OBSERVED)
    put(workspace, GOLDENS, EXPECTED)
    judge(workspace, begin(workspace), judged(OBSERVED, [EXPECTED]))
    before = window.page.tree.columnWidth(1)
    window.desk.theme.scale(150)
    assert window.page.tree.columnWidth(1) >= 1.4 * before
