"""What the user gives in a golden turn of CES, as a person wants it: a step for each thing."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import UserGives
from trace_inspector.core.trace.parts import Part, Text, ToolResult, Unknown
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import inputs_json, result_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.merged import merged
from trace_inspector.formats.ces.evaluation.steps_change import StepList
from trace_inspector.formats.writing.case_draft import CaseDraft
from trace_inspector.formats.writing.list_merge import refilled

_TOGETHER = "One step gives several of these. Keep them together and in their order, or change them in Raw."
_KIND = "CES takes words, keys, events, variables and answers of tools from a user here. Choose one of these."
_FIXED = "This can be moved and taken out, but not changed here. Change it in Raw."


def user_gives(draft: CaseDraft, change: UserGives) -> None:
    """Give these things, in their order; what else stands between them stays."""
    turn = draft.turn(change.turn)
    before = {part.place: part for part in turn.user}
    for part in change.parts:
        old = before.get(part.place)
        if old is not None and part != old:
            _change(draft, part, old)
    steps = StepList.of(draft, change.turn)
    at_place = {place: steps.index(place) for place in before}
    wanted = list(_wanted(change.parts, at_place, steps))
    listed = [step.value for step in steps.items]
    stated = {*at_place.values()}
    new = refilled(listed, stated, wanted, 0)
    if len(new) != len(listed) or any(one is not other for one, other in zip(listed, new, strict=True)):
        draft.put(steps.pointer, new)


def _wanted(parts: Sequence[Part], at_place: dict[str, int], steps: StepList) -> list[tuple[int | None, Json]]:
    """The steps by their numbers, and new ones. What one step gives stays together."""
    in_step: dict[int, list[str]] = {}
    for place, at in at_place.items():
        in_step.setdefault(at, []).append(place)
    wanted: list[tuple[int | None, Json]] = []
    left: list[str] = []
    seen: set[int] = set()
    for part in parts:
        number = at_place.get(part.place)
        if left:
            if part.place != left.pop(0):
                raise EditError(_TOGETHER)
        elif number is None:
            wanted.append((None, {"userInput": _input(part)}))
        elif number in seen or in_step[number][0] != part.place:
            raise EditError(_TOGETHER)
        else:
            left = in_step[number][1:]
            seen.add(number)
            wanted.append((number, steps.items[number].value))
    if left:
        raise EditError(_TOGETHER)
    return wanted


def _input(part: Part) -> JsonObject:
    losses = Losses()
    found = [*inputs_json((part,), losses)]
    if len(found) != 1 or losses.counts:
        raise EditError(_KIND)
    return found[0]


def _change(draft: CaseDraft, part: Part, old: Part) -> None:
    pointer = draft.within(old.place)
    match part, old:
        case (Text(), Text()):
            draft.put(pointer, part.text)
        case (Unknown(), Unknown()) if part.kind == old.kind:
            draft.put(pointer, merged(draft.at(pointer), old.raw, part.raw, free=True))
        case (ToolResult(), ToolResult()):
            draft.put(pointer, merged(draft.at(pointer), result_json(old), result_json(part)))
        case _:
            raise EditError(_FIXED)
