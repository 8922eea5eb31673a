"""Expected calls as they are written, also in the parts of messages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_inspector.core.golden.golden_change import Calls, ExpectedCall
from trace_inspector.core.trace.trace import Turn, calls_of, paired_calls
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.content import call_json
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.list_merge import kept_places, refill_parts

CALL_TWICE = "The same call is expected twice. Duplicate it instead."


def expected_calls(draft: CaseDraft, change: Calls) -> tuple[JsonObject, ...]:
    """The calls as they are to stand in the file; those that stand there already with what is different now."""
    stated = [call.place for call in calls_of(draft.turn(change.turn))]
    kept_places((expected.call.place for expected in change.calls), stated, CALL_TWICE)
    _rename_answers(draft, change)
    return tuple(_raw(draft, expected, stated) for expected in change.calls)


def _rename_answers(draft: CaseDraft, change: Calls) -> None:
    """A result names its call's tool, and would belong to no call once that has another name."""
    names = {expected.call.place: expected.call.name for expected in change.calls}
    for pair in paired_calls(draft.turn(change.turn)):
        name = names.get(pair.call.place, pair.call.name)
        if pair.result is None or name == pair.call.name or is_below(pair.result.place, pair.call.place):
            continue
        fields = draft.fields(draft.within(pair.result.place))
        if fields.text("name") == pair.call.name:
            draft.put(fields.pointer("name"), name)


def answers_gone(turn: Turn, change: Calls) -> list[str]:
    """Where the answers of calls stand that are no longer expected."""
    kept = {expected.call.place for expected in change.calls}
    return [pair.result.place for pair in paired_calls(turn) if pair.result and pair.call.place not in kept]


def _raw(draft: CaseDraft, expected: ExpectedCall, stated: Sequence[str]) -> JsonObject:
    """The call as it stands in the file, with what is different now; or a new one."""
    call = expected.call
    if call.place not in stated:
        return call_json(call)
    fields = draft.fields(draft.within(call.place))
    inner = fields.object("function")
    stated_call = inner or fields
    args = stated_call.key("arguments") if stated_call.key("args") is None else stated_call.key("args")
    changed: JsonObject = {}
    if stated_call.text("name") != call.name:
        changed["name"] = call.name
    if call.args is not ABSENT and not (args is not None and stated_call.value[args] is call.args):
        changed[args or "args"] = call.args
    raw = {**stated_call.value, **changed} if changed else stated_call.value
    if call.args is ABSENT and args is not None:
        raw = {key: value for key, value in raw.items() if key != args}
    if inner is None or raw is inner.value:
        return raw if inner is None else fields.value
    return {**fields.value, "function": raw}


def change_parts(
    draft: CaseDraft, turn: Turn, change: Calls, raws: Sequence[JsonObject], key: str, message: re.Pattern[str]
) -> None:
    """Other calls in the messages of a turn that states some. A new one is a part under `key`."""
    stated = [call.place for call in calls_of(turn)]
    parts: list[tuple[str | None, Json]] = [
        (expected.call.place, _part(draft, draft.within(expected.call.place), raw))
        if expected.call.place in stated
        else (None, {key: raw})
        for expected, raw in zip(change.calls, raws, strict=True)
    ]
    refill_parts(draft, turn, message, stated, parts, answers_gone(turn, change))


def _part(draft: CaseDraft, call: str, raw: JsonObject) -> Json:
    pointer, _, key = call.rpartition("/")
    part = draft.fields(pointer).value
    return part if part[key] is raw else {**part, key: raw}
