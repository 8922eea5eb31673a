"""What is written as evaluation items: read again it says the same, and what has no place there is named."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.formats import vertex_files as made
from tests.formats.adk_files import WRITABLE
from tests.formats.span_files import opened
from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.golden.golden import Case, Persona, Scenario, Session, Suite
from trace_inspector.core.golden.matcher import Match, Matcher, Note
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Media, Part, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage, answer_text, calls_of, user_text
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.formats import FORMATS
from trace_inspector.formats.ces.evaluation import evaluation_writer as ces_evaluation_writer
from trace_inspector.formats.extension.key_locations import File
from trace_inspector.formats.vertex.item.item_writer import write
from trace_inspector.formats.writing.reserved_key_conversion import Conversion, converted

BY_NAME = {known.name: known for known in FORMATS}
ITEM: JsonObject = made.item("evaluationRequest", made.request(), labels={"team": "a"}, metadata={"x": 1})
# Every shape of the files that are read as items.
SHAPES: dict[str, Json] = {
    "item": ITEM,
    "list": made.full_list(),
    "plain list": [ITEM, {**ITEM, "name": f"{made.ITEMS}/q2"}],
    "metadata that is no object": {**ITEM, "metadata": [1, 2]},
    "request": made.request(),
    "template": made.request(prompt={"promptTemplateData": {"values": {"a": made.said("x")}}}),
    "value": made.request(prompt={"value": {"q": 1}}),
    "scenario": made.request(prompt={"userScenario": {"startingPrompt": "a", "conversationPlan": "b"}}),
    "offline": {"candidateResponses": [{"candidate": "a", "agentData": made.agent_data()}]},
    "result": made.item("evaluationResponse", made.result(made.verdict("small", 0.5))),
    "snake": {"prompt": {"text": "a"}, "candidate_responses": [{"candidate": "c", "text": "b"}]},
}


def moved(file: File, name: str, origin: str, target: str) -> Conversion:
    """One way."""
    return converted(file, name, BY_NAME[origin], BY_NAME[target])


def there_and_back(value: Json, name: str, origin: str, target: str) -> Json:
    """Both ways."""
    there = moved(File(value), name, origin, target)
    side = parse_exactly(there.side) if there.side else None
    assert side is None or isinstance(side, dict)
    return parse_exactly(moved(File(parse_exactly(there.text), side), "other.json", target, origin).text)


@each("origin", [name for name in WRITABLE if name != "vertex-item"])
def test_what_became_an_item_becomes_what_it_was(origin: str) -> None:
    value = parse_exactly(WRITABLE[origin])
    assert same(there_and_back(value, "mine.json", origin, "vertex-item"), value)  # E4, test 12


@each("target", ["adk-eval-set", "adk-session", "agent-eval", "ces-evaluation"])
@each("shape", SHAPES)
def test_an_item_in_another_format_becomes_what_it_was(shape: str, target: str) -> None:
    value = parse_exactly(json.dumps(SHAPES[shape]))
    assert same(there_and_back(value, "request_7.json", "vertex-item", target), value)


def test_our_key_stands_in_the_metadata_where_the_service_lets_it() -> None:
    value = parse_exactly(WRITABLE["adk-eval-set"])
    written = json.loads(moved(File(value), "mine.json", "adk-eval-set", "vertex-item").text)
    items = written.get("evaluationItems", [written])
    assert all("traceInspector" not in item for item in items)
    assert all(item["metadata"]["traceInspector"]["origin"] == {"format": "adk-eval-set"} for item in items)


def golden() -> Case:
    """A scripted case of two turns, the last with a call."""
    call, result = ToolCall("look", {"seat": 2}, "c1"), ToolResult("look", {"output": "free"}, "c1")
    events = (Event("clerk", (call,), "model", 1.5), Event("clerk", (result,), "user", state_delta={"seat": 2}))
    agents = (Agent("clerk", "Be brief.", sub_agents=("helper",)), Agent("helper"))
    return Case(
        "seats",
        "suite",
        turns=(
            Turn(0, "t0", (Text("Hello"),), final_response=(Text("Good day."),), final_author="clerk"),
            Turn(
                1, "t1", (Text("Is it free?"),), events, (Text("Yes."),), "clerk", steps=Steps.EVENTS, agents=agents
            ),
        ),
        rubrics=(Rubric("a", "Is polite.", group="tone", importance="HIGH"), Rubric("b", "Is true.", "FACT")),
        tags=("team: a",),
    )


def test_a_written_case_reads_as_it_was() -> None:
    contents = Contents(
        "adk-eval-set",
        (Suite("suite", cases=(golden(),)),),
        (Trace("t", golden().turns, case_id="seats", suite_id="suite", candidate="new"),),
    )
    written = write(contents)
    assert written.losses == ()
    read = opened(json.loads(written.text))
    assert [finding.code for finding in read.findings if finding.severity is not Severity.INFO] == []
    (case,) = read.suites[0].cases
    assert (case.id, case.tags) == ("seats", ("team: a",))
    assert [(user_text(turn), answer_text(turn), turn.id) for turn in case.turns] == [
        ("Hello", "Good day.", "t0"),
        ("Is it free?", "Yes.", "t1"),
    ]
    assert [(call.name, call.args, call.call_id) for call in calls_of(case.turns[1])] == [("look", {"seat": 2}, "c1")]
    assert [(one.id, one.group, one.type, one.importance) for one in case.rubrics] == [
        ("a", "tone", None, "HIGH"),
        ("b", "FACT", "FACT", ""),
    ]
    (trace,) = read.traces
    assert trace.candidate == "new"
    assert [agent.name for agent in trace.agents] == ["clerk", "helper"]
    steps = trace.turns[1].events
    assert steps[0].time_s == 1.5
    assert [event.state_delta for event in steps if event.state_delta] == [{"seat": 2}]


def test_plain_questions_and_answers_are_texts() -> None:
    turns = (Turn(0, user=(Text("Hi"),), final_response=(Text("Hello."),)),)
    case = Case("a", "s", turns)
    request = json.loads(
        write(Contents("x", (Suite("s", cases=(case,)),), (Trace("t", turns, case_id="a", suite_id="s"),))).text
    )
    assert request["evaluationRequest"] == {
        "prompt": {"text": "Hi"},
        "goldenResponse": {"text": "Hello."},
        "candidateResponses": [{"candidate": "candidate", "text": "Hello."}],
    }


def test_arguments_keep_their_spelling() -> None:
    call = ToolCall("look", {"seat_number": {"in_row": 1}})
    turns = (Turn(0, user=(Text("Hi"),), events=(Event("a", (call,)),), steps=Steps.EVENTS),)
    (trace,) = opened(json.loads(write(Contents("x", traces=(Trace("t", turns),))).text)).traces
    assert calls_of(trace.turns[0])[0].args == {"seat_number": {"in_row": 1}}


def test_keys_are_spelled_as_the_service_spells_them() -> None:
    picture = Media("image/png", uri="gs://b/o")
    turns = (Turn(0, user=(picture,), final_response=(Text("A seat."),)),)
    (event, _answer) = json.loads(write(Contents("x", traces=(Trace("t", turns),))).text)["evaluationRequest"][
        "candidateResponses"
    ][0]["agentData"]["turns"][0]["events"]
    assert event["content"]["parts"] == [{"fileData": {"fileUri": "gs://b/o", "mimeType": "image/png"}}]


LOSING: list[tuple[Case, str]] = [
    (Case("c", session=Session("app", "user")), "sessions-lost"),
    (Case("c", final_state={"a": 1}), "sessions-lost"),
    (Case("c", title="Seats"), "titles-lost"),
    (Case("c", matchers=(Matcher("/x", Match.IGNORE),)), "matchers-lost"),
    (Case("c", notes=(Note("/x", "why"),)), "notes-lost"),
    (Case("c", scenario=Scenario("a", "b", Persona("p"))), "scenario-details-lost"),
    (Case("c", tags=("plain",)), "tags-lost"),
    (Case("c", criteria=(Criterion("rouge_1"),)), "criteria-lost"),
    (Case("c", turns=(Turn(0, expectations=(Expectation(Expects.NO_CALLS),)),)), "expectations-lost"),
    (Case("c", turns=(Turn(0, rubrics=(Rubric("a", "x"),)),)), "turn-rubrics-lost"),
    (Case("c", context=(Event("u"), Event("u"))), "context-lost"),
    (Case("c", turns=(Turn(0, user=(Media("image/png", 3),)),)), "parts-lost"),
    (Case("c", turns=(Turn(0, events=(Event("a", (Transfer("b"),)),)),)), "parts-lost"),
    (Case("c", turns=(Turn(0, events=(Event("a", usage=Usage(1)),)),)), "event-details-lost"),
]


@each(("case", "code"), LOSING, ids=[f"{code} {at}" for at, (_, code) in enumerate(LOSING)])
def test_each_loss_is_named_once(case: Case, code: str) -> None:
    losses = write(Contents("x", (Suite("s", cases=(case,)),))).losses
    assert [(loss.code, loss.severity) for loss in losses] == [(code, Severity.ERROR)]


CALLS: list[Json] = [
    {"id": f"c{at}", "name": "book", "args": {"seat": at, "name": {"first": "A"}}} for at in range(2)
]
MATCHED: JsonObject = {
    "eval_set_id": "s",
    "eval_cases": [
        {
            "eval_id": "seats",
            "conversation": [
                {
                    "user_content": {"role": "user", "parts": [{"text": "Two seats."}]},
                    "final_response": {"role": "model", "parts": [{"text": "Booked."}]},
                    "intermediate_data": {"tool_uses": CALLS},
                }
            ],
            "traceInspector": {
                "version": 1,
                "matchers": {
                    "/conversation/0/intermediate_data/tool_uses/0/args/seat": {"match": "ignore"},
                    "/conversation/0/intermediate_data/tool_uses/1/args/name/first": {
                        "match": "contains",
                        "text": "A",
                    },
                },
            },
        }
    ],
}


def test_a_conversion_takes_matchers_along_to_the_calls_they_are_for() -> None:
    made = moved(File(MATCHED), "s.json", "adk-eval-set", "vertex-item")
    assert [loss.code for loss in made.losses] == ["kept-beside"]
    read = opened(json.loads(made.text))
    assert [finding.code for finding in read.findings if finding.severity is not Severity.INFO] == []
    (case,) = read.suites[0].cases
    calls = calls_of(case.turns[0])
    assert {matcher.place: (matcher.match, matcher.text) for matcher in case.matchers} == {
        f"{calls[0].place}/args/seat": (Match.IGNORE, ""),
        f"{calls[1].place}/args/name/first": (Match.CONTAINS, "A"),
    }
    assert same(there_and_back(MATCHED, "s.json", "adk-eval-set", "vertex-item"), MATCHED)


def test_spans_and_verdicts_have_no_place_either() -> None:
    verdict = CaseVerdict("c", "s", "t", Status.PASSED)
    written = write(Contents("x", traces=(Trace("t", span_count=2),), reported=(verdict,)))
    assert [loss.code for loss in written.losses] == ["spans-lost", "verdicts-lost"]


def test_two_cases_of_one_name_and_answers_without_one_are_kept_apart() -> None:
    cases = (Case("a", "s"), Case("a", "s"))
    traces = tuple(Trace(f"t{at}", case_id="b", suite_id="s") for at in range(2))
    written = write(Contents("x", (Suite("s", cases=cases),), traces))
    items = json.loads(written.text)["evaluationItems"]
    assert [item["displayName"] for item in items] == ["a", "a (2)", "b"]
    answers = items[2]["evaluationRequest"]["candidateResponses"]
    assert [answer["candidate"] for answer in answers] == ["candidate 1", "candidate 2"]
    assert [loss.code for loss in written.losses] == ["renamed-case"]


PARTS = st.lists(
    st.one_of(
        st.builds(Text, st.text(min_size=1, max_size=8)),
        st.builds(Thought, st.text(min_size=1, max_size=8)),
        st.builds(ToolCall, st.sampled_from("abc"), st.dictionaries(st.text(max_size=4), st.integers(), max_size=2)),
    ),
    max_size=3,
)


@examples(40, 1000)
@given(st.lists(st.tuples(PARTS, PARTS, st.text(min_size=1, max_size=8)), min_size=1, max_size=4))
def test_whatever_was_said_and_called_is_read_again(told: list[tuple[list[Part], list[Part], str]]) -> None:
    turns = tuple(
        Turn(
            at,
            user=(Text(f"{at}"),),
            events=tuple(Event("agent", tuple(parts), "model") for parts in (first, second) if parts),
            final_response=(Text(answer),),
            final_author="agent",
            steps=Steps.EVENTS,
        )
        for at, (first, second, answer) in enumerate(told)
    )
    (trace,) = opened(json.loads(write(Contents("x", traces=(Trace("t", turns),))).text)).traces
    assert [user_text(turn) for turn in trace.turns] == [user_text(turn) for turn in turns]
    for read, given_turn in zip(trace.turns, turns, strict=True):
        assert [(one.name, one.args) for one in calls_of(read)] == [
            (one.name, one.args) for one in calls_of(given_turn)
        ]
        assert answer_text(read).endswith(answer_text(given_turn))


def test_an_evaluation_of_ces_is_called_like_the_item_and_not_by_the_services_name() -> None:
    written = json.loads(ces_evaluation_writer.write(opened(ITEM)).text)
    assert (written["displayName"], written["name"]) == ("The q1", "q1")
