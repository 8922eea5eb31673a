"""Goldens edited at random while a real run goes on: in the end each verdict is that of the golden as it is saved."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.helpers.campaigns import is_long
from tests.models.conftest import WAIT_MS
from tests.models.test_edited_meanwhile import sessions
from tests.models.test_goldens import answering, eval_set, with_city
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall, GoldenChange, Named
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.flows.runs.evaluate_files import Request, evaluate, open_given
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.request_child import Answer

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

MOST_EDITS = 40
Change = Callable[[Case], list[GoldenChange]]


def with_rule(_name: str) -> Change:
    """The city may be any."""

    def make(case: Case) -> list[GoldenChange]:
        turn = case.turns[0]
        return [Calls(turn.place, (ExpectedCall(calls_of(turn)[0], (Matcher("/city", Match.IGNORE),)),))]

    return make


def with_name(name: str) -> Change:
    """A name that no other case has."""
    return lambda case: [Named(f"{name}, once {case.place}")]


CHANGES = (
    ("City", with_city),
    ("City", with_city),
    ("Rule", with_rule),
    ("Answer", answering),
    ("Name", with_name),
)
NAMES = tuple(f"City {number}" for number in range(150))


@pytest.mark.parametrize("seed", range(30) if is_long() else [0, 28])
def test_whatever_came_first_verdicts_are_those_of_the_goldens(
    qtbot: QtBot,
    opened: Callable[..., OpenFile],
    settled: Callable[[], None],
    workspace: Workspace,
    tmp_path: Path,
    seed: int,
) -> None:
    chance = random.Random(seed)
    observed = sessions(tmp_path / "observed.json", *NAMES)
    file = opened(eval_set(tmp_path / "weather.evalset.json", *NAMES), observed).number
    goldens = workspace.goldens
    goldens.begin(file)
    settled()
    workspace.evaluation.ask_to_start()
    for _edit in range(MOST_EDITS):
        edit_one(workspace, file, chance)
        qtbot.wait(chance.choice((0, 0, 5, 20)))
    settled()  # a run that waits for the edits begins before that
    qtbot.waitUntil(
        lambda: (
            workspace.run.value is not None
            and workspace.run.value.verdict is not None
            and not workspace.run.value.running
        ),
        timeout=WAIT_MS,
    )
    settled()
    run = workspace.run.value
    assert run is not None
    assert run.cases
    qtbot.waitUntil(lambda: all(case.status is not Status.PENDING for case in run.cases), timeout=WAIT_MS)
    saved: list[Answer] = []
    goldens.save(file, tmp_path / "saved.evalset.json", then=saved.append)
    qtbot.waitUntil(lambda: bool(saved), timeout=WAIT_MS)
    anew = evaluate(Request(open_given([observed]), open_given([tmp_path / "saved.evalset.json"])))
    assert {case.case_id: (case.golden_place, case.status) for case in run.cases if case.golden_place} == {
        case.case_id: (case.golden_place, case.status) for case in anew.cases if case.golden_place
    }


def edit_one(workspace: Workspace, file: int, chance: random.Random) -> None:
    """A case is changed, cases change places, one goes, an edit is taken back or made again, a run begins anew."""
    goldens, kind = workspace.goldens, chance.random()
    if kind < 0.6:
        words, change = chance.choice(CHANGES)
        goldens.change(file, chance.choice(goldens.places(file)), words, change(chance.choice(NAMES)))
    elif kind < 0.7:
        chance.choice((workspace.steps.undo, workspace.steps.undo, workspace.steps.redo))()
    elif kind < 0.75:
        goldens.save(file)
    elif kind < 0.8:
        workspace.evaluation.ask_to_start()
    elif kind < 0.9:
        goldens.arrange(file, "Order", lambda places: chance.sample(places, len(places)))
    else:
        goldens.arrange(file, "Delete", lambda places: places[1:])
