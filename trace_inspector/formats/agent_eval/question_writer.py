"""A case as one of agent-eval's golden questions, and as the reference data of a row."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer, spoken_text
from trace_inspector.core.trace.trace import Steps, Turn, answer_text, paired_calls, user_text
from trace_inspector.core.values.values import Json, JsonObject, present
from trace_inspector.formats.agent_eval.golden import ANSWER, CALLS, CONTAINS, TRAJECTORY

_BESIDE = ("agents_evaluated", "metadata", "question_metadata", "updated_datetime")


def question_json(case: Case) -> JsonObject:
    """One golden question; a scenario has its first message."""
    asked: list[Json] = [user_text(turn) for turn in case.turns]
    if case.scenario is not None:
        asked = [case.scenario.starting_prompt]
    question: JsonObject = {"id": case.id, "user_inputs": asked, "agents_evaluated": [], "metadata": {}}
    if case.session is not None and case.session.app:
        question["agents_evaluated"] = [case.session.app]
    question.update({extra.name: extra.value for extra in case.extras if extra.name in _BESIDE})
    question["reference_data"] = reference_json(case)
    return question


def reference_json(case: Case) -> JsonObject:
    """What a case expects: calls, the way there, the last answer, and what other tools had written there."""
    reference: JsonObject = {}
    stated = [turn for turn in case.turns if turn.steps is not Steps.ABSENT]
    calls = [raw_call for turn in stated for raw_call in _calls(turn)]
    calls += [
        _call(expected.parts)
        for expected in case.expectations
        if expected.kind is Expects.CALL and expected.reference != TRAJECTORY
    ]
    if stated or calls:
        reference[CALLS] = [*calls]
    way = list(_way(case))
    if way:
        reference[TRAJECTORY] = [*way]
    elif calls:
        reference[TRAJECTORY] = [f"tool:{call['tool_name']}" for call in calls]
    contained: list[Json] = [
        spoken_text(expected.parts)
        for expected in case.expectations
        if expected.kind is Expects.ANSWER and expected.compared_by == "CONTAINS"
    ]
    if contained:
        reference[CONTAINS] = contained if len(contained) > 1 else contained[0]
    answer = next((answer_text(turn) for turn in reversed(case.turns) if turn.final_response is not None), None)
    if answer is not None:
        reference[ANSWER] = answer
    reference.update({extra.name: extra.value for extra in case.extras if extra.name not in _BESIDE})
    return reference


def _calls(turn: Turn) -> Iterator[JsonObject]:
    for pair in paired_calls(turn):
        yield _call((pair.call, pair.result) if pair.result else (pair.call,))


def _call(parts: tuple[Part, ...]) -> JsonObject:
    """A call with its result, as far as they are stated."""
    written: JsonObject = {}
    for part in parts:
        match part:
            case ToolCall():
                written["tool_name"] = part.name
                if present(part.args):
                    written["input_arguments"] = part.args
                if part.call_id is not None:
                    written["call_id"] = part.call_id
            case ToolResult() if present(part.value):
                written["output_result"] = part.value
    return written


def _way(case: Case) -> Iterator[str]:
    for expected in case.expectations:
        if expected.reference == TRAJECTORY:
            for part in expected.parts:
                match part:
                    case ToolCall():
                        yield f"tool:{part.name}"
                    case Transfer():
                        yield f"agent:{part.target}"
                    case Text():
                        yield part.text
