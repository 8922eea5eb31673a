"""The Problems panel: one row for one cause, the selected turn marked, kinds left out, what a row offers."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QTest

from tests.models.stories import GOLDENS, TRACES, begin, call, golden, judge, put, trace, turn
from tests.views.doing import wait_for
from tests.views.menus import menu_at
from trace_inspector.core.finding import info
from trace_inspector.core.rows.contents import collect
from trace_inspector.flows.runs.evaluate_files import Given, Request, evaluate
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.problems_model import ProblemKind
from trace_inspector.views.problems.panel import ProblemsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading import file_messages

OTHERS = "/made/others.json"
OBSERVED = trace("c", turn(0, "one?", call("search", q="x")), turn(1, "two?", call("walk")))
EXPECTED = golden(("c", (turn(0, "one?", call("search", q="lots")), turn(1, "two?"))))


def filled(window: MainWindow) -> tuple[ProblemsPanel, OpenFile, OpenFile]:
    """The same case failed in the same way in two files."""
    workspace = window.desk.workspace
    one, other = (put(workspace, path, OBSERVED) for path in (TRACES, OTHERS))
    put(workspace, GOLDENS, EXPECTED)
    given = tuple(Given(path, collect("made", [OBSERVED])) for path in (TRACES, OTHERS))
    verdict = evaluate(Request(given, (Given(GOLDENS, collect("made", [EXPECTED])),)))
    judge(workspace, begin(workspace), verdict)
    window.desk.docks["problems"].raise_()
    panel = window.desk.docks["problems"].widget()
    assert isinstance(panel, ProblemsPanel)
    assert wait_for(lambda: panel.is_seen)
    return panel, one, other


def rows(panel: ProblemsPanel) -> list[str]:
    """The rows as they are listed: the sentence and the files."""
    return [
        "{} | {}".format(*(panel.model.index(row, at).data() for at in (1, 4)))
        for row in range(panel.model.rowCount())
    ]


def test_one_cause_in_two_runs_is_one_row_that_leads_to_both(window: MainWindow) -> None:
    panel, one, other = filled(window)
    assert all(row.endswith(" | traces.json +1") for row in rows(panel))
    first = panel.model.index(0, 1)
    places = []
    for _press in range(3):
        panel.view.opened.emit(first)
        selection = window.desk.workspace.selection.value
        assert selection is not None
        places.append(selection.file)
    assert places[0] != places[1]
    assert places[0] == places[2]
    assert {one.number, other.number} == {*places}


def test_what_is_said_of_the_selected_turn_is_marked_and_brought_into_sight(window: MainWindow) -> None:
    panel, one, _other = filled(window)
    second = one.table.turns(one.table.tops[0])[1]
    window.desk.take_focus()
    window.desk.workspace.selection.select(Selection(one.number, second))
    marked = [row for row in range(panel.model.rowCount()) if panel.model.index(row, 1).data(Role.ABOUT_SELECTION)]
    assert marked
    assert {panel.model.index(row, 2).data() for row in marked} == {"c › Turn 2"}
    assert panel.view.currentIndex().row() in marked
    panel.view.setCurrentIndex(QModelIndex())
    panel.view.clearSelection()
    area = panel.view.visualRect(panel.model.index(marked[0], 1))
    picture = panel.view.viewport().grab(area).toImage()
    soft = window.desk.theme.color("accent_soft")
    assert picture.pixelColor(picture.width() - 2, 2) == soft


def test_kinds_are_left_out_and_counted(window: MainWindow) -> None:
    panel, one, _other = filled(window)
    window.desk.workspace.files.take(file_messages.Found(one.number, (info("a", "A note."),)))
    assert wait_for(lambda: "A note. | traces.json" in rows(panel))
    whole = panel.model.rowCount()
    names = [panel.kinds.itemText(at) for at in range(panel.kinds.count())]
    assert names[0] == f"All kinds ({whole})"
    assert "Notes (1)" in names
    assert not any("(0)" in name for name in names)
    panel.kinds.activated.emit(names.index("Notes (1)"))
    assert rows(panel) == ["A note. | traces.json"]
    assert panel.count == whole
    window.desk.workspace.files.close(one.number)
    assert wait_for(lambda: panel.model.kind is ProblemKind.ALL)


def test_the_context_menu_leads_to_each_run_and_to_the_golden(window: MainWindow) -> None:
    panel, _one, other = filled(window)
    QTest.qWait(1)
    entries = menu_at(panel.view, panel.view.visualRect(panel.model.index(0, 1)).center())
    assert list(entries)[:4] == [
        "Go there in traces.json",
        "Go there in others.json",
        "Compare with the golden",
        "Edit the golden",
    ]
    entries["Go there in others.json"].trigger()
    selection = window.desk.workspace.selection.value
    assert selection is not None
    assert selection.file == other.number
    entries = menu_at(panel.view, panel.view.visualRect(panel.model.index(0, 1)).center())
    entries["Compare with the golden"].trigger()
    assert window.views.shown == "compare"
