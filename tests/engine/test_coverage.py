"""What goldens exercise is counted once a case, and what none does is named."""

from __future__ import annotations

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.parts import Text, ToolCall, Transfer
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.goldens.coverage import Kind, Line, coverage

ROOT = Agent(
    "root", "…", tools=({"function_declarations": [{"name": "find"}, {"name": "pay"}]},), sub_agents=("clerk",)
)


def calling(author: str, *names: str, **args: Json) -> Event:
    return Event(author, tuple(ToolCall(name, {**args}) for name in names))


def turn(at: int, *events: Event, agents: tuple[Agent, ...] = (), author: str = "") -> Turn:
    return Turn(
        at, user=(Text("q"),), events=events, final_author=author, steps=Steps.EVENTS, agents=agents, place=f"/t{at}"
    )


def told(lines: tuple[Line, ...]) -> list[tuple[str, str, str, int]]:
    return [(line.kind.value, line.agent, line.name, line.cases) for line in lines]


def test_each_thing_with_its_goldens() -> None:
    twice = Case(
        "a",
        turns=(
            turn(0, calling("root", "find", "find"), calling("root", "find"), agents=(ROOT,)),
            turn(
                1, calling("root", "transfer_to_agent", agent_name="clerk"), calling("clerk", "note"), author="clerk"
            ),
        ),
        rubrics=(Rubric("polite", "…"),),
        place="/0",
    )
    once = Case("b", turns=(turn(0, calling("root", "find")),), place="/1")
    found = coverage([Suite("s", cases=(twice, once))])
    assert found.case_count == 2
    assert told(found.lines) == [
        ("agent", "", "root", 2),
        ("agent", "", "clerk", 1),
        ("tool", "root", "find", 2),
        ("tool", "root", "pay", 0),
        ("tool", "clerk", "note", 1),
        ("transfer", "root", "clerk", 1),
        ("rubric", "", "polite", 1),
    ]
    find = next(line for line in found.lines if line.name == "find")
    assert [(touch.case_id, touch.turn, touch.turn_place) for touch in find.touches] == [
        ("a", 0, "/t0"),
        ("b", 0, "/t0"),
    ]
    assert told(found.untouched) == [("tool", "root", "pay", 0)]
    assert told(found.undeclared) == [("tool", "clerk", "note", 1)]
    assert next(line for line in found.lines if line.kind is Kind.RUBRIC).touches[0].turn is None


def test_what_runs_do_and_declare_counts_as_missing() -> None:
    golden = Case("a", turns=(turn(0, calling("root", "find"), author="root"),))
    done = turn(0, calling("root", "pay"), Event("root", (Transfer("clerk"),)), author="clerk")
    runs = [Trace("1", (done,), (ROOT,)), Trace("2", (turn(0, calling("root", "pay", "pay")),))]
    found = coverage([Suite("s", cases=(golden,))], runs)
    assert [(line.name, line.runs) for line in found.untouched] == [("clerk", 1), ("pay", 2), ("clerk", 1)]
    assert found.undeclared == ()


def test_calls_of_nobody_belong_to_the_one_who_declares_the_tool() -> None:
    golden = Case("a", turns=(turn(0, calling("", "find", "other")),))
    found = coverage([Suite("s", cases=(golden,), agents=(ROOT,))])
    assert told(tuple(line for line in found.lines if line.kind is Kind.TOOL)) == [
        ("tool", "root", "find", 1),
        ("tool", "root", "pay", 0),
        ("tool", "", "other", 1),
    ]
    second = Agent("second", "…", tools=({"name": "find"},))
    both = coverage([Suite("s", cases=(golden,), agents=(ROOT, second))])
    assert ("tool", "", "find", 1) in told(both.lines)


def test_cases_of_one_id_in_two_suites_are_two() -> None:
    golden = Case("a", turns=(turn(0, calling("root", "find")),))
    found = coverage([Suite("s", cases=(golden,)), Suite("t", cases=(golden,))])
    assert told(found.lines)[1] == ("tool", "root", "find", 2)
    assert found.undeclared == (), "where nobody declares a tool, nothing is undeclared"
