"""Changes of a golden in an evaluation item: the raw entry afterwards, every untouched part the same object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case, Scenario
from trace_inspector.core.golden.golden_change import (
    Answers,
    BeginsWith,
    Calls,
    EndsWith,
    GoldenChange,
    Named,
    Results,
    Rubrics,
    Simulated,
    Tagged,
    Turns,
    UserGives,
    UserSays,
)
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import ValueStep, is_below, steps_between
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.extension.change import followed_tables
from trace_inspector.formats.extension.key import KEY
from trace_inspector.formats.extension.writer import tables_of, with_tables
from trace_inspector.formats.vertex.item.item_draft import ItemDraft
from trace_inspector.formats.vertex.item.item_groups import LABEL
from trace_inspector.formats.vertex.item.item_script import mirrored
from trace_inspector.formats.vertex.item.parts_change import change_item_results, change_user_parts
from trace_inspector.formats.vertex.item.rubrics_change import change_rubrics
from trace_inspector.formats.vertex.item.turns_change import (
    change_answer,
    change_calls,
    change_turns,
    change_user_text,
)
from trace_inspector.formats.writing.case_draft import with_keys, without_keys
from trace_inspector.formats.writing.case_editor import CaseEditor, ExtensionCaseEditor

_BARE = "This is a request without an item around it. Convert the file to evaluation items, and change that."
_SESSION = "Vertex AI stores no session in an item. Convert the golden to an ADK eval set, and set it there."


def changed(raw: JsonObject, before: Case, change: GoldenChange) -> JsonObject:
    """The entry with a change made; matchers and notes follow what they are about."""
    return ItemEditor(ItemDraft.of(raw, before)).changed(change)


class ItemEditor(ExtensionCaseEditor):
    """Edits an evaluation item, or a request without an item around it."""

    draft: ItemDraft
    refusals: ClassVar[Mapping[type, str]] = {**CaseEditor.refusals, BeginsWith: _SESSION, EndsWith: _SESSION}

    def __init__(self, draft: ItemDraft) -> None:
        super().__init__(draft)
        self._moved: Mapping[str, str | None] = {}  # where numbered turns stand now; None for those that are gone

    def make(self, change: GoldenChange) -> None:
        """Make a change; what is asked in two places is changed in both."""
        before = ItemDraft.of(self.raw, self.draft.before)
        super().make(change)
        if not isinstance(change, Turns):
            mirrored(self.draft, before)

    def user_says(self, change: UserSays) -> None:
        """Change the words of the user's message."""
        change_user_text(self.draft, change)

    def user_gives(self, change: UserGives) -> None:
        """Change the parts of the user's message."""
        change_user_parts(self.draft, change)

    def answer(self, change: Answers) -> None:
        """Change the words of the answer."""
        self.draft = change_answer(self.draft, change)

    def place_calls(self, change: Calls) -> tuple[Calls, Sequence[JsonObject]]:
        """Place the expected calls in a conversation."""
        self.draft, change, raws, self._moved = change_calls(self.draft, change)
        return change, raws

    def expect_results(self, change: Results) -> None:
        """Change the results in the messages of a conversation."""
        change_item_results(self.draft, change)

    def set_rubrics(self, change: Rubrics) -> None:
        """Change the groups of rubrics."""
        change_rubrics(self.draft, change)

    def arrange_turns(self, change: Turns) -> None:
        """Change what is asked and what is expected at the end."""
        self._moved = change_turns(self.draft, change)

    def set_id(self, change: Named) -> None:
        """Change the display name. The item is another one then, so that the service's own name goes."""
        if self.draft.request == "":
            raise EditError("A request without an item has the name of its file. Rename the file.")
        has_name = bool(self.draft.fields("").text("name"))
        self.draft.put(self.draft.key("", "display_name"), change.id)
        if has_name:
            self.draft.drop("/name")

    def tag(self, change: Tagged) -> None:
        """Change the labels."""
        stated = self.draft.fields("").mapping("labels") or {}
        stated_tags = {f"{name}{LABEL}{value}": (name, value) for name, value in stated.items()}
        labels: JsonObject = {}
        for tag in change.tags:
            name, colon, text = tag.partition(LABEL)
            if not colon:
                raise EditError(f"“{tag}” is no label of Vertex AI. Write it as “name{LABEL}value”.")
            key, value = stated_tags.get(tag, (name, text))
            if key in labels:
                raise EditError(f"The label “{key}” is given twice. Name one of them otherwise.")
            labels[key] = value
        if labels and self.draft.request == "":
            raise EditError(_BARE)
        self.draft.put_or_drop(self.draft.key("", "labels"), labels or None)

    def simulate(self, change: Simulated) -> None:
        """Change the scenario."""
        if self.draft.prompt_kind() not in ("", "user_scenario") or self.draft.before.turns:
            raise EditError(
                "This request has scripted messages of the user, so no simulated user. Make a new golden for that."
            )
        scenario = change.scenario
        if scenario != Scenario(scenario.starting_prompt, scenario.plan, place=scenario.place):
            raise EditError(
                "A scenario of Vertex AI has a first message and a plan. Put everything else into the plan."
            )
        prompt = self.draft.fields(self.draft.key(self.draft.request, "prompt"))
        fields = prompt.object("user_scenario")
        raw = self.draft.writer.scenario(scenario)
        if fields is not None:
            self.draft.put(fields.place, with_keys(fields, raw))
        else:
            self.draft.put(
                prompt.place, {**without_keys(prompt, "user_scenario"), self.draft.spell("user_scenario"): raw}
            )

    def followed_tables(self) -> dict[str, JsonObject]:
        """The matchers and notes after the change. Turns are numbered: one that moved is no longer what it was."""
        owner = _extension_owner(self.raw)
        tables = tables_of(owner if isinstance(owner, dict) else {})
        steps = list(steps_between(self.raw, self.draft.value))
        return {name: self._followed(name, table, steps) for name, table in tables.items()}

    def _followed(self, name: str, table: JsonObject, steps: Sequence[ValueStep]) -> JsonObject:
        kept: JsonObject = {}
        for pointer, stated in table.items():
            turn = next((place for place in self._moved if is_below(pointer, place)), None)
            moved_to = self._moved[turn] if turn is not None else None
            if turn is not None and moved_to is not None:
                kept[moved_to + pointer[len(turn) :]] = stated
            elif turn is None:
                kept |= followed_tables({name: {pointer: stated}}, steps)[name]
        was_there = {pointer for pointer in table if resolve(self.raw, pointer) is not ABSENT}
        return {
            pointer: stated
            for pointer, stated in kept.items()
            if pointer not in was_there or resolve(self.draft.value, pointer) is not ABSENT
        }

    def with_tables(self, tables: Mapping[str, JsonObject]) -> JsonObject:
        """The item with matchers and notes in its metadata, or where they stood before."""
        item = self.draft.value
        owner = _extension_owner(item)
        if owner is item:
            return with_tables(item, tables)
        stated = owner if isinstance(owner, dict) else {}
        metadata = with_tables(stated, tables)
        if metadata is stated:
            return item
        if self.draft.request == "":
            raise EditError(_BARE)
        if owner is not None and not isinstance(owner, dict):
            raise EditError("The metadata of this item is no object, so nothing fits beside it. Make it one in Raw.")
        if metadata:
            return {**item, "metadata": metadata}
        return {key: member for key, member in item.items() if key != "metadata"}


def _extension_owner(raw: JsonObject) -> Json:
    """What holds our own key: the item's metadata, or the item itself where it stands there already."""
    metadata = raw.get("metadata")
    has_key = isinstance(metadata, dict) and KEY in metadata
    return raw if KEY in raw and not has_key else metadata
