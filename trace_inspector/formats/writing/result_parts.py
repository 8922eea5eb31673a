"""Expected results in the parts of messages, and the messages in which new ones come."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Results
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.list_merge import kept_places, refill_parts
from trace_inspector.formats.writing.parts_change import changed_part, new_part

_TWICE = "The same result is expected twice. Copy it instead."
NO_CALL = "A result answers a call, and this turn expects none. Expect the call first."


class Messages(Struct, frozen=True):
    """How messages of a format are found and made. The first group of `event` is the message of a list of parts."""

    event: re.Pattern[str]
    made: Callable[[JsonObject, Json], JsonObject]  # of the message with the call, and the part that answers it
    spell: Callable[[str], str]


def results_of(turn: Turn) -> list[ToolResult]:
    """What tools answer in a turn, in the order in which it stands."""
    return [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]


def change_results(draft: CaseDraft, turn: Turn, change: Results, messages: Messages) -> None:
    """Make these the results of a turn. A new one follows the one before it, or the calls in a message."""
    before = kept_results(turn, change)
    if before:
        parts: list[tuple[str | None, Json]] = [
            (part.place, changed_part(draft, part, before[part.place]))
            if part.place in before
            else (None, new_part(part, messages.spell))
            for part in change.results
        ]
        refill_parts(draft, turn, messages.event, [*before], parts)
    elif change.results:
        _new_messages(draft, turn, change, messages)


def kept_results(turn: Turn, change: Results) -> dict[str, ToolResult]:
    """The results that a turn states, by place. One that is to stand in two places is refused."""
    before = {part.place: part for part in results_of(turn)}
    kept_places((part.place for part in change.results), before, _TWICE)
    return before


def _new_messages(draft: CaseDraft, turn: Turn, change: Results, messages: Messages) -> None:
    calls = calls_of(turn)
    message = messages.event.fullmatch(draft.within(calls[-1].place).rsplit("/", 2)[0]) if calls else None
    if message is None:
        raise EditError(NO_CALL)
    pointer, _, token = message[1].rpartition("/")
    events, after = draft.list_at(pointer), int(token) + 1
    call = draft.fields(message[1]).value
    new = [messages.made(call, new_part(part, messages.spell)) for part in change.results]
    draft.put(pointer, [*events[:after], *new, *events[after:]])
