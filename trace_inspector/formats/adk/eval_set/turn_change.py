"""Changes what the user gives and what tools answer in an invocation."""

from __future__ import annotations

import re
from collections.abc import Callable

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Results, UserGives
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.content import result_json
from trace_inspector.formats.common.fields import Fields, camel
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.parts_change import changed_parts, changed_result, new_part
from trace_inspector.formats.writing.result_parts import NO_CALL, Messages, change_results, kept_results, results_of

_EVENT = re.compile(r"(.*/(?:invocation_events|invocationEvents)/\d+)/.*/parts")
_LISTED = re.compile(r"(.*/(?:tool_responses|toolResponses))/\d+")
_ELSEWHERE = "These words stand under another tool's key. Edit the file by hand."
_MIXED = "This turn states results in another tool's way. Change them in Raw."


def change_user_parts(draft: CaseDraft, change: UserGives) -> None:
    """Other parts of the user's message; a whole message where there was none."""
    turn = draft.turn(change.turn)
    owner = draft.fields(draft.within(change.turn))
    pointer = owner.pointer("user_content")
    around = f"{pointer}/parts"
    if not all(is_below(part.place, draft.before.place + around) for part in turn.user):
        raise EditError(_ELSEWHERE)
    spell = speller(owner)
    if turn.user:
        draft.put(around, changed_parts(draft, around, turn.user, change.parts, spell))
        return
    content = draft.fields(pointer)
    parts: list[Json] = [*draft.list_at(around), *(new_part(part, spell) for part in change.parts)]
    draft.put(pointer, {**content.value, "parts": parts, "role": content.text("role") or "user"})


def change_listed_results(draft: CaseDraft, change: Results) -> None:
    """Expect these results: in the list of responses, or in the parts of events."""
    turn = draft.turn(change.turn)
    owner = draft.fields(draft.within(change.turn))
    stated = results_of(turn)
    data = owner.object("intermediate_data")
    if data is not None and data.key("invocation_events") is not None:
        spell = speller(owner)
        change_results(draft, turn, change, Messages(_EVENT, _answered, spell))
        return
    lists = {match[1] for part in stated if (match := _LISTED.fullmatch(draft.within(part.place)))}
    is_foreign = data is not None and data.key("parts") is not None
    if is_foreign or len(lists) > 1 or any(_LISTED.fullmatch(draft.within(part.place)) is None for part in stated):
        raise EditError(_MIXED)
    if change.results and not stated and not calls_of(turn):
        raise EditError(NO_CALL)
    before = kept_results(turn, change)
    raws = [_listed(draft, part, before.get(part.place)) for part in change.results]
    if not lists and (data is None or not raws):
        if raws:
            raise EditError(_MIXED)
        return
    pointer = lists.pop() if lists else f"{data.place}/{speller(data)('tool_responses')}" if data is not None else ""
    draft.put_or_drop(pointer, [*raws] or None)


def speller(fields: Fields) -> Callable[[str], str]:
    """Writes keys in camelCase where an object or those in it have such keys, else as google-adk does."""
    has_camel = any(key != key.lower() for key in _keys(fields.value))
    return camel if has_camel else str


def _keys(value: JsonObject) -> list[str]:
    inner = [key for item in value.values() if isinstance(item, dict) for key in item]
    return [*value, *inner]


def _listed(draft: CaseDraft, part: ToolResult, old: ToolResult | None) -> Json:
    if old is None:
        return result_json(part)
    fields = draft.fields(draft.within(old.place))
    return fields.value if part == old else changed_result(fields, part, old)


def _answered(call: JsonObject, part: Json) -> JsonObject:
    """The message in which a tool answers: by the author of the call, in the user's place."""
    author = call.get("author")
    return {"author": author if isinstance(author, str) else "model", "content": {"parts": [part], "role": "user"}}
