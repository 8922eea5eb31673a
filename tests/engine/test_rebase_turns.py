"""Whole turns that come: a golden that expects hand-offs as calls gets those of the new turn, too."""

from __future__ import annotations

import pytest

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import Turns
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn, calls_of
from trace_inspector.engine.rebasing.applying import Taken, changes_of
from trace_inspector.engine.rebasing.case_changes import TwoRuns, case_changes
from trace_inspector.engine.rebasing.rule import RebaseDecision

HAND_OFF = ToolCall("transfer_to_agent", {"agent_name": "booking"})


def turn(index: int, words: str, *calls: ToolCall) -> Turn:
    return Turn(index, user=(Text(words),), events=(Event("agent", calls),), steps=Steps.EVENTS)


@pytest.mark.parametrize(("first", "expected"), [(HAND_OFF, ["transfer_to_agent"]), (ToolCall("look", {}), [])])
def test_an_added_turn(first: ToolCall, expected: list[str]) -> None:
    golden = turn(0, "I want to book a flight", first)
    new = golden, turn(1, "Now something else, please", HAND_OFF)
    case = Case("trip", "suite", (golden,))
    (change,) = case_changes([TwoRuns("trip", 0, case, Trace("base", (golden,)), Trace("new", new))])
    taken = [Taken(difference, RebaseDecision.ACCEPT) for difference in change.differences]
    (turns,) = (each for each in changes_of(change, taken) if isinstance(each, Turns))
    assert [call.name for call in calls_of(turns.turns[-1])] == expected
