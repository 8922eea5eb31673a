"""Packs without texts: of ids of turns no number stays but a count, and no agent's name, not even as a tool's."""

from __future__ import annotations

import pytest

from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import Text, ToolCall
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn, calls_of
from trace_inspector.core.trace.turn_ids import only_count
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.evidence.without_texts import without_texts


def left_of(*traces: Trace) -> tuple[Trace, ...]:
    return tuple(without_texts(EvidencePack("run", (EvidenceSide("a", traces=traces),))).pack.sides[0].traces)


def with_ids(*ids: str) -> Trace:
    return Trace("t", tuple(Turn(at, turn_id) for at, turn_id in enumerate(ids)))


@pytest.mark.parametrize(
    "ids",
    [
        ("customer 4711", "customer 9922"),
        ("4111111", "5111111"),
        ("pin 4711", "", "pin 9923"),
        ("room 4711", "room 4712", "room 4713"),
    ],
)
def test_a_number_that_does_not_count_turns_goes(ids: tuple[str, ...]) -> None:
    """Two numbers always grow by one step."""
    (trace,) = left_of(with_ids(*ids))
    assert {turn.id for turn in trace.turns if turn.id} <= {"‹turn-A›", "‹turn-B›", "‹turn-C›"}
    assert len({turn.id for turn in trace.turns}) == len(ids)


@pytest.mark.parametrize("step", [1, 2, 4])
def test_a_count_stays_one(step: int) -> None:
    (trace,) = left_of(with_ids(*(f"invocation-{step * (at + 1)}" for at in range(20))))
    assert [turn.id for turn in trace.turns] == [f"‹turn-A-{step * (at + 1)}›" for at in range(20)]
    assert only_count([turn.id or "" for turn in trace.turns])


def test_an_agent_that_is_called_as_a_tool_has_no_name() -> None:
    call = ToolCall("Ann_Smith", {"request": "x"})
    turn = Turn(0, "i", (Text("q"),), (Event("root", (call, ToolCall("find"))), Event("Ann_Smith", (Text("Done."),))))
    agents = (Agent("root", sub_agents=("Ann_Smith",)), Agent("Ann_Smith"))
    (trace,) = left_of(Trace("t", (turn,), agents=agents))
    first, second = trace.turns[0].events
    assert [part.name for part in first.parts if isinstance(part, ToolCall)] == [second.author, "find"]
    assert second.author.startswith("‹agent-")
    assert "Ann" not in repr(trace)


@pytest.mark.parametrize(
    ("name", "stays"),
    [("find", True), ("report_2026", True), ("card-4111111111111111", False), ("user_5551234567", False)],
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_a_long_number_stays_in_no_name_that_nothing_declares(name: str, *, stays: bool, is_declared: bool) -> None:
    agents = (Agent("root", tools=({"name": name},)),) if is_declared else ()
    (trace,) = left_of(Trace("t", (Turn(0, events=(Event("root", (ToolCall(name),)),)),), agents=agents))
    assert [call.name == name for call in calls_of(trace.turns[0])] == [stays or is_declared]


def test_a_figure_whose_name_goes_has_no_number() -> None:
    metric = MetricVerdict("safety", 1.0, Status.PASSED, figures=(("precision", 0.5), ("of Ann", 4_711.0)))
    verdict = CaseVerdict("c", "s", "t", Status.PASSED, (metric,))
    pack = EvidencePack("run", (EvidenceSide("a", verdicts=(verdict,)),))
    (left,) = without_texts(pack).pack.sides[0].verdicts
    assert left.metrics[0].figures == (("precision", 0.5), ("‹key-1›", None))
