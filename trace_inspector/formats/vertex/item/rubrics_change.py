"""Changes the rubrics of an evaluation item: groups by name, each with its rubrics in their order."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import Rubrics
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import ABSENT, Absent, Json, JsonObject
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.vertex.common.writer import UNGROUPED
from trace_inspector.formats.vertex.item.item_draft import ItemDraft
from trace_inspector.formats.writing.case_draft import are_same, with_keys


def change_rubrics(draft: ItemDraft, change: Rubrics) -> None:
    """These rubrics, by their groups. Groups that stand there keep their order, new ones come behind them."""
    if change.owner != draft.before.place:
        raise EditError("Rubrics of Vertex AI are those of the whole request. Add this one to the case.")
    stated_groups = draft.fields(draft.key(draft.request, "rubrics"))
    before = {rubric.place: rubric for rubric in draft.before.rubrics}
    groups: dict[str, list[Rubric]] = {name: [] for name in stated_groups.value}
    for rubric in change.rubrics:
        old = before.get(rubric.place)
        is_in_place = old is not None and old.group == rubric.group
        name = rubric.group if is_in_place else rubric.group or rubric.type or UNGROUPED
        groups.setdefault(name, []).append(rubric)
    emptied = {rubric.group for rubric in before.values()}
    written: JsonObject = {
        name: _group(draft, stated_groups, name, rubrics, before)
        for name, rubrics in groups.items()
        if rubrics or name not in emptied
    }
    places, places_before = (
        [listed_rubric.place for listed_rubric in listed] for listed in (change.rubrics, draft.before.rubrics)
    )
    if places != places_before and same(written, stated_groups.value):
        raise EditError("Groups of rubrics have no order among each other. Move the rubric within its group.")
    draft.put_or_drop(stated_groups.place, written or None)


def _group(
    draft: ItemDraft, stated_groups: Fields, name: str, rubrics: Sequence[Rubric], before: dict[str, Rubric]
) -> Json:
    """A group as it stands, with what is different now; a renamed one keeps its other members."""
    stated = stated_groups.value.get(name)
    if stated is None and rubrics:
        stated = _renamed(stated_groups, rubrics, before)
    raws: list[Json] = [_rubric(draft, rubric, before.get(rubric.place)) for rubric in rubrics]
    shown = _shown(rubrics, before)
    if isinstance(stated, list) and not shown:
        return stated if are_same(raws, stated) else raws
    group = Fields(stated if isinstance(stated, dict) else {}, "")
    members: dict[str, Json | Absent] = {}
    if shown is not None and shown != (group.text("display_name") or ""):
        members["display_name"] = shown or ABSENT
    listed = group.get("rubrics")
    if not are_same(raws, listed if isinstance(listed, list) else []):
        members["rubrics"] = raws
    new = with_keys(group, members, draft.spell)
    return new if new != group.value else stated


def _renamed(stated_groups: Fields, rubrics: Sequence[Rubric], before: dict[str, Rubric]) -> Json:
    """The group that has another name now: all of its rubrics are in the new one."""
    came = {before[rubric.place].group for rubric in rubrics if rubric.place in before}
    places = {rubric.place for rubric in rubrics}
    for name in came:
        if all(place in places for place, rubric in before.items() if rubric.group == name):
            return stated_groups.value.get(name)
    return None


def _shown(rubrics: Sequence[Rubric], before: dict[str, Rubric]) -> str | None:
    """The new display name of the group; None leaves it as it is."""
    old = {rubric.place: before[rubric.place].description or "" for rubric in rubrics if rubric.place in before}
    new = {rubric.description or "" for rubric in rubrics if (rubric.description or "") != old.get(rubric.place, "")}
    if len(new) > 1:
        raise EditError("Rubrics of a group share its name. Give them the same one, or groups of their own.")
    return next(iter(new), None)


def _rubric(draft: ItemDraft, rubric: Rubric, old: Rubric | None) -> Json:
    """The rubric as it stands, with what is different now; or a new one."""
    if old is None:
        return draft.writer.rubric(rubric)
    fields = draft.fields(draft.within(rubric.place))
    stated = (
        ("rubric_id", rubric.id, old.id),
        ("type", rubric.type or "", old.type or ""),
        ("importance", rubric.importance, old.importance),
    )
    members: dict[str, Json | Absent] = {name: now or ABSENT for name, now, before in stated if now != before}
    if rubric.text != old.text:
        content = fields.object("content") or Fields({}, "")
        members["content"] = {
            **content.value,
            "property": {**(content.mapping("property") or {}), "description": rubric.text},
        }
    new = with_keys(fields, members, draft.spell)
    return fields.value if new == fields.value else new
