"""Expected calls in the parts of messages, as a person wants them: kept ones take the places of kept ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Calls, ExpectedCall
from trace_inspector.core.trace.trace import Turn, calls_of, paired_calls
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.content import call_json
from trace_inspector.formats.writing.case_draft import CaseDraft


def wanted_calls(draft: CaseDraft, change: Calls) -> tuple[JsonObject, ...]:
    """The calls as they are to stand in the file; those that stand there already with what is different now."""
    stated = [call.place for call in calls_of(draft.turn(change.turn))]
    kept = [wanted.call.place for wanted in change.calls if wanted.call.place in stated]
    if len(kept) != len(set(kept)):
        raise EditError("The same call is expected twice. Duplicate it instead.")
    _rename_answers(draft, change)
    return tuple(_raw(draft, wanted, stated) for wanted in change.calls)


def _rename_answers(draft: CaseDraft, change: Calls) -> None:
    """An answer names its call's tool, and would be nobody's once that has another name."""
    names = {wanted.call.place: wanted.call.name for wanted in change.calls}
    for pair in paired_calls(draft.turn(change.turn)):
        name = names.get(pair.call.place, pair.call.name)
        if pair.result is None or name == pair.call.name or is_below(pair.result.place, pair.call.place):
            continue
        fields = draft.fields(draft.within(pair.result.place))
        if fields.text("name") == pair.call.name:
            draft.put(fields.at("name"), name)


def answers_gone(turn: Turn, change: Calls) -> list[str]:
    """Where the answers of calls stand that are no longer expected."""
    kept = {wanted.call.place for wanted in change.calls}
    return [pair.result.place for pair in paired_calls(turn) if pair.result and pair.call.place not in kept]


def _raw(draft: CaseDraft, wanted: ExpectedCall, stated: Sequence[str]) -> JsonObject:
    """The call as it stands in the file, with what is different now; or a new one."""
    call = wanted.call
    if call.place not in stated:
        return call_json(call)
    fields = draft.fields(draft.within(call.place))
    inner = fields.object("function")
    told = inner or fields
    args = told.key("arguments") if told.key("args") is None else told.key("args")
    changed: JsonObject = {}
    if told.text("name") != call.name:
        changed["name"] = call.name
    if call.args is not ABSENT and not (args is not None and told.value[args] is call.args):
        changed[args or "args"] = call.args
    said = {**told.value, **changed} if changed else told.value
    if call.args is ABSENT and args is not None:
        said = {key: value for key, value in said.items() if key != args}
    if inner is None or said is inner.value:
        return said if inner is None else fields.value
    return {**fields.value, "function": said}


def change_parts(
    draft: CaseDraft, turn: Turn, change: Calls, raws: Sequence[JsonObject], key: str, event: re.Pattern[str]
) -> None:
    """Calls of a turn that states some. A new one is a part under `key`, and stands behind the one before it.

    `event` finds the message in which a list of parts stands; one that had nothing else goes with its last part.
    """
    stated = [call.place for call in calls_of(turn)]
    gone = answers_gone(turn, change)
    slots = {place: draft.within(place).rpartition("/")[0] for place in (*stated, *gone)}
    filled: dict[str, list[Json]] = {slot: [] for slot in slots.values()}
    kept = {one.call.place for one in change.calls}
    free = [slots[place] for place in stated if place in kept]
    at = (free or [slots[stated[0]]])[0]
    for one, raw in zip(change.calls, raws, strict=True):
        if one.call.place in slots:
            at = free.pop(0)
            filled[at].append(_part(draft, draft.within(one.call.place), raw))
        else:
            filled[at].append({key: raw})
    lists = {slot.rpartition("/")[0]: None for slot in _in_order(turn, slots)}
    for around in reversed(lists):
        _fill(draft, around, filled, event)


def _in_order(turn: Turn, slots: Mapping[str, str]) -> list[str]:
    """The slots as they stand in the turn."""
    return [slots[part.place] for event in turn.events for part in event.parts if part.place in slots]


def _part(draft: CaseDraft, call: str, raw: JsonObject) -> Json:
    pointer, _, key = call.rpartition("/")
    part = draft.fields(pointer).value
    return part if part[key] is raw else {**part, key: raw}


def _fill(draft: CaseDraft, around: str, filled: Mapping[str, list[Json]], event: re.Pattern[str]) -> None:
    """A list of parts with other calls in its slots; an event that had nothing else goes with them."""
    parts = draft.at(around)
    new: list[Json] = []
    for index, part in enumerate(parts if isinstance(parts, list) else []):
        new += filled.get(join(around, index), [part])
    message = event.match(around)
    if new or message is None:
        draft.put(around, new)
    else:
        draft.drop(message[1])
