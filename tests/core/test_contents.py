from __future__ import annotations

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Suite, as_trace
from trace_inspector.core.rows.contents import Holds, Item, collect
from trace_inspector.core.trace.trace import Agent, Trace, Turn


def test_turns_belong_to_the_trace_they_follow() -> None:
    items: list[Item] = [
        Trace("a"),
        Turn(0),
        Turn(1),
        Trace("b", turns=(Turn(0),)),
        info("x", "y"),
        Holds("spans", 3),
    ]
    contents = collect("jaeger", items)
    assert [(trace.id, len(trace.turns)) for trace in contents.traces] == [("a", 2), ("b", 1)]
    assert (contents.holds, len(contents.findings), contents.suites) == ({"spans": 3}, 1, ())


def test_a_scripted_case_is_also_a_recorded_conversation() -> None:
    agent = Agent("root")
    case = Case("c", suite_id="s", turns=(Turn(0, agents=(agent,)), Turn(1, agents=(agent,))))
    trace = as_trace(Suite("s", cases=(case,)).cases[0])
    assert (trace.case_id, trace.suite_id, trace.agents, len(trace.turns)) == ("c", "s", (agent,), 2)
