"""Rows that go while they are shown: a file was written anew, with fewer of them."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from tests.helpers.growing_files import otlp_lines
from tests.views.doing import trigger, wait_for
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.regrowth import Regrowth
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.actions.files import open_paths
from trace_inspector.views.conversation.view import ConversationView
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.reading.file_messages import GrowthBegun

pytestmark = pytest.mark.shared_window


@pytest.fixture
def read(window: MainWindow, tmp_path: Path) -> OpenFile:
    path = tmp_path / "spans.jsonl"
    path.write_bytes(b"".join(otlp_lines([(turn, 20 * turn, "chat") for turn in range(1, 9)])))
    open_paths(window.desk, [path])
    assert wait_for(lambda: bool(window.desk.workspace.files))
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.READY)
    return file


def shrink(window: MainWindow, file: OpenFile, rows: int) -> None:
    """Only the first rows stay, as if the child of the file had told so."""
    table = file.table
    bodies = max(table.columns.body[:rows]) + 1
    gone = array("i", [-1]) * (len(table) - rows)
    growth = Regrowth(table, GrowthBegun(file.number, rows, bodies, len(table.columns.authors), {}, gone))
    file.growth = growth
    window.desk.workspace.files.renew(file.number, lambda _file: growth.make(lambda: None))
    file.growth = None


def test_a_conversation_whose_end_was_in_sight_goes_on_with_what_is_left(window: MainWindow, read: OpenFile) -> None:
    turns = read.table.turns(read.table.tops[0])
    window.desk.workspace.selection.select(Selection(read.number, turns[-1]))
    trigger(window, "view-conversation")
    view = window.findChild(ConversationView)
    assert view is not None
    assert wait_for(lambda: view.reader.in_sight is not None and view.reader.in_sight[0].row > turns[3])
    shrink(window, read, turns[2])
    assert len(read.table.turns(0)) == 2
    assert view.reader.in_sight is None or view.reader.in_sight[0].row < len(read.table)
