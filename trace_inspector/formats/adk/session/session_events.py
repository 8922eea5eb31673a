"""A session's events as turns, by the rules with which google-adk makes invocations of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.trace.parts import Code, Part, Text, Thought, ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.trace import Event, Steps, Turn
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.formats.adk.common.content import checked_content, usage_of
from trace_inspector.formats.adk.session import session_schemas as schemas
from trace_inspector.formats.adk.session.session_extras import agents_below, extras_of
from trace_inspector.formats.common.content import role_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.schema import check

_TRANSFER_TOOL = "transfer_to_agent"
_TELLING = ("function_call", "function_response", "inline_data")
_REWINDS = ("rewind_before_invocation_id", "rewindBeforeInvocationId")


class SessionEvent(Struct, frozen=True):
    """One event of the file, with what decides to which turn it belongs."""

    event: Event
    invocation: str | None
    is_final: bool
    below: tuple[tuple[str, str], ...] = ()  # agents above and below each other on the event's path
    has_content: bool | None = None  # None: it has where there are parts
    has_parts: bool | None = None  # the same

    @property
    def is_users(self) -> bool:
        """Whether the user wrote it."""
        return self.event.author.lower() == "user"

    @property
    def asks(self) -> bool:
        """Whether this is a message of the user, which may be empty."""
        if self.has_content is None:  # an action alone asks nothing
            return self.is_users and bool(_content_of(self.event.parts))
        return self.is_users and self.has_content

    @property
    def may_answer(self) -> bool:
        """Whether it may be the answer of its turn."""
        has_parts = bool(_content_of(self.event.parts)) if self.has_parts is None else self.has_parts
        return self.is_final and has_parts and not self.is_users


def session_event(fields: Fields, report: Report, *, is_old: bool = False) -> SessionEvent:
    """One event. The schema before ADK's first release has `options` in the place of `actions`."""
    if not is_old:
        check(fields, schemas.EVENT, report)
    actions = fields.object("options" if is_old else "actions") or Fields({}, fields.place)
    content = fields.get("content")
    parts = checked_content(content, fields.pointer("content"), report)
    transfer = actions.text("transfer_to_agent")
    if transfer and not any(isinstance(part, ToolResult) and part.name == _TRANSFER_TOOL for part in parts):
        parts = (*parts, Transfer(transfer, actions.pointer("transfer_to_agent")))
    author = fields.text("author") or ""
    event = Event(
        author=author,
        parts=parts,
        role=None if content is ABSENT else role_of(content),
        time_s=fields.number("timestamp"),
        usage=usage_of(fields.object("usage_metadata")),
        model=fields.text("model_version"),
        finish_reason=fields.text("finish_reason"),
        state_delta=actions.mapping("update_context" if is_old else "state_delta") or None,
        grounding=_given(fields.get("grounding_metadata")),
        error=_error(fields),
        partial=(actions if is_old else fields).get("partial") is True,
        id=fields.text("id") or None,
        adk_keeps=None if is_old else author.lower() != "user" and _is_kept(fields),
        extras=extras_of(fields, actions, is_old=is_old),
        place=fields.place,
    )
    report.take(_odd(event, fields))
    listed = fields.object("content")
    return SessionEvent(
        event,
        invocation=fields.text("invocation_id") or None,
        is_final=_is_final(event, fields, actions),
        below=tuple(agents_below(fields)),
        has_content=None if listed is None else True,
        has_parts=None if listed is None else bool(listed.get("parts")) or bool(_content_of(event.parts)),
    )


def turns_of(events: Iterable[SessionEvent], report: Report) -> Iterator[Turn]:
    """The turns of a session: one for each invocation, in the order in which they begin."""
    told_ones = list(events)
    report.take(_repeated_ids(told_ones))
    groups, guessed = _grouped(told_ones)
    if guessed:
        message = "Events without an invocation id are grouped into turns by the user's messages."
        report.add(info("guessed-borders", message))
    for index, group in enumerate(groups):
        turn = _turn(index, group)
        yield replace(turn, guessed=turn.guessed | {"borders"}) if turn.id is None and guessed else turn


def noting_times(turns: Iterable[Turn], report: Report) -> Iterator[Turn]:
    """The turns of a conversation; the first whose duration is derived is named for all of them."""
    is_noted = False
    for turn in turns:
        if "times" in turn.guessed and not is_noted:
            is_noted = True
            message = "The file states no durations; those shown are derived from the times of events."
            report.add(info("guessed-times", message, turn.place))
        yield turn


def _grouped(events: Iterable[SessionEvent]) -> tuple[list[list[SessionEvent]], bool]:
    groups: dict[str | int, list[SessionEvent]] = {}
    nameless = 0
    for event in events:
        if event.invocation is None and (event.is_users or not nameless):
            nameless += 1
        groups.setdefault(nameless if event.invocation is None else event.invocation, []).append(event)
    return list(groups.values()), nameless > 0


def _turn(index: int, group: list[SessionEvent]) -> Turn:
    asked = [place for place, member in enumerate(group) if member.asks]
    question = group[asked[-1]].event if asked else None
    rest = list(group)
    if question is not None:
        says_more = question.state_delta or question.extras
        beside = [replace(rest[asked[-1]], event=replace(question, parts=()))] if says_more else []
        rest[asked[-1] : asked[-1] + 1] = beside
    chosen = _chosen(rest)
    events = [member.event for member in rest]
    answer = events[chosen] if chosen is not None else None
    start_s, duration_s = _times(question, [member.event for member in group])
    if answer is not None and chosen is not None and not _calls(answer.parts):
        events[chosen] = replace(answer, parts=tuple(part for part in answer.parts if isinstance(part, Transfer)))
    return Turn(
        index=index,
        id=group[0].invocation,
        user=question.parts if question else (),
        events=tuple(events),
        final_response=_content_of(answer.parts) if answer else None,
        final_author=answer.author if answer else "",
        final_event=chosen,
        steps=Steps.EVENTS,
        start_s=start_s,
        duration_s=duration_s,
        guessed=frozenset() if duration_s is None else frozenset({"times"}),
        place=(question or group[0].event).place,
    )


def _times(question: Event | None, events: list[Event]) -> tuple[float | None, float | None]:
    """When the question came, and how long after it the last event did; google-adk derives no duration."""
    start = question.time_s if question else None
    times = [event.time_s for event in events if event.time_s is not None]
    first = min(times, default=None) if start is None else start
    last = max(times, default=None)
    took = None if first is None or last is None or last <= first else round(last - first, 6)
    return start, took


def _chosen(events: list[SessionEvent]) -> int | None:
    """The last final event, but one without text does not take the place of one with text."""
    chosen: int | None = None
    had_words = False
    for index, event in enumerate(events):
        if not event.may_answer:
            continue
        has_words = any(isinstance(part, Text | Thought) and part.text for part in event.event.parts)
        if has_words or not had_words:
            chosen, had_words = index, has_words
    return chosen


def _is_kept(fields: Fields) -> bool:
    """Whether google-adk has an agent's event in the invocation that it makes of the turn."""
    if fields.get("grounding_metadata") not in (ABSENT, None):
        return True
    content = fields.object("content")
    return content is not None and any(
        bool(part.get("text")) or any(part.get(name) not in (ABSENT, None) for name in _TELLING)
        for part in content.objects("parts")
    )


def _is_final(event: Event, fields: Fields, actions: Fields) -> bool:
    parts = _content_of(event.parts)
    if actions.get("skip_summarization") is True or fields.get("long_running_tool_ids") not in (ABSENT, None, []):
        return True
    if event.partial or _calls(parts):
        return False
    if fields.get("error_code") not in (ABSENT, None, ""):
        return True
    ends_in_result = bool(parts) and isinstance(last := parts[-1], Code) and last.is_result
    return not ends_in_result and not any(isinstance(part, ToolResult) for part in parts)


def _calls(parts: tuple[Part, ...]) -> bool:
    return any(isinstance(part, ToolCall) for part in parts)


def _content_of(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Parts without the transfer that an action states beside the content."""
    return tuple(part for part in parts if not isinstance(part, Transfer))


def _odd(event: Event, fields: Fields) -> Iterator[Finding]:
    """What is worth knowing about one event."""
    reason = event.finish_reason
    if reason is not None and reason.upper() not in schemas.FINISH_REASONS:
        message = f"“{reason}” is not a known finish reason; it is shown as it is."
        yield info("unknown-value", message, fields.pointer("finish_reason"))
    for extra in event.extras:
        if extra.name in _REWINDS:
            message = (
                "The conversation was rewound here to before an earlier invocation; the turns taken back are still "
                "shown."
            )
            yield info("rewound", message, extra.place)


def _repeated_ids(events: list[SessionEvent]) -> Iterator[Finding]:
    seen: set[str] = set()
    repeated = []
    for item in events:
        if item.event.id is not None and item.event.id in seen:
            repeated.append(item.event)
        seen.add(item.event.id or "")
    if repeated:
        events_have = "1 event has" if len(repeated) == 1 else f"{len(repeated)} events have"
        message = f"{events_have} the id of an earlier event; all of them are shown."
        yield warning("duplicate-id", message, f"{repeated[0].place}/id")


def _error(fields: Fields) -> str | None:
    stated = [fields.get(name) for name in ("error_code", "error_message")]
    return ": ".join(str(part) for part in stated if isinstance(part, str | int) and part) or None


def _given(value: Json | Absent) -> Json | Absent:
    """What a dump with every key writes as null is not there."""
    return ABSENT if value is None else value
