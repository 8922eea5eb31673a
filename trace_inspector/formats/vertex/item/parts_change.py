"""Changes what the user gives and what tools answer in an evaluation item."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Results, UserGives, UserSays
from trace_inspector.core.trace.parts import Part, Text
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.vertex.item.item_draft import BY_HAND, ItemDraft
from trace_inspector.formats.vertex.item.item_script import numbered, put_conversation, users_part
from trace_inspector.formats.vertex.item.turns_change import EVENT, RECORDED, SIMULATED, change_user_text
from trace_inspector.formats.writing.parts_change import changed_parts, new_part
from trace_inspector.formats.writing.result_parts import Messages, change_results

_LIST = re.compile(r"(.*/parts)/\d+/[^/]+")
_NO_LIST = f"What the user gives here is a value, not a message. {BY_HAND}"


def change_user_parts(draft: ItemDraft, change: UserGives) -> None:
    """Other parts of the user's message; a bare text becomes a message where more is given."""
    turn = draft.turn(change.turn)
    if draft.is_recorded(turn):
        raise EditError(RECORDED)
    if draft.prompt_kind() == "user_scenario":
        raise EditError(SIMULATED)
    matches = {_LIST.fullmatch(draft.within(part.place)) for part in turn.user}
    lists = {match[1] for match in matches if match is not None}
    match change.parts:
        case (Text(text=text),) if None in matches or not turn.user:
            change_user_text(draft, UserSays(change.turn, text))
        case _ if len(lists) == 1 and None not in matches:
            around = lists.pop()
            draft.put(around, changed_parts(draft, around, turn.user, change.parts, draft.spell))
            _ask_the_same(draft, turn, change.parts)
        case _ if draft.is_in_conversation(turn) and not turn.user:
            pointer = f"{draft.within(turn.place)}/events"
            draft.put(pointer, [_message(draft, change.parts), *draft.list_at(pointer)])
            _ask_the_same(draft, turn, change.parts)
        case _ if (
            draft.prompt_kind() in ("", "text")
            and len(draft.before.turns) == 1
            and not draft.is_in_conversation(turn)
        ):
            put_conversation(draft, "prompt", [numbered(draft, {"events": [_message(draft, change.parts)]}, 0)])
        case _:
            raise EditError(_NO_LIST)


def change_item_results(draft: ItemDraft, change: Results) -> None:
    """Expect these results, in the parts of messages."""
    change_results(draft, draft.turn(change.turn), change, Messages(EVENT, _answered, draft.spell))


def _ask_the_same(draft: ItemDraft, turn: Turn, parts: Sequence[Part]) -> None:
    """A prompt that is a text cannot hold other parts: it becomes the conversation up to the last question."""
    turns = draft.turns_in("golden_response")
    is_last = turn is draft.before.turns[-1] and draft.is_in_conversation(turn)
    if is_last and turns and draft.prompt_kind() == "text" and not all(isinstance(part, Text) for part in parts):
        raws = [raw_turn.value for raw_turn in turns]
        put_conversation(draft, "prompt", [*raws[:-1], users_part(raws[-1])])


def _message(draft: ItemDraft, parts: Sequence[Part]) -> JsonObject:
    raws: list[Json] = [new_part(part, draft.spell) for part in parts]
    return {"author": "user", "content": {"role": "user", "parts": raws}}


def _answered(call: JsonObject, part: Json) -> JsonObject:
    """The message in which a tool answers, of the kind in which it was called."""
    content: JsonObject = {"role": "user", "parts": [part]}
    return content if "content" not in call else {"author": call.get("author", "agent"), "content": content}
