"""Vertex AI's evaluation items: every shape they come in, and what their rules make of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import vertex_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import ToolResult, Unknown, spoken_text
from trace_inspector.core.trace.trace import Trace, answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, SentenceSupport, Status
from trace_inspector.flows.opening.open_file import open_file


def by_id(contents: Contents) -> dict[str, Trace]:
    """The traces of a file."""
    return {trace.id: trace for trace in contents.traces}


def judged(contents: Contents) -> dict[str | None, CaseVerdict]:
    """The reported verdicts of a file by the trace they are about."""
    return {verdict.trace_id: verdict for verdict in contents.reported}


def test_a_request_is_a_case_with_a_trace_for_each_candidate() -> None:
    contents = opened(made.request(), "request_q7.json")
    (suite,) = contents.suites
    (case,) = suite.cases
    assert (contents.format, suite.id, case.id, case.place) == ("vertex-item", "q7", "q7", "")
    (turn,) = case.turns
    assert (user_text(turn), answer_text(turn)) == ("Is seat 2 free?", "Yes, seat 2 is free.")
    small, large = contents.traces
    assert [trace.id for trace in (small, large)] == ["q7 (small)", "q7 (large)"]
    assert {(trace.case_id, trace.suite_id, trace.case_runs) for trace in (small, large)} == {("q7", "q7", 2)}
    assert [answer_text(trace.turns[0]) for trace in (small, large)] == ["Yes.", "Seat 2 is free."]
    assert [event.author for event in small.turns[0].events] == ["small"]
    assert codes(contents) == []


def test_a_dump_with_every_key_says_no_more() -> None:
    full = made.request(prompt={"text": "Hello", "value": None, "agentData": None, "userScenario": None})
    assert codes(opened(full)) == []


def test_agent_data_keeps_authors_calls_times_and_tools() -> None:
    trace = by_id(opened(made.request(), "request_q7.json"))["q7 (large)"]
    (turn,) = trace.turns
    assert (turn.id, turn.place) == ("t0", "/candidateResponses/1/agentData/turns/0")
    assert [(call.name, call.args) for call in calls_of(turn)] == [("look_up", {"seat": 2})]
    assert [event.author for event in turn.events] == ["clerk", "clerk", "clerk"]
    assert turn.events[0].active_tools == ("look_up", "googleSearch")
    assert turn.events[1].state_delta == {"seat": 2}
    assert turn.duration_s == 2.5
    assert [(agent.name, agent.sub_agents, agent.description) for agent in trace.agents] == [
        ("desk", ("clerk",), "RouterAgent"),
        ("clerk", (), ""),
    ]


def test_rubrics_keep_their_groups() -> None:
    (suite,) = opened(made.request()).suites
    rubrics = suite.cases[0].rubrics
    told = [(one.id, one.text, one.group, one.description, one.type, one.importance) for one in rubrics]
    assert told == [
        ("a", "Is polite.", "tone", "Tone", None, ""),
        ("b", "Names the seat.", "facts", None, "FACT", "HIGH"),
    ]


def test_results_of_one_request_stand_together() -> None:
    contents = opened(made.full_list(), "items.json")
    assert [case.id for case in contents.suites[0].cases] == ["q1"]
    assert contents.suites[0].cases[0].tags == ("team: seats",)
    assert list(by_id(contents)) == ["q1 (small, r1)", "q1 (large, r1)"]
    small, large = (judged(contents)[name] for name in by_id(contents))
    assert [(metric.metric, metric.score, metric.status) for metric in small.metrics] == [
        ("general_quality_v1", 0.5, Status.INFORMATIONAL)
    ]
    assert [(metric.metric, metric.score, metric.status) for metric in large.metrics] == [
        ("general_quality_v1", None, Status.NOT_EVALUATED),
        ("hallucination_v1", 4.0, Status.INFORMATIONAL),
    ]
    assert (small.status, small.repeat, large.status, large.repeat) == (
        Status.INFORMATIONAL,
        0,
        Status.INFORMATIONAL,
        1,
    )
    assert small.golden_place == "/evaluationItems/0"
    assert codes(contents) == ["more-pages", "other-scale"]


def test_a_rubric_without_a_verdict_failed() -> None:
    (metric,) = judged(opened(made.full_list()))["q1 (small, r1)"].metrics
    assert [(rubric.rubric_id, rubric.score) for rubric in metric.rubrics] == [("a", 1.0), ("b", 0.0)]
    assert metric.figures == (("rubrics that hold", 1.0), ("rubrics", 2.0))


def test_an_explanation_that_is_json_is_told_in_sentences() -> None:
    metric = judged(opened(made.full_list()))["q1 (large, r1)"].metrics[1]
    assert metric.reason == (
        "supported: Seat 2 is free. (The tool says so.)\nunsupported: It has a window. (Nobody says so.)"
    )
    (sentence,) = metric.sentences
    assert (sentence.start, sentence.end, sentence.support) == (0, 15, SentenceSupport.SUPPORTED)


def test_sentences_may_stand_one_list_deeper() -> None:
    inner: list[Json] = [{"sentence": "Yes.", "label": "no_rad"}, {"sentence": "Yes.", "label": "odd"}]
    explanation = json.dumps([{"response": "Yes.", "explanation": inner}])
    contents = opened(made.result(made.verdict("small", 1, explanation=explanation)))
    (metric,) = contents.reported[0].metrics
    assert metric.reason == "no_rad: Yes.\nodd: Yes."
    assert [(one.support, one.reason) for one in metric.sentences] == [(SentenceSupport.NOT_APPLICABLE, "")]


def snake(value: Json) -> Json:
    """The same value as the SDK spells it."""
    if isinstance(value, dict):
        return {
            "".join(f"_{c.lower()}" if c.isupper() else c for c in key): snake(item) for key, item in value.items()
        }
    return [snake(item) for item in value] if isinstance(value, list) else value


def test_of_very_many_sentences_only_the_first_are_marked_in_the_answer() -> None:
    many = json.dumps([{"sentence": "Y", "label": "supported"}] * 1_500)
    response: JsonObject = {"candidate": "small", "text": "Y" * 1_500}
    judged_ = made.result(
        made.verdict("small", explanation=many), request=made.request(candidateResponses=[response])
    )
    (metric,) = opened(judged_).reported[0].metrics
    assert (len(metric.sentences), len(metric.reason.splitlines())) == (1_000, 1_500)


@each(
    "value",
    [
        made.full_list(),
        made.request(),
        made.result(made.verdict("small", 1)),
        made.item("evaluationRequest", made.request()),
    ],
)
def test_both_spellings_say_the_same(value: JsonObject) -> None:
    camel, other = opened(value), opened(snake(value))
    assert other.format == "vertex-item"
    assert [trace.id for trace in other.traces] == [trace.id for trace in camel.traces]
    assert [[answer_text(turn) for turn in trace.turns] for trace in other.traces] == [
        [answer_text(turn) for turn in trace.turns] for trace in camel.traces
    ]
    assert [[metric.score for metric in one.metrics] for one in other.reported] == [
        [metric.score for metric in one.metrics] for one in camel.reported
    ]
    assert codes(other) == codes(camel)


def test_lines_may_be_items_requests_and_results(tmp_path: Path) -> None:
    lines = [made.item("evaluationRequest", made.request()), made.request(), made.result(made.verdict("small", 1))]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "vertex-item"
    assert [case.id for case in contents.suites[0].cases] == ["all 2", "q1"]
    assert len(contents.traces) == 4
    assert [verdict.case_id for verdict in contents.reported] == ["q1"]


def test_each_run_has_traces_of_its_own() -> None:
    results = [made.result(made.verdict("small", 1), evaluationRun=f"runs/{run}") for run in ("a", "b")]
    contents = opened([*results], "two.json")
    assert [trace.id for trace in contents.traces] == [
        "q1 (small, a)",
        "q1 (large, a)",
        "q1 (small, b)",
        "q1 (large, b)",
    ]
    assert [verdict.repeat for verdict in contents.reported] == [0, 2]
    assert codes(contents) == []


def test_what_is_odd_in_a_request_is_said_once_for_all_runs() -> None:
    odd = made.request(prompt={})
    results = [made.result(made.verdict("small", 1), evaluationRun=f"runs/{run}", request=odd) for run in ("a", "b")]
    contents = opened([made.item("evaluationRequest", odd), *results])
    assert codes(contents) == ["empty-prompt"]
    assert len(contents.traces) == 4


def test_a_request_that_comes_again_is_shown_and_named() -> None:
    twice = [made.item("evaluationRequest", made.request()) for _ in range(2)]
    contents = opened([*twice])
    assert [case.place for case in contents.suites[0].cases] == ["/0"]
    assert len(contents.traces) == 4
    assert [(finding.code, finding.pointer) for finding in contents.findings] == [
        ("duplicate-id", "/1/evaluationRequest")
    ]


def test_results_that_name_no_request_stay_apart() -> None:
    nameless = [made.result(made.verdict("small", score), evaluationRequest="") for score in (0, 1)]
    contents = opened({"evaluationItems": [*nameless]}, "page.json")
    assert [(verdict.case_id, len(verdict.metrics)) for verdict in contents.reported] == [
        ("page 1", 1),
        ("page 2", 1),
    ]


def test_a_result_without_its_request_still_has_its_scores() -> None:
    bare = made.result(made.verdict("small", 0.5))
    del bare["request"]
    contents = opened(bare)
    assert [(trace.id, trace.turns, trace.place) for trace in contents.traces] == [
        ("q1 (small, r1)", (), "/candidateResults/0")
    ]
    assert (contents.suites, contents.reported[0].metrics[0].score) == ((), 0.5)
    assert codes(contents) == []


@each(
    ("prompt", "words"),
    [
        ({"text": "Hello"}, "Hello"),
        ({"value": "Hello"}, "Hello"),
        ({"promptTemplateData": {"values": {"name": made.said("Hello", "user")}}}, "Hello"),
        ({"agentData": made.agent_data()}, "Is seat 2 free?"),
    ],
)
def test_every_kind_of_prompt_is_told(prompt: JsonObject, words: str) -> None:
    contents = opened({"prompt": prompt})
    assert [user_text(turn) for turn in contents.suites[0].cases[0].turns] == [words]


def test_a_value_is_shown_as_it_stands() -> None:
    (turn,) = opened({"prompt": {"value": {"city": "Ulm"}}}).suites[0].cases[0].turns
    assert turn.user == (Unknown("value", {"city": "Ulm"}, "/prompt/value"),)


def test_a_scenario_is_a_case_for_a_simulated_user() -> None:
    told: JsonObject = {"startingPrompt": "Hi", "conversationPlan": "Ask for a seat.", "testCaseTitle": "Seats"}
    (case,) = opened({"prompt": {"userScenario": told}}).suites[0].cases
    assert (case.turns, case.scenario) == ((), Scenario("Hi", "Ask for a seat.", place="/prompt/userScenario"))


def test_an_answer_completes_the_conversation_in_the_prompt() -> None:
    data = made.agent_data()
    asked: JsonObject = {"turnIndex": 1, "events": [{"author": "user", "content": made.said("And 3?", "user")}]}
    turns = data["turns"]
    assert isinstance(turns, list)
    data["turns"] = [*turns, asked]
    contents = opened(
        made.request(prompt={"agentData": data}, candidateResponses=[{"candidate": "c", "text": "No."}])
    )
    (trace,) = contents.traces
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        ("Is seat 2 free?", "Seat 2 is free."),
        ("And 3?", "No."),
    ]
    assert answer_text(contents.suites[0].cases[0].turns[1]) == "Yes, seat 2 is free."


def test_a_candidate_that_failed_says_why() -> None:
    failed: JsonObject = {"candidate": "c", "error": {"code": 14, "message": "The model is away."}}
    (trace,) = opened(made.request(candidateResponses=[failed])).traces
    assert [event.error for event in trace.turns[0].events] == ["14: The model is away."]
    assert trace.turns[0].final_response is None


def test_a_metric_that_failed_is_an_error() -> None:
    contents = opened(made.result(made.verdict("small", error={"code": 8, "message": "Too many calls."})))
    (metric,) = contents.reported[0].metrics
    assert (metric.status, metric.reason, contents.reported[0].status) == (
        Status.ERROR,
        "8: Too many calls.",
        Status.ERROR,
    )


def test_what_lies_in_cloud_storage_is_named() -> None:
    contents = opened(made.item("gcsUri", "gs://bucket/request_q1.json"))
    (finding,) = contents.findings
    assert (finding.code, finding.pointer) == ("stored-elsewhere", "/gcsUri")
    assert "gs://bucket/request_q1.json" in finding.message
    assert (contents.suites, contents.traces) == ((), ())


def test_of_two_answers_under_one_name_the_first_has_the_verdict() -> None:
    twice: list[Json] = [{"candidate": "small", "text": word} for word in ("Yes.", "No.")]
    contents = opened(made.result(made.verdict("small", 1), request=made.request(candidateResponses=twice)))
    assert len(contents.traces) == 2
    assert [verdict.trace_place for verdict in contents.reported] == ["/request/candidateResponses/0"]


def test_the_agents_of_the_prompt_are_those_of_an_answer_without_any() -> None:
    (trace,) = opened(
        made.request(prompt={"agentData": made.agent_data()}, candidateResponses=[{"candidate": "c", "text": "No."}])
    ).traces
    assert [agent.name for agent in trace.agents] == ["desk", "clerk"]
    # The prompt's last turn has its answer already, so this one follows.
    assert [(turn.index, answer_text(turn)) for turn in trace.turns] == [(0, "Seat 2 is free."), (1, "No.")]


def test_an_answer_that_its_last_event_says_already_is_told_once() -> None:
    response: JsonObject = {"candidate": "c", "text": "Yes.", "events": [made.said("Let me see."), made.said("Yes.")]}
    (trace,) = opened(made.request(candidateResponses=[response])).traces
    (turn,) = trace.turns
    assert [spoken_text(event.parts) for event in turn.events] == ["Let me see.", ""]
    assert (turn.final_event, answer_text(turn)) == (1, "Yes.")


@pytest.mark.parametrize("said", [{}, {"text": ""}, {"text": "Yes."}])
def test_what_a_tool_answered_last_is_kept(said: JsonObject) -> None:
    answer: JsonObject = {"functionResponse": {"name": "look_up", "response": {"output": "free"}}}
    events: list[Json] = [{"role": "tool", "parts": [answer]}]
    (trace,) = opened(made.request(candidateResponses=[{"candidate": "c", "events": events, **said}])).traces
    (event,) = trace.turns[0].events
    assert [type(part) for part in event.parts] == [ToolResult]


def test_extra_context_stands_before_the_first_turn() -> None:
    (case,) = opened(made.request(extraContext={"menu": made.said("Soup.")})).suites[0].cases
    assert [(event.author, spoken_text(event.parts), event.place) for event in case.context] == [
        ("menu", "Soup.", "/extraContext/menu")
    ]


def test_a_recorded_conversation_without_a_golden_expects_only_its_questions() -> None:
    (case,) = opened({"candidateResponses": [{"candidate": "c", "agentData": made.agent_data()}]}).suites[0].cases
    assert [(user_text(turn), turn.final_response, turn.events) for turn in case.turns] == [
        ("Is seat 2 free?", None, ())
    ]


def test_a_scenario_expects_nothing_of_its_candidates() -> None:
    scenario: JsonObject = {"userScenario": {"startingPrompt": "Hi"}}
    candidates: list[Json] = [{"candidate": "c", "agentData": made.agent_data()}]
    (case,) = opened({"prompt": scenario, "candidateResponses": candidates}).suites[0].cases
    assert case.turns == ()


def test_further_numbers_of_a_result_are_figures() -> None:
    contents = opened(made.result(made.verdict("small", -2, additionalResults={"tokens": 12, "note": "x"})))
    assert contents.reported[0].metrics[0].figures == (("tokens", 12.0),)
    assert codes(contents) == ["other-scale"]


def test_what_an_event_says_beside_is_kept_and_code_that_ran_is_no_answer() -> None:
    ran: JsonObject = {"role": "model", "parts": [{"codeExecutionResult": {"output": "2"}}]}
    events: list[Json] = [{"author": "clerk", "content": ran, "note": {"a": 1}}]
    (trace,) = opened(made.with_turns({"turnIndex": "0", "events": events})).traces
    (event,) = trace.turns[0].events
    assert [(extra.name, extra.value) for extra in event.extras] == [("note", {"a": 1})]
    assert trace.turns[0].final_response is None
    assert codes(opened(made.with_turns({"turnIndex": "0", "events": events}))) == ["unknown-key", "unfinished"]
