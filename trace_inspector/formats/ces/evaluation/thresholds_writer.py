"""Criteria as CES's thresholds and switches again, at the level where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.common.thresholds import ENABLED, Choice, Level, Member, Switch, Threshold
from trace_inspector.formats.common.fields import camel


def levels_json(criteria: Sequence[Criterion], level: Level) -> tuple[JsonObject, tuple[str, ...]]:
    """The members of an object at this level, and the metrics of which it cannot hold all."""
    by_metric = {criterion.metric: criterion for criterion in criteria}
    written: set[tuple[str, str]] = set()
    value = _members(level, by_metric, written)
    stated = {(one.metric, what) for one in criteria for what in _said(one)}
    unsaid = {metric for metric, _what in stated - written}
    return value, tuple(one.metric for one in criteria if one.metric in unsaid or not _said(one))


def with_levels(raw: JsonObject, level: Level, criteria: Sequence[Criterion]) -> JsonObject:
    """An object that states these criteria and no others at this level; whatever else it says stays."""
    by_metric = {criterion.metric: criterion for criterion in criteria}
    changed: JsonObject = {**raw}
    for name, member in level.members.items():
        key = name if name in raw else camel(name)
        held = raw.get(key)
        if isinstance(member, Level):
            inner = with_levels(held if isinstance(held, dict) else {}, member, criteria)
            found: Json = inner if inner or isinstance(held, dict) else None
        else:
            found = _kept(held, _member(member, by_metric, set()))
        if found is not None:
            changed[key] = found
        else:
            changed.pop(key, None)
    return raw if same(changed, raw) else changed


def _kept(held: Json, wanted: Json) -> Json:
    """What stands there already where it says the same: 1.0 for 1, a switch with keys of its own."""
    if isinstance(held, dict) and isinstance(wanted, dict):
        kept = {key: value for key, value in held.items() if camel(key) in wanted or key not in wanted}
        spelled = {next((key for key in held if camel(key) == name), name): value for name, value in wanted.items()}
        return held if {**kept, **spelled} == held else {**kept, **spelled}
    return held if held is not None and held == wanted and not isinstance(held, bool) else wanted


_THRESHOLD = ""


def _said(criterion: Criterion) -> list[str]:
    """What a criterion says: its options by name, and the threshold."""
    return [*criterion.options, *([] if criterion.threshold is None else [_THRESHOLD])]


def _members(level: Level, by_metric: Mapping[str, Criterion], written: set[tuple[str, str]]) -> JsonObject:
    value: JsonObject = {}
    for name, member in level.members.items():
        found = _member(member, by_metric, written)
        if found is not None:
            value[camel(name)] = found
    return value


def _member(member: Member, by_metric: Mapping[str, Criterion], written: set[tuple[str, str]]) -> Json:
    """The value of one member; None where nothing is said."""
    if isinstance(member, Level):
        return _members(member, by_metric, written) or None
    criterion = by_metric.get(member.metric)
    if criterion is None:
        return None
    match member:
        case Threshold():
            what, value = _THRESHOLD, _number(criterion.threshold)
        case Choice():
            what, value = member.option, criterion.options.get(member.option)
        case Switch():
            what, value = ENABLED, criterion.options.get(ENABLED)
            value = {camel(member.key): value} if isinstance(value, bool) else None
    if value is not None:
        written.add((member.metric, what))
    return value


def _number(threshold: float | None) -> Json:
    """Whole numbers without a point, as CES wants some of them."""
    return int(threshold) if threshold is not None and threshold.is_integer() else threshold
