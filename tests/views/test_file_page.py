"""The page of a file in Details: all its findings and criteria, made one by one."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from tests.models.stories import TRACES, put, trace, turn
from tests.views.doing import wait_for
from trace_inspector.core.finding import info
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.file_content import CRITERIA_LISTED, FINDINGS_LISTED, file_content
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window


def filled(window: MainWindow, count: int) -> OpenFile:
    """A file of so many findings and criteria."""
    file = put(window.desk.workspace, TRACES, trace("t", turn(0, "one?")))
    criteria = Criteria(tuple(Criterion(f"metric {at}.") for at in range(count)), "made up")
    findings = tuple(info("odd", f"finding {at}.") for at in range(count))
    window.desk.workspace.files.take(file_messages.Found(file.number, findings, criteria))
    return file


def told(page: QWidget, word: str) -> int:
    """How many things of that name are shown."""
    return len({label.text() for label in page.findChildren(QLabel) if label.text().startswith(word)})


def test_a_file_page_is_made_step_by_step(window: MainWindow) -> None:
    file = filled(window, 30)
    page, steps = file_content(window.desk.theme, window.desk.workspace, file)
    at_first = told(page, "metric "), told(page, "finding ")
    assert at_first == (0, 0)
    found = [(told(page, "metric "), told(page, "finding ")) for _step in steps]
    assert found[-1] == (30, 30)
    for before, after in zip([at_first, *found], found, strict=False):
        assert sum(after) - sum(before) <= 1
    page.deleteLater()


def test_it_is_made_to_its_end_when_it_is_left_alone(window: MainWindow) -> None:
    file = filled(window, 100)
    window.desk.workspace.selection.select(Selection(file.number))
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    shown = panel.content
    wait_for(lambda: told(shown, "finding ") == FINDINGS_LISTED)
    assert (told(shown, "metric "), told(shown, "finding ")) == (CRITERIA_LISTED, FINDINGS_LISTED)
    assert all(label.isVisible() for label in shown.findChildren(QLabel) if label.text().startswith("finding "))
