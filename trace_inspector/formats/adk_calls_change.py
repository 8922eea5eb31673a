"""The expected calls of an invocation as a person wants them: in a list of calls, or in the parts of events."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden_change import Calls, ExpectedCall
from trace_inspector.core.pointer import join
from trace_inspector.core.trace import Turn, calls_of, paired_calls
from trace_inspector.core.value_edits import is_below
from trace_inspector.core.values import ABSENT, Json, JsonObject
from trace_inspector.formats.case_draft import CaseDraft
from trace_inspector.formats.content import call_json
from trace_inspector.formats.lenient import camel

_FUNCTION_CALL = frozenset({"function_call", "functionCall"})
_EVENT = re.compile(r"(.*/(?:invocation_events|invocationEvents)/\d+)/.*/parts")
_MANY_LISTS = "This turn states its calls in several lists. Edit the file by hand."


def change_calls(draft: CaseDraft, change: Calls) -> tuple[JsonObject, ...]:
    """Make the turn expect these calls; the calls as they stand then, in that order."""
    turn = draft.turn(change.turn)
    stated = [call.place for call in calls_of(turn)]
    kept = [wanted.call.place for wanted in change.calls if wanted.call.place in stated]
    if len(kept) != len(set(kept)):
        raise EditError("The same call is expected twice. Duplicate it instead.")
    raws = tuple(_raw(draft, wanted, stated) for wanted in change.calls)
    gone = [
        pair.result.place for pair in paired_calls(turn) if pair.result is not None and pair.call.place not in kept
    ]
    if _in_parts(stated) or (not stated and _has_events(draft, change.turn)):
        _change_parts(draft, turn, change.calls, raws, gone)
    else:
        _change_list(draft, change.turn, raws, stated)
        for place in reversed([place for place in gone if not any(is_below(place, call) for call in stated)]):
            draft.drop(draft.within(place))
    return raws


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


def _change_list(draft: CaseDraft, turn: str, raws: Sequence[JsonObject], stated: Sequence[str]) -> None:
    lists = {place.rpartition("/")[0] for place in stated}
    if len(lists) > 1:
        raise EditError(_MANY_LISTS)
    pointer = draft.within(lists.pop()) if lists else _new_list(draft, turn)
    draft.put(pointer, [*raws])


def _new_list(draft: CaseDraft, turn: str) -> str:
    """Where calls of a turn stand that has none yet."""
    pointer = draft.within(turn)
    fields = draft.fields(pointer)
    data = fields.object("intermediate_data")
    if data is None:
        name = camel("intermediate_data") if fields.key("user_content") == "userContent" else "intermediate_data"
        draft.put(join(pointer, name), {})
        data = draft.fields(join(pointer, name))
    return data.at("tool_uses")


def _in_parts(stated: Sequence[str]) -> bool:
    return any(place.rpartition("/")[2] in _FUNCTION_CALL for place in stated)


def _has_events(draft: CaseDraft, turn: str) -> bool:
    data = draft.fields(draft.within(turn)).object("intermediate_data")
    return data is not None and data.key("invocation_events") is not None


def _change_parts(
    draft: CaseDraft, turn: Turn, wanted: Sequence[ExpectedCall], raws: Sequence[JsonObject], gone: Sequence[str]
) -> None:
    """Kept calls take the places of kept calls, in their new order; a new one stands behind the one before it."""
    stated = [call.place for call in calls_of(turn)]
    if not stated:
        _add_events(draft, turn, raws)
        return
    slots = {place: draft.within(place).rpartition("/")[0] for place in (*stated, *gone)}
    filled: dict[str, list[Json]] = {slot: [] for slot in slots.values()}
    kept = {one.call.place for one in wanted}
    free = [slots[place] for place in stated if place in kept]
    at = (free or [slots[stated[0]]])[0]
    for one, raw in zip(wanted, raws, strict=True):
        if one.call.place in slots:
            at = free.pop(0)
            filled[at].append(_part(draft, draft.within(one.call.place), raw))
        else:
            filled[at].append({"function_call": raw})
    lists = {slot.rpartition("/")[0]: None for slot in _in_order(turn, slots)}
    for around in reversed(lists):
        _fill(draft, around, filled)


def _in_order(turn: Turn, slots: Mapping[str, str]) -> list[str]:
    """The slots as they stand in the turn."""
    return [slots[part.place] for event in turn.events for part in event.parts if part.place in slots]


def _part(draft: CaseDraft, call: str, raw: JsonObject) -> Json:
    pointer, _, key = call.rpartition("/")
    part = draft.fields(pointer).value
    return part if part[key] is raw else {**part, key: raw}


def _fill(draft: CaseDraft, around: str, filled: Mapping[str, list[Json]]) -> None:
    """A list of parts with other calls in its slots; an event that had nothing else goes with them."""
    parts = draft.at(around)
    new: list[Json] = []
    for index, part in enumerate(parts if isinstance(parts, list) else []):
        new += filled.get(join(around, index), [part])
    event = _EVENT.match(around)
    if new or event is None:
        draft.put(around, new)
    else:
        draft.drop(event[1])


def _add_events(draft: CaseDraft, turn: Turn, raws: Sequence[JsonObject]) -> None:
    """The first calls of a turn that is told in events: an event of their own each, by who speaks there."""
    fields = draft.fields(draft.within(turn.place)).object("intermediate_data")
    if fields is None or not raws:
        return
    author = next((event.author for event in turn.events if event.author), turn.final_author or "model")
    listed = fields.get("invocation_events")
    made: list[Json] = [
        {"author": author, "content": {"parts": [{"function_call": raw}], "role": "model"}} for raw in raws
    ]
    draft.put(fields.at("invocation_events"), [*(listed if isinstance(listed, list) else []), *made])
