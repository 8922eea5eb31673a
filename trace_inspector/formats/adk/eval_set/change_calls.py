"""Changes the expected calls of an invocation: in a list of calls, or in the parts of events."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Calls
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import camel
from trace_inspector.formats.writing.call_parts import answers_gone, change_parts, expected_calls
from trace_inspector.formats.writing.case_draft import CaseDraft

_FUNCTION_CALL = frozenset({"function_call", "functionCall"})
_EVENT = re.compile(r"(.*/(?:invocation_events|invocationEvents)/\d+)/.*/parts")
_MANY_LISTS = "This turn states its calls in several lists. Edit the file by hand."


def change_calls(draft: CaseDraft, change: Calls) -> tuple[JsonObject, ...]:
    """Make the turn expect these calls; the calls as they stand then, in that order."""
    turn = draft.turn(change.turn)
    stated = [call.place for call in calls_of(turn)]
    raws = expected_calls(draft, change)
    if _in_parts(stated):
        change_parts(draft, turn, change, raws, "function_call", _EVENT)
    elif not stated and _has_events(draft, change.turn):
        _add_events(draft, turn, raws)
    else:
        gone = answers_gone(turn, change)
        _change_list(draft, change.turn, raws, stated)
        for place in reversed([place for place in gone if not any(is_below(place, call) for call in stated)]):
            draft.drop(draft.within(place))
    return raws


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
    return data.pointer("tool_uses")


def _in_parts(stated: Sequence[str]) -> bool:
    return any(place.rpartition("/")[2] in _FUNCTION_CALL for place in stated)


def _has_events(draft: CaseDraft, turn: str) -> bool:
    data = draft.fields(draft.within(turn)).object("intermediate_data")
    return data is not None and data.key("invocation_events") is not None


def _add_events(draft: CaseDraft, turn: Turn, raws: Sequence[JsonObject]) -> None:
    """The first calls of a turn that consists of events: an event of their own each, by who speaks there."""
    fields = draft.fields(draft.within(turn.place)).object("intermediate_data")
    if fields is None or not raws:
        return
    author = next((event.author for event in turn.events if event.author), turn.final_author or "model")
    pointer = fields.pointer("invocation_events")
    new: list[Json] = [
        {"author": author, "content": {"parts": [{"function_call": raw}], "role": "model"}} for raw in raws
    ]
    draft.put(pointer, [*draft.list_at(pointer), *new])
