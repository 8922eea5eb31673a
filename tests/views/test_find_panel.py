from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.models.stories import GOLDENS, TRACES, call, golden, judge, judged, put, trace, turn
from tests.models.stories import begin as begin_run
from tests.views.doing import wait_for
from tests.views.tales import opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.judge_call import CallKey, JudgeCall
from trace_inspector.flows.judges.stored_calls import stored_calls
from trace_inspector.views.details.panel import VERDICTS, DetailsPanel
from trace_inspector.views.find.panel import FindPanel
from trace_inspector.views.judge_calls.panel import JudgeCallsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.empty_state import EmptyState

pytestmark = pytest.mark.shared_window

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def panel(window: MainWindow) -> FindPanel:
    found = window.desk.docks["find"].widget()
    assert isinstance(found, FindPanel)
    return found


def ready(window: MainWindow) -> None:
    window.activateWindow()
    assert wait_for(lambda: window.isActiveWindow() and window.commands.actions["find"].isEnabled())


def begin(window: MainWindow, text: str, modifiers: Qt.KeyboardModifier = CTRL) -> FindPanel:
    """Press Ctrl+F, type, and wait for the end."""
    ready(window)
    QTest.keyClick(window, Qt.Key.Key_F, modifiers)
    made = panel(window)
    assert made.field.hasFocus()
    made.field.selectAll()
    QTest.keyClicks(made.field, text)
    QTest.keyClick(made.field, Qt.Key.Key_Return)
    assert wait_for(lambda: not made.finding.running)
    return made


def said(widget: QWidget) -> str:
    return next(one.accessibleName() for one in widget.findChildren(EmptyState) if one.isVisible())


def test_found_places_are_gone_through_by_f3(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    made = begin(window, "search(")
    assert made.model.rowCount() == 2
    seen = []
    for modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier, SHIFT):
        QTest.keyClick(window, Qt.Key.Key_F3, modifiers)
        selection = window.desk.workspace.selection.value
        assert selection is not None
        assert file.table.kind(selection.row) is Kind.CALL
        seen.append(made.view.currentIndex().row())
    assert seen == [0, 1, 0]
    QTest.keyClick(made.field, Qt.Key.Key_Return)
    assert made.view.hasFocus()
    QTest.keyClick(made.view, Qt.Key.Key_Return)
    assert window.desk.page.tree.hasFocus()


def test_a_verdict_is_shown_among_verdicts(window: MainWindow) -> None:
    opened(window.desk.workspace)
    made = begin(window, "not called", CTRL | SHIFT)
    assert made.everywhere.isChecked()
    assert made.model.rowCount() > 0
    QTest.keyClick(window, Qt.Key.Key_F3)
    details = window.desk.docks["details"].widget()
    assert isinstance(details, DetailsPanel)
    assert details.tabs.currentIndex() == VERDICTS


def test_what_the_filter_hides_is_shown_when_somebody_goes_there(window: MainWindow) -> None:
    file = opened(window.desk.workspace)
    field = window.desk.filter
    assert field is not None
    window.desk.workspace.filtering.set_text("case:alone")
    assert wait_for(lambda: file.table.visible.filtered)
    made = begin(window, "search(")
    made.step(1)
    assert not file.table.visible.filtered
    tree = window.desk.page.tree
    assert tree.currentIndex().data() == 'search(q="x")'


def test_nothing_found_and_wrong_expressions_are_said(window: MainWindow) -> None:
    opened(window.desk.workspace)
    made = begin(window, "xyzzy")
    assert said(made) == "Nothing was found. Try a shorter text, or look in all files."
    made.pattern.setChecked(True)
    begin(window, "(")
    assert "not a regular expression" in said(made)


def test_a_judges_reply_is_opened_among_the_judge_calls(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path))
    replies = [
        JudgeCall(CallKey("http://here", "judge", {}, "Is it so?", 0, at), words, 0.0, 1.0, 1)
        for at, words in enumerate(("The verdict is horse.", "The verdict is zebra."))
    ]
    with stored_calls() as kept:
        assert kept is not None
        for reply in replies:
            kept.put(reply)
    digests = tuple(reply.key.digest for reply in replies)
    observed = trace("one", turn(0, "where?", call("search", q="parking")))
    expected = golden(("one", observed.turns))
    run = judged([observed], [expected])
    turn_judged = run.cases[0].turns[0]
    metrics = tuple(replace(metric, replies=digests) for metric in turn_judged.metrics[:1])
    case = replace(run.cases[0], turns=(replace(turn_judged, metrics=metrics),))
    put(window.desk.workspace, TRACES, observed)
    put(window.desk.workspace, GOLDENS, expected)
    judge(window.desk.workspace, begin_run(window.desk.workspace), replace(run, cases=(case,)))
    made = begin(window, "zebra", CTRL | SHIFT)
    assert made.model.rowCount() == 1
    made.view.setCurrentIndex(made.model.index(0, 0))
    QTest.keyClick(made.view, Qt.Key.Key_Return)
    calls = window.desk.docks["judge-calls"].widget()
    assert isinstance(calls, JudgeCallsPanel)
    assert wait_for(lambda: "zebra" in calls.reply.text.toPlainText())
    assert calls.view.currentIndex().row() == 1
    assert calls.view.hasFocus()


def test_what_is_found_can_be_read_in_a_small_window(window: MainWindow) -> None:
    opened(window.desk.workspace)
    window.resize(1024, 640)
    window.desk.theme.scale(150)
    found = begin(window, "search(")
    found.resize(1024, 245)
    head = found.view.header()
    assert head.length() <= found.view.viewport().width() + 1
    assert head.sectionSize(0) >= max(head.sectionSize(column) for column in (2, 3))
