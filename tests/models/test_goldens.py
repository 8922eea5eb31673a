"""Editing goldens in the window's model, with the real child: what is shown, undone, saved and scored again."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Answers, Calls, ExpectedCall, GoldenChange
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.golden.recoverable_edits import RecoverableEdits
from trace_inspector.core.trace.trace import answer_text, calls_of
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.goldens.recovery import find_recoverable
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs

WAIT_MS = 60_000


def said(text: str, role: str) -> JsonObject:
    return {"role": role, "parts": [{"text": text}]}


def invocation(city: str, answer: str) -> JsonObject:
    return {
        "invocation_id": f"inv-{city}",
        "user_content": said(f"How is {city}?", "user"),
        "final_response": said(answer, "model"),
        "intermediate_data": {"tool_uses": [{"name": "weather", "args": {"city": city, "days": 3}}]},
    }


def event(number: str, author: str, content: JsonObject) -> JsonObject:
    return {"author": author, "invocation_id": "i", "id": number, "timestamp": float(number), "content": content}


def eval_set(path: Path, *cities: str, answer: str = "It rains.") -> Path:
    cases = [{"eval_id": city, "conversation": [invocation(city, answer)]} for city in cities]
    path.write_text(json.dumps({"eval_set_id": "weather", "eval_cases": cases}, indent=2) + "\n")
    return path


def with_city(city: str) -> Callable[[Case], list[GoldenChange]]:
    """The first call asks for another city."""

    def make(case: Case) -> list[GoldenChange]:
        turn = case.turns[0]
        call = calls_of(turn)[0]
        assert isinstance(call.args, dict)
        return [Calls(turn.place, (ExpectedCall(replace(call, args={**call.args, "city": city})),))]

    return make


def answering(text: str) -> Callable[[Case], list[GoldenChange]]:
    return lambda case: [Answers(case.turns[0].place, text)]


def city_of(workspace: Workspace, file: int, place: str) -> object:
    case = workspace.goldens.case(file, place)
    assert case is not None
    args = calls_of(case.turns[0])[0].args
    assert isinstance(args, dict)
    return args["city"]


def test_an_edit_shows_is_undone_and_done_again(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz")
    before = path.read_bytes()
    file = opened(path)
    place = workspace.goldens.places(file.number)[1]
    workspace.goldens.change(file.number, place, "Set city", with_city("Wels"))
    settled()
    assert city_of(workspace, file.number, place) == "Wels"
    assert any("Wels" in file.table.label(row) for row in range(len(file.table)))
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert (edited.is_changed, edited.unsaved) == (True, 1)
    assert workspace.steps.undoText() == "Set city"
    workspace.steps.undo()
    settled()
    assert city_of(workspace, file.number, place) == "Linz"
    assert not edited.is_changed
    workspace.steps.redo()
    settled()
    assert city_of(workspace, file.number, place) == "Wels"
    assert path.read_bytes() == before


def test_what_is_saved_is_one_line_and_undo_reaches_behind_it(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    path = eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz")
    before = path.read_text().splitlines()
    file = opened(path)
    place = workspace.goldens.places(file.number)[0]
    workspace.goldens.change(file.number, place, "Set city", with_city("Wels"))
    workspace.goldens.save(file.number)
    settled()
    after = path.read_text().splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [line.strip() for line in changed] == ['"city": "Wels",']
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert not edited.is_changed
    workspace.steps.undo()
    settled()
    assert (edited.is_changed, edited.unsaved) == (True, 1)
    assert city_of(workspace, file.number, place) == "Graz"


def test_words_typed_one_after_the_other_are_one_step(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz"))
    place = workspace.goldens.places(file.number)[0]
    for text in ("It", "It sn", "It snows."):
        workspace.goldens.change(file.number, place, "Type the answer", answering(text), key="answer")
    settled()
    case = workspace.goldens.case(file.number, place)
    assert case is not None
    assert answer_text(case.turns[0]) == "It snows."
    assert workspace.steps.count() == 1
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert edited.unsaved == 1
    workspace.steps.undo()
    settled()
    case = workspace.goldens.case(file.number, place)
    assert case is not None
    assert answer_text(case.turns[0]) == "It rains."


def test_rows_of_two_large_files_do_not_stop_each_other(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    paths = [eval_set(tmp_path / f"{name}.evalset.json", *["Graz"] * 400) for name in ("one", "two")]
    opened(*paths)
    for file in workspace.files:
        workspace.goldens.change(file.number, workspace.goldens.places(file.number)[0], "Set city", with_city("Wels"))
    settled()
    for file in workspace.files:
        assert any("Wels" in file.table.label(row) for row in range(len(file.table)))


def test_what_changes_nothing_is_no_step(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz"))
    workspace.goldens.change(file.number, workspace.goldens.places(file.number)[0], "Set", with_city("Graz"))
    settled()
    assert not workspace.steps.canUndo()


def test_cases_that_go_take_nobody_elses_edit_along(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz", "Wels"))
    first, _second, third = workspace.goldens.places(file.number)
    workspace.goldens.arrange(file.number, "Delete the first case", lambda places: places[1:])
    workspace.goldens.change(file.number, third, "Set city", with_city("Enns"))  # asked for before the first is gone
    workspace.goldens.change(file.number, first, "Set city", with_city("nowhere"))
    settled()
    now = workspace.goldens.places(file.number)
    assert [city_of(workspace, file.number, place) for place in now] == ["Linz", "Enns"]
    for _step in range(workspace.steps.index()):
        workspace.steps.undo()
    settled()
    now = workspace.goldens.places(file.number)
    assert [city_of(workspace, file.number, place) for place in now] == ["Graz", "Linz", "Wels"]


Evaluated = tuple[OpenFile, CurrentRun, int]


@pytest.fixture
def evaluated(
    opened: Callable[..., OpenFile], workspace: Workspace, jobs: Jobs, qtbot: QtBot, tmp_path: Path
) -> Callable[..., Evaluated]:
    """Judges goldens about cities by a conversation about Graz: their file, the run, and the index of Graz in it."""

    def do(*cities: str) -> Evaluated:
        call: JsonObject = {"id": "c", "name": "weather", "args": {"city": "Graz", "days": 3}}
        trace = {
            "app_name": "weather", "user_id": "u", "id": "s1", "state": {}, "last_update_time": 1.0,
            "events": [
                event("1", "user", said("How is Graz?", "user")),
                event("2", "agent", {"role": "model", "parts": [{"function_call": call}]}),
                event("3", "agent", said("It rains.", "model")),
            ],
        }  # fmt: skip
        observed = tmp_path / "session.json"
        observed.write_text(json.dumps(trace))
        file = opened(eval_set(tmp_path / "weather.evalset.json", *cities), observed)
        workspace.evaluation.ask_to_start()
        qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT_MS)
        run = workspace.run.value
        assert run is not None
        assert run.verdict is not None
        at = next(at for at, case in enumerate(run.cases) if case.case_id == "Graz" and case.trace_id)
        assert run.cases[at].status is Status.PASSED
        return file, run, at

    return do


def test_the_verdict_stays_with_its_case_when_the_one_before_it_goes(
    evaluated: Callable[..., Evaluated], settled: Callable[[], None], workspace: Workspace
) -> None:
    file, run, at = evaluated("Linz", "Graz")
    workspace.goldens.change(file.number, workspace.goldens.places(file.number)[1], "Set city", with_city("Wels"))
    settled()
    assert run.cases[at].status is Status.FAILED
    workspace.goldens.arrange(file.number, "Delete the first case", lambda places: places[1:])
    settled()
    (place,) = workspace.goldens.places(file.number)
    workspace.goldens.change(file.number, place, "Set city", with_city("Graz"))
    settled()
    assert (run.cases[at].status, run.cases[at].golden_place) == (Status.PASSED, place)


@pytest.mark.parametrize("seen_before", [False, True], ids=["at once", "seen before"])
def test_the_verdict_follows_the_edit_and_the_undo(
    evaluated: Callable[..., Evaluated], settled: Callable[[], None], workspace: Workspace, seen_before: bool
) -> None:
    file, run, at = evaluated("Graz", "Linz")
    judged = run.cases[at]
    place = workspace.goldens.places(file.number)[0]
    if seen_before:
        workspace.goldens.begin(file.number)
        workspace.goldens.expect_change(file.number, place)
        settled()
        assert workspace.goldens._scoring.judged(file.number, (place,)) == ()
    workspace.goldens.change(file.number, place, "Set city", with_city("Wels"))
    settled()
    assert run.cases[at].status is Status.FAILED
    trace_file = workspace.files.in_order[1]
    assert workspace.verdicts.mark_of(trace_file.number, trace_file.table.tops[0]) == "failed"

    def ignore(case: Case) -> list[GoldenChange]:
        call = calls_of(case.turns[0])[0]
        return [Calls(case.turns[0].place, (ExpectedCall(call, (Matcher("/city", Match.IGNORE),)),))]

    workspace.goldens.change(file.number, place, "Ignore city", ignore)
    settled()
    metrics = {verdict.metric: (verdict.status, verdict.score) for verdict in run.cases[at].metrics}
    assert metrics["trajectory_match"] == (Status.PASSED, 1.0)
    assert metrics["tool_trajectory_avg_score"] == (Status.INFORMATIONAL, 0.0)
    assert "trajectory_match" in [line.name for line in run.scored]
    for _step in range(2):
        workspace.steps.undo()
    settled()
    assert run.cases[at] == judged


def with_one_more(new: Case, places: tuple[str, ...]) -> list[str | Case]:
    return [*places, new]


def kill_child(workspace: Workspace, file: int) -> None:
    """The process that edits ends in the hardest way."""
    edited = workspace.goldens.edited(file)
    assert edited is not None
    os.kill(edited.process, signal.SIGKILL)


def test_editing_goes_on_when_the_process_that_edits_is_killed(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz", "Linz"))
    first, second = workspace.goldens.places(file.number)
    said: list[str] = []
    workspace.messages.posted.connect(said.append)
    workspace.goldens.change(file.number, first, "Set city", with_city("Wels"))
    settled()
    kill_child(workspace, file.number)
    workspace.goldens.change(file.number, second, "Set city", with_city("Enns"))
    settled()
    assert any("all edits are still there" in sentence for sentence in said)
    assert [city_of(workspace, file.number, place) for place in (first, second)] == ["Wels", "Enns"]
    edited = workspace.goldens.edited(file.number)
    assert edited is not None
    assert (edited.unsaved, edited.problem) == (2, "")
    kill_child(workspace, file.number)
    workspace.steps.undo()
    workspace.steps.undo()
    settled()
    assert [city_of(workspace, file.number, place) for place in (first, second)] == ["Graz", "Linz"]
    workspace.steps.redo()
    workspace.goldens.save(file.number)
    kill_child(workspace, file.number)
    settled()
    assert "Wels" in file.path.read_text()
    assert not edited.is_changed
    assert find_recoverable() == RecoverableEdits()


def test_what_was_asked_when_the_process_was_killed_is_made_once(
    opened: Callable[..., OpenFile], settled: Callable[[], None], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Graz"))
    (place,) = workspace.goldens.places(file.number)
    goldens = workspace.goldens
    goldens.change(file.number, place, "Begin", answering("0"))
    settled()
    for number in range(1, 5):
        new = Case(f"new {number}", "weather", turns=())
        goldens.arrange(file.number, "Add", partial(with_one_more, new))
        if number % 2:
            kill_child(workspace, file.number)
        settled()
        assert len(goldens.places(file.number)) == number + 1
    for _step in range(5):
        workspace.steps.undo()
    settled()
    assert len(goldens.places(file.number)) == 1
    edited = goldens.edited(file.number)
    assert edited is not None
    assert not edited.is_changed
