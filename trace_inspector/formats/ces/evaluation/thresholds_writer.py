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
    stated = {(criterion.metric, what) for criterion in criteria for what in _levels_of(criterion)}
    unwritten = {metric for metric, _what in stated - written}
    return value, tuple(
        criterion.metric for criterion in criteria if criterion.metric in unwritten or not _levels_of(criterion)
    )


def with_levels(raw: JsonObject, level: Level, criteria: Sequence[Criterion]) -> JsonObject:
    """An object that states these criteria and no others at this level; all else in it stays."""
    by_metric = {criterion.metric: criterion for criterion in criteria}
    changed: JsonObject = {**raw}
    for name, member in level.members.items():
        key = name if name in raw else camel(name)
        stated = raw.get(key)
        if isinstance(member, Level):
            inner = with_levels(stated if isinstance(stated, dict) else {}, member, criteria)
            levels: Json = inner if inner or isinstance(stated, dict) else None
        else:
            levels = _kept(stated, _member(member, by_metric, set()))
        if levels is not None:
            changed[key] = levels
        else:
            changed.pop(key, None)
    return raw if same(changed, raw) else changed


def _kept(stated: Json, levels: Json) -> Json:
    """The value that stands there already where it means the same: 1.0 for 1, a switch with keys of its own."""
    if isinstance(stated, dict) and isinstance(levels, dict):
        kept = {key: value for key, value in stated.items() if camel(key) in levels or key not in levels}
        spelled = {next((key for key in stated if camel(key) == name), name): value for name, value in levels.items()}
        return stated if {**kept, **spelled} == stated else {**kept, **spelled}
    return stated if stated is not None and stated == levels and not isinstance(stated, bool) else levels


_THRESHOLD = ""


def _levels_of(criterion: Criterion) -> list[str]:
    """The settings of a criterion: its options by name, and the threshold."""
    return [*criterion.options, *([] if criterion.threshold is None else [_THRESHOLD])]


def _members(level: Level, by_metric: Mapping[str, Criterion], written: set[tuple[str, str]]) -> JsonObject:
    value: JsonObject = {}
    for name, member in level.members.items():
        written_member = _member(member, by_metric, written)
        if written_member is not None:
            value[camel(name)] = written_member
    return value


def _member(member: Member, by_metric: Mapping[str, Criterion], written: set[tuple[str, str]]) -> Json:
    """The value of one member; None where nothing is stated."""
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
    """Whole numbers without a point, as CES requires some of them."""
    return int(threshold) if threshold is not None and threshold.is_integer() else threshold
