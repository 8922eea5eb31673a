"""Expected results in the parts of messages, as a person wants them: kept ones take the places of kept ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Results
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.parts_change import changed_part, new_part

NO_CALL = "A result answers a call, and this turn expects none. Expect the call first."
_TWICE = "The same result is expected twice. Copy it instead."


@dataclass(frozen=True, slots=True)
class Messages:
    """How messages of a format are found and made. The first group of `event` is the message of a list of parts."""

    event: re.Pattern[str]
    made: Callable[[JsonObject, Json], JsonObject]  # of the message with the call, and the part that answers it
    spell: Callable[[str], str]


def results_of(turn: Turn) -> list[ToolResult]:
    """What tools answer in a turn, in the order in which it stands."""
    return [part for event in turn.events for part in event.parts if isinstance(part, ToolResult)]


def kept_once(stated: Sequence[ToolResult], change: Results) -> None:
    """Refuse a result that is to stand in two places."""
    places = {part.place for part in stated}
    kept = [part.place for part in change.results if part.place in places]
    if len(kept) != len(set(kept)):
        raise EditError(_TWICE)


def change_results(draft: CaseDraft, turn: Turn, change: Results, messages: Messages) -> None:
    """Make these the results of a turn. A new one follows the one before it, or the calls in a message."""
    stated = results_of(turn)
    kept_once(stated, change)
    before = {part.place: part for part in stated}
    slots = {part.place: draft.within(part.place).rpartition("/")[0] for part in stated}
    filled: dict[str, list[Json]] = {slot: [] for slot in slots.values()}
    wanted = {part.place for part in change.results}
    free = [slots[place] for place in slots if place in wanted]
    at = (free or [*slots.values()] or [""])[0]
    if change.results and not at:
        _new_messages(draft, turn, change, messages)
        return
    for part in change.results:
        old = before.get(part.place)
        if old is not None:
            at = free.pop(0)
        filled[at].append(new_part(part, messages.spell) if old is None else changed_part(draft, part, old))
    for around in reversed({slot.rpartition("/")[0]: None for slot in slots.values()}):
        _fill(draft, around, filled, messages.event)


def _new_messages(draft: CaseDraft, turn: Turn, change: Results, messages: Messages) -> None:
    calls = calls_of(turn)
    found = messages.event.fullmatch(draft.within(calls[-1].place).rsplit("/", 2)[0]) if calls else None
    if found is None:
        raise EditError(NO_CALL)
    around, _, at = found[1].rpartition("/")
    listed = draft.at(around)
    events = listed if isinstance(listed, list) else []
    call = draft.fields(found[1]).value
    made = [messages.made(call, new_part(part, messages.spell)) for part in change.results]
    draft.put(around, [*events[: int(at) + 1], *made, *events[int(at) + 1 :]])


def _fill(draft: CaseDraft, around: str, filled: dict[str, list[Json]], event: re.Pattern[str]) -> None:
    parts = draft.at(around)
    listed = parts if isinstance(parts, list) else []
    new = [one for at, part in enumerate(listed) for one in filled.get(join(around, at), [part])]
    message = event.fullmatch(around)
    if new or message is None:
        draft.put(around, new)
    else:
        draft.drop(message[1])
