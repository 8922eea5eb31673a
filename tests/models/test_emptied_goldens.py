"""A file of which all goldens are taken out keeps its format: it is shown, goes on, is saved and taken up again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.core.values.values import Json
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer

WAIT_MS = 60_000


def evaluation(name: str) -> dict[str, Json]:
    turn: Json = {
        "steps": [{"userInput": {"text": "Hello"}}, {"expectation": {"agentResponse": {"chunks": [{"text": "Hi."}]}}}]
    }
    return {
        "name": f"projects/p/locations/l/apps/a/evaluations/{name}",
        "displayName": name,
        "golden": {"turns": [turn]},
    }


ITEMS: dict[str, Json] = {
    "list": [evaluation("one"), evaluation("two")],
    "reply": {"evaluations": [evaluation("one")]},
}


@pytest.fixture
def settle(qtbot: QtBot, workspace: Workspace) -> Callable[[], None]:
    def do() -> None:
        done: list[bool] = []
        workspace.goldens.settled(lambda: done.append(True))
        qtbot.waitUntil(lambda: bool(done), timeout=WAIT_MS)

    return do


def opened(qtbot: QtBot, workspace: Workspace, jobs: Jobs, path: Path, value: Json) -> OpenFile:
    path.write_text(json.dumps(value, indent=2) + "\n")
    workspace.files.open([path])
    qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
    (file,) = workspace.files
    assert (file.state, file.format) == (FileState.READY, "ces-evaluation")
    return file


@pytest.mark.parametrize("kind", list(ITEMS))
def test_what_is_emptied_is_still_of_its_format(
    qtbot: QtBot, workspace: Workspace, jobs: Jobs, settle: Callable[[], None], tmp_path: Path, kind: str
) -> None:
    file = opened(qtbot, workspace, jobs, tmp_path / "goldens.json", ITEMS[kind])
    tops = len(file.table.tops)
    workspace.goldens.arrange(file.number, "Delete all", lambda _places: ())
    settle()
    assert workspace.goldens.places(file.number) == ()
    assert (file.format, file.sentence, file.state) == ("ces-evaluation", "", FileState.READY)
    assert [file.table.label(row) for row in file.table.tops if file.table.place(row)] == []
    workspace.steps.undo()
    settle()
    assert len(file.table.tops) == tops


def test_what_was_left_behind_empty_is_taken_up_again(
    qtbot: QtBot, workspace: Workspace, jobs: Jobs, settle: Callable[[], None], tmp_path: Path
) -> None:
    file = opened(qtbot, workspace, jobs, tmp_path / "goldens.json", ITEMS["list"])
    workspace.goldens.arrange(file.number, "Delete all", lambda _places: ())
    settle()
    workspace.goldens.leave(file.number, forget=False)
    settle()
    (mine,) = find_recoverable().recoverable
    answers: list[Answer] = []
    workspace.goldens.take_up(file.number, str(mine.journal), answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=WAIT_MS)
    assert answers[0].sentence == ""
    settle()
    assert (workspace.goldens.places(file.number), file.unsaved) == ((), 1)
