"""“Save evidence” in the File menu: what is selected, all of a run, or two runs, opened again where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.formats import adk_files
from tests.views.doing import trigger, wait_for
from tests.views.tales import opened
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.shell.main_window import MainWindow

pytestmark = pytest.mark.shared_window


def saved(window: MainWindow, action: str, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trigger the action, and wait for the file that is named."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_given: (str(target), ""))
    trigger(window, action)
    assert wait_for(lambda: not window.desk.jobs.busy)
    assert target.exists(), window.statusBar().currentMessage()


def test_a_case_of_the_run_opens_again_at_the_selected_turn(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = window.desk.workspace
    file = opened(workspace)
    top = next(top for top in file.table.tops if file.table.name(top) == "fails")
    turn = file.table.turns(top)[0]
    workspace.selection.select(Selection(file.number, turn))
    target = tmp_path / "evidence.html"
    saved(window, "evidence-cases", target, monkeypatch)
    contents = open_file(target).contents
    assert [trace.case_id or trace.id for trace in contents.traces] == ["fails"]
    assert [verdict.status.value for verdict in contents.reported] == ["FAILED"]


@pytest.mark.parametrize("kind", [Kind.TRACE, Kind.CASE])
def test_a_file_without_a_run_opens_again_at_the_selected_turn_and_is_not_evaluated(
    kind: Kind, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, path, target = window.desk.workspace, tmp_path / "result.json", tmp_path / "evidence.html"
    path.write_text(adk_files.RESULT)
    file = read(window, str(path))
    turn = file.table.turns(next(top for top in file.table.tops if file.table.kind(top) is kind))[0]
    workspace.selection.select(Selection(file.number, turn))
    words = file.table.label(turn)
    saved(window, "evidence-run", target, monkeypatch)
    workspace.files.close(file.number)
    workspace.first_look.open_given([str(target)])
    pack = read(window)
    place = workspace.selection.value
    assert place is not None
    assert pack.table.kind(place.row) is Kind.TURN
    assert pack.table.label(place.row) == words
    assert pack.table.kind(pack.table.top_of(place.row)) is kind
    statuses = [pack.reported.status(top) for top in pack.table.tops if pack.table.kind(top) is Kind.TRACE]
    assert statuses == [Status.FAILED, Status.PASSED]
    assert workspace.run.value is None or not workspace.run.value.has_files, "nothing is computed over placeholders"


def read(window: MainWindow, path: str = "") -> OpenFile:
    """The file that was opened last, when it is read."""
    files = window.desk.workspace.files
    if path:
        files.open([path])
    file = files.by_number[max(files.by_number)]
    assert wait_for(lambda: file.state is FileState.READY)
    return file


def test_the_selected_turns_alone(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = window.desk.workspace
    file = opened(workspace)
    top = max(file.table.tops, key=lambda top: len(file.table.turns(top)))
    turn = file.table.turns(top)[-1]
    workspace.selection.select(Selection(file.number, turn))
    saved(window, "evidence-turns", tmp_path / "evidence.html", monkeypatch)
    (trace,) = open_file(tmp_path / "evidence.html").contents.traces
    assert [turn.index for turn in trace.turns] == [0]


def test_all_of_the_run(window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = window.desk.workspace
    opened(workspace)
    saved(window, "evidence-run", tmp_path / "evidence.html", monkeypatch)
    contents = open_file(tmp_path / "evidence.html").contents
    run = workspace.run.value
    assert run is not None
    assert len(contents.reported) == sum(verdict.trace_id is not None for verdict in run.cases)
