"""ADK's evaluation files from before eval sets: `adk-legacy`, a list of named cases or a bare list of turns."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Session, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part, Text, ToolCall
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.formats.adk.session.invocation import report_guesses
from trace_inspector.formats.common.fields import Fields, Report, objects_in
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import LIST, NEVER_NULL, OBJECT, REQUIRED, TEXT, ExtraKeys, Schema, check

_CASE = Schema(
    "an older case",
    TEXT("name", REQUIRED),
    LIST("data", REQUIRED),
    OBJECT("initial_session"),
    extra=ExtraKeys.DROPPED,
)
_SESSION = Schema("an initial session", TEXT("app_name user_id"), OBJECT("state"), extra=ExtraKeys.DROPPED)
_TURN = Schema(
    "an older turn",
    TEXT("query", REQUIRED),
    TEXT("reference"),
    LIST("expected_tool_use expected_intermediate_agent_responses", NEVER_NULL),
    extra=ExtraKeys.DROPPED,
)
_TOOL_USE = Schema("an expected tool use", TEXT("tool_name", REQUIRED), OBJECT("tool_input"), extra=ExtraKeys.DROPPED)
_RESPONSE = Schema("an intermediate response", TEXT("author text", REQUIRED), extra=ExtraKeys.DROPPED)


def _is_case(item: dict[str, Json]) -> bool:
    return isinstance(item.get("data"), list) and "query" not in item and "name" in item


def read(source: Source) -> Iterator[Item]:
    """One suite; a bare list of turns is one case, named like the file as in ADK."""
    report = Report()
    owners = objects_in(source.value, "")
    suite_id = source.stem or "eval_set"
    cases = []
    if any(_is_case(owner.value) for owner in owners):
        for index, owner in enumerate(owners):
            source.tick()
            cases.append(_case(owner, index, suite_id, report))
    else:
        turns = tuple(_turn(owner, index, report) for index, owner in enumerate(owners))
        cases.append(Case(source.name or suite_id, suite_id, turns))
    yield Suite(suite_id, suite_id, cases=tuple(cases))
    report_guesses(sum("order" in turn.guessed for case in cases for turn in case.turns), report)
    yield from report.drain()


def _case(fields: Fields, index: int, suite_id: str, report: Report) -> Case:
    check(fields, _CASE, report)
    session = fields.object("initial_session")
    if session is not None:
        check(session, _SESSION, report)
    return Case(
        id=fields.text("name") or f"case {index + 1}",
        suite_id=suite_id,
        turns=tuple(_turn(turn, position, report) for position, turn in enumerate(fields.objects("data"))),
        session=_session(session) if session is not None and session.value else None,
        place=fields.place,
    )


def _session(fields: Fields) -> Session:
    state = fields.mapping("state")
    return Session(fields.text("app_name"), fields.text("user_id"), state=state, place=fields.place)


def _turn(fields: Fields, index: int, report: Report) -> Turn:
    """A turn by ADK's rules: what is not stated is an empty answer and an empty list of calls."""
    check(fields, _TURN, report)
    _report_silence(fields, report)
    calls = [_call(use, report) for use in fields.objects("expected_tool_use")]
    texts = [_text_event(response, report) for response in fields.objects("expected_intermediate_agent_responses")]
    return Turn(
        index=index,
        user=(Text(fields.text("query") or "", fields.pointer("query")),),
        events=(*(Event("", (call,), place=call.place) for call in calls), *texts),
        final_response=_answer(fields),
        steps=Steps.CALLS,
        guessed=frozenset({"order"}) if calls and texts else frozenset(),
        place=fields.place,
    )


def _answer(fields: Fields) -> tuple[Part, ...]:
    if fields.get("reference") is None:
        return ()
    return (Text(fields.text("reference") or "", fields.pointer("reference")),)


def _call(fields: Fields, report: Report) -> ToolCall:
    check(fields, _TOOL_USE, report)
    return ToolCall(fields.text("tool_name") or "", fields.get("tool_input"), place=fields.place)


def _text_event(fields: Fields, report: Report) -> Event:
    check(fields, _RESPONSE, report)
    text = Text(fields.text("text") or "", fields.pointer("text"))
    return Event(fields.text("author") or "", (text,), place=fields.place)


def _report_silence(fields: Fields, report: Report) -> None:
    for name, meaning in (("expected_tool_use", "no call at all"), ("reference", "an empty answer")):
        if fields.get(name) is ABSENT:
            message = f"This turn has no “{name}”; it is read as {meaning}, as google-adk does."
            report.add(info("taken-as-empty", message, fields.place))


IMPLEMENTATION = Implementation(read=read)
