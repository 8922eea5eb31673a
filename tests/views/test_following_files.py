"""A recording that grows in a whole window: new turns are counted below the views, and nobody is moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.growing_files import envelope, line, otlp_lines, span
from tests.views.doing import trigger, wait_for
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.actions.files import open_paths
from trace_inspector.views.details.panel import DetailsPanel
from trace_inspector.views.shell.growth_foot import GrowthFoot
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


@pytest.fixture
def grown(window: MainWindow, tmp_path: Path) -> OpenFile:
    """A file with sixty turns, the third of which is selected and the tenth unfolded."""
    path = tmp_path / "spans.jsonl"
    path.write_bytes(b"".join(otlp_lines([(turn, 20 * turn, f"chat-{turn % 2}") for turn in range(1, 61)])))
    open_paths(window.desk, [path])
    assert wait_for(lambda: bool(window.desk.workspace.files))
    (file,) = window.desk.workspace.files
    assert wait_for(lambda: file.state is FileState.READY)
    window.page.tree.collapseAll()
    window.page.tree.expand(window.page.index_of(file.table.tops[0]))
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[2]))
    window.page.tree.expand(window.page.index_of(file.table.turns(file.table.tops[0])[9]))
    return file


def append(file: OpenFile, data: bytes) -> None:
    with file.path.open("ab") as opened:
        opened.write(data)
    assert wait_for(lambda: file.size_bytes == file.path.stat().st_size)


def test_new_turns_are_counted_and_led_to_while_everything_stays(window: MainWindow, grown: OpenFile) -> None:
    foot, tree, workspace = window.findChild(GrowthFoot), window.page.tree, window.desk.workspace
    assert foot is not None
    assert foot.isHidden()
    top, bar = grown.table.tops[0], tree.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = tree.indexAt(tree.viewport().rect().topLeft())
    label, was_at = first.data(), tree.visualRect(first).top()
    append(grown, b"".join(otlp_lines([(61, 2_000, "chat-1"), (62, 2_020, "chat-1")])))
    append(grown, line(envelope(span(1, 6, "execute_tool", parent=1, start=22))))  # late, above what is in sight
    assert not foot.isHidden()
    assert foot.words.text() == "spans.jsonl is followed.  2 new turns"
    assert tree.indexAt(tree.viewport().rect().topLeft()).data() == label
    assert abs(tree.visualRect(tree.indexAt(tree.viewport().rect().topLeft())).top() - was_at) < 30
    turns = grown.table.turns(top)
    assert workspace.selection.value == Selection(grown.number, turns[2])
    assert tree.currentIndex() == window.page.index_of(turns[2])
    assert [tree.isExpanded(window.page.index_of(turn)) for turn in turns[8:11]] == [False, True, False]
    trigger(window, "new-turns")
    assert workspace.selection.value == Selection(grown.number, grown.table.turns(top)[-2])
    assert foot.words.text() == "spans.jsonl is followed."
    assert wait_for(lambda: not window.commands.actions["new-turns"].isEnabled())


def test_what_did_not_grow_is_not_built_again(window: MainWindow, grown: OpenFile) -> None:
    details = window.findChild(DetailsPanel)
    assert details is not None
    assert wait_for(lambda: details.content.widget() is not None)
    page = details.content.widget()
    append(grown, b"".join(otlp_lines([(61, 2_000, "chat-1")])))  # the conversation of what is selected goes on
    assert wait_for(lambda: details.content.widget() is not page)
    page = details.content.widget()
    append(grown, b"".join(otlp_lines([(62, 2_020, "chat-0")])))
    append(grown, b"".join(otlp_lines([(64, 2_040, "")])))
    assert details.content.widget() is page


def test_following_is_paused_and_goes_on(window: MainWindow, grown: OpenFile) -> None:
    foot, rows = window.findChild(GrowthFoot), len(grown.table)
    assert foot is not None
    trigger(window, "follow")
    with grown.path.open("ab") as opened:
        opened.write(b"".join(otlp_lines([(61, 2_000, "chat-1")])))
    assert wait_for(lambda: grown.on_disk is OnDisk.CHANGED)
    assert len(grown.table) == rows
    assert foot.words.text() == "Following is paused: spans.jsonl may have gone on."
    foot.pause.click()
    assert wait_for(lambda: grown.size_bytes == grown.path.stat().st_size)
    assert len(grown.table) > rows
    assert foot.pause.text() == "Pause"
