"""Goldens that are edited while a run goes on: no verdict of the golden before is shown as one of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from tests.models.conftest import WAIT_MS
from tests.models.stories import begin, judge
from tests.models.test_goldens import eval_set, event, said, with_city
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.stale import STALE
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.runs.evaluating import CasesJudged, RunBegun, RunEnded

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


@dataclass
class Story:
    """Goldens that are open, and a run on them of which nothing is said yet: its beginning and verdict are ready."""

    qtbot: QtBot
    workspace: Workspace
    settled: Callable[[], None]
    file: OpenFile
    run: CurrentRun
    begun: RunBegun
    verdict: RunVerdict

    @property
    def goldens(self) -> Goldens:
        return self.workspace.goldens

    @property
    def places(self) -> tuple[str, ...]:
        return self.goldens.places(self.file.number)

    def change(self, place: str) -> None:
        """Another city than was asked for is expected."""
        self.goldens.change(self.file.number, place, "Ask for Bonn", with_city("Bonn"))

    def arrange(self, *places: str) -> None:
        self.goldens.arrange(self.file.number, "Arrange", lambda _places: places)

    def begins(self) -> None:
        self.workspace.evaluation.take(self.run, self.begun)

    def arrives(self, *cases: CaseVerdict) -> None:
        self.workspace.evaluation.take(self.run, CasesJudged(cases))

    def ends(self) -> None:
        self.workspace.evaluation.take(self.run, RunEnded(replace(self.verdict, cases=())))

    def undo(self, steps: int = 1) -> None:
        for _step in range(steps):
            self.workspace.steps.undo()

    def scored(self) -> None:
        """Late verdicts are judged again one by one."""
        pending = Status.PENDING
        self.qtbot.waitUntil(lambda: all(case.status is not pending for case in self.run.cases), timeout=WAIT_MS)

    @property
    def statuses(self) -> list[Status]:
        return [case.status for case in self.run.cases]

    @property
    def shown(self) -> dict[str, tuple[str, Status]]:
        """By id, where the golden of each verdict stands, and what that says."""
        return {case.case_id: (case.golden_place, case.status) for case in self.run.cases}


@pytest.fixture
def story(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
) -> Story:
    paths = [eval_set(tmp_path / "weather.evalset.json", *CITIES), sessions(tmp_path / "observed.json", *CITIES)]
    begun: list[RunBegun] = []
    request = Request(open_given(paths[1:]), open_given(paths[:1]))
    verdict = evaluate(request, begun=lambda *head: begun.append(RunBegun(*head)))
    assert [case.status for case in verdict.cases] == [Status.PASSED] * len(CITIES)
    return Story(qtbot, workspace, settled, opened(*paths), begin(workspace), begun[0], verdict)


P, F, WAITS = Status.PASSED, Status.FAILED, Status.PENDING


def test_what_arrives_later_is_out_of_date_and_on_its_own_case(story: Story) -> None:
    _first, second, third, last = story.places
    story.change(third)
    story.arrange(last, second, third)
    story.settled()
    judge(story.workspace, story.run, story.verdict)  # nobody heard what it rests on
    first = story.places[0]
    assert story.shown == {"Graz": ("", P), "Linz": (second, P), "Wels": (third, WAITS), "Enns": (first, P)}
    assert [case.reason for case in story.run.cases] == ["", "", STALE, ""]
    assert story.workspace.verdicts.counts(story.file.number).failed == 0
    assert story.run.verdict is not None
    assert story.run.verdict.status is WAITS
    story.change(first)
    story.settled()
    assert story.shown["Enns"] == (first, WAITS)


def test_what_had_arrived_is_scored_again_at_once(story: Story) -> None:
    story.begins()
    story.arrives(*story.verdict.cases[:2])
    first, second, third, _last = story.places
    story.change(first)
    story.change(third)
    story.settled()
    assert story.statuses == [F, P]
    story.arrives(*story.verdict.cases[2:])
    story.ends()
    assert story.statuses == [F, P, WAITS, P]
    assert story.run.verdict is not None
    assert story.run.verdict.status is F
    story.scored()
    assert story.statuses == [F, P, F, P]
    story.undo(2)
    story.settled()
    assert (tuple(story.run.cases), story.run.verdict) == (story.verdict.cases, replace(story.verdict, cases=()))
    assert second == story.run.cases[1].golden_place


def test_what_arrives_later_is_scored_as_its_case_is_now_wherever_that_stands(story: Story) -> None:
    story.begins()
    graz, linz, wels, enns = story.places
    story.change(wels)
    story.change(enns)
    story.arrange(enns, wels, linz)
    story.settled()
    for case in story.verdict.cases:  # one after the other, while those before are judged again
        story.arrives(case)
    story.ends()
    story.scored()
    assert story.shown == {"Graz": ("", P), "Linz": (wels, P), "Wels": (linz, F), "Enns": (graz, F)}
    story.undo(3)
    story.settled()
    story.scored()
    assert story.shown == {"Graz": (graz, P), "Linz": (linz, P), "Wels": (wels, P), "Enns": (enns, P)}


def test_what_arrives_while_an_edit_is_on_its_way_is_scored_as_well(story: Story) -> None:
    graz, linz, wels, enns = story.places
    story.change(graz)
    story.settled()
    story.begins()  # after the first edit: what the run judges is known all the same
    story.arrange(enns, wels, linz, graz)
    story.change(wels)
    story.arrives(*story.verdict.cases)  # nothing of the last two edits is answered yet
    story.settled()
    story.scored()
    assert story.shown == {"Graz": (enns, F), "Linz": (wels, P), "Wels": (linz, F), "Enns": (graz, P)}


def test_the_verdict_comes_back_with_a_golden_that_was_taken_out(story: Story) -> None:
    story.begins()
    judge(story.workspace, story.run, story.verdict)
    graz, linz, wels, enns = story.places
    story.change(linz)
    story.arrange(enns, graz)
    story.settled()
    without = {"Graz": (linz, P), "Linz": ("", F), "Wels": ("", P), "Enns": (graz, P)}
    assert story.shown == without
    story.undo()
    story.settled()
    story.scored()
    assert story.shown == {"Graz": (graz, P), "Linz": (linz, F), "Wels": (wels, P), "Enns": (enns, P)}
    verdicts = story.run.on(story.file)
    assert [verdicts.status(top) for top in story.file.table.tops] == [P, F, P, P]
    story.undo()
    story.settled()
    assert tuple(story.run.cases) == story.verdict.cases
    story.workspace.steps.redo()
    story.workspace.steps.redo()
    story.settled()
    assert story.shown == without


def test_the_verdict_finds_a_golden_that_was_taken_out_and_put_in_again_before(story: Story) -> None:
    story.begins()
    graz, linz, wels, enns = story.places
    story.change(linz)
    story.arrange(enns, graz)
    story.settled()
    story.undo()
    story.settled()
    judge(story.workspace, story.run, story.verdict)
    story.scored()
    assert story.shown == {"Graz": (graz, P), "Linz": (linz, F), "Wels": (wels, P), "Enns": (enns, P)}


def test_a_verdict_that_waits_for_a_golden_which_goes_waits_no_more(story: Story) -> None:
    story.change(story.places[0])
    story.settled()
    judge(story.workspace, story.run, story.verdict)  # nobody heard what it rests on
    assert story.statuses == [WAITS, P, P, P]
    story.arrange(*story.places[1:])
    story.settled()
    assert story.statuses == [P] * 4
    assert story.run.cases[0].golden_place == ""


def test_what_arrives_for_a_file_that_was_closed_meanwhile_is_left_alone(story: Story) -> None:
    said: list[str] = []
    story.workspace.messages.posted.connect(said.append)
    story.begins()
    for place in story.places:
        story.change(place)
    story.settled()
    story.arrives(*story.verdict.cases)
    story.workspace.files.close(story.file.number)
    story.settled()
    assert story.statuses == [WAITS] * len(CITIES)
    assert not said
