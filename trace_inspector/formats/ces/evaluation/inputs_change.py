"""Changes what the user gives in a golden turn of CES: a step for each thing."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden_change import UserGives
from trace_inspector.core.trace.parts import Part, Text, ToolResult, Unknown
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.content_writer import inputs_json, result_json
from trace_inspector.formats.ces.common.losses import Losses
from trace_inspector.formats.ces.common.value_overlay import merged
from trace_inspector.formats.ces.evaluation.steps_change import StepList
from trace_inspector.formats.writing.case_draft import CaseDraft

_TOGETHER = "One step gives several of these. Keep them together and in their order, or change them in Raw."
_KIND = "CES takes words, keys, events, variables and answers of tools from a user here. Choose one of these."
_FIXED = "This can be moved and taken out, but not changed here. Change it in Raw."


def change_inputs(draft: CaseDraft, change: UserGives) -> None:
    """Give these things, in their order; what else stands between them stays."""
    turn = draft.turn(change.turn)
    before = {part.place: part for part in turn.user}
    for part in change.parts:
        old = before.get(part.place)
        if old is not None and part != old:
            _change(draft, part, old)
    steps = StepList.of(draft, change.turn)
    indexes = {place: steps.index(place) for place in before}
    steps.refill(indexes.values(), _input_steps(change.parts, indexes, steps), 0)


def _input_steps(parts: Sequence[Part], indexes: dict[str, int], steps: StepList) -> list[tuple[int | None, Json]]:
    """The steps by their indexes, and new ones. What one step gives stays together."""
    in_step: dict[int, list[str]] = {}
    for place, index in indexes.items():
        in_step.setdefault(index, []).append(place)
    inputs: list[tuple[int | None, Json]] = []
    following: list[str] = []  # what the same step gives next
    seen: set[int] = set()
    for part in parts:
        step = indexes.get(part.place)
        if following:
            if part.place != following.pop(0):
                raise EditError(_TOGETHER)
        elif step is None:
            inputs.append((None, {"userInput": _input(part)}))
        elif step in seen or in_step[step][0] != part.place:
            raise EditError(_TOGETHER)
        else:
            following = in_step[step][1:]
            seen.add(step)
            inputs.append((step, steps.items[step].value))
    if following:
        raise EditError(_TOGETHER)
    return inputs


def _input(part: Part) -> JsonObject:
    losses = Losses()
    inputs = [*inputs_json((part,), losses)]
    if len(inputs) != 1 or losses.counts:
        raise EditError(_KIND)
    return inputs[0]


def _change(draft: CaseDraft, part: Part, old: Part) -> None:
    pointer = draft.within(old.place)
    match part, old:
        case (Text(), Text()):
            draft.put(pointer, part.text)
        case (Unknown(), Unknown()) if part.kind == old.kind:
            draft.put(pointer, merged(draft.value_at(pointer), old.raw, part.raw, free=True))
        case (ToolResult(), ToolResult()):
            draft.put(pointer, merged(draft.value_at(pointer), result_json(old), result_json(part)))
        case _:
            raise EditError(_FIXED)
