"""Enter presses the filled button of every dialog, wherever the focus is; in most fields it ends the field."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

import trace_inspector.views
from tests.models.test_goldens import eval_set
from tests.views.saving_doing import CONTROL, WAIT_MS, edited, press, says, settle
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.golden.golden_finder import GoldenFinder
from trace_inspector.models.golden.matcher_proposals import MatcherProposals
from trace_inspector.models.golden.promotion import Promotion
from trace_inspector.views.actions import helping
from trace_inspector.views.bulk.dialog import BulkDialog
from trace_inspector.views.bulk.opening import show_bulk_edit
from trace_inspector.views.command_run.dialog import CommandDialog, show_command_run
from trace_inspector.views.coverage.dialog import CoverageDialog
from trace_inspector.views.criteria.add_group import AddGroupDialog
from trace_inspector.views.evaluate.dialog import EvaluateDialog
from trace_inspector.views.golden.rubric_file import RubricFileDialog
from trace_inspector.views.help import dialogs
from trace_inspector.views.live.dialog import ListenDialog, show_listen
from trace_inspector.views.preferences.dialog import PreferencesDialog
from trace_inspector.views.promote.dialog import PromoteDialog
from trace_inspector.views.promote.proposals import ProposalsDialog
from trace_inspector.views.query.dialog import QueryDialog, show_query
from trace_inspector.views.rebase.dialog import RebaseDialog
from trace_inspector.views.rebase.opening import show_rebase
from trace_inspector.views.review.dialog import ReviewDialog
from trace_inspector.views.saving.conflict_dialog import ClashDialog, show_clash
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.saving.evidence_dialog import EvidenceDialog
from trace_inspector.views.saving.save_as import RenewalDialog
from trace_inspector.views.saving.unsaved import CLOSE, RELOAD, UnsavedDialog
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Forecast

pytestmark = pytest.mark.shared_window


def proposals(desk: Desk, file: OpenFile) -> None:
    found = GoldenFinder(
        desk.workspace.files, desk.workspace.run, desk.workspace.evaluation, desk.workspace.goldens
    ).find(Selection(file.number, file.table.tops[0]))
    assert not isinstance(found, str)
    ProposalsDialog(desk, MatcherProposals(found)).open()


def promote(desk: Desk, file: OpenFile) -> None:
    PromoteDialog(
        desk,
        Promotion(
            desk.workspace.files,
            desk.workspace.selection,
            desk.workspace.verdicts,
            desk.workspace.goldens,
            [Picked(file, file.table, file.table.tops[0])],
        ),
    ).open()


OPENERS: dict[str, tuple[type[QDialog], Callable[[Desk, OpenFile], object]]] = {
    "keys": (Dialog, lambda desk, _file: helping.show_keys(desk)),
    "about": (Dialog, lambda desk, _file: dialogs.show_about(desk)),
    "fault": (Dialog, lambda desk, _file: dialogs.show_fault(desk)),
    "preferences": (PreferencesDialog, lambda desk, _file: PreferencesDialog(desk).open()),
    "coverage": (CoverageDialog, lambda desk, _file: CoverageDialog(desk).open()),
    "evaluate": (EvaluateDialog, lambda desk, _file: EvaluateDialog(desk).open()),
    "bulk": (BulkDialog, lambda desk, _file: show_bulk_edit(desk, [])),
    "rebase": (RebaseDialog, lambda desk, _file: show_rebase(desk)),
    "promote": (PromoteDialog, promote),
    "proposals": (ProposalsDialog, proposals),
    "command": (CommandDialog, lambda desk, _file: show_command_run(desk)),
    "listen": (ListenDialog, lambda desk, _file: show_listen(desk)),
    "query": (QueryDialog, lambda desk, _file: show_query(desk, Path("results"))),
    "rubrics": (
        RubricFileDialog,
        lambda desk, _file: RubricFileDialog(desk, "r", [Rubric("a", "It rains.")], lambda _: None).open(),
    ),
    "review": (ReviewDialog, lambda desk, _file: ReviewDialog(desk).open()),
    "group": (
        AddGroupDialog,
        lambda desk, _file: AddGroupDialog(desk.theme, lambda _: "", lambda _: None, desk.window).open(),
    ),
    "clash": (ClashDialog, show_clash),
    "evidence": (EvidenceDialog, lambda desk, _file: EvidenceDialog(desk, lambda _without: None).open()),
    "close": (
        UnsavedDialog,
        lambda desk, file: UnsavedDialog(desk, desk.workspace.saving, [file], CLOSE, lambda: None).open(),
    ),
    "reload": (
        UnsavedDialog,
        lambda desk, file: UnsavedDialog(desk, desk.workspace.saving, [file], RELOAD, lambda: None).open(),
    ),
    "renewal": (
        RenewalDialog,
        lambda desk, file: RenewalDialog(desk, file, Path("x.json"), Forecast(file.number, "ADK", renewed=1)).open(),
    ),
}


def own_dialogs() -> set[type[QDialog]]:
    """Every kind of dialog that the program has."""
    for module in pkgutil.walk_packages(trace_inspector.views.__path__, f"{trace_inspector.views.__name__}."):
        importlib.import_module(module.name)
    found, waiting = set[type[QDialog]](), [QDialog]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        found |= {one for one in below if one.__module__.startswith("trace_inspector.")}
    return found


def test_every_dialog_is_tried_here() -> None:
    kinds = own_dialogs()
    assert all(issubclass(kind, Dialog) for kind in kinds)
    assert kinds == {kind for kind, _open in OPENERS.values()} | {SavingDialog}  # the last is the frame of others


def shown(window: MainWindow, qtbot: QtBot, opener: str, file: OpenFile) -> Dialog:
    kind, show = OPENERS[opener]
    show(window.desk, file)
    qtbot.waitUntil(lambda: bool(window.findChildren(kind)), timeout=WAIT_MS)
    (found,) = window.findChildren(kind)
    assert isinstance(found, Dialog)
    qtbot.waitUntil(found.isVisible, timeout=WAIT_MS)
    return found


@pytest.mark.parametrize("opener", OPENERS)
def test_enter_presses_the_filled_button_wherever_the_focus_is(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opener: str
) -> None:
    # Listening leaves its menu in the tray with the window.
    window: MainWindow = request.getfixturevalue("own_window" if opener == "listen" else "window")
    path = eval_set(tmp_path / "a.evalset.json", "Graz", "Linz")
    file = edited(window, qtbot, path)
    theirs = json.loads(path.read_text())
    theirs["eval_cases"][1]["eval_id"] = "Wels"
    path.write_text(json.dumps(theirs, indent=2) + "\n")
    asked = shown(window, qtbot, opener, file)
    button = asked.default_button
    assert button is not None, "no button looks as if Enter pressed it"
    if opener == "clash":
        qtbot.waitUntil(button.isEnabled, timeout=WAIT_MS)
    button.setEnabled(True)
    button.clicked.disconnect()  # what it does is tried elsewhere
    pressed: list[int] = []
    button.clicked.connect(lambda: pressed.append(1))
    if opener in {"bulk", "promote", "rebase"}:  # these do what the button does, and say why where it cannot be done
        monkeypatch.setattr(type(asked), "press_default", lambda _self: pressed.append(1))
    asked.setFocus()
    QTest.keyClick(asked, Qt.Key.Key_Return)
    QTest.keyClick(asked, Qt.Key.Key_Enter)
    assert len(pressed) == 2
    field = next((one for one in asked.findChildren(QLineEdit) if one.isVisible() and one.isEnabled()), None)
    if field is not None:
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert len(pressed) == 2 + asked.enter_in_fields
        QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
        assert len(pressed) == 3 + asked.enter_in_fields
    asked.reject()
    settle(window, qtbot)  # what a dialog had asked for stands in nobody's way
    if isValid(asked):  # some are kept for the next time
        asked.deleteLater()


def test_what_is_not_decided_comes_first_and_then_enter_puts_both_together(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "a.evalset.json", "Graz", "Linz")
    edited(window, qtbot, path)
    theirs = json.loads(path.read_text())
    theirs["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]["args"]["city"] = "Oslo"
    path.write_text(json.dumps(theirs, indent=2) + "\n")
    press(window, qtbot, Qt.Key.Key_S)
    qtbot.waitUntil(lambda: bool(window.findChildren(ClashDialog)), timeout=WAIT_MS)
    (asked,) = window.findChildren(ClashDialog)
    qtbot.waitUntil(lambda: asked.rows.count() == 1, timeout=WAIT_MS)
    QTest.keyClick(asked.rows, Qt.Key.Key_Return)
    assert asked.focusWidget() is asked.choice, "it is to be decided first"
    QTest.keyClick(asked.choice, Qt.Key.Key_Down)
    assert asked.together.isEnabled()
    QTest.keyClick(asked.choice, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(ClashDialog), timeout=WAIT_MS)
    settle(window, qtbot)
    assert says(window, "Both are merged in a.evalset.json")
