"""Runs that began by themselves take each other's places in the list; what people did anything with stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tests.flows.live.test_growing import golden_file
from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.runs.store_run import list_runs, load_run
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.runs.overruling import Target
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.runs.run_store import ListedRun

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

WAIT_MS = 60_000
Conversations: TypeAlias = Callable[[int], None]

pytestmark = pytest.mark.usefixtures("disk")


def lines(*numbers: int) -> bytes:
    return b"".join(
        request(turn_spans(number, f"c{number}", "one?", "one is the answer", at_ms=100 * number)) + b"\n"
        for number in numbers
    )


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    path = tmp_path / "spans.jsonl"
    path.write_bytes(lines(1))
    return path


@pytest.fixture
def judged(workspace: Workspace, opened: Callable[..., OpenFile], spans: Path, qtbot: QtBot) -> Conversations:
    """Waits until so many conversations have the verdicts of a run that is over and stored."""
    opened(golden_file(spans.parent, ("one?", "one is the answer")), spans)
    workspace.first_look.expect()

    def wait(conversations: int) -> None:
        def is_over() -> bool:
            run = workspace.run.value
            traces = {case.trace_id for case in run.cases if case.trace_path} if run is not None else set()
            return run is not None and run.verdict is not None and len(traces) == conversations

        qtbot.waitUntil(is_over, timeout=WAIT_MS)

    return wait


def ids() -> list[str]:
    return [line.id for line in list_runs().lines]


def shown_id(workspace: Workspace) -> str:
    run = workspace.run.value
    assert run is not None
    assert run.verdict is not None
    return run.verdict.id


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_a_file_that_grows_has_one_run_in_the_list(workspace: Workspace, spans: Path, judged: Conversations) -> None:
    for conversations in (1, 2, 3, 4):
        if conversations > 1:
            append(spans, lines(conversations))
        judged(conversations)
        assert ids() == [shown_id(workspace)]


def test_what_a_person_overruled_named_or_asked_for_stays(
    workspace: Workspace, jobs: Jobs, spans: Path, judged: Conversations, qtbot: QtBot
) -> None:
    judged(1)
    overruled = shown_id(workspace)
    workspace.runs.overruling.overrule(Target(0, None, None, "case", Status.PASSED), Status.FAILED, "no")
    append(spans, lines(2))
    judged(2)
    named = shown_id(workspace)
    assert ids() == [named, overruled]
    workspace.runs.rename(named, "before the change")
    append(spans, lines(3))
    judged(3)
    append(spans, lines(4))
    judged(4)
    newest = shown_id(workspace)
    assert ids() == [newest, named, overruled], "the one of three conversations is gone"
    workspace.evaluation.ask_to_start()
    qtbot.waitUntil(lambda: not jobs.busy and shown_id(workspace) != newest, timeout=WAIT_MS)
    asked_for = shown_id(workspace)
    append(spans, lines(5))
    judged(5)
    assert ids() == [shown_id(workspace), asked_for, newest, named, overruled]
    found = load_run(overruled)
    assert found is not None
    assert [overrule.status for overrule in found.overrules] == [Status.FAILED]


def test_a_baseline_stays(workspace: Workspace, spans: Path, judged: Conversations) -> None:
    judged(1)
    (line,) = list_runs().lines
    workspace.runs.baselines.choose(ListedRun(line))
    append(spans, lines(2))
    judged(2)
    assert ids() == [shown_id(workspace), line.id]


def test_a_file_that_is_written_anew_keeps_the_run_on_what_it_was(
    workspace: Workspace, spans: Path, judged: Conversations
) -> None:
    judged(1)
    before = shown_id(workspace)
    now = [(1, "something else"), (2, "one is the very answer")]
    written = [request(turn_spans(number, f"c{number}", "one?", said, at_ms=number)) + b"\n" for number, said in now]
    spans.write_bytes(b"".join(written))
    judged(2)
    assert ids() == [shown_id(workspace), before]
    run = workspace.run.value
    assert run is not None
    fared = {case.trace_id: case.status for case in run.cases}
    assert fared == {"c1": Status.FAILED, "c2": Status.PASSED}, "no verdict on what is not there any more stays"


def test_another_golden_makes_another_run(
    workspace: Workspace, opened: Callable[..., OpenFile], spans: Path, tmp_path: Path, judged: Conversations
) -> None:
    judged(1)
    before = shown_id(workspace)
    (tmp_path / "more").mkdir()
    opened(golden_file(tmp_path / "more", ("two?", "two")))
    append(spans, lines(2))
    judged(2)
    assert ids() == [shown_id(workspace), before]
