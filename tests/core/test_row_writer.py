from __future__ import annotations

import pickle

from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.row_sink import MOST_TOKENS
from trace_inspector.core.rows.row_writer import SPANS_A_BODY, RowWriter
from trace_inspector.core.rows.rows import NO_TOKENS, Flag, Kind, RowBatch
from trace_inspector.core.trace.parts import Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Span, SpanKind, Steps, Trace, Turn, Usage
from trace_inspector.core.values.extra import Extra


def written(*items: Suite | Trace | Turn) -> RowBatch:
    writer = RowWriter()
    for item in items:
        for _step in writer.steps(item):
            pass
    for _step in writer.finish():
        pass
    return writer.take()


def printed(batch: RowBatch) -> list[str]:
    """The rows as an indented tree, in order of their numbers."""
    depth: list[int] = []
    lines = []
    for row, parent in enumerate(batch.parent):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        lines.append("  " * depth[row] + f"{Kind(batch.kind[row]).name} {batch.label[row]}")
    return lines


def turn(index: int = 0) -> Turn:
    call = ToolCall("search", {"q": "parking"}, "c1", place="/call")
    return Turn(
        index,
        user=(Text("Where can I park?"),),
        events=(
            Event("root_agent", (Thought("let me look"), call), usage=Usage(10, candidates=5), time_s=100.0),
            Event("root_agent", (ToolResult("search", {"spots": 40}, "c1"),), time_s=101.0, duration_s=2.0),
            Event("root_agent", usage=Usage(20, candidates=7), time_s=103.0, duration_s=0.5),
        ),
        final_response=(Text("In the garage."),),
        final_author="root_agent",
        steps=Steps.EVENTS,
        start_s=99.0,
        duration_s=5.0,
    )


def test_a_trace_as_rows() -> None:
    assert printed(written(Trace("t1"), turn())) == [
        "TRACE t1",
        "  TURN Turn 1  “Where can I park?”",
        "    THOUGHT thought, 3 words",
        '    CALL search(q="parking")',
        '      RESULT {"spots": 40}',
        "    ANSWER “In the garage.”",
    ]


def test_a_suite_as_rows() -> None:
    suite = Suite("s", cases=(Case("a", "s", (turn(),)), Case("b", "s")))
    assert [line for line in printed(written(suite)) if "    " not in line] == [
        "SUITE s",
        "  CASE a",
        "  CASE b",
    ]


def test_the_agents_of_a_suite_stand_before_its_cases() -> None:
    cook = Agent("cook", "Stir.", place="/agents/0")
    told_twice = (cook, Agent("waiter", place="/agents/1"), replace(cook, instruction="Fry."))
    batch = written(Suite("s", cases=(Case("a", "s"),), agents=told_twice))
    assert printed(batch) == [
        "SUITE s",
        "  AGENTS Agents: cook, waiter, cook",
        "    AGENT cook",
        "    AGENT waiter",
        "      AGENT cook, told again",
        "  CASE a",
    ]
    assert [batch.body[row] for row in (1, 2, 3)] == [0, 0, 0]
    assert pickle.loads(batch.bodies[0]).agents[batch.part[2]] == cook


def test_a_call_is_timed_by_its_result_and_an_answer_by_its_model_call() -> None:
    batch = written(Trace("t1"), turn())
    call, answer = batch.kind.index(Kind.CALL), batch.kind.index(Kind.ANSWER)
    assert (batch.start_s[call], batch.duration_s[call]) == (101.0, 2.0)
    assert (batch.start_s[answer], batch.duration_s[answer], batch.tokens[answer]) == (103.0, 0.5, 27)


def test_calls_are_numbered_through_the_turn_and_results_with_them() -> None:
    batch = written(Trace("t1"), turn())
    assert list(batch.call) == [-1, -1, -1, 0, 0, -1]


def test_spans_outside_of_turns_come_last_and_in_small_bodies() -> None:
    spans = tuple(Span(str(number), "queue", SpanKind.OTHER) for number in range(SPANS_A_BODY + 1))
    batch = written(Trace("t1", spans=spans), turn(), Trace("t2"))
    assert batch.kind.index(Kind.SPAN) > batch.kind.index(Kind.TURN)
    assert batch.kind.count(Kind.SPAN) == len(spans)
    assert batch.label[len(batch) - 1] == "t2"
    bodies = [pickle.loads(body) for body in batch.bodies]
    assert [len(body) for body in bodies if isinstance(body, tuple)] == [SPANS_A_BODY, 1]
    assert bodies[0] == Trace("t1")


def test_what_stands_as_events_already_is_plumbing_unless_it_failed() -> None:
    kinds = [(SpanKind.PLUMBING, None), (SpanKind.AGENT, None), (SpanKind.AGENT, "broke"), (SpanKind.OTHER, None)]
    spans = tuple(Span(str(at), "x", kind, error=error) for at, (kind, error) in enumerate(kinds))
    batch = written(Trace("t1", spans=spans))
    flags = [bool(flag & Flag.PLUMBING) for flag in batch.flag[1:]]
    assert flags == [True, True, False, False]


def test_steps_pause_after_each_turn() -> None:
    writer = RowWriter()
    sizes = [len(writer.take()) for _step in writer.steps(Trace("t1", turns=(turn(0), turn(1))))]
    assert sizes == [1, 5, 5]


def test_row_numbers_go_on_over_batches() -> None:
    writer = RowWriter()
    for _step in writer.steps(Trace("t1")):
        pass
    writer.take()
    for _step in writer.steps(turn()):
        pass
    assert list(writer.take().parent) == [0, 1, 1, 3, 1]


def test_an_author_is_told_once() -> None:
    writer = RowWriter()
    for _step in writer.steps(Trace("t1", turns=(turn(),))):
        pass
    first = writer.take()
    for _step in writer.steps(turn(1)):
        pass
    assert first.authors == ["", "root_agent"]
    assert writer.take().authors == []


def test_guesses_and_errors_and_transfers_are_flagged() -> None:
    failed = ToolResult("search", "down", "c1", is_error=True)
    hand = ToolCall("transfer_to_agent", {"agent_name": "intake"}, "c2")
    event = Event("a", (ToolCall("search", {}, "c1"), failed, hand))
    batch = written(Trace("t1"), Turn(0, events=(event,), guessed=frozenset({"times"})))
    flags = {Kind(kind).name + batch.label[row]: Flag(batch.flag[row]) for row, kind in enumerate(batch.kind)}
    assert flags["TURNTurn 1"] == Flag.GUESSED | Flag.TIMES_GUESSED
    assert flags["CALLsearch()"] == Flag.ERROR
    assert flags['RESULTerror: "down"'] == Flag.ERROR
    assert flags["CALLtransfer to intake"] == Flag.TRANSFER


def test_state_and_event_errors_have_rows() -> None:
    event = Event("a", state_delta={"city": "Seattle", "n": 1}, error="quota used up")
    assert printed(written(Trace("t1"), Turn(0, events=(event,))))[2:] == [
        "    STATE state: city, n",
        "    UNKNOWN quota used up",
    ]


def test_an_event_that_says_nothing_else_has_a_row_with_the_names_of_what_it_says() -> None:
    extras = (Extra("compaction", {"start": 1}), Extra("branch", "root.sub"))
    quiet = Event("a", extras=extras)
    events = (quiet, replace(quiet, parts=(Text("x"),)), quiet)
    turn = Turn(0, events=events, final_response=(Text("y"),), final_event=2)
    assert [line.strip() for line in printed(written(Trace("t1"), turn))[2:]] == [
        "UNKNOWN compaction, branch",
        "TEXT “x”",
        "ANSWER “y”",
    ]


def test_numbers_of_tokens_that_nobody_counted_stay_numbers_that_can_be_added() -> None:
    events = tuple(Event("a", (Text("x"),), usage=Usage(tokens)) for tokens in (1 << 80, -(1 << 80)))
    batch = written(Trace("t1"), *(Turn(at, events=events) for at in range(2)))
    assert {MOST_TOKENS, 0} <= set(batch.tokens)


def test_an_agent_has_one_row_and_what_is_told_otherwise_of_it_stands_below() -> None:
    cook, other = Agent("cook", "Boil."), Agent("cook", "Fry.")
    turns = (Turn(0, agents=(cook,)), Turn(1, agents=(other, Agent("boss"))), Turn(2, agents=(other,)))
    assert printed(written(Trace("t1", turns, agents=(cook,)))) == [
        "TRACE t1",
        "  AGENTS Agents: cook",
        "    AGENT cook",
        "  TURN Turn 1",
        "      AGENT cook, from turn 2",
        "    AGENT boss",
        "  TURN Turn 2",
        "  TURN Turn 3",
    ]


def test_an_agent_that_is_only_named_at_first_is_not_an_empty_version_of_itself() -> None:
    head = (Agent("boss", sub_agents=("cook",)), Agent("cook"), Agent("waiter"))
    cook, boss = Agent("cook", "Boil."), Agent("boss", "Lead.", sub_agents=("cook",))
    turns = (Turn(0, agents=(cook, boss)), Turn(1, agents=(replace(cook, instruction="Fry."),)))
    batch = written(Trace("t1", turns, agents=head), Trace("t2", (), agents=(Agent("loner"),)))
    assert [line for line in printed(batch) if "AGENT" in line] == [
        "  AGENTS Agents: boss, cook, waiter",
        "    AGENT boss",
        "    AGENT cook",
        "    AGENT waiter",
        "      AGENT cook, from turn 2",
        "  AGENTS Agents: loner",
        "    AGENT loner",
    ]
    told = [row for row in range(len(batch)) if batch.kind[row] == Kind.AGENT]
    named = [pickle.loads(batch.bodies[batch.body[row]]).agents[batch.part[row]] for row in told]
    assert [agent.instruction for agent in named] == ["Lead.", "Boil.", "", "Fry.", ""]


def test_runs_of_one_case_stand_below_it() -> None:
    runs = [Trace(f"run {at}", case_id="soup", suite_id="kitchen", case_runs=2) for at in range(2)]
    assert printed(written(*runs)) == ["RUNS soup", "  TRACE run 0", "  TRACE run 1"]


def test_several_parts_stand_below_their_event() -> None:
    event = Event("a", (Text("x"), Text("y")), usage=Usage(3))
    batch = written(Trace("t1"), Turn(0, events=(event,)))
    assert [line.split()[0] for line in printed(batch)[2:]] == ["EVENT", "TEXT", "TEXT"]
    assert [batch.tokens[row] for row in (2, 3, 4)] == [3, NO_TOKENS, NO_TOKENS]
    assert [batch.parent[row] for row in (3, 4)] == [2, 2]


def test_a_quiet_event_that_tells_what_it_took_has_a_row() -> None:
    events = (Event("a", model="some-model"), Event("a"))
    batch = written(Trace("t1"), Turn(0, events=events))
    assert [Kind(kind) for kind in batch.kind[2:]] == [Kind.EVENT]
