"""Changes the criteria of an ADK configuration: untouched parts stay the same objects, unknown keys too."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Json, JsonObject


def with_criteria(config: JsonObject, criteria: Sequence[Criterion]) -> JsonObject:
    """The configuration with these criteria and no others."""
    raw_criteria = config.get("criteria")
    before = raw_criteria if isinstance(raw_criteria, dict) else {}
    after = {criterion.metric: _value(criterion) for criterion in criteria}
    kept: JsonObject = {name: _changed(value, after[name]) for name, value in before.items() if name in after}
    new: JsonObject = {name: value for name, value in after.items() if name not in before}
    return {**config, "criteria": {**kept, **new}}


def _value(criterion: Criterion) -> Json:
    """A bare number as long as there is nothing else to say."""
    if criterion.threshold is None:
        return {**criterion.options}
    return {"threshold": criterion.threshold, **criterion.options} if criterion.options else criterion.threshold


def _changed(before: Json, after: Json) -> Json:
    """From one value to another; an object changes key by key."""
    if isinstance(before, dict) and not isinstance(after, dict):
        after = {"threshold": after}
    if isinstance(before, dict) and isinstance(after, dict):
        kept: JsonObject = {key: _changed(value, after[key]) for key, value in before.items() if key in after}
        return {**kept, **{key: value for key, value in after.items() if key not in before}}
    return before if same(before, after) or _equal_numbers(before, after) else after


def _equal_numbers(before: Json, after: Json) -> bool:
    """The same number in another spelling."""
    numbers = [
        number for number in (before, after) if isinstance(number, int | float) and not isinstance(number, bool)
    ]
    return len(numbers) == 2 and numbers[0] == numbers[1]
