"""agent-eval's rows of both paths, its tables and golden questions: every field, and what is odd about them."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from tests.formats import agent_eval_files as files
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import (
    SpanKind,
    Steps,
    Turn,
    Usage,
    answer_text,
    calls_of,
    paired_calls,
    user_text,
)
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.formats import BY_NAME, FORMATS, recognise
from trace_inspector.formats.agent_eval import format as agent_eval
from trace_inspector.formats.common.format import Source

ODD: list[Json] = [None, True, 0, -1.5, "", "x", "[", "[1]", '{"a": 1}', [], [None, 1, "a", []], {}, {"a": {"b": []}}]


def read(value: Json) -> Contents:
    """What a file holds."""
    return collect("agent-eval", agent_eval.read(Source(value, "processed.jsonl")))


def codes(contents: Contents) -> dict[str, str]:
    """The findings with their places."""
    return {finding.code: finding.pointer for finding in contents.findings}


def shown(turn: Turn) -> list[tuple[str, Json]]:
    """The calls of a turn with their arguments."""
    return [(call.name, None if call.args is ABSENT else call.args) for call in calls_of(turn)]


def test_a_simulated_row_is_told_by_its_session() -> None:
    contents = read([files.simulated()])
    (trace,) = contents.traces
    assert (trace.id, trace.session_id, trace.case_id, trace.suite_id) == ("session-1", "session-1", "rome", None)
    assert (trace.app, trace.user, trace.case_runs) == ("desk", "eval-user", 1)
    assert trace.final_state == {"cityName": "Rome", "stop_reasons": "none"}
    assert [agent.name for agent in trace.agents] == ["desk", "booker"]
    first, second = trace.turns
    assert [user_text(turn) for turn in trace.turns] == ["Two seats to Rome?", "Book them."]
    assert [answer_text(turn) for turn in trace.turns] == ["There are 4.", "Done, see the list."]
    assert shown(first) == [("find_seats", {"cityName": "Rome", "seatCount": 2})]
    assert [pair.result.value for pair in paired_calls(second) if pair.result] == [
        {"result": None},
        {"status": "error"},
    ]
    assert first.events[0].usage == Usage(1000, 100, 40, 60, 400)
    assert first.events[0].model == "gemini-2.5-flash-lite"
    assert second.events[-1].finish_reason == "STOP"
    assert [turn.place for turn in trace.turns] == [
        "/0/final_session_state/events/0",
        "/0/final_session_state/events/4",
    ]


def test_made_up_spans_are_shown_and_measure_nothing() -> None:
    contents = read([files.simulated()])
    (trace,) = contents.traces
    assert trace.span_count == 12
    assert [len(turn.spans) for turn in trace.turns] == [5, 7]
    assert all("times" in turn.guessed for turn in trace.turns)
    assert [turn.duration_s for turn in trace.turns] == [3.0, 5.0]  # those of events, not of spans
    assert codes(contents)["synthetic-times"] == "/0/session_trace"
    assert codes(contents)["guessed-times"] == "/0/final_session_state/events/0"


def test_made_up_spans_are_flagged_where_events_have_no_times() -> None:
    row = files.simulated()
    for event in row["final_session_state"]["events"]:
        del event["timestamp"]
    (trace,) = read([row]).traces
    assert [(turn.duration_s, turn.guessed) for turn in trace.turns] == [(None, frozenset({"times"}))] * 2


def test_spans_of_a_live_run_say_how_long_turns_took() -> None:
    contents = read([files.live()])
    (trace,) = contents.traces
    assert [(turn.duration_s, turn.guessed) for turn in trace.turns] == [(3.5, frozenset()), (5.5, frozenset())]
    assert [[span.kind for span in turn.spans].count(SpanKind.TOOL) for turn in trace.turns] == [1, 2]
    assert trace.turns[1].spans[0].id == str(2**63 + 6)
    assert "synthetic-times" not in codes(contents)
    assert "camel-arguments" not in codes(contents)
    assert trace.agents[0].instruction == "You sell seats."
    assert trace.agents[0].tools


def test_spans_of_another_number_of_turns_stay_beside_them() -> None:
    (trace,) = read([files.live(session_trace=files.measured_spans()[:5])]).traces
    assert [len(turn.spans) for turn in trace.turns] == [0, 0]
    assert len(trace.spans) == trace.span_count == 5


def test_spans_find_their_turn_by_the_id_of_its_invocation() -> None:
    spans = files.measured_spans()[5:]
    spans[2]["attributes"] = {"gcp.vertex.agent.invocation_id": "e-2"}
    (trace,) = read([files.live(session_trace=spans)]).traces
    assert [len(turn.spans) for turn in trace.turns] == [0, 8]


def test_damaged_spans_are_counted() -> None:
    contents = read([files.live(session_trace=[*files.measured_spans(), {"name": "x"}, 3])])
    (found,) = [finding for finding in contents.findings if finding.code == "damaged-span"]
    assert (found.pointer, found.message) == (
        "/0/session_trace/13",
        "2 spans are left out: each span should be an object with an id. Give each a “span_id” of its own.",
    )
    assert contents.traces[0].span_count == 13


def test_a_chain_of_spans_is_one_tree() -> None:
    chain = [files.span("work", at, at - 1 if at else None, at, 1.0) for at in range(20_000)]
    loop = [files.span("work", 100_000, 100_001, 0, 1.0), files.span("work", 100_001, 100_000, 0, 1.0)]
    row = files.live(session_trace=[*reversed(chain), *loop])
    row["final_session_state"]["events"] = files.EVENTS[:4]
    (trace,) = read([row]).traces
    assert trace.span_count == len(trace.spans) == 20_002


def test_names_in_camel_case_are_a_warning_where_the_converter_wrote_them() -> None:
    contents = read([files.simulated()])
    (found,) = [finding for finding in contents.findings if finding.code == "camel-arguments"]
    assert found.pointer == "/0"
    assert "“cityName”, “seatCount”, “agentName” and 1 more" in found.message
    assert "camel-arguments" not in codes(read([files.simulated(base_url="")]))
    mixed = files.simulated()
    mixed["final_session_state"]["events"][1]["content"]["parts"][0]["functionCall"]["args"]["max_price"] = 1
    assert "camel-arguments" not in codes(read([mixed]))


def test_everything_else_of_a_row_is_shown_under_its_own_name() -> None:
    row = files.simulated(reference_data={}, brand_new=[1], nothing=None)
    (trace,) = read([row]).traces
    told = {extra.name: extra.value for extra in trace.extras}
    assert told == {
        "base_url": "simulation",
        "status": {"boolean": "success"},
        "run_id": "4a2f",
        "agents_evaluated": ["desk"],
        "question_metadata": {"level": "easy"},
        "interaction_datetime": "2025-10-09T10:00:00",
        "USER": "ada",
        "missing_information": {"boolean": False},
        "brand_new": [1],
        "own_note": {"kept": True},
    }
    assert all(resolve([row], extra.place) == extra.value for extra in trace.extras)


def test_what_a_row_expects_of_a_whole_conversation() -> None:
    contents = read([files.simulated()])
    (suite,) = contents.suites
    (case,) = suite.cases
    assert (case.id, case.suite_id, case.place) == ("rome", "", "/0/reference_data")
    assert [turn.steps for turn in case.turns] == [Steps.ABSENT, Steps.ABSENT]
    place = "/0/reference_data"
    call = ToolCall(
        "find_seats", {"city_name": "Rome", "seat_count": 2}, place=f"{place}/reference_tool_interactions/0"
    )
    assert [(one.kind, one.parts, one.compared_by) for one in case.expectations] == [
        (Expects.CALL, (call,), ""),
        (Expects.TRANSFER, (Transfer("desk", f"{place}/reference_trajectory/0"),), ""),
        (Expects.CALL, (ToolCall("find_seats", place=f"{place}/reference_trajectory/1"),), ""),
        (Expects.CALL, (ToolCall("write_file", place=f"{place}/reference_trajectory/2"),), ""),
        (Expects.ANSWER, (Text("list", f"{place}/expected_response_contains"),), "CONTAINS"),
    ]
    assert codes(contents)["reference-turns"] == f"{place}/reference_tool_interactions"


def test_calls_that_a_single_turn_is_to_make_are_its_own() -> None:
    (suite,) = read(files.golden()).suites
    rome, hello = suite.cases
    assert (suite.id, rome.suite_id) == ("golden_questions", "golden_questions")
    (turn,) = rome.turns
    assert (turn.steps, shown(turn)) == (Steps.CALLS, [("find_seats", {"city_name": "Rome", "seat_count": 2})])
    assert [pair.result.value for pair in paired_calls(turn) if pair.result] == [0]
    assert {extra.name: extra.value for extra in rome.extras} == {
        "agents_evaluated": ["desk"],
        "metadata": {"level": "easy"},
        "updated_datetime": "2025-10-01",
        "source": "handbook",
    }
    assert [user_text(turn) for turn in hello.turns] == ["Hello", "Bye"]
    assert hello.turns[0].steps is Steps.ABSENT


@each("key", ["golden_questions", "questions"])
def test_golden_questions_under_both_names(key: str) -> None:
    assert BY_NAME["agent-eval"].recognise(files.golden(key)) == 90
    assert len(read(files.golden(key)).suites[0].cases) == 2


@each(
    ("reference", "steps", "answer"),
    [
        ({}, Steps.ABSENT, None),
        ({"reference_tool_interactions": []}, Steps.CALLS, None),  # an empty list is no calls
        ({"reference_tool_interactions": None}, Steps.ABSENT, None),
        ({"reference_response": "Yes."}, Steps.ABSENT, "Yes."),
    ],
)
def test_what_is_not_stated_is_not_expected(reference: Any, steps: Steps, answer: str | None) -> None:
    value: Any = {"golden_questions": [{"id": "a", "user_inputs": ["Hi"], "reference_data": reference}]}
    (turn,) = read(value).suites[0].cases[0].turns
    assert turn.steps is steps
    assert (turn.final_response is not None) == (answer is not None)
    assert answer_text(turn) == (answer or "")


def test_questions_with_one_id_are_told() -> None:
    twice: Any = {"golden_questions": files.golden()["golden_questions"] * 2}
    assert codes(read(twice))["duplicate-id"] == "/golden_questions"


def test_runs_of_one_question_are_repeats() -> None:
    contents = read([files.simulated(), files.simulated(session_id="s2"), files.live(question_id="b")])
    assert [trace.case_runs for trace in contents.traces] == [2, 2, 1]
    assert [(verdict.case_id, verdict.repeat) for verdict in contents.reported] == [
        ("rome", 0),
        ("rome", 1),
        ("b", 0),
    ]
    assert [case.id for case in contents.suites[0].cases] == ["rome", "b"]


def test_scores_are_reported_verdicts() -> None:
    (verdict,) = read([files.simulated(eval_results=files.results())]).reported
    assert (verdict.status, verdict.provenance) == (Status.INFORMATIONAL, Provenance.DERIVED)
    assert (verdict.trace_place, verdict.golden_place) == ("/0", "/0/reference_data")
    told = {one.metric: one for one in verdict.metrics}
    assert all(one.provenance is Provenance.REPORTED for one in verdict.metrics)
    assert {name: (one.score, one.status) for name, one in told.items()} == {
        "tool_trajectory_avg_score": (0.5, Status.INFORMATIONAL),
        "safety_v1": (None, Status.NOT_EVALUATED),
        "agent_eval_tool_utilization": (6.0, Status.INFORMATIONAL),
        "trajectory_accuracy": (3.5, Status.INFORMATIONAL),
        "general_quality": (0.5, Status.INFORMATIONAL),
        "broken": (None, Status.ERROR),
    }
    assert told["agent_eval_tool_utilization"].figures == (("total_tool_calls", 6.0), ("unique", 3.0))
    assert told["broken"].reason == "quota exceeded"
    assert [(one.rubric_id, one.score) for one in told["general_quality"].rubrics] == [("r1", 1.0), ("r2", 0.0)]


def test_a_row_without_a_session_is_told_by_its_spans() -> None:
    contents = read([files.live(final_session_state=None)])
    (trace,) = contents.traces
    assert [len(turn.spans) for turn in trace.turns] == [5, 8]
    assert [call.name for turn in trace.turns for call in calls_of(turn)] == [
        "find_seats",
        "transfer_to_agent",
        "write_file",
    ]
    assert answer_text(trace.turns[-1]) == "Done, see the list."
    assert codes(contents)["no-session"] == "/0"


def test_without_session_and_spans_inputs_and_answers_are_paired_by_number() -> None:
    contents = read([files.simulated(final_session_state={}, session_trace=[])])
    (trace,) = contents.traces
    first, last = trace.turns
    assert [user_text(turn) for turn in trace.turns] == ["Two seats to Rome?", "Book them."]
    assert (first.guessed, last.guessed) == (frozenset({"pairing"}), frozenset({"pairing", "borders"}))
    assert [call.name for call in calls_of(last)] == ["find_seats", "write_file"]
    results = [part for event in last.events for part in event.parts if isinstance(part, ToolResult)]
    assert [(part.call_id, part.value) for part in results] == [("c1", {"seats": 4})]
    assert trace.final_state == {"cityName": "Rome", "stop_reasons": "none"}
    assert {"no-session", "guessed-pairing"} <= codes(contents).keys()


@each(
    ("final", "words"),
    [
        ("Yes.", "Yes."),
        ({"role": "model", "parts": [{"text": "Yes."}]}, "Yes."),
        ({"answer": "ja"}, '{"answer": "ja"}'),
        (None, ""),
        (3, ""),
    ],
)
def test_a_final_response_is_a_text_or_an_object(final: Json, words: str) -> None:
    row: Json = {"question_id": "a", "user_inputs": ["Hi"], "extracted_data": {}, "final_response": final}
    (trace,) = read(row).traces
    assert [answer_text(turn) for turn in trace.turns] == [words]


def test_durations_that_a_row_states_without_spans() -> None:
    latencies = [
        {"name": "invocation", "type": "invocation", "duration_seconds": 2.5},
        {
            "duration_seconds": 3,
            "children": [{"type": "llm", "duration_seconds": 1.5}, {"type": "tool", "duration_seconds": 0.5}],
        },
    ]
    (trace,) = read([files.live(session_trace=[], latency_data=latencies)]).traces
    assert [(turn.duration_s, turn.model_duration_s, turn.tool_duration_s) for turn in trace.turns] == [
        (2.5, None, None),
        (3.0, 1.5, 0.5),
    ]
    assert all("times" not in turn.guessed for turn in trace.turns)


def test_other_numbers_of_inputs_than_of_turns_are_told() -> None:
    assert codes(read([files.simulated(user_inputs=["one"])]))["inputs-differ"] == "/0/user_inputs"


@each("name", sorted(files.simulated(eval_results=files.results())))
def test_a_cell_of_another_kind_costs_no_other(name: str) -> None:
    whole = read([files.live(eval_results=files.results())]).traces[0]
    for odd in ODD:
        row: Any = files.live(eval_results=files.results())
        row[name] = odd
        contents = read([row])
        (trace,) = contents.traces
        is_id = name == "question_id" and odd and isinstance(odd, int | str) and odd is not True
        assert (trace.place, trace.case_id) == ("/0", str(odd) if is_id else trace.case_id)
        if name not in ("final_session_state", "session_trace", "user_inputs", "final_response", "latency_data"):
            assert [shown(turn) for turn in trace.turns] == [shown(turn) for turn in whole.turns]
            assert [turn.duration_s for turn in trace.turns] == [3.5, 5.5]


@examples(40, 1000)
@given(
    some.recursive(
        some.none() | some.booleans() | some.floats() | some.text(max_size=5),
        lambda inner: (
            some.lists(inner, max_size=3)
            | some.dictionaries(
                some.sampled_from(sorted(files.simulated())) | some.text(max_size=3), inner, max_size=4
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_stands_in_a_row_it_is_one_conversation(value: Any) -> None:
    row = {"question_id": "q", "extracted_data": value, "session_trace": value, "final_session_state": value}
    contents = read([row, {**files.live(), "reference_data": value, "eval_results": value, "latency_data": value}])
    assert [trace.case_id for trace in contents.traces] == ["q", "rome"]
    assert [shown(turn) for turn in contents.traces[1].turns] == [
        [("find_seats", {"city_name": "Rome", "seat_count": 2})],
        [("transfer_to_agent", {"agentName": "booker"}), ("write_file", {"fileName": "order"})],
    ]


def test_cells_of_a_table_are_seen_through() -> None:
    row = {name: json.dumps(cell) if isinstance(cell, dict | list) else cell for name, cell in files.live().items()}
    plain, seen = read([files.live()]), read([row])
    assert [turn.events for turn in seen.traces[0].turns] == [turn.events for turn in plain.traces[0].turns]
    assert seen.suites == plain.suites
    assert seen.reported == plain.reported


@each(
    ("value", "score"),
    [
        ({"question_id": "a", "session_trace": []}, 92),
        ({"question_id": "a", "score.x": 1}, 92),
        ({"question_id": 7, "adk_score.x": 1}, 92),
        ([{"question_id": "a", "extracted_data": {}}], 92),
        ([{"question_id": "a", "extracted_data": {}}, {"other": 1}], 0),
        ({"question_id": "a"}, 0),
        ({"session_trace": []}, 0),
        ({"questions": [{"id": 1, "text": "?"}]}, 0),
        ({"golden_questions": []}, 50),
        ({"metrics": {}}, 0),
        ({"metrics": {"a": {"template": "x"}}}, 85),
        ({"metrics": {"a": 1}}, 0),
        ({"metrics": {"a": {"threshold": 1}}}, 0),
        ([], 0),
        ("text", 0),
    ],
)
def test_what_is_recognised(value: Json, score: int) -> None:
    assert BY_NAME["agent-eval"].recognise(value) == score


def test_both_formats_are_listed() -> None:
    named = {known.name: known for known in FORMATS if known.system == "agent-eval"}
    assert sorted(named) == ["agent-eval", "agent-eval-summary"]
    found = recognise(files.summary())
    assert found is named["agent-eval-summary"]
