"""SCRAPI's tests of one turn, its simulated users and its tests of single tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.finding import warning
from trace_inspector.core.golden.golden import Case, Scenario, Session
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, count_of, or_null
from trace_inspector.formats.scrapi.conversation import Common, criteria_in, tags_of, user_parts
from trace_inspector.formats.scrapi.fields import place_of

_READ_OF_A_TURN = ("conversation", "user", "event", "variables", "session_parameters", "expectations", "tags")
_READ_OF_A_SIMULATION = ("name", "steps", "expectations", "tags", "session_parameters")
_READ_OF_A_TEST = ("name", "tool", "args", "variables", "expectations", "tags")


class _Expected(Struct):
    """What the expectations of one turn come to."""

    expectations: list[Expectation] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    matchers: list[Matcher] = field(default_factory=list)
    answer: tuple[Part, ...] | None = None

    def add(self, kind: Expects, part: Part | None, value: Json, stated: Fields) -> None:
        """One more, and the event that it would be."""
        parts = () if part is None else (part,)
        way = (stated.text("type") or "").upper()
        self.expectations.append(Expectation(kind, parts, value, compared_by=way, place=stated.place))
        if part is not None and kind is not Expects.ANSWER:
            self.events.append(Event("", parts, place=stated.place))


def turn_case(fields: Fields, number: int, common: Common, report: Report) -> Case:
    """A test of one turn, perhaps behind others that are given."""
    expected = _Expected()
    for expectation in report.bounded(fields, "expectations"):
        read = _TYPES.get((expectation.text("type") or "").lower())
        if read is None:
            kind = expectation.text("type")
            message = f"“{kind}” is not a known type of expectation; it is shown as it is."
            report.add(warning("unknown-enum", message, expectation.pointer("type")))
            expected.add(Expects.CRITERION, None, or_null(expectation.get("value")), expectation)
        else:
            read(expectation, expected)
    state = {**common.parameters, **(fields.mapping("variables") or fields.mapping("session_parameters") or {})}
    turn = Turn(
        index=0,
        user=user_parts(fields, "event", report),
        events=tuple(expected.events),
        final_response=expected.answer,
        steps=Steps.EVENTS if expected.events or _expects_no_calls(expected) else Steps.ABSENT,
        expectations=tuple(expected.expectations),
        place=fields.place,
    )
    return Case(
        id=fields.text("conversation") or f"conversation {number}",
        suite_id=common.suite_id,
        turns=(turn,),
        session=Session(state=state, place=fields.place) if state else None,
        context=tuple(_history(fields)),
        expectations=common.expectations,
        matchers=tuple(expected.matchers),
        tags=tags_of(fields),
        extras=extras_of(fields, *_READ_OF_A_TURN),
        place=fields.place,
    )


def simulation_case(fields: Fields, number: int, common: Common, report: Report) -> Case:
    """A scenario: one goal after the other, each with what must have come of it."""
    steps = report.bounded(fields, "steps")
    criteria = [
        Expectation(Expects.CRITERION, text=text, place=step.pointer("success_criteria"))
        for step in steps
        if (text := step.text("success_criteria"))
    ]
    limits = [count for step in steps if (count := count_of(step.get("max_turns"))) is not None]
    session = common.session(fields)
    scenario = Scenario(
        starting_prompt="",
        plan="\n\n".join(text for step in steps if (text := _step_text(step))),
        max_turns=sum(limits) if limits else None,
        variables=session.state if session else None,
        place=fields.pointer("steps"),
    )
    return Case(
        id=fields.text("name") or f"simulation {number}",
        suite_id=common.suite_id,
        scenario=scenario,
        session=session,
        expectations=(*criteria, *common.expectations, *criteria_in(fields, "expectations")),
        tags=tags_of(fields),
        extras=(
            *extras_of(fields, *_READ_OF_A_SIMULATION),
            Extra("steps", or_null(fields.get("steps")), fields.pointer("steps")),
        ),
        place=fields.place,
    )


def tool_test_case(fields: Fields, number: int, common: Common, _report: Report) -> Case:
    """A tool called by itself, and what its answer must be like."""
    name = fields.text("tool") or ""
    call = ToolCall(name, fields.get("args"), place=place_of(fields, "args"))
    checks = fields.object("expectations")
    expected = [
        Expectation(
            Expects.RESULT,
            value=or_null(check.get("value")),
            compared_by=check.text("operator") or "",
            note=check.text("path") or "",
            place=check.place,
        )
        for check in (checks.objects("response") if checks else [])
    ]
    state = {**common.parameters, **(fields.mapping("variables") or {})}
    turn = Turn(
        index=0,
        events=(Event("", (call,), place=call.place),),
        steps=Steps.EVENTS,
        expectations=tuple(expected),
        place=fields.place,
    )
    return Case(
        id=fields.text("name") or f"tool test {number}",
        suite_id=common.suite_id,
        turns=(turn,),
        session=Session(state=state, place=place_of(fields, "variables")) if state else None,
        tags=tags_of(fields),
        extras=extras_of(fields, *_READ_OF_A_TEST),
        place=fields.place,
    )


def _step_text(step: Fields) -> str:
    return "\n".join(text.strip() for name in ("goal", "response_guide") if (text := step.text(name)))


def _history(fields: Fields) -> Iterator[Event]:
    """The conversation before, where it is written out and not named by the id of a session."""
    for message in fields.objects("historical_contexts"):
        for name, author in (("user", "user"), ("agent", message.text("name") or "agent")):
            text = message.text(name)
            if text is not None:
                yield Event(author, (Text(text, message.pointer(name)),), place=message.place)


def _expects_no_calls(expected: _Expected) -> bool:
    return any(expectation.kind is Expects.NO_CALLS for expectation in expected.expectations)


def _words(expectation: Fields, expected: _Expected) -> None:
    text = Text(str(or_null(expectation.get("value"))), place_of(expectation, "value"))
    expected.add(Expects.ANSWER, text, None, expectation)
    if expectation.text("type") == "equals":
        expected.answer = (text,)


def _transfer(expectation: Fields, expected: _Expected) -> None:
    expected.add(
        Expects.TRANSFER, Transfer(expectation.text("value") or "", place_of(expectation, "value")), None, expectation
    )


def _called(expectation: Fields, expected: _Expected) -> None:
    """A tool that must be called; its arguments are stated beside it, or not at all."""
    name = expectation.text("value") or ""
    expected.add(Expects.CALL, ToolCall(name, place=place_of(expectation, "value")), None, expectation)


def _input(expectation: Fields, expected: _Expected) -> None:
    """The arguments of the call that was named last; more may be given."""
    index = next(
        (index for index in reversed(range(len(expected.events))) if _is_bare_call(expected.events[index])), None
    )
    value, place = expectation.get("value"), place_of(expectation, "value")
    if index is not None:
        (part,) = expected.events[index].parts
        name = part.name if isinstance(part, ToolCall) else ""
        expected.events[index] = Event("", (ToolCall(name, value, place=place),), place=expected.events[index].place)
        expected.matchers.append(Matcher(place, Match.SUBSET))
    expected.add(Expects.CALL, None, or_null(value), expectation)


def _is_bare_call(event: Event) -> bool:
    return any(isinstance(part, ToolCall) and part.args is ABSENT for part in event.parts)


def _output(expectation: Fields, expected: _Expected) -> None:
    for name, value in (expectation.mapping("value") or {}).items():
        result = ToolResult(name, value, place=place_of(expectation, "value"))
        expected.expectations.append(
            Expectation(Expects.RESULT, (result,), value, compared_by="TOOL_OUTPUT", place=expectation.place)
        )


def _no_calls(expectation: Fields, expected: _Expected) -> None:
    expected.add(Expects.NO_CALLS, None, None, expectation)


_TYPES: Mapping[str, Callable[[Fields, _Expected], None]] = {
    "contains": _words,
    "equals": _words,
    "agent_transfer": _transfer,
    "tool_called": _called,
    "tool_input": _input,
    "tool_output": _output,
    "no_tools_called": _no_calls,
}
