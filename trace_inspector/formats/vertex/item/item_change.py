"""Changes of a golden in an evaluation item: the raw entry afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.disagreements import transfers_as_calls
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    Described,
    EndsWith,
    Expected,
    GoldenChange,
    HandsOver,
    Judged,
    Named,
    Noted,
    Results,
    Rubrics,
    Simulated,
    Tagged,
    Titled,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import is_below, steps_between
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.extension.change import followed_tables, with_matchers, with_note
from trace_inspector.formats.extension.key import KEY
from trace_inspector.formats.extension.writer import tables_of, with_tables
from trace_inspector.formats.vertex.item.item_draft import ItemDraft
from trace_inspector.formats.vertex.item.item_groups import LABEL
from trace_inspector.formats.vertex.item.item_script import mirrored, without
from trace_inspector.formats.vertex.item.parts_change import results, user_gives
from trace_inspector.formats.vertex.item.rubrics_change import change_rubrics
from trace_inspector.formats.vertex.item.turns_change import answers, arrange_turns, expect_calls, user_says
from trace_inspector.formats.writing.unsupported_changes import describe_here, expect_here, judge_here, title_here

_BARE = "This is a request without an item around it. Convert the file to evaluation items, and change that."
_SESSION = "Vertex AI keeps no session in an item. Convert the golden to an ADK eval set, and say it there."


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The entry with a change made; matchers and notes follow what they are about."""
    draft, was = ItemDraft.of(raw, before), ItemDraft.of(raw, before)
    moved: Mapping[str, str | None] = {}
    calls: Sequence[JsonObject] = ()
    if isinstance(change, HandsOver):
        change = transfers_as_calls(before, draft.turn(change.turn), change)
    if isinstance(change, Turns):
        moved = arrange_turns(draft, change)
    elif isinstance(change, Calls):
        draft, change, calls, moved = expect_calls(draft, change)
    elif isinstance(change, Answers):
        draft = answers(draft, change)
    else:
        _CHANGES[type(change)](draft, change)
    if not isinstance(change, Turns):
        mirrored(draft, was)
    tables = dict(_followed(raw, draft.value, moved))
    if isinstance(change, Calls):
        owner = draft.within(change.turn)
        tables["matchers"] = with_matchers(tables["matchers"], draft.value, owner, change, calls)
    if isinstance(change, Noted):
        tables["notes"] = with_note(tables["notes"], draft.within(change.place), change.text)
    return _with_ours(draft, tables)


def _followed(raw: JsonObject, new: Json, moved: Mapping[str, str | None]) -> Iterator[tuple[str, JsonObject]]:
    """The tables after the change. Turns are numbered, so that one that moved is no longer what it was."""
    held = _holder(raw)
    steps = list(steps_between(raw, new))
    for name, table in tables_of(held if isinstance(held, dict) else {}).items():
        kept: JsonObject = {}
        for pointer, stated in table.items():
            turn = next((old for old in moved if is_below(pointer, old)), None)
            to = moved[turn] if turn is not None else None
            if turn is not None and to is not None:
                kept[to + pointer[len(turn) :]] = stated
            elif turn is None:
                kept |= followed_tables({name: {pointer: stated}}, steps)[name]
        was_there = {pointer for pointer in table if resolve(raw, pointer) is not ABSENT}
        yield (
            name,
            {at: stated for at, stated in kept.items() if at not in was_there or resolve(new, at) is not ABSENT},
        )


def _holder(raw: JsonObject) -> Json:
    """What holds our own key: the item's metadata, or the item itself where somebody put it there."""
    metadata = raw.get("metadata")
    has_key = isinstance(metadata, dict) and KEY in metadata
    return raw if KEY in raw and not has_key else metadata


def _with_ours(draft: ItemDraft, tables: Mapping[str, JsonObject]) -> JsonObject:
    value = draft.value
    if not isinstance(value, dict):
        raise EditError("An item must stay an object.")
    held = _holder(value)
    if held is value:
        return with_tables(value, tables)
    owner = held if isinstance(held, dict) else {}
    new = with_tables(owner, tables)
    if new is owner:
        return value
    if draft.request == "":
        raise EditError(_BARE)
    if held is not None and not isinstance(held, dict):
        raise EditError("The metadata of this item is no object, so nothing fits beside it. Make it one in Raw.")
    if new:
        return {**value, "metadata": new}
    return {key: item for key, item in value.items() if key != "metadata"}


def _named(draft: ItemDraft, change: Named) -> None:
    """An item of another name is another item; the service's own name is that of the old one."""
    if draft.request == "":
        raise EditError("A request without an item has the name of its file. Rename the file.")
    item = draft.fields("")
    draft.put(draft.key("", "display_name"), change.id)
    if item.text("name"):
        draft.drop("/name")


def _tagged(draft: ItemDraft, change: Tagged) -> None:
    item = draft.fields("")
    stated = {f"{name}{LABEL}{value}": (name, value) for name, value in (item.mapping("labels") or {}).items()}
    labels: JsonObject = {}
    for tag in change.tags:
        name, colon, said = tag.partition(LABEL)
        if not colon:
            raise EditError(f"“{tag}” is no label of Vertex AI. Write it as “name{LABEL}value”.")
        key, value = stated.get(tag, (name, said))
        if key in labels:
            raise EditError(f"The label “{key}” is given twice. Name one of them otherwise.")
        labels[key] = value
    if labels and draft.request == "":
        raise EditError(_BARE)
    draft.put_or_drop(draft.key("", "labels"), labels or None)


def _begins_with(_draft: ItemDraft, change: BeginsWith) -> None:
    if change.session is not None:
        raise EditError(_SESSION)


def _ends_with(_draft: ItemDraft, change: EndsWith) -> None:
    if change.state is not None:
        raise EditError(_SESSION)


def _simulated(draft: ItemDraft, change: Simulated) -> None:
    if draft.prompt_kind() not in ("", "user_scenario") or draft.before.turns:
        raise EditError("This request has words of a user, and so no simulated one. Make a new golden for that.")
    scenario = change.scenario
    if scenario != Scenario(scenario.starting_prompt, scenario.plan, place=scenario.place):
        raise EditError("A scenario of Vertex AI is a first message and a plan. Say all else in the plan.")
    prompt = draft.fields(draft.key(draft.request, "prompt"))
    held = prompt.object("user_scenario")
    said = draft.writer.scenario(scenario)
    if held is not None:
        said = {**held.value, **{held.key(name) or name: value for name, value in said.items()}}
        draft.put(held.place, said)
    else:
        key = draft.writer.spell("user_scenario")
        draft.put(prompt.place, {**without(prompt, "user_scenario"), key: said})


def _noted(_draft: ItemDraft, _change: Noted) -> None:
    """What is noted stands beside; see `changed`."""


_CHANGES: Mapping[type, Callable[[ItemDraft, Any], None]] = {
    UserSays: user_says,
    UserGives: user_gives,
    Results: results,
    Expected: expect_here,
    Judged: judge_here,
    Rubrics: change_rubrics,
    Named: _named,
    Titled: title_here,
    Described: describe_here,
    Tagged: _tagged,
    BeginsWith: _begins_with,
    EndsWith: _ends_with,
    Simulated: _simulated,
    Noted: _noted,
}
