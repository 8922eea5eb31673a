"""Folders that are one document in the workspace: one file with everything, whose rows lead each into its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.formats import ces_app_files as made
from tests.formats import openhands_files
from tests.models.test_workspace import WAIT_MS, read_raw
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs


@pytest.fixture
def finish(qtbot: QtBot, jobs: Jobs) -> Callable[[], None]:
    return lambda: qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)


def test_an_app_opens_as_one_file_and_raw_shows_the_file_that_a_row_stands_in(
    workspace: Workspace, qtbot: QtBot, finish: Callable[[], None], tmp_path: Path
) -> None:
    path = made.put(tmp_path / "seats", made.members())
    workspace.files.open([path])
    finish()
    (file,) = workspace.files
    assert (file.path, file.state, file.format) == (path, FileState.READY, "ces-app")
    assert file.criteria is not None
    rows = [row for row in range(len(file.table)) if file.table.place(row).endswith("Book_a_seat.json")]
    shown = read_raw(qtbot, workspace, Selection(file.number, rows[0]))
    assert shown.lines[1].strip() == f'"name": "{made.EVALUATION}",'
    agent = next(row for row in range(len(file.table)) if file.table.place(row) == "/agents~1desk~1desk.json")
    assert '"displayName": "Desk",' in "\n".join(read_raw(qtbot, workspace, Selection(file.number, agent)).lines)
    workspace.files.open([f"{path}#/agents~1desk~1desk.json"])
    finish()
    assert len(workspace.files) == 1
    assert workspace.selection.value == Selection(file.number, agent)


def test_an_app_opens_at_a_place_in_one_of_its_files(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path
) -> None:
    path = made.archived(tmp_path / "seats.zip", made.members())
    workspace.files.open([f"{path}#/agents~1clerk~1clerk.json"])
    finish()
    (file,) = workspace.files
    assert workspace.selection.value is not None
    assert file.table.place(workspace.selection.value.row) == "/agents~1clerk~1clerk.json"


def test_a_file_of_an_app_opens_by_itself_at_its_place(
    workspace: Workspace, finish: Callable[[], None], tmp_path: Path
) -> None:
    path = made.archived(tmp_path / "seats.zip", made.members())
    workspace.files.open([f"{path}/evaluations/Book_a_seat/Book_a_seat.json#/golden/turns/0"])
    finish()
    (file,) = workspace.files
    assert (file.format, file.state) == ("ces-evaluation", FileState.READY)
    assert workspace.selection.value is not None
    assert file.table.place(workspace.selection.value.row) == "/golden/turns/0"


def test_a_conversation_of_openhands_opens_as_one_file(
    workspace: Workspace, qtbot: QtBot, finish: Callable[[], None], tmp_path: Path
) -> None:
    for name in ("one", "two"):
        openhands_files.put_folder(tmp_path / "talks" / name, openhands_files.folder())
    workspace.files.open([tmp_path / "talks"])
    finish()
    assert [(file.path.name, file.format, file.state) for file in workspace.files] == [
        ("one", "openhands", FileState.READY),
        ("two", "openhands", FileState.READY),
    ]
    file = next(iter(workspace.files))
    places = [file.table.place(row) for row in range(len(file.table))]
    event = "/" + openhands_files.event_file(2).replace("/", "~1")
    row = next(row for row, place in enumerate(places) if place.startswith(event))
    shown = read_raw(qtbot, workspace, Selection(file.number, row))
    assert '"command' in "".join(shown.lines)
    assert len({place for place in places if place.startswith("/events~1")}) >= 5
