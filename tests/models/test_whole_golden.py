"""A golden that is all of its file has no place in it: it is found, edited and kept in sight nonetheless."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.formats import ces_golden_files as ces
from tests.formats import vertex_golden_files as vertex
from tests.models.test_goldens import answering
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.golden.promotion import show_case
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs

WAIT_MS = 60_000
GOLDEN = ces.golden(ces.turn(ces.says(text="Hello"), ces.expects(agentResponse=ces.message("Hi."))))
SCENARIO: JsonObject = {"displayName": "Seats", "scenario": {"task": "Book a seat."}}
ITEM: JsonObject = json.loads(vertex.files(vertex.REQUESTS["asked"])["item"][0])


@pytest.fixture
def opened(qtbot: QtBot, workspace: Workspace, jobs: Jobs, tmp_path: Path) -> Callable[[JsonObject], OpenFile]:
    def do(value: JsonObject) -> OpenFile:
        path = tmp_path / "golden.json"
        path.write_text(json.dumps(value, indent=2) + "\n")
        workspace.files.open([path])
        qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
        return workspace.files.in_order[0]

    return do


@pytest.mark.parametrize("value", [GOLDEN, SCENARIO], ids=["golden", "scenario"])
def test_it_is_selected_where_it_is_shown(
    workspace: Workspace, opened: Callable[[JsonObject], OpenFile], value: JsonObject
) -> None:
    file = opened(value)
    (case,) = file.table.tops
    assert file.table.place(case) == ""
    show_case(workspace.files, workspace.selection, file.number, "")
    assert workspace.selection.value == Selection(file.number, case)


@pytest.mark.parametrize("value", [GOLDEN, SCENARIO, ITEM], ids=["golden", "scenario", "item"])
def test_it_is_selected_again_when_the_file_is_read_anew(
    qtbot: QtBot, workspace: Workspace, jobs: Jobs, opened: Callable[[JsonObject], OpenFile], value: JsonObject
) -> None:
    file = opened(value)
    rows = [-1, *range(len(file.table))]
    assert any(not file.table.place(row) for row in rows[1:])
    for row in rows:
        (file,) = workspace.files
        workspace.selection.select(Selection(file.number, row))
        workspace.files.reload(file.number)
        qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
        (again,) = workspace.files
        assert again.number > file.number
        assert workspace.selection.value == Selection(again.number, row)


def test_what_became_something_else_meanwhile_is_shown_as_a_file(
    qtbot: QtBot, workspace: Workspace, jobs: Jobs, opened: Callable[[JsonObject], OpenFile]
) -> None:
    file = opened(GOLDEN)
    (case,) = file.table.tops
    workspace.selection.select(Selection(file.number, case))
    for text in ("[]", "{"):
        file.path.write_text(text)
        workspace.files.reload(workspace.files.in_order[0].number)
        qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
        assert workspace.selection.value == Selection(workspace.files.in_order[0].number)


def test_it_stays_selected_when_its_rows_are_told_anew(
    qtbot: QtBot, workspace: Workspace, opened: Callable[[JsonObject], OpenFile]
) -> None:
    file = opened(GOLDEN)
    (case,) = file.table.tops
    workspace.selection.select(Selection(file.number, case))
    with qtbot.waitSignal(workspace.files.renewed, timeout=WAIT_MS):
        workspace.goldens.change(file.number, "", "Answer", answering("Good day."))
    assert workspace.selection.value == Selection(file.number, case)
