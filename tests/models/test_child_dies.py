"""The process that edits goldens ends at the worst moment: what it did counts once, and nothing goes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.helpers.dying_goldens import VARIABLE, dying_service
from tests.models.test_goldens import WAIT_MS, answering, eval_set, kill_child
from tests.work.children import wait_for_ever
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.golden import queue as golden_queue
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.golden.requests import ListRecoverable
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer

Open = Callable[..., OpenFile]


@pytest.fixture
def ends_after(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    told = tmp_path / "ends-after"
    monkeypatch.setenv(VARIABLE, str(told))
    monkeypatch.setattr(golden_queue, "golden_service", dying_service)
    return told


@pytest.fixture
def file(ends_after: Path, opened: Open, tmp_path: Path) -> OpenFile:
    assert not ends_after.exists()
    return opened(eval_set(tmp_path / "w.evalset.json", "Graz"))


@pytest.fixture
def said(workspace: Workspace) -> list[str]:
    sentences: list[str] = []
    workspace.messages.posted.connect(sentences.append)
    return sentences


def answer(workspace: Workspace, file: OpenFile, text: str) -> None:
    (place,) = workspace.goldens.places(file.number)
    workspace.goldens.change(file.number, place, f"Answer {text}", answering(text))


def answered(workspace: Workspace, file: OpenFile) -> str:
    case = workspace.goldens.case(file.number, "/eval_cases/0")
    assert case is not None
    return answer_text(case.turns[0])


def test_one_undo_takes_one_step_back_also_where_two_things_were_on_their_way(
    file: OpenFile, ends_after: Path, settled: Callable[[], None], workspace: Workspace
) -> None:
    for text in "123":
        answer(workspace, file, text)
        settled()
    ends_after.write_text("Go")
    workspace.steps.undo()
    workspace.goldens.aside(ListRecoverable(), lambda _answer: None)
    settled()
    assert (answered(workspace, file), workspace.steps.undoText()) == ("2", "Answer 2")
    workspace.steps.redo()
    settled()
    assert answered(workspace, file) == "3"


def test_a_save_that_was_done_is_one_also_where_two_things_were_on_their_way(
    file: OpenFile, ends_after: Path, settled: Callable[[], None], workspace: Workspace, said: list[str]
) -> None:
    answer(workspace, file, "1")
    ends_after.write_text("Save")
    workspace.goldens.save(file.number)
    workspace.goldens.aside(ListRecoverable(), lambda _answer: None)
    settled()
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert (edited.is_changed, edited.problem, "Reload" in "".join(said)) == (False, "", False)
    answer(workspace, file, "2")
    settled()
    assert (answered(workspace, file), edited.is_changed) == ("2", True)


def test_a_save_under_another_name_that_was_done_is_not_done_again_with_what_was_there_before(
    file: OpenFile, ends_after: Path, settled: Callable[[], None], workspace: Workspace, qtbot: QtBot, tmp_path: Path
) -> None:
    before = file.path.read_bytes()
    answer(workspace, file, "precious")
    settled()
    old, other = file.path, tmp_path / "other.evalset.json"
    came: list[Answer] = []
    ends_after.write_text("Save")
    workspace.goldens.save(file.number, other, then=came.append)
    qtbot.waitUntil(lambda: bool(came), timeout=WAIT_MS)
    settled()
    assert came[0].sentence == ""
    assert (file.path, "precious" in other.read_text(), old.read_bytes()) == (other, True, before)
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert (answered(workspace, file), edited.is_changed, edited.problem) == ("precious", False, "")
    assert find_recoverable().recoverable == ()


def test_where_going_on_ends_it_again_and_again_it_is_given_up_and_the_edits_are_kept(
    file: OpenFile, ends_after: Path, settled: Callable[[], None], workspace: Workspace, said: list[str]
) -> None:
    answer(workspace, file, "1")
    settled()
    ends_after.write_text("GoOn always")
    kill_child(workspace, file.number)
    workspace.goldens.aside(ListRecoverable(), lambda _answer: None)
    answer(workspace, file, "2")
    settled()
    assert len(ends_after.with_suffix(".log").read_text()) == golden_queue.MOST_TRIES
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert edited.problem
    assert any("given up" in sentence for sentence in said)
    (left,) = find_recoverable().recoverable
    assert left.changes == 1


def test_editing_goes_on_where_the_end_was_noticed_while_nobody_waited_for_an_answer(
    file: OpenFile, settled: Callable[[], None], workspace: Workspace, said: list[str], jobs: Jobs, qtbot: QtBot
) -> None:
    answer(workspace, file, "1")
    settled()
    jobs.start("test", "Waiting", wait_for_ever, receive=lambda _message: None, end=lambda _job: None)
    (warm,) = [warm for service, warm in jobs._warm.items() if service is dying_service]
    kill_child(workspace, file.number)
    qtbot.waitUntil(lambda: warm._child is None, timeout=WAIT_MS)
    answer(workspace, file, "2")
    workspace.goldens.aside(ListRecoverable(), lambda _answer: None)
    settled()
    assert answered(workspace, file) == "2"
    assert any("all edits are still there" in sentence for sentence in said)
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert (edited.unsaved, edited.problem) == (2, "")
    workspace.steps.undo()
    settled()
    assert answered(workspace, file) == "1"


def test_a_file_that_could_not_be_edited_is_closed_without_a_word(
    opened: Open, workspace: Workspace, said: list[str], tmp_path: Path, qtbot: QtBot
) -> None:
    file = opened(eval_set(tmp_path / "w.evalset.json", "Graz"))
    file.path.write_text(file.path.read_text() + "\n")
    workspace.goldens.begin(file.number)
    qtbot.waitUntil(lambda: not workspace.goldens.busy, timeout=WAIT_MS)
    assert said.pop().startswith(f"{file.path}: The file is another one on disk")
    workspace.files.close(file.number)
    qtbot.waitUntil(lambda: not workspace.goldens.busy, timeout=WAIT_MS)
    assert said == []
