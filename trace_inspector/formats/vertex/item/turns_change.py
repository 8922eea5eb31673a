"""Changes the turns of an evaluation item: the user's message, the answer, the expected calls."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Answers, Calls, Turns, UserSays
from trace_inspector.core.trace.parts import Part, Text
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.vertex.item.item_draft import BY_HAND, ItemDraft
from trace_inspector.formats.vertex.item.item_script import (
    events_in,
    is_users,
    numbered,
    put_conversation,
    raw_turn,
    users_part,
    with_whole_conversation,
)
from trace_inspector.formats.writing.call_parts import change_parts, expected_calls
from trace_inspector.formats.writing.case_draft import texts_in, without_keys

EVENT = re.compile(r"(.*/events/\d+)/(?:content/)?parts")
_TEMPLATE = "prompt_template_data"
SIMULATED = "The user is simulated here. Change what the simulated user is told."
RECORDED = "These turns are a candidate's, and nobody's script. Give the request a prompt of its own in Raw."
_FILLED = f"The prompt is what fills a template. {BY_HAND}"


def change_user_text(draft: ItemDraft, change: UserSays) -> None:
    """Another text in the place of the first; further ones go. A message where there was none."""
    turn = draft.turn(change.turn)
    words = texts_in(turn.user)
    if draft.is_recorded(turn):
        raise EditError(RECORDED)
    if draft.prompt_kind() == "user_scenario":
        raise EditError(SIMULATED)
    if draft.prompt_kind() == _TEMPLATE and not draft.is_in_conversation(turn) and len(words) != 1:
        raise EditError(_FILLED)
    if words:
        draft.put_text(words, change.text)
    elif turn.user:
        _say_beside(draft, turn.user, change.text)
    elif draft.is_in_conversation(turn):
        pointer = f"{draft.within(turn.place)}/events"
        draft.put(pointer, [_event("user", "user", change.text), *draft.list_at(pointer)])
    elif draft.prompt_kind() == "":
        prompt = draft.fields(draft.key(draft.request, "prompt"))
        draft.put(prompt.place, {**prompt.value, "text": change.text})
    else:
        asked = [turn_fields.value for turn_fields in draft.turns_in("prompt")]
        new = numbered(draft, {"events": [_event("user", "user", change.text)]}, len(asked))
        put_conversation(draft, "prompt", [*asked, new])


def change_answer(draft: ItemDraft, change: Answers) -> ItemDraft:
    """Another text of the last answer, or none; an earlier message of the turn may then be what answers."""
    turn = draft.turn(change.turn)
    words = texts_in(turn.final_response or ())
    if change.text is None:
        _answer_nothing(draft, turn)
    elif words:
        draft.put_text(words, change.text)
        if turn.final_event is not None and not draft.is_in_conversation(turn):  # the last event says the same
            draft.put_text(_text_places(draft, turn), change.text)
    elif turn.final_response:
        _say_beside(draft, turn.final_response, change.text)
    elif draft.is_recorded(turn):
        draft, _ = with_whole_conversation(draft)
        return change_answer(draft, replace(change, turn=draft.before.turns[turn.index].place))
    elif draft.is_in_conversation(turn) and not draft.is_asked_alone(turn):
        pointer = f"{draft.within(turn.place)}/events"
        event = _event(draft.author(draft.before.turns), "model", change.text)
        draft.put(pointer, [*draft.list_at(pointer), event])
    else:
        golden = draft.fields(draft.key(draft.request, "golden_response"))
        draft.put(golden.place, {**golden.value, "text": change.text})
    return draft


def change_calls(
    draft: ItemDraft, change: Calls
) -> tuple[ItemDraft, Calls, tuple[JsonObject, ...], Mapping[str, str | None]]:
    """Make the turn expect these calls. An answer alone has no room for any, and becomes a conversation.

    Gives the draft and the change by which the calls are found then, the calls, and where turns are told again.
    """
    turn = draft.turn(change.turn)
    stated = [call.place for call in calls_of(turn)]
    moved: Mapping[str, str | None] = {}
    if not stated and change.calls and not _has_events(draft, turn):
        draft, moved = with_whole_conversation(draft)
        change = replace(change, turn=draft.before.turns[turn.index].place)
        turn = draft.turn(change.turn)
    raws = expected_calls(draft, change)
    key = draft.spell("function_call")
    if stated:
        change_parts(draft, turn, change, raws, key, EVENT)
    elif raws:
        _add_events(draft, turn, [{key: raw} for raw in raws])
    return draft, change, raws, moved


def change_turns(draft: ItemDraft, change: Turns) -> Mapping[str, str | None]:
    """These turns in this order. The user's last message is the prompt, or its end; the answer to it is expected.

    Gives where the turns of conversations stand then; None for those that are gone.
    """
    before = draft.before.turns
    remaining = {turn.place: turn for turn in before if turn.place}
    turns = [
        remaining.pop(turn.place) if turn.place in remaining else replace(turn, place="") for turn in change.turns
    ]
    if [turn.place for turn in turns] == [turn.place for turn in before]:
        return {}
    if draft.prompt_kind() == "user_scenario":
        raise EditError("A scenario of Vertex AI has no turns. Make a golden of it in a file of its own.")
    if draft.prompt_kind() == _TEMPLATE:
        raise EditError(_FILLED)
    if not turns:
        raise EditError("Vertex AI wants at least one message of the user. Keep a turn, or take the golden out.")
    if any(map(draft.is_recorded, before)):
        raise EditError(RECORDED)
    raws = [raw_turn(draft, turn, index) for index, turn in enumerate(_with_own_ids(turns))]
    last = turns[-1]
    is_whole = bool(draft.turns_in("golden_response"))
    is_answered = draft.golden is not None and draft.before.place + draft.golden.place == last.place
    conversation_turns = [draft.within(turn.place) for turn in before if draft.is_in_conversation(turn)]
    _ask(draft, turns, raws)
    around = conversation_turns[0].rpartition("/")[0] if conversation_turns else ""
    if is_whole:
        put_conversation(draft, "golden_response", raws)
    elif not is_answered:
        around = _expect_last(draft, last, raws) or around
    stand = {draft.within(turn.place): join(around, index) for index, turn in enumerate(turns) if turn.place}
    return {place: stand.get(place) for place in conversation_turns}


def _ask(draft: ItemDraft, turns: Sequence[Turn], raws: Sequence[JsonObject]) -> None:
    is_told = bool(draft.turns_in("prompt"))
    if len(turns) == 1 and not is_told:
        match turns[0].user:
            case (Text(text=text),):
                if draft.prompt_kind() or not draft.turns_in("golden_response"):
                    prompt = draft.fields(draft.key(draft.request, "prompt"))
                    draft.put(prompt.place, {**without_keys(prompt, "value"), "text": text})
                return
    if draft.prompt_kind() or not draft.turns_in("golden_response"):
        put_conversation(draft, "prompt", [*raws[:-1], users_part(raws[-1])])


def _expect_last(draft: ItemDraft, last: Turn, raws: Sequence[JsonObject]) -> str:
    """Expect the last answer: as one text where that is all, else as a conversation, whose pointer it gives."""
    golden = draft.fields(draft.key(draft.request, "golden_response"))
    answers = [event for event in events_in(raws[-1]) if not is_users(event)]
    match last.final_response or ():
        case (Text(text=text),) if len(answers) == 1:
            draft.put(golden.place, {**without_keys(golden, "value", "agent_data", "events"), "text": text})
        case _ if answers:
            return put_conversation(draft, "golden_response", raws)
        case _:
            draft.put_or_drop(golden.place, None)
    return ""


def _with_own_ids(turns: Sequence[Turn]) -> list[Turn]:
    """A copy of a turn is another turn."""
    taken = {turn.id for turn in turns if turn.place}
    return [replace(turn, id=None) if not turn.place and turn.id in taken else turn for turn in turns]


def _answer_nothing(draft: ItemDraft, turn: Turn) -> None:
    if turn.final_response is None:
        return
    if turn.final_event is not None:
        event = turn.events[turn.final_event]
        pointer = draft.within(event.place)
        if event.state_delta:
            draft.drop(f"{pointer}/content")
        else:
            draft.drop(pointer)
    if draft.is_in_conversation(turn):
        return
    golden = draft.golden
    if golden is not None:
        draft.put_or_drop(golden.place, without_keys(golden, "text", "value") or None)


def _say_beside(draft: ItemDraft, parts: Sequence[Part], text: str) -> None:
    """Words in a message that has none, but something else."""
    match = re.fullmatch(r"(.*/parts)/\d+/.*", draft.within(parts[-1].place))
    if match is None:
        raise EditError(f"This is a value, not words. {BY_HAND}")
    draft.put(match[1], [*draft.list_at(match[1]), {"text": text}])


def _text_places(draft: ItemDraft, turn: Turn) -> list[Text]:
    """The texts of the event that repeats the answer."""
    event = turn.events[turn.final_event or 0]
    place = f"{draft.within(event.place)}/parts"
    parts = enumerate(draft.list_at(place))
    return [
        Text("", f"{draft.before.place}{place}/{index}/text")
        for index, part in parts
        if isinstance(part, dict) and "text" in part
    ]


def _has_events(draft: ItemDraft, turn: Turn) -> bool:
    """Whether there is a list of events for calls: a conversation's, or the one beside a single answer."""
    golden = draft.golden
    if draft.is_in_conversation(turn):
        return not draft.is_asked_alone(turn)
    return golden is not None and draft.within(turn.place) == golden.place and isinstance(golden.get("events"), list)


def _add_events(draft: ItemDraft, turn: Turn, parts: Sequence[JsonObject]) -> None:
    """The first calls of a turn: a message each, before the answer."""
    pointer = f"{draft.within(turn.place)}/events"
    listed = draft.list_at(pointer)
    index = len(listed)
    if turn.final_event is not None:
        index = int(turn.events[turn.final_event].place.rpartition("/")[2])
    author = draft.author(draft.before.turns)
    contents: list[JsonObject] = [{"role": "model", "parts": [part]} for part in parts]
    is_told = draft.is_in_conversation(turn)
    new: list[Json] = [{"author": author, "content": content} if is_told else content for content in contents]
    draft.put(pointer, [*listed[:index], *new, *listed[index:]])


def _event(author: str, role: str, text: str) -> JsonObject:
    return {"author": author, "content": {"role": role, "parts": [{"text": text}]}}
