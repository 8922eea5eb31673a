"""The sessions of a folder are listed by what they are about, beside reading them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.formats.claude_code_files import session
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.models.workspace.workspace_model import WorkspaceModel
from trace_inspector.work.processes.child import Child
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.reading import loading
from trace_inspector.work.reading.file_messages import Outlined

WAIT_MS = 60_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of two sessions, a sub-agent, and a file in lines that is none."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name, title in (("a1", "Parking"), ("b2", "Prices")):
        lines = [{"type": "ai-title", "aiTitle": title, "sessionId": name}, *session()]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (folder / "c3.jsonl").write_text('{"role": "user", "content": "Hi"}\n', encoding="utf-8")
    return folder


def test_what_sessions_are_about_is_told_by_their_beginnings(project: Path) -> None:
    files = [(number, str(path)) for number, path in enumerate([*sorted(project.iterdir()), project / "gone.jsonl"])]
    told = [pickle.loads(message) for message in Child(loading.outline, (files,)).messages()]
    listed = [message for message in told if isinstance(message, Outlined)]
    assert [(one.file, one.outline.title) for one in listed][:2] == [(0, "Parking"), (1, "Prices")]
    outlines = [one.outline for one in listed]
    assert all(one.model and one.start_s and one.size_bytes for one in outlines[:2])


def test_sessions_of_a_folder_go_by_their_titles(
    workspace: Workspace, jobs: Jobs, qtbot: QtBot, project: Path
) -> None:
    model = WorkspaceModel(workspace)
    workspace.files.open([project])
    qtbot.waitUntil(lambda: len(workspace.files) == 3 and not jobs.busy, timeout=WAIT_MS)
    labels = {file.name: file.label for file in workspace.files}
    assert (labels["a1.jsonl"], labels["b2.jsonl"]) == ("Parking", "Prices")
    heading = model.index(0, 0)
    shown = [model.index(row, 0, heading) for row in range(model.rowCount(heading))]
    assert {"Parking", "Prices"} <= {index.data() for index in shown}
    (tip,) = [index.data(Qt.ItemDataRole.ToolTipRole) for index in shown if index.data() == "Parking"]
    path, facts = tip.splitlines()
    assert path == str(project / "a1.jsonl")
    assert facts.startswith("20")
    assert facts.endswith(" MB")


def test_a_session_keeps_its_title_when_it_is_read_again(
    workspace: Workspace, jobs: Jobs, qtbot: QtBot, project: Path
) -> None:
    workspace.files.open([project])
    qtbot.waitUntil(lambda: len(workspace.files) == 3 and not jobs.busy, timeout=WAIT_MS)
    (number,) = [file.number for file in workspace.files if file.name == "a1.jsonl"]
    workspace.files.reload(number)
    qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
    assert [file.label for file in workspace.files if file.name == "a1.jsonl"] == ["Parking"]


def test_a_single_session_goes_by_the_name_of_its_file(
    workspace: Workspace, jobs: Jobs, qtbot: QtBot, project: Path
) -> None:
    workspace.files.open([project / "a1.jsonl"])
    qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
    assert [file.label for file in workspace.files] == ["a1.jsonl"]
