"""Any change of any golden, also such as a format has no place for: what a person could ask for at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from hypothesis import strategies as st
from msgspec.structs import replace

from trace_inspector.core.golden.equivalent_changes import stated_expectations
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    Described,
    EndsWith,
    ExpectationWithMatchers,
    Expected,
    ExpectedCall,
    GoldenChange,
    HandsOver,
    Judged,
    Named,
    Noted,
    Results,
    Rubrics,
    Simulated,
    Tagged,
    Titled,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Media, Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Turn, calls_of

_T = TypeVar("_T")
CRITERIA = (Criterion("ces_semantic_similarity", 3.0), Criterion("ces_parameter_correctness", 0.5))


def any_change(data: st.DataObject, case: Case) -> GoldenChange:
    """One change of a case that stands somewhere."""
    turn = data.draw(st.sampled_from(case.turns)) if case.turns else None
    name = data.draw(st.text('aé"\\\n', max_size=3))
    options: list[Callable[[], GoldenChange]]
    options = [*_of_case(data, case, name), *(_of_turn(data, case, turn, name) if turn is not None else ())]
    chosen = options[data.draw(st.integers(0, len(options) - 1))]
    return chosen()


def _of_case(data: st.DataObject, case: Case, name: str) -> Iterator[Callable[[], GoldenChange]]:
    yield lambda: Named(name or "n")
    yield lambda: Titled(name)
    yield lambda: Described(name)
    yield lambda: Tagged((f"a: {name}",))
    yield lambda: Rubrics(case.place, (Rubric("r", name),))
    yield lambda: Rubrics(case.place, _some(data, case.rubrics, Rubric("new", name)))
    yield lambda: BeginsWith(Session("app", "user", None, {name: 1}))
    yield lambda: BeginsWith(Session(state={name: [1]}))
    yield lambda: EndsWith({name: 1})
    yield lambda: EndsWith(None)
    yield lambda: Judged(case.place, CRITERIA[:1])
    yield lambda: Judged(case.place, ())
    yield lambda: Expected(case.place, _wanted(data, case, case.expectations, name))
    scenario = case.scenario or Scenario("", "")
    yield lambda: Simulated(replace(scenario, plan=name))
    yield lambda: Simulated(replace(scenario, starting_prompt=name, persona=Persona("NOVICE")))
    yield lambda: Simulated(replace(scenario, facts=((name, "1"),), max_turns=3))


def _of_turn(data: st.DataObject, case: Case, turn: Turn, name: str) -> Iterator[Callable[[], GoldenChange]]:
    place = turn.place
    stated = [ExpectedCall(call) for call in calls_of(turn)]
    new = ExpectedCall(ToolCall("new", {name: 0.5}), (Matcher("", Match.SUBSET),))
    results = [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]
    yield lambda: UserSays(place, name)
    yield lambda: Answers(place, name)
    yield lambda: Answers(place, None)
    yield lambda: Noted(place, name)
    yield lambda: Calls(place, tuple(data.draw(st.permutations([*stated, new]))))
    yield lambda: Calls(place, tuple(stated[1:]))
    yield lambda: Turns(tuple(data.draw(st.permutations(case.turns))))
    yield lambda: Turns((*case.turns, replace(turn, place="")))
    given: list[Part] = [Text(name), Media("image/png", uri="gs://b/a.png"), ToolResult("find", {"a": name})]
    yield lambda: UserGives(place, _some(data, turn.user, data.draw(st.sampled_from(given))))
    yield lambda: Results(place, _some(data, results, ToolResult("find", {"a": name}, "c1")))
    yield lambda: HandsOver(place, tuple(data.draw(st.lists(st.sampled_from("abc"), max_size=3))))
    yield lambda: Expected(place, _wanted(data, case, turn.expectations, name))
    yield lambda: Judged(place, CRITERIA[:1])
    if turn.expectations:
        yield lambda: Judged(turn.expectations[0].place, CRITERIA[1:])


def _wanted(
    data: st.DataObject, case: Case, stated: tuple[Expectation, ...], name: str
) -> tuple[ExpectationWithMatchers, ...]:
    new = data.draw(
        st.sampled_from(
            [
                Expectation(Expects.VARIABLES, value={name: 1}),
                Expectation(Expects.NO_CALLS, value=True),
                Expectation(Expects.MOCK, (ToolResult("find", {"a": 1}),), note=name),
                Expectation(Expects.ANSWER, (Text(name),), skipped=True),
                Expectation(Expects.TRANSFER, (Transfer("desk"),)),
                Expectation(Expects.CALL, (ToolCall("find", {"n": 1}),)),
                Expectation(Expects.CRITERION, reference="kind"),
            ]
        )
    )
    return _some(data, stated_expectations(case, stated), ExpectationWithMatchers(new))


def _some(data: st.DataObject, stated: tuple[_T, ...] | list[_T], new: _T) -> tuple[_T, ...]:
    """Some of what stands there in any order, perhaps with one more."""
    mixed = list(data.draw(st.permutations([*stated, new])))
    return tuple(mixed[: data.draw(st.integers(0, len(mixed)))])
