"""A turn that runs, sent over loopback: the call that parts from its golden is marked before the root span comes."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.flows.live.test_partings import BOOK, LATE, SEARCH, golden_with_calls
from tests.helpers.sent_spans import calling_spans, request
from tests.views.test_listen_dialog import WAIT_MS, listening, post, stopped
from tests.views.test_listening_alike import open_ready
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import Role
from trace_inspector.models.tree.trace_cells import SPOKEN, TraceCells
from trace_inspector.models.tree.trace_tree import TraceTreeModel
from trace_inspector.views.live.dialog import ListenDialog
from trace_inspector.views.shell.main_window import MainWindow


def recording(window: MainWindow, shown: ListenDialog) -> OpenFile | None:
    return window.desk.workspace.files.by_path(shown.live.record)


def marked(window: MainWindow, shown: ListenDialog) -> list[tuple[Kind, str, str]]:
    """The rows of the recording in the tree that part: what they are, what they say, and the words beside it."""
    file, workspace = recording(window, shown), window.desk.workspace
    if file is None:
        return []
    tree = TraceTreeModel(workspace.files, workspace.run)
    tree.set_file(file.number)
    rows = [tree.index_of(row) for row in range(len(file.table)) if file.table.has(row)]
    found = [
        (index.data(Role.KIND), str(index.data()), str(index.data(Role.NOTE)))
        for index in rows
        if index.isValid() and index.data(Role.MARK) == "parts"
    ]
    tree.set_file(None)
    tree.deleteLater()
    return found


def spoken(window: MainWindow, shown: ListenDialog, kind: Kind) -> list[str]:
    """What a screen reader says of the rows of a kind."""
    file = recording(window, shown)
    assert file is not None
    (what, *_others) = TraceCells(file, window.desk.workspace.run.value, ()).columns()
    return [what[SPOKEN](row) for row in range(len(file.table)) if file.table.kind(row) is kind]


def marks(window: MainWindow, shown: ListenDialog) -> list[str]:
    file = recording(window, shown)
    verdicts = window.desk.workspace.verdicts
    return [verdicts.mark_of(file.number, top) for top in file.table.tops] if file is not None else []


def send(shown: ListenDialog, *spans: object) -> None:
    assert post(shown.live.port, request([*spans])) == 200  # type: ignore[list-item]


def test_the_call_that_parts_is_marked_before_the_turn_ends_and_the_verdict_takes_its_place(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    open_ready(window, qtbot, golden_with_calls(tmp_path, SEARCH, BOOK))
    shown = listening(window, qtbot)
    first, tool, second, *rest, root = calling_spans(1, "c1", "A table?", [SEARCH], [("book", LATE)])
    send(shown, first, tool)
    qtbot.waitUntil(lambda: bool(shown.live._partings) or marks(window, shown) == ["pending"], timeout=WAIT_MS)
    assert marked(window, shown) == []  # what is missing may still come
    send(shown, second)
    qtbot.waitUntil(lambda: bool(marked(window, shown)), timeout=WAIT_MS)
    kinds = [(kind, note) for kind, _label, note in marked(window, shown)]
    assert kinds == [(Kind.TRACE, ""), (Kind.TURN, "parts at call 2"), (Kind.CALL, "parts here")]
    assert "book" in marked(window, shown)[-1][1]
    assert spoken(window, shown, Kind.CALL)[-1].startswith("parts from the golden here, while it runs, ")
    assert not [words for words in spoken(window, shown, Kind.TURN) if "audit" in words]
    file = recording(window, shown)
    assert file is not None
    run = window.desk.workspace.run.value
    assert run is None or {case.status.value for case in run.cases} <= {"PENDING"}  # it is no verdict
    send(shown, *rest, root)
    qtbot.waitUntil(lambda: marks(window, shown) == ["failed"], timeout=WAIT_MS)
    assert marked(window, shown) == []
    stopped(shown, qtbot)


def test_a_turn_that_can_still_come_right_carries_none_whatever_comes_first(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    open_ready(window, qtbot, golden_with_calls(tmp_path, SEARCH, BOOK))
    shown, seen = listening(window, qtbot), list[object]()
    shown.live.parted.connect(lambda _paths, partings: seen.append(partings))
    first, tool, second, other, last, root = calling_spans(1, "c1", "A table?", [SEARCH], [BOOK])
    for span in (other, second, last, tool, first):  # late, and in another order than they began
        send(shown, span)
    qtbot.waitUntil(lambda: marks(window, shown) == ["pending"], timeout=WAIT_MS)
    send(shown, root)
    qtbot.waitUntil(lambda: marks(window, shown) == ["passed"], timeout=WAIT_MS)
    assert seen == []
    stopped(shown, qtbot)
