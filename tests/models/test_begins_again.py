"""Rows of a large file that were told early: more comes to be known of them, or all of the file is told again."""

from __future__ import annotations

from pathlib import Path

from tests.models.stories import TRACES, batches, trace, turn
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.reading import file_messages

EARLY = trace("t", turn(0, "Parking?"), turn(1, "Late?"))
WHOLE = trace("t", turn(0, "Hello?"), turn(1, "Parking?"), turn(2, "Late?"))


def begun(workspace: Workspace, *items: Trace) -> OpenFile:
    """A file of which only the first rows came."""
    file = workspace.files.add(Path(TRACES), "")
    assert file is not None
    workspace.files.take(file_messages.Recognised(file.number, "jaeger"))
    for batch in batches(*items):
        workspace.files.take(file_messages.RowsRead(file.number, batch))
    return file


def test_a_file_that_begins_again_is_shown_anew_and_keeps_its_number(workspace: Workspace) -> None:
    early = begun(workspace, EARLY)
    number = early.number
    workspace.files.take(file_messages.ReadingRestarted(number))
    assert workspace.files.get(number) is not early
    for batch in batches(WHOLE):
        workspace.files.take(file_messages.RowsRead(number, batch))
    workspace.files.take(file_messages.FileRead(number))
    (file,) = workspace.files
    assert (file.number, str(file.path), file.format, file.state) == (number, TRACES, "jaeger", FileState.READY)
    assert [file.table.thing(row) for row in file.table.turns(file.table.tops[0])] == list(WHOLE.turns)
    assert workspace.files.add(Path(TRACES), "") is None  # it is still known by its path


def test_what_was_selected_is_selected_again_by_its_place(workspace: Workspace) -> None:
    early = begun(workspace, EARLY)
    row = next(row for row in range(len(early.table)) if early.table.place(row))
    selections: list[Selection | None] = []
    workspace.selection.changed.connect(selections.append)
    workspace.selection.select(Selection(early.number, row))
    workspace.files.take(file_messages.ReadingRestarted(early.number))
    for batch in batches(Trace("before"), WHOLE):
        workspace.files.take(file_messages.RowsRead(early.number, batch))
    workspace.files.take(file_messages.FileRead(early.number))
    file = workspace.files.get(early.number)
    assert file is not None
    again = file.table.row_near(early.table.place(row))
    assert again > row
    assert selections == [Selection(file.number, row), None, Selection(file.number, again)]


def test_a_tree_of_early_rows_is_that_of_the_new_ones(workspace: Workspace) -> None:
    early = begun(workspace, EARLY)
    tree = TraceTreeModel(workspace.files, workspace.run)
    tree.set_file(early.number)
    workspace.files.take(file_messages.ReadingRestarted(early.number))
    assert tree.rowCount() == 0
    for batch in batches(WHOLE):
        workspace.files.take(file_messages.RowsRead(early.number, batch))
    tree.set_file(early.number)
    assert tree.rowCount(tree.index(0, 0)) == len(WHOLE.turns)


def test_more_is_known_of_a_trace(workspace: Workspace) -> None:
    file = begun(workspace, EARLY)
    top = file.table.tops[0]
    assert file.table.thing(top) == trace("t")
    (later,) = batches(Trace("t", span_count=7))
    workspace.files.take(file_messages.BodyCompleted(file.number, 0, later.bodies[0]))
    assert file.table.thing(top) == Trace("t", span_count=7)
