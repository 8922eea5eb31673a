from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.views.conversation.reading import Show
from tests.views.doing import wait_for
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.conversation.reader import Reader
from trace_inspector.views.conversation.view import ConversationView
from trace_inspector.views.shell.main_window import MainWindow


@pytest.fixture
def view(window: MainWindow) -> ConversationView:
    trigger_view = window.desk.centre
    assert trigger_view is not None
    made = trigger_view.show_view("conversation")
    assert isinstance(made, ConversationView)
    return made


@pytest.fixture
def show(window: MainWindow, view: ConversationView) -> Show:
    """Shows a file's first conversation, with the keyboard on it."""

    def shown(file: OpenFile) -> Reader:
        QApplication.processEvents()
        window.desk.workspace.selection.select(Selection(file.number, file.table.tops[0]))
        QApplication.processEvents()
        window.activateWindow()
        assert wait_for(window.isActiveWindow)
        view.take_focus()
        assert wait_for(lambda: bool(view.reader.visible_rows()))
        return view.reader

    return shown
