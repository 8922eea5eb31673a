"""Which criteria a run has: those given, checked, and what is always reported beside them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.criteria.rules import rules_named
from trace_inspector.engine.scoring.metric import CannotJudge, Metric, metric_for
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH


def complete(
    given: Criteria,
    metrics: Sequence[Metric],
    *,
    only: Sequence[str] = (),
    rules: str = "",
    informed_by: frozenset[str] = frozenset(),
) -> Criteria:
    """The criteria of a run: the given ones, or only those named, then those reported in every run."""
    if only:
        names = tuple(dict.fromkeys(only))
        chosen = tuple(_chosen(name, given, metrics) for name in names)
        return Criteria(chosen, f"{given.source}, only {', '.join(names)}", asked_for=True)
    named = {criterion.metric for criterion in given.items}
    family = rules_named(rules).informs_of
    added = [
        Criterion(metric.name)
        for metric in metrics
        if always_reported(metric, informed_by) and metric.name not in named and family in ("", metric.family)
    ]
    return replace(given, items=(*given.items, *added))


def always_reported(metric: Metric, informed_by: frozenset[str] = frozenset()) -> bool:
    """Whether a metric is part of every run: it decides nothing, and needs nothing but what is there to inform."""
    return metric.informational and metric.needs <= informed_by and not metric.named_only


def settings_over(stated: Criteria, defaults: Criteria) -> Criteria:
    """Default criteria with a file's settings; settings of other metrics have no effect."""
    set_to = {item.metric: item for item in stated.items}
    items = tuple(_as_set(item, set_to.get(item.metric)) for item in defaults.items)
    return Criteria(items, f"{defaults.source}, with {stated.source}")


def _as_set(item: Criterion, stated: Criterion | None) -> Criterion:
    if stated is None:
        return item
    threshold = item.threshold if stated.threshold is None else stated.threshold
    return replace(stated, threshold=threshold, options={**item.options, **stated.options})


def for_case(criteria: tuple[Criterion, ...], case: Case | None, rules: str) -> tuple[Criterion, ...]:
    """The criteria of one case: with matchers in its golden these decide, and ADK's criterion only informs."""
    if case is None or not case.matchers or rules == "adk":
        return criteria
    if any(criterion.metric == TRAJECTORY_MATCH for criterion in criteria):
        return criteria
    complete_criteria: list[Criterion] = []
    for criterion in criteria:
        if criterion.metric == TOOL_TRAJECTORY:
            complete_criteria += [replace(criterion, metric=TRAJECTORY_MATCH), replace(criterion, told_only=True)]
        else:
            complete_criteria.append(criterion)
    return tuple(complete_criteria)


def as_given(criteria: Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The criteria of a case before its golden's matchers changed them."""
    instead = {id(criterion) for criterion, follower in pairwise(criteria) if follower.told_only}
    return tuple(replace(criterion, told_only=False) for criterion in criteria if id(criterion) not in instead)


def check(criteria: Criteria, metrics: Sequence[Metric], *, rules: str = "") -> tuple[str, ...]:
    """Reject criteria that cannot work, and note what has no effect.

    Under ADK's rules a broken criterion is a metric that could not run, as there.
    """
    notes = []
    for criterion in criteria.items:
        metric = metric_for(criterion.metric, metrics)
        if metric is None:
            continue
        notes += [
            f"{criterion.metric}: the option “{one_line(name, 60)}” is unknown and has no effect"
            for name in criterion.options
            if not metric.any_option and not _understood(name, metric)
        ]
        if criterion.options.get("variant") == "fixed" and "variant" in metric.options:
            effect = "has no effect by google-adk’s rules" if rules == "adk" else "stands for google-adk’s number"
            notes.append(f"{criterion.metric}: the variant “fixed” {effect}")
        if metric.check and rules != "adk":
            try:
                metric.check(criterion)
            except CannotJudge as problem:
                raise UsageError(f"{problem}.", path=criteria.source) from problem
    return tuple(notes)


def _chosen(name: str, given: Criteria, metrics: Sequence[Metric]) -> Criterion:
    for criterion in given.items:
        if criterion.metric == name:
            return criterion
    metric = metric_for(name, metrics)
    if metric is None:
        import difflib

        near = difflib.get_close_matches(name, [metric.name for metric in metrics], 1)
        hint = f" Did you mean “{near[0]}”?" if near else " “trace-inspector metrics” lists them."
        raise UsageError(f"There is no metric “{one_line(name, 60)}”.{hint}")
    return Criterion(name, metric.default_threshold)


def _understood(name: str, metric: Metric) -> bool:
    snake = "".join(f"_{char.lower()}" if char.isupper() else char for char in name)
    return snake in metric.options or snake == "include_intermediate_responses_in_final"
