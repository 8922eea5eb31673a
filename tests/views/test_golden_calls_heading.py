"""The heading of the expected calls: the rule that compares them, and rules for arguments from passing runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.views.golden_tab import WANTED, Calls, GoldenWindow, choose, focus, golden_file, key, trace_file, until
from trace_inspector.core.values.values import Json
from trace_inspector.models.evaluation.evaluation_options import CriteriaFrom
from trace_inspector.models.golden.scores import with_matchers
from trace_inspector.views.criteria.panel import CriteriaPanel
from trace_inspector.views.golden.calls_heading import CallsHeading
from trace_inspector.views.promote.proposals import NAME, ProposalsDialog
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window
BETWEEN: Calls = (WANTED[0], ("web", {"query": "garages"}), WANTED[1])  # the expected calls, and another among them
SUITE = "Open the criteria of the suite…"


@pytest.fixture
def golden(window: MainWindow, tmp_path: Path) -> GoldenWindow:
    """A golden, and a trace with one call more; nothing is evaluated."""
    made = GoldenWindow(window)
    made.open(golden_file(tmp_path), trace_file(tmp_path, BETWEEN), evaluate=False)
    made.select_turn("city.evalset.json")
    made.edit()
    return made


def heading(golden: GoldenWindow) -> CallsHeading:
    return golden.calls.heading


def evaluated(golden: GoldenWindow) -> None:
    """F5, and the turn of the golden shown again."""
    before = golden.workspace.run.value
    key(golden.window, Qt.Key.Key_F5)
    until(lambda: golden.workspace.run.value is not before and golden.workspace.run.value is not None)
    until(lambda: golden.workspace.run.value is not None and golden.workspace.run.value.verdict is not None)
    golden.settle()


def entries(golden: GoldenWindow) -> list[str]:
    """What the menu of the rule offers, by the keyboard."""
    focus(heading(golden).rule.button)
    key(golden.window, Qt.Key.Key_Return)
    until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    words = [f"{'*' * action.isChecked()}{action.text().partition(':')[0]}" for action in menu.actions()]
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    golden.window.activateWindow()
    return words


def pick(golden: GoldenWindow, match: str) -> None:
    focus(heading(golden).rule.button)
    key(golden.window, Qt.Key.Key_Return)
    choose(match)
    until(lambda: heading(golden).rule.button.text() == f"Match: {match}")


def criteria_panel(golden: GoldenWindow) -> CriteriaPanel:
    panel = golden.window.desk.docks["criteria"].widget()
    assert isinstance(panel, CriteriaPanel)
    return panel


def mark(golden: GoldenWindow) -> str:
    context = golden.tab.context
    assert context is not None
    return with_matchers(context, ()).mark


def test_before_a_run_the_rule_is_not_known_and_cannot_be_chosen(golden: GoldenWindow) -> None:
    assert heading(golden).rule.button.accessibleName() == "Match: –"
    assert heading(golden).explanation == "Evaluate (F5) to see by which rule calls are compared."
    assert entries(golden) == [SUITE]
    focus(heading(golden).rule.button)
    key(golden.window, Qt.Key.Key_Return)
    choose(SUITE)
    until(golden.window.desk.docks["criteria"].isVisible)


def test_another_rule_is_chosen_and_holds_from_the_next_run_on(golden: GoldenWindow) -> None:
    evaluated(golden)
    assert (heading(golden).rule.button.text(), mark(golden)) == ("Match: EXACT", "failed")
    assert entries(golden) == ["*EXACT", "IN_ORDER", "ANY_ORDER", SUITE]
    pick(golden, "IN_ORDER")
    assert "The run shown compared calls by EXACT" in heading(golden).explanation
    assert mark(golden) == "failed"
    edited = golden.workspace.evaluation.edited
    assert edited is not None
    assert {one.metric: one.threshold for one in edited.items} == {
        "tool_trajectory_avg_score": 1.0,
        "response_match_score": 0.8,
    }
    evaluated(golden)
    assert (heading(golden).rule.button.text(), mark(golden)) == ("Match: IN_ORDER", "passed")
    assert "EXACT" not in heading(golden).explanation
    criteria_panel(golden).draft.undo()
    until(lambda: heading(golden).rule.button.text() == "Match: EXACT")


def test_a_file_beside_the_golden_is_what_is_edited(golden: GoldenWindow, tmp_path: Path) -> None:
    path = tmp_path / "test_config.json"
    stated: Json = {"threshold": 0.5, "matchType": 2, "ignoreArgs": True, "ours": [1]}
    path.write_text(json.dumps({"criteria": {"tool_trajectory_avg_score": stated}}))
    evaluated(golden)
    assert heading(golden).rule.button.text() == "Match: ANY_ORDER, names only"
    focus(heading(golden).rule.button)
    key(golden.window, Qt.Key.Key_Return)
    choose("IN_ORDER")
    draft = criteria_panel(golden).draft
    until(lambda: draft.is_changed)
    assert draft.path == str(path)
    assert heading(golden).rule.button.text() == "Match: IN_ORDER, names only"
    draft.save(path)
    until(lambda: "IN_ORDER" in path.read_text())
    assert isinstance(stated, dict)
    assert json.loads(path.read_text())["criteria"] == {
        "tool_trajectory_avg_score": {**stated, "matchType": "IN_ORDER"}
    }


def test_defaults_that_were_chosen_are_edited_as_such(golden: GoldenWindow, tmp_path: Path) -> None:
    (tmp_path / "test_config.json").write_text('{"criteria": {"response_match_score": 0.1}}')
    evaluated(golden)
    assert heading(golden).rule.button.text() == "Match: –"
    evaluation = golden.workspace.evaluation
    evaluation.choose(type(evaluation.options)(CriteriaFrom.ADK))
    assert heading(golden).rule.button.text() == "Match: EXACT"
    pick(golden, "ANY_ORDER")
    edited = evaluation.edited
    assert edited is not None
    assert [one.metric for one in edited.items] == ["tool_trajectory_avg_score", "response_match_score"]


def test_edits_of_criteria_that_are_not_in_use_are_not_given_up(
    golden: GoldenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated(golden)
    pick(golden, "IN_ORDER")
    evaluation = golden.workspace.evaluation
    evaluation.choose(type(evaluation.options)())
    assert heading(golden).rule.button.text() == "Match: EXACT"
    said: list[str] = []
    monkeypatch.setattr(golden.window.desk, "say", said.append)
    focus(heading(golden).rule.button)
    key(golden.window, Qt.Key.Key_Return)
    choose("ANY_ORDER")
    until(lambda: bool(said))
    assert said == ["The criteria panel has edits that are not in use. Save or undo them first."]
    assert criteria_panel(golden).draft.option("tool_trajectory_avg_score", ("match_type",)) == "IN_ORDER"


def test_two_passing_runs_offer_what_ctrl_m_does(golden: GoldenWindow, tmp_path: Path) -> None:
    evaluated(golden)
    assert heading(golden).propose.isHidden()
    again = [tmp_path / f"again-{number}" for number in range(2)]
    for folder in again:
        folder.mkdir()
    golden.workspace.files.open([trace_file(folder, WANTED) for folder in again])
    until(lambda: len(golden.workspace.files) == 4 and not golden.window.desk.jobs.busy)
    golden.select_turn("city.evalset.json")
    evaluated(golden)
    button = heading(golden).propose
    assert button.text() == "Propose matchers from 2 passing runs…"
    focus(button)
    key(golden.window, Qt.Key.Key_Return)
    until(lambda: golden.window.findChild(ProposalsDialog, NAME) is not None)
    dialog = golden.window.findChild(ProposalsDialog, NAME)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)  # while they are worked out
    golden.settle()
