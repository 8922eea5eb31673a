"""SCRAPI's golden conversations, turn by turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.finding import error
from trace_inspector.core.golden.golden import Case, Session
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.ces.common.content import EVENT
from trace_inspector.formats.ces.common.match_type import expected_args
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, kind_of, or_null
from trace_inspector.formats.scrapi.fields import place_of

WELCOME = Unknown(EVENT, {"event": "welcome"})  # what is sent in a turn without a message of the user
_EVENT = re.compile(r"\s*<event>(.*?)</event>\s*", re.DOTALL)
_TRANSFER = "transfer_to_agent"
_TARGETS = ("agent", "agent_name", "target_agent", "display_name")
_RESOURCE = "/evaluationExpectations/"
_READ = ("conversation", "turns", "expectations", "tags", "session_parameters")
_READ_OF_A_TURN = ("user", "user_event", "agent", "tool_calls", "mocks")
_READ_OF_A_REFERENCE = ("reference_id", "turns")
_READ_OF_ITS_TURN = ("id", "user", "event", "expected_tool", "expected_agent")


class Common(Struct, frozen=True):
    """What a file states for all of its cases."""

    suite_id: str
    parameters: JsonObject
    expectations: tuple[Expectation, ...]

    @classmethod
    def of(cls, fields: Fields, suite_id: str) -> Common:
        """What stands at the top of a file."""
        criteria = tuple(criteria_in(fields, "common_expectations"))
        return cls(suite_id, fields.mapping("common_session_parameters") or {}, criteria)

    def session(self, fields: Fields) -> Session | None:
        """The session of one case: its own parameters go before those of all."""
        state = {**self.parameters, **(fields.mapping("session_parameters") or {})}
        return Session(state=state, place=place_of(fields, "session_parameters")) if state else None


def conversation_case(fields: Fields, number: int, common: Common, report: Report) -> Case:
    """A scripted conversation."""
    turns, matchers = [], []
    for index, turn_fields in enumerate(report.bounded(fields, "turns")):
        turn, turn_matchers = _turn(turn_fields, index, report)
        turns.append(turn)
        matchers += turn_matchers
    return Case(
        id=fields.text("conversation") or f"conversation {number}",
        suite_id=common.suite_id,
        turns=tuple(turns),
        session=common.session(fields),
        expectations=(*common.expectations, *criteria_in(fields, "expectations")),
        matchers=tuple(matchers),
        tags=tags_of(fields),
        extras=extras_of(fields, *_READ),
        place=fields.place,
    )


def reference_case(fields: Fields, common: Common, report: Report) -> Case:
    """A conversation for reference, of which a turn names no more than one tool and one answer."""
    turns = []
    for index, turn_fields in enumerate(report.bounded(fields, "turns")):
        tool, words = turn_fields.text("expected_tool"), turn_fields.text("expected_agent")
        call = ToolCall(tool, place=turn_fields.pointer("expected_tool")) if tool else None
        answer = None if words is None else (Text(words, turn_fields.pointer("expected_agent")),)
        expected = [Expectation(Expects.CALL, (call,), place=call.place)] if call else []
        if answer:
            expected.append(Expectation(Expects.ANSWER, answer, place=answer[0].place))
        turn = Turn(
            index=index,
            id=turn_fields.text("id"),
            user=user_parts(turn_fields, "event", report),
            events=(Event("", (call,), place=call.place),) if call else (),
            final_response=answer,
            steps=Steps.EVENTS,
            expectations=tuple(expected),
            extras=extras_of(turn_fields, *_READ_OF_ITS_TURN),
            place=turn_fields.place,
        )
        turns.append(turn)
    return Case(
        id=fields.text("reference_id") or common.suite_id,
        suite_id=common.suite_id,
        turns=tuple(turns),
        extras=extras_of(fields, *_READ_OF_A_REFERENCE),
        place=fields.place,
    )


def user_parts(fields: Fields, event: str, report: Report) -> tuple[Part, ...]:
    """The user's message, or the event that is sent in its stead; “welcome” where there is neither."""
    text, sent = fields.get("user"), fields.get(event)
    if isinstance(text, str):
        marked = _EVENT.fullmatch(text)
        place = fields.pointer("user")
        return (Unknown(EVENT, {"event": marked[1]}, place) if marked else Text(text, place),)
    if or_null(text) is not None:
        message = f"What the user says should be a text, not {kind_of(or_null(text))}."
        report.add(error("wrong-type", message, fields.pointer("user")))
        return (Unknown("user", or_null(text), fields.pointer("user")),)
    if or_null(sent) is not None:
        raw: Json = sent if isinstance(sent, dict) else {"event": or_null(sent)}
        return (Unknown(EVENT, raw, fields.pointer(event)),)
    return (WELCOME,)


def criteria_in(fields: Fields, name: str) -> Iterator[Expectation]:
    """The sentences that a judge decides: written out, named by their resource, or as CES has them."""
    value = fields.get(name)
    for index, criterion in enumerate(value if isinstance(value, list) else []):
        place = join(fields.pointer(name), index)
        if isinstance(criterion, str):
            is_named = _RESOURCE in criterion
            yield Expectation(
                Expects.CRITERION,
                text="" if is_named else criterion,
                reference=criterion if is_named else "",
                place=place,
            )
        elif isinstance(criterion, dict):
            each = Fields(criterion, place)
            prompt = each.object("llm_criteria")
            text = (prompt.text("prompt") if prompt else None) or each.text("prompt") or ""
            yield Expectation(Expects.CRITERION, text=text, reference=each.text("display_name") or "", place=place)


def tags_of(fields: Fields) -> tuple[str, ...]:
    """The tags, numbers among them too."""
    value = fields.get("tags")
    return tuple(str(tag) for tag in value if isinstance(tag, str | int)) if isinstance(value, list) else ()


def _turn(fields: Fields, index: int, report: Report) -> tuple[Turn, list[Matcher]]:
    events: list[Event] = []
    expected: list[Expectation] = []
    matchers: list[Matcher] = []
    for fields_of_call in report.bounded(fields, "tool_calls"):
        call, call_matchers = _call(fields_of_call, report)
        matchers += call_matchers
        kind = Expects.TRANSFER if isinstance(call, Transfer) else Expects.CALL
        expected.append(Expectation(kind, (call,), place=fields_of_call.place))
        events.append(Event(fields_of_call.text("agent") or "", (call,), place=fields_of_call.place))
        output = fields_of_call.get("output")
        if isinstance(call, ToolCall) and or_null(output) is not None:
            result = ToolResult(call.name, output, place=fields_of_call.pointer("output"))
            expected.append(Expectation(Expects.RESULT, (result,), place=result.place))
            events.append(Event(fields_of_call.text("agent") or "", (result,), place=result.place))
    for fields_of_call in report.bounded(fields, "mocks"):
        mock = ToolResult(
            fields_of_call.text("tool") or "", fields_of_call.get("response"), place=fields_of_call.place
        )
        expected.append(Expectation(Expects.MOCK, (mock,), place=fields_of_call.place))
    answer = _answer(fields.get("agent"), fields.pointer("agent"), report)
    if answer:
        expected.append(Expectation(Expects.ANSWER, answer, place=fields.pointer("agent")))
    turn = Turn(
        index=index,
        user=user_parts(fields, "user_event", report),
        events=tuple(events),
        final_response=answer,
        steps=Steps.EVENTS,
        expectations=tuple(expected),
        extras=extras_of(fields, *_READ_OF_A_TURN),
        place=fields.place,
    )
    return turn, matchers


def _call(fields: Fields, report: Report) -> tuple[ToolCall | Transfer, tuple[Matcher, ...]]:
    name = fields.text("action") or ""
    if not name:
        report.add(error("missing-field", "This tool call has no “action”, so it names no tool.", fields.place))
    if name == _TRANSFER:
        target = fields.object("args")
        named = next((text for key in _TARGETS if target and (text := target.text(key))), "")
        return Transfer(named, fields.place), ()
    args, matchers = expected_args(fields.get("args"), fields.pointer("args"), report)
    return ToolCall(name, args, place=fields.place, agent=fields.text("agent") or ""), matchers


def _answer(value: Json | Absent, place: str, report: Report) -> tuple[Part, ...] | None:
    """The agent's answer: one text or several; None where it is not stated, as in a silent transfer."""
    if value is ABSENT or value is None:
        return None
    if isinstance(value, str):
        return (Text(value, place),)
    if isinstance(value, list):
        texts = [_answer(item, join(place, index), report) or () for index, item in enumerate(value)]
        return tuple(part for parts in texts for part in parts)
    message = f"What the agent says should be a text or a list of texts, not {kind_of(value)}; it is left out."
    report.add(error("wrong-type", message, place))
    return None
