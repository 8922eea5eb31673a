"""Goldens that are edited while a run goes on: no verdict of the golden before is shown as one of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.models.conftest import WAIT_MS
from tests.models.stories import begin, judge
from tests.models.test_goldens import eval_set, event, said, with_city
from trace_inspector.core.outdated import STALE
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.core.verdict import RunVerdict, Status
from trace_inspector.flows.evaluate_files import Request, evaluate, open_given
from trace_inspector.models.open_file import OpenFile
from trace_inspector.models.workspace import Workspace
from trace_inspector.work.evaluating import CasesJudged, RunBegun, RunEnded

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CITIES = ("Graz", "Linz", "Wels", "Enns")


def sessions(path: Path, *cities: str) -> Path:
    """What was observed: the very calls and answers."""
    listed: list[Json] = []
    for city in cities:
        call: JsonObject = {"function_call": {"id": "1", "name": "weather", "args": {"city": city, "days": 3}}}
        events: list[Json] = [
            event("1", "user", said(f"How is {city}?", "user")),
            event("2", "agent", {"role": "model", "parts": [call]}),
            event("3", "agent", said("It rains.", "model")),
        ]
        listed.append(
            {"app_name": "a", "user_id": "u", "id": city, "state": {}, "last_update_time": 1, "events": events}
        )
    path.write_text(json.dumps(listed))
    return path


def told(folder: Path) -> tuple[list[Path], RunBegun, RunVerdict]:
    """Goldens and what was observed, and what a run says of them, from its beginning."""
    paths = [eval_set(folder / "weather.evalset.json", *CITIES), sessions(folder / "observed.json", *CITIES)]
    begun: list[RunBegun] = []
    request = Request(open_given(paths[1:]), open_given(paths[:1]))
    verdict = evaluate(request, begun=lambda *head: begun.append(RunBegun(*head)))
    assert [case.status for case in verdict.cases] == [Status.PASSED] * len(CITIES)
    return paths, begun[0], verdict


def test_what_arrives_later_is_out_of_date_and_on_its_own_case(
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, _begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    goldens = workspace.goldens
    first, second, third, last = goldens.places(file.number)
    goldens.change(file.number, third, "Ask for Bonn", with_city("Bonn"))
    goldens.arrange(file.number, "Take Graz out, Enns first", lambda _places: (last, second, third))
    settled()
    judge(workspace, run, verdict)
    shown = {case.case_id: (case.golden_place, case.status, case.reason) for case in run.cases}
    assert shown == {
        "Graz": ("", Status.PASSED, ""),
        "Linz": (second, Status.PASSED, ""),
        "Wels": (third, Status.PENDING, STALE),
        "Enns": (first, Status.PASSED, ""),
    }
    assert workspace.counts(file.number).failed == 0
    assert run.verdict is not None
    assert run.verdict.status is Status.PENDING
    goldens.change(file.number, first, "Ask for Bari", with_city("Bari"))
    settled()
    assert {case.case_id: case.status for case in run.cases}["Enns"] is Status.PENDING


def test_what_had_arrived_is_scored_again_at_once(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    take = workspace.evaluation.take
    take(run, begun)
    take(run, CasesJudged(verdict.cases[:2]))
    first, second, third, _last = workspace.goldens.places(file.number)
    for place in (first, third):
        workspace.goldens.change(file.number, place, "Ask for Bonn", with_city("Bonn"))
    settled()
    assert [case.status for case in run.cases] == [Status.FAILED, Status.PASSED]
    take(run, CasesJudged(verdict.cases[2:]))
    take(run, RunEnded(replace(verdict, cases=())))
    assert [case.status for case in run.cases] == [Status.FAILED, Status.PASSED, Status.PENDING, Status.PASSED]
    assert run.verdict is not None
    assert run.verdict.status is Status.FAILED
    qtbot.waitUntil(lambda: run.cases[2].status is not Status.PENDING, timeout=WAIT_MS)
    assert [case.status for case in run.cases] == [Status.FAILED, Status.PASSED, Status.FAILED, Status.PASSED]
    workspace.steps.undo()
    workspace.steps.undo()
    settled()
    assert (tuple(run.cases), run.verdict) == (verdict.cases, replace(verdict, cases=()))
    assert second == run.cases[1].golden_place


def test_what_arrives_later_is_scored_as_its_case_is_now_wherever_that_stands(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    take, goldens = workspace.evaluation.take, workspace.goldens
    take(run, begun)
    graz, linz, wels, enns = goldens.places(file.number)
    goldens.change(file.number, wels, "Ask for Bonn", with_city("Bonn"))
    goldens.change(file.number, enns, "Ask for Bonn", with_city("Bonn"))
    goldens.arrange(file.number, "Turn them round", lambda _places: (enns, wels, linz))
    goldens.change(file.number, graz, "Ask for Enns", with_city("Enns"))
    settled()
    for case in verdict.cases:  # one after the other, while those before are judged again
        take(run, CasesJudged((case,)))
    take(run, RunEnded(replace(verdict, cases=())))
    # They are asked for one by one.
    qtbot.waitUntil(lambda: all(case.status is not Status.PENDING for case in run.cases), timeout=WAIT_MS)
    assert {case.case_id: (case.golden_place, case.status) for case in run.cases} == {
        "Graz": ("", Status.PASSED),
        "Linz": (wels, Status.PASSED),
        "Wels": (linz, Status.FAILED),
        "Enns": (graz, Status.FAILED),
    }
    for _step in range(4):
        workspace.steps.undo()
    settled()
    assert [(case.case_id, case.status) for case in run.cases[1:]] == [
        (case.case_id, Status.PASSED) for case in verdict.cases[1:]
    ]


def test_what_arrives_while_an_edit_is_on_its_way_is_scored_as_well(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    take, goldens = workspace.evaluation.take, workspace.goldens
    graz, linz, wels, enns = goldens.places(file.number)
    goldens.change(file.number, graz, "Ask for Bonn", with_city("Bonn"))
    settled()
    take(run, begun)  # after the first edit: what the run judges is known all the same
    goldens.arrange(file.number, "Turn them round", lambda _places: (enns, wels, linz, graz))
    goldens.change(file.number, wels, "Ask for Bonn", with_city("Bonn"))
    take(run, CasesJudged(verdict.cases))  # nothing of the last two edits is answered yet
    settled()
    qtbot.waitUntil(lambda: all(case.status is not Status.PENDING for case in run.cases), timeout=WAIT_MS)
    assert [(case.case_id, case.golden_place, case.status) for case in run.cases] == [
        ("Graz", enns, Status.FAILED),
        ("Linz", wels, Status.PASSED),
        ("Wels", linz, Status.FAILED),
        ("Enns", graz, Status.PASSED),
    ]


def test_the_verdict_comes_back_with_a_golden_that_was_taken_out(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    workspace.evaluation.take(run, begun)
    judge(workspace, run, verdict)
    goldens = workspace.goldens
    graz, linz, wels, enns = goldens.places(file.number)
    goldens.change(file.number, linz, "Ask for Bonn", with_city("Bonn"))
    goldens.arrange(file.number, "Take two out", lambda _places: (enns, graz))
    settled()
    assert [case.golden_place for case in run.cases] == [linz, "", "", graz]
    workspace.steps.undo()
    settled()
    qtbot.waitUntil(lambda: all(case.status is not Status.PENDING for case in run.cases), timeout=WAIT_MS)
    told_now = [(case.golden_place, case.status) for case in run.cases]
    assert told_now == [(graz, Status.PASSED), (linz, Status.FAILED), (wels, Status.PASSED), (enns, Status.PASSED)]
    verdicts = run.on(file)
    assert [verdicts.status(top) for top in file.table.tops] == [status for _place, status in told_now]
    workspace.steps.undo()
    settled()
    assert tuple(run.cases) == verdict.cases
    workspace.steps.redo()
    workspace.steps.redo()
    settled()
    assert [case.golden_place for case in run.cases] == [linz, "", "", graz]


def test_the_verdict_finds_a_golden_that_was_taken_out_and_put_in_again_before(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    workspace.evaluation.take(run, begun)
    goldens = workspace.goldens
    graz, linz, wels, enns = goldens.places(file.number)
    goldens.change(file.number, linz, "Ask for Bonn", with_city("Bonn"))
    goldens.arrange(file.number, "Take two out", lambda _places: (enns, graz))
    settled()
    workspace.steps.undo()
    settled()
    judge(workspace, run, verdict)
    qtbot.waitUntil(lambda: all(case.status is not Status.PENDING for case in run.cases), timeout=WAIT_MS)
    assert [(case.golden_place, case.status) for case in run.cases] == [
        (graz, Status.PASSED),
        (linz, Status.FAILED),
        (wels, Status.PASSED),
        (enns, Status.PASSED),
    ]


def test_a_verdict_that_waits_for_a_golden_which_goes_waits_no_more(
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, _begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    goldens = workspace.goldens
    goldens.change(file.number, goldens.places(file.number)[0], "Ask for Bonn", with_city("Bonn"))
    settled()
    judge(workspace, run, verdict)  # by a run of which nobody heard what it rests on
    assert [case.status for case in run.cases] == [Status.PENDING, *[Status.PASSED] * 3]
    goldens.arrange(file.number, "Take it out", lambda places: places[1:])
    settled()
    assert [case.status for case in run.cases] == [Status.PASSED] * 4
    assert run.cases[0].golden_place == ""


def test_what_arrives_for_a_file_that_was_closed_meanwhile_is_left_alone(
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> None:
    paths, begun, verdict = told(tmp_path)
    file = opened(*paths)
    run = begin(workspace)
    take = workspace.evaluation.take
    said: list[str] = []
    workspace.message.connect(said.append)
    take(run, begun)
    for place in workspace.goldens.places(file.number):
        workspace.goldens.change(file.number, place, "Ask for Bonn", with_city("Bonn"))
    settled()
    take(run, CasesJudged(verdict.cases))
    workspace.close(file.number)
    settled()
    assert {case.status for case in run.cases[1:]} == {Status.PENDING}
    assert not said
