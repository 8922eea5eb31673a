"""The window that tests of a module have together: nothing of a test is left in it but what is a fault to leave."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog

from tests.helpers import leaks
from tests.helpers.shared_window import SIZE_PX, SharedWindow
from tests.views.tales import opened
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.evaluation.evaluation_options import EvaluationOptions
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.details.panel import RAW, DetailsPanel
from trace_inspector.views.details.raise_details import overrule

pytestmark = pytest.mark.shared_window


def test_what_a_test_did_is_taken_back(shared_window: SharedWindow) -> None:
    window = shared_window.window
    desk, workspace = window.desk, window.desk.workspace
    details = desk.docks["details"].widget()
    assert isinstance(details, DetailsPanel)
    assert desk.centre is not None
    for _round in range(2):
        file = opened(workspace)
        assert file.number == 1
        assert desk.centre.shown == "tree"
        assert not desk.docks["details"].isHidden()
        workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[1])[0]))
        overrule(desk)
        workspace.filtering.set_text("tool:web")
        workspace.filtering.remember()
        workspace.runs.list.wake()
        workspace.evaluation.choose(EvaluationOptions(rules="adk"))
        desk.centre.show_view("timeline")
        desk.theme.choose(Scheme.DARK)
        desk.theme.scale(150)
        desk.settings.setValue("theme", "dark")
        desk.docks["details"].hide()
        details.tabs.setCurrentIndex(RAW)
        window.resize(1100, 700)
        shared_window.reset()
        assert (workspace.files.in_order, workspace.selection.value, workspace.run.value) == ((), None, None)
        assert (workspace.filtering.text, workspace.filtering.remembered) == ("", [])
        assert workspace.evaluation.options == EvaluationOptions()
        assert (desk.visited.can_go(-1), desk.undo.count(), desk.settings.allKeys()) == (False, 0, [])
        assert (desk.centre.shown, details.tabs.currentIndex()) == ("tree", 0)
        assert (desk.theme.scheme, desk.theme.fonts.body.pixelSize()) == (Scheme.LIGHT, 13)
        assert (window.width(), window.height()) == SIZE_PX
        assert not desk.jobs.busy


def test_what_must_not_be_left_is_not_taken_away(shared_window: SharedWindow) -> None:
    before = leaks.top_level_widgets()
    dialog = QDialog(shared_window.window)
    dialog.setWindowTitle("forgotten")
    dialog.open()
    shared_window.reset()
    (left,) = leaks.left_open(before, leaks.top_level_widgets())
    assert left.startswith("window 'forgotten'")
    dialog.deleteLater()
