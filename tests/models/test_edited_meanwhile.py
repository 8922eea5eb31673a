"""Goldens that are edited while a run goes on: no verdict of the golden before is shown as one of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.models.stories import begin, judge
from tests.models.test_goldens import eval_set, event, said, with_city
from trace_inspector.core.outdated import STALE
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.core.verdict import RunVerdict, Status
from trace_inspector.flows.evaluate_files import Request, evaluate, open_given
from trace_inspector.models.open_file import OpenFile
from trace_inspector.models.workspace import Workspace
from trace_inspector.work.evaluating import CasesJudged, RunBegun, RunEnded

CITIES = ("Graz", "Linz", "Wels", "Enns")


def sessions(path: Path) -> Path:
    """What was observed: the very calls and answers."""
    listed: list[Json] = []
    for city in CITIES:
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
    paths = [eval_set(folder / "weather.evalset.json", *CITIES), sessions(folder / "observed.json")]
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
    workspace.steps.undo()
    workspace.steps.undo()
    settled()
    assert [case.status for case in run.cases] == [Status.PASSED, Status.PASSED, Status.PENDING, Status.PASSED]
    assert (run.cases[0], run.cases[1]) == verdict.cases[:2]
    assert second == run.cases[1].golden_place
