"""Recorded conversations become goldens: as google-adk makes them, with what it loses, and no more than is wanted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.adk_vectors import recorded as recorded_by_adk
from tests.formats.session_files import call, event, result, said, session
from tests.helpers.tables import each
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.expectation_kinds import EXPECTATIONS, default_expectations, without_unmet_needs
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.golden.promoting import Origin, PromotionChoice, promoted, promoted_many
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Agent, Event, Steps, Trace, Turn, Usage, answer_text, calls_of, user_text
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.lints import linted
from trace_inspector.formats import FORMATS
from trace_inspector.formats.common.format import Format, Source

TEMPLATE = "Answer {name} in {language}, never in {a b}."


def sessions() -> list[Any]:
    """What google-adk 2.13.0 made of sessions when it added them to an eval set."""
    return [
        pytest.param(entry["job"]["data"], entry["output"]["result"]["invocations"], id=entry["job"]["name"])
        for entry in recorded_by_adk()
        if entry["job"].get("mode") == "convert" and entry["job"]["kind"] == "session"
    ]


def known(name: str) -> Format:
    return next(each for each in FORMATS if each.name == name)


def recorded(value: Json, name: str = "adk-session") -> Trace:
    (trace,) = collect(name, known(name).read(Source(value, "made.json"))).traces
    return trace


def written(case: Case, name: str = "adk-eval-set") -> tuple[Any, list[str]]:
    """The golden as the format has it, and what is gone."""
    editing = known(name).editing
    assert editing is not None
    golden, losses = editing.written(case)
    return golden, [loss.code for loss in losses]


def reopened(case: Case, name: str = "adk-eval-set") -> Case:
    """The case as it reads in a file of its own."""
    target = known(name)
    assert target.write is not None
    text = target.write(Contents(name, (Suite("s", cases=(case,)),))).text
    (suite,) = collect(name, target.read(Source(json.loads(text), "s.json"))).suites
    return suite.cases[0]


TOLD = session(
    event("user", said("Find me a table"), at=1.0, actions={"stateDelta": {"asked": True}}),
    event("guide", call("transfer_to_agent", "t", agent_name="finder"), at=2.0),
    event("guide", result("transfer_to_agent", {}, "t"), at=2.5),
    event("finder", said("Let me see"), call("find", "f", seats=2), at=3.0, usageMetadata={"promptTokenCount": 5}),
    event("finder", result("find", {"table": 7}, "f"), at=4.0, actions={"stateDelta": {"table": 7, "temp:x": 1}}),
    event("finder", said("Table 7."), at=5.0),
    event("user", said("Book it"), at=6.0, invocation="e-2"),
    event("finder", call("book", "b", table=7), at=7.0, invocation="e-2", actions={"stateDelta": {"booked": 7}}),
    event("finder", result("book", {}, "b"), at=8.0, invocation="e-2"),
    event("finder", said("Done."), at=9.0, invocation="e-2"),
    state={"k": 1, "asked": True, "table": 7, "booked": 7, "temp:x": 1, "__llm_request_key__": "?"},
)


@each(("data", "invocations"), sessions())
def test_a_session_becomes_what_google_adk_makes_of_it(data: Json, invocations: list[Any]) -> None:
    golden, _losses = written(promoted(recorded(data)))
    assert golden["conversation"] == invocations


def test_the_session_of_a_case_is_that_of_google_adk() -> None:
    guide = Agent("guide", TEMPLATE)
    trace = replace(recorded(TOLD), agents=(guide,))
    golden, _ = written(promoted(trace, PromotionChoice(wants=default_expectations("adk-eval-set") - {"state"})))
    assert golden["session_input"] == {
        "app_name": "guide",
        "user_id": "u1",
        "state": {"name": "", "language": ""},
    }
    assert golden["traceInspector"]["leftovers"]["/session_input/session_id"] == "s1"
    told = golden["conversation"][0]["app_details"]["agent_details"]["guide"]
    assert told == {"name": "guide", "instructions": TEMPLATE, "tool_declarations": []}


@pytest.mark.parametrize(
    ("turns", "start", "end"),
    [
        (None, {"k": 1, "asked": True}, {"k": 1, "asked": True, "table": 7, "booked": 7}),
        ((0,), {"k": 1, "asked": True}, {"k": 1, "asked": True, "table": 7}),
        ((1,), {"k": 1, "asked": True, "table": 7}, {"k": 1, "asked": True, "table": 7, "booked": 7}),
    ],
    ids=["all", "first", "last"],
)
def test_state_is_that_around_the_chosen_turns(
    turns: tuple[int, ...] | None, start: JsonObject, end: JsonObject
) -> None:
    case = promoted(recorded(TOLD), PromotionChoice(turns))
    assert case.session is not None
    assert (case.session.state, case.final_state) == (start, end)
    assert reopened(case).final_state == end
    bare = promoted(recorded(TOLD), PromotionChoice(turns, frozenset({"calls"})))
    assert (bare.session, bare.final_state) == (None, None)


def names(case: Case) -> list[list[str]]:
    return [[call.name for call in calls_of(turn)] for turn in case.turns]


@pytest.mark.parametrize(
    ("wants", "calls", "answers"),
    [
        ("calls answers transfers", [["transfer_to_agent", "find"], ["book"]], ["Table 7.", "Done."]),
        ("calls", [["find"], ["book"]], ["", ""]),
        ("answers results transfers said", [[], []], ["Table 7.", "Done."]),
    ],
    ids=["usual", "calls alone", "answers alone"],
)
def test_only_what_is_wanted_is_expected(wants: str, calls: list[list[str]], answers: list[str]) -> None:
    case = reopened(promoted(recorded(TOLD), PromotionChoice(wants=frozenset(wants.split()))))
    assert (names(case), [answer_text(turn) for turn in case.turns]) == (calls, answers)
    assert not [part for turn in case.turns for part in parts(turn) if isinstance(part, ToolResult | Text)] or (
        "transfers" in wants and "calls" in wants
    )
    assert {turn.steps for turn in case.turns} == {Steps.EVENTS if "calls" in wants else Steps.ABSENT}
    assert {turn.final_response is None for turn in case.turns} == {"answers" not in wants}


def parts(turn: Turn) -> list[Part]:
    return [part for event in turn.events for part in event.parts]


def test_the_event_of_the_answer_is_still_that_of_the_answer() -> None:
    whole = recorded(TOLD)
    case = promoted(whole, PromotionChoice(wants=frozenset({"calls", "answers", "figures"})))
    for turn, told in zip(case.turns, whole.turns, strict=True):
        assert turn.final_event is not None
        assert told.final_event is not None
        assert turn.final_event == len(turn.events) - 1 < told.final_event
        assert turn.events[turn.final_event].parts == ()


def test_what_makes_no_sense_alone_is_not_taken() -> None:
    for one in EXPECTATIONS:
        assert without_unmet_needs(frozenset({one.name})) == (frozenset() if one.needs else {one.name})
        assert one.needs in {"", *(other.name for other in EXPECTATIONS)}


def test_ces_expects_one_thing_after_the_other_with_results_as_mocks() -> None:
    case = promoted(
        recorded(TOLD), PromotionChoice(wants=default_expectations("ces-evaluation")), origin=Origin("runs.json")
    )
    golden, gone = written(case, "ces-evaluation")
    assert gone == []
    assert golden["description"] == "Made from the run “s1” in runs.json."
    first, second = ([next(iter(step.items())) for step in turn["steps"]] for turn in golden["golden"]["turns"])
    assert [key for key, _ in first[:2]] == ["userInput", "userInput"]
    told = [next(key for key in step if key != "skipEvaluation") for _, step in (*first[2:], *second[1:])]
    assert told == [
        "updatedVariables", "agentTransfer", "agentResponse", "toolCall", "mockToolResponse", "updatedVariables",
        "agentResponse", "toolCall", "updatedVariables", "mockToolResponse", "agentResponse", "updatedVariables",
    ]  # fmt: skip
    again = reopened(case, "ces-evaluation")
    assert [call.name for turn in again.turns for call in calls_of(turn)] == ["find", "book"]
    assert [answer_text(turn) for turn in again.turns] == ["Table 7.", "Done."]


@pytest.mark.parametrize("name", ["adk-eval-set", "ces-evaluation", "vertex-item"])
def test_nothing_is_gone_in_a_format_with_what_is_usual_there(name: str) -> None:
    target = known(name)
    assert target.write is not None
    case = promoted(
        recorded(TOLD), PromotionChoice(wants=default_expectations(name)), origin=Origin("x.json", Status.FAILED)
    )
    losses = target.write(Contents(name, (Suite("s", cases=(case,)),))).losses
    assert [loss for loss in losses if loss.severity.value == "error"] == []
    assert reopened(case, name).tags == ("made from: failed run",)


@pytest.mark.parametrize(("verdict", "hints"), [(Status.FAILED, 1), (Status.ERROR, 1), (Status.PASSED, 0), (None, 0)])
def test_a_failing_run_is_found_again(verdict: Status | None, hints: int) -> None:
    case = reopened(promoted(recorded(TOLD), origin=Origin("runs.json", verdict)))
    found = [hint for hint in linted(Suite("s", cases=(case,))) if hint.lint == "from-failing-run"]
    assert len(found) == hints
    fared = {
        Status.FAILED: ", which failed",
        Status.ERROR: ", which ended with an error",
        Status.PASSED: ", which passed",
    }
    assert [note.text for note in case.notes] == [
        f"Made from the run “s1” in runs.json{fared.get(verdict, '') if verdict else ''}."
    ]
    for hint in found:
        assert hint.fix is not None
        editing = known("adk-eval-set").editing
        assert editing is not None
        (change,) = hint.fix.changes
        raw, _ = editing.written(case)
        mended = editing.read(editing.changed(raw, editing.read(raw, "/0", ""), change), "/0", "")
        assert "from-failing-run" not in {one.lint for one in linted(Suite("s", cases=(mended,)))}


def test_ids_are_stable_and_never_twice() -> None:
    trace = recorded(TOLD)
    origin = Origin()
    many = promoted_many(
        [
            (trace, PromotionChoice(), origin),
            (trace, PromotionChoice((1,)), origin),
            (trace, PromotionChoice(), origin),
        ],
        {"book_it"},
    )
    assert [case.id for case in many] == ["find_me_a_table", "book_it_2", "find_me_a_table_2"]
    assert promoted(replace(trace, case_id="case 1")).id == "case 1"
    silent = replace(trace, turns=(Turn(0),))
    assert promoted(silent).id == "s1"
    long = replace(trace, turns=(Turn(0, user=(Text("Übermäßig lange Fragen " * 9),)),))
    assert promoted(long).id == "übermässig_lange_fragen_übermässig_lange"[:40].removesuffix("_lange") + "_lange"


def test_a_turn_that_is_not_there_is_said() -> None:
    with pytest.raises(EditError, match="has 2 turns, and so no turn 4"):
        promoted(recorded(TOLD), PromotionChoice((0, 3)))
    with pytest.raises(EditError, match="No turn is chosen"):
        promoted(recorded(TOLD), PromotionChoice(()))


_words = st.text(max_size=6)
_args = st.dictionaries(_words, st.integers() | _words | st.lists(st.booleans(), max_size=2), max_size=2)
_part = st.one_of(
    st.builds(Text, _words),
    st.builds(ToolCall, st.sampled_from(["find", "book", "transfer_to_agent"]), _args, st.none() | _words),
    st.builds(ToolResult, st.sampled_from(["find", "book"]), _args, st.none() | _words),
    st.builds(Transfer, _words),
)
_event = st.builds(
    Event,
    st.sampled_from(["guide", "finder", "user", ""]),
    st.lists(_part, max_size=3).map(tuple),
    usage=st.none() | st.just(Usage(3)),
    error=st.none() | _words,
    state_delta=st.none() | _args,
)


@st.composite
def _turns(draw: st.DrawFn) -> tuple[Turn, ...]:
    made = []
    for at in range(draw(st.integers(0, 3))):
        events = tuple(draw(st.lists(_event, max_size=4)))
        answer = draw(st.none() | st.just((Text("So."),)))
        final = draw(st.none() | st.integers(0, len(events) - 1)) if events and answer else None
        made.append(Turn(at, f"i{at}", (Text(draw(_words)),), events, answer, "guide", final, Steps.EVENTS))
    return tuple(made)


@given(turns=_turns(), state=st.none() | _args, agents=st.sampled_from([(), (Agent("guide", TEMPLATE),)]))
def test_any_conversation_reads_again_with_its_calls_and_answers(
    turns: tuple[Turn, ...], state: JsonObject | None, agents: tuple[Agent, ...]
) -> None:
    trace = Trace("t", turns, agents, app="a", user="u", final_state=state, place="/9")
    case = promoted(trace)
    golden, _losses = written(case)
    assert json.loads(json_text(golden)) == golden
    again = reopened(case)
    assert again.id == case.id
    assert [user_text(turn) for turn in again.turns] == [user_text(turn) for turn in turns]
    assert [answer_text(turn) for turn in again.turns] == [answer_text(turn) for turn in turns]
    assert [[(call.name, call.args) for call in calls_of(turn)] for turn in again.turns] == [
        [
            (part.name, part.args)
            for event in turn.events
            if event.author != "user"  # google-adk keeps none of the user's own
            for part in event.parts
            if isinstance(part, ToolCall)
        ]
        for turn in turns
    ]
