"""A page of Details is built in steps: to its end when it is left alone, no further when another row is chosen."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, put
from tests.views.doing import wait_for
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.blocks.blocks import Growing
from trace_inspector.views.blocks.json_view import JsonView
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window

MANY = 60
RICH = Event("cook", extras=tuple(Extra(f"told {at}", {"so": at}) for at in range(MANY)))
PLAIN = Event("cook", (Text("Soup."),))


def made(window: MainWindow) -> tuple[DetailsPanel, Selection, Selection]:
    file = put(window.desk.workspace, TRACES, Trace("kitchen", (Turn(0, events=(RICH, PLAIN)),)))
    panel = window.desk.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    rich, plain = file.table.children(file.table.turns(file.table.tops[0])[0])
    return panel, Selection(file.number, rich), Selection(file.number, plain)


def trees(panel: DetailsPanel) -> int:
    return len(panel.content.findChildren(JsonView))


def test_a_page_left_alone_is_built_to_its_end(window: MainWindow) -> None:
    panel, rich, _plain = made(window)
    window.desk.workspace.selection.select(rich)
    assert wait_for(lambda: trees(panel) == MANY)


def test_another_row_ends_what_was_being_built(window: MainWindow, qtbot: QtBot) -> None:
    panel, rich, plain = made(window)
    panel.content.show_selection(rich)
    page = panel.content.widget()
    begun = trees(panel)
    assert begun < MANY
    panel.content.show_selection(plain)
    assert panel.content.widget() is not page
    panel.content.finish()
    qtbot.wait(1)
    assert trees(panel) == 0


def test_the_same_row_stays_where_it_was_scrolled_to(window: MainWindow, qtbot: QtBot) -> None:
    panel, rich, _plain = made(window)
    window.desk.workspace.selection.select(rich)
    assert wait_for(lambda: trees(panel) == MANY)
    bar = panel.content.verticalScrollBar()
    bar.setValue(bar.maximum() - 10)
    at = bar.value()
    assert at > 0
    panel.content.show_selection(rich)
    assert trees(panel) == MANY
    qtbot.waitUntil(lambda: bar.value() == at)


def test_growing_makes_one_thing_a_step(window: MainWindow) -> None:
    panel, rich, _plain = made(window)
    panel.content.show_selection(rich)
    panel.content.finish()
    (growing,) = panel.content.findChildren(Growing)
    assert not growing.grow()
    assert trees(panel) == MANY


def test_nothing_more_is_built_from_a_file_that_is_closed(window: MainWindow, qtbot: QtBot) -> None:
    panel, rich, _plain = made(window)
    panel.content.show_selection(rich)
    begun = trees(panel)
    assert begun < MANY
    with qtbot.captureExceptions() as faults:
        window.desk.workspace.files.close(rich.file)
        qtbot.wait(50)
    assert faults == []
