"""Ctrl+R reads the selected file again: what is compared with it stays, and so does what is selected."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from tests.views.compare.comparing import Call, compared, eval_set, opened, session, shown, until
from tests.views.test_curating_by_keys import CONTROL, Keyboard
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow

PARK: Call = ("look", {"area": "Park"})
PIKE: Call = ("look", {"area": "Pike"})


def written(folder: Path, count: int) -> list[Path]:
    """A golden whose case has another name than the sessions, so that nothing but a person puts them together."""
    golden = eval_set(folder / "set.evalset.json", ("Where?", [PARK], "There."), case="other")
    runs = [session(folder / f"{name}.json", ("Where?", [PIKE], "There.")) for name in ("before", "after")]
    return [golden, *runs][:count]


FILE, CONVERSATION, ROW = "the file", "the conversation", "a row by keys"


# Every pair of how many sides there are, which of them is read again, and what of it is selected.
@pytest.mark.parametrize(
    ("count", "which", "row"),
    [
        (3, 0, FILE), (2, 0, CONVERSATION), (3, 0, ROW),
        (2, 1, FILE), (3, 1, CONVERSATION), (2, 1, ROW),
        (3, 2, FILE), (3, 2, CONVERSATION), (3, 2, ROW),
    ],
)  # fmt: skip
def test_sides_and_selection_stay(window: MainWindow, tmp_path: Path, count: int, which: int, row: str) -> None:
    workspace = window.desk.workspace
    opened(window, session(tmp_path / "first.json", ("When?", [PARK], "Now.")))  # another trace that could be taken
    page = compared(window, *written(tmp_path, count))
    opened(window, session(tmp_path / "last.json", ("When?", [PARK], "Now.")))
    file = workspace.files.get(page.compare.sides[which].file)
    assert file is not None
    at = {FILE: -1, CONVERSATION: file.table.tops[0], ROW: file.table.tops[0] + 1}[row]
    workspace.selection.select(Selection(file.number, at))
    names = [ref.name for ref in page.compare.sides]
    page.rows.setFocus()
    keys = Keyboard(window)
    keys.press(Qt.Key.Key_R, CONTROL)
    until(lambda: all(one.state is FileState.READY for one in workspace.files))
    shown(page)
    again = workspace.files.in_order[-1]
    assert (again.path, again.number != file.number) == (file.path, True)
    assert [ref.name for ref in page.compare.sides] == names
    assert page.compare.sides[which].file == again.number
    assert workspace.selection.value == Selection(again.number, at)


def test_a_file_that_changed_on_disk_is_said_to_and_stays_compared_until_it_is_read_again(
    window: MainWindow, tmp_path: Path
) -> None:
    page = compared(window, *written(tmp_path, 2))
    workspace = window.desk.workspace
    before = page.compare.rows
    workspace.growth.turn(on=False)
    told: list[str] = []
    workspace.messages.posted.connect(told.append)
    until(lambda: len(window._disk.watch._states) == 2)
    session(tmp_path / "before.json", ("Where?", [PARK], "There."), ("And then?", [PIKE], "Home."))
    until(lambda: any("changed on disk" in words for words in told))
    assert page.compare.rows is before
    assert before is not None
    assert len(before.differences) == 1
    keys = Keyboard(window)
    page.rows.setFocus()
    keys.press(Qt.Key.Key_N)  # selects the session, whose row it is
    keys.press(Qt.Key.Key_R, CONTROL)
    until(lambda: all(one.state is FileState.READY for one in workspace.files))
    shown(page)
    assert page.compare.rows is not before
    assert page.compare.rows is not None
    assert [page.compare.rows.row(at).cells[0] for at in page.compare.rows.differences] == [None]  # the second turn
