"""The conversation that an evaluation item expects, written as a whole where a single answer is not enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.trace.parts import Part, Transfer
from trace_inspector.core.trace.trace import Turn, user_text
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.content import part_json
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.vertex.common.recognisers import PROMPT_DATA
from trace_inspector.formats.vertex.item.item_draft import BY_HAND, ItemDraft
from trace_inspector.formats.writing.case_draft import without_keys

_DATA = "agent_data"
_INSTEAD = (*(name for name in PROMPT_DATA if name != _DATA), "events")  # what a conversation takes the place of


def with_whole_conversation(draft: ItemDraft) -> tuple[ItemDraft, Mapping[str, str | None]]:
    """The item with its expected answer as a whole conversation, and where the turns of the prompt stand in it."""
    turns = draft.before.turns
    pointer = put_conversation(
        draft, "golden_response", [raw_turn(draft, turn, index) for index, turn in enumerate(turns)]
    )
    moved: dict[str, str | None]
    moved = {
        draft.within(turn.place): join(pointer, index)
        for index, turn in enumerate(turns)
        if draft.is_in_conversation(turn)
    }
    return draft.again(), moved


def raw_turn(draft: ItemDraft, turn: Turn, index: int) -> JsonObject:
    """One turn as a conversation has it: the very same one where it stands in one."""
    if draft.is_in_conversation(turn):
        return numbered(draft, draft.fields(draft.within(turn.place)).value, index)
    if draft.is_recorded(turn):
        return numbered(draft, users_part(draft.fields(draft.within(turn.place)).value), index)
    _check_writable(turn)
    author = draft.author(draft.before.turns)
    if turn not in draft.before.turns:
        return draft.writer.turn(replace(turn, final_author=turn.final_author or author), index)
    asked = _asked_of(draft, turn)
    owner = draft.golden
    place = draft.before.place + owner.place if owner is not None else turn.place
    own = [replace(event, author=author) for event in turn.events if is_below(event.place, place)]
    before = len(turn.events) - len(own)
    written = draft.writer.turn(
        replace(
            turn,
            user=() if asked else turn.user,
            events=tuple(own),
            final_author=author,
            final_event=None if turn.final_event is None else turn.final_event - before,
        ),
        index,
    )
    if asked is None:
        return written
    return numbered(draft, {**asked, "events": [*events_in(asked), *events_in(written)]}, index)


def put_conversation(draft: ItemDraft, name: str, turns: Sequence[JsonObject]) -> str:
    """Ask or expect with a conversation; gives the pointer of its turns."""
    agents = draft.agents
    owner = draft.fields(draft.key(draft.request, name))
    data = owner.mapping(_DATA) or ({"agents": agents} if agents else {})
    key = owner.key(_DATA) or draft.spell(_DATA)
    draft.put(owner.place, {**without_keys(owner, *_INSTEAD), key: {**data, "turns": [*turns]}})
    return join(owner.place, key, "turns")


def mirrored(draft: ItemDraft, before: ItemDraft) -> None:
    """What is asked stands in the prompt and in the expected conversation: where both were the same, both change."""
    old, new = before.turns_in("golden_response"), draft.turns_in("golden_response")
    prompt = draft.prompt
    if prompt is None or len(old) != len(new):
        return
    asked = draft.turns_in("prompt")
    for index, (was, now) in enumerate(zip(old, new, strict=True)):
        if was.value is now.value:
            continue
        if index < len(asked):
            _mirror_turn(draft, asked[index], was.value, now.value)
        elif index == len(new) - 1 and prompt.get("text") == user_text(before.before.turns[index]):
            draft.put(prompt.pointer("text"), user_text(draft.again().before.turns[index]))


def _mirror_turn(draft: ItemDraft, asked: Fields, was: JsonObject, now: JsonObject) -> None:
    events = events_in(asked.value)
    if same(events, events_in(users_part(was))):
        draft.put(asked.pointer("events"), events_in(users_part(now)))
    elif same(events, events_in(was)):
        draft.put(asked.pointer("events"), events_in(now))


def numbered(draft: ItemDraft, turn: JsonObject, index: int) -> JsonObject:
    """A turn with its index in the list."""
    key = Fields(turn, "").key("turn_index") or draft.spell("turn_index")
    return turn if same(turn.get(key), index) else {**turn, key: index}


def events_in(turn: JsonObject) -> list[Json]:
    """The events of a turn."""
    listed = turn.get("events")
    return listed if isinstance(listed, list) else []


def users_part(turn: JsonObject) -> JsonObject:
    """A turn with the user's messages alone."""
    asked = [event for event in events_in(turn) if is_users(event)]
    return turn if len(asked) == len(events_in(turn)) else {**turn, "events": asked}


def is_users(event: Json) -> bool:
    """Whether the user is the author."""
    author = event.get("author") if isinstance(event, dict) else None
    return isinstance(author, str) and author.lower() == "user"


def _asked_of(draft: ItemDraft, turn: Turn) -> JsonObject | None:
    """The turn of the prompt's conversation to which this is the answer."""
    turns = draft.turns_in("prompt")
    index = draft.before.turns.index(turn)
    return turns[index].value if index < len(turns) else None


def _check_writable(turn: Turn) -> None:
    parts: list[Part] = [
        *turn.user,
        *(turn.final_response or ()),
        *(part for event in turn.events for part in event.parts),
    ]
    if any(part_json(part) is None and not isinstance(part, Transfer) for part in parts):
        raise EditError(f"This turn has a value or bytes, which would be lost here. {BY_HAND}")
