"""The rule by which calls of a golden are compared with those of a run, and whether it can be chosen here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criteria, Criterion
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY, TRAJECTORY_MATCH
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation_options import CriteriaFrom
from trace_inspector.models.golden.context import GoldenContext

MEANS = {
    "EXACT": N_("the same calls in the same order, and no other"),
    "IN_ORDER": N_("these calls in this order, others may come between"),
    "ANY_ORDER": N_("these calls in any order, others may be among them"),
}
MATCH_TYPE = "match_type"
_METRICS = (TRAJECTORY_MATCH, TOOL_TRAJECTORY)  # the first decides where both are there
_CAMEL = {MATCH_TYPE: "matchType", "ignore_args": "ignoreArgs"}


class CallRule(Struct, frozen=True):
    """`match` is one of MEANS, or "" where calls are not compared so; `why_not` is why it cannot be chosen here.

    `ran` is the rule of the run that is shown. `metrics` are those of the `criteria` to change for the rule, of which
    None are ADK's defaults; `path` is their file.
    """

    match: str = ""
    names_only: bool = False
    ran: str = ""
    why_not: str = ""
    criteria: Criteria | None = None
    metrics: tuple[str, ...] = ()
    path: str = ""

    @property
    def words(self) -> str:
        """The rule in a word or two."""
        return ", ".join((self.match, tr("names only"))) if self.match and self.names_only else self.match or "–"

    @property
    def explanation(self) -> str:
        """What the rule means, how the run differed, and why the rule cannot be chosen."""
        means = tr("The turn matches with {0}.").format(tr(MEANS[self.match])) if self.match else ""
        names = tr("Arguments are not compared.") if self.match and self.names_only else ""
        other = bool(self.ran and self.match) and self.ran != self.match
        ran = tr("The run shown compared calls by {0}; F5 evaluates again.").format(self.ran) if other else ""
        return " ".join(filter(None, (means, names, ran, self.why_not)))


def call_rule(context: GoldenContext) -> CallRule:
    """The rule by which the next run compares the calls of the turn that is shown."""
    ran = _of(_judged_by(context))
    if context.evaluation.options.criteria is CriteriaFrom.ADK:
        return CallRule("EXACT", ran=_match(ran), metrics=(TOOL_TRAJECTORY,))
    criteria, path = _in_force(context)
    if criteria is None:
        return CallRule(why_not=tr("Evaluate (F5) to see by which rule calls are compared."))
    criterion = _of(criteria.items)
    if criterion is None:
        return CallRule(why_not=tr("No criterion compares calls in a way that can be chosen."))
    metrics = tuple(item.metric for item in criteria.items if item.metric in _METRICS)
    return CallRule(*_read(criterion), _match(ran), _why_not(context), criteria, metrics, path)


def ran_by_name(context: GoldenContext) -> bool:
    """Whether the run that is shown compared only the names of tools, or that is not known."""
    criterion = _of(_judged_by(context))
    return criterion is None or _read(criterion)[1]


def _why_not(context: GoldenContext) -> str:
    evaluation, run = context.evaluation, context.shown.value
    if evaluation.options.criteria is not CriteriaFrom.FOUND or evaluation.criteria_file is not None:
        return ""
    ground = run.ground if run is not None else None
    stated = [_stated(criteria) for criteria in ground.criteria.by_golden.values()] if ground is not None else []
    if any(criteria.items != stated[0].items for criteria in stated):
        return tr("Open eval sets have criteria of their own: choose in the file of each.")
    return ""


def _in_force(context: GoldenContext) -> tuple[Criteria | None, str]:
    """The criteria of the next run, as far as they are known without reading anything, and their file."""
    evaluation = context.evaluation
    origin, file = evaluation.options.criteria, evaluation.criteria_file
    if origin is CriteriaFrom.EDITED:
        return evaluation.edited, ""
    if origin is CriteriaFrom.FOUND and file is not None:
        return file.criteria, str(file.path)
    criteria = _ground(context)
    if criteria is None:
        return None, ""
    beside = Path(criteria.source).parent == context.file.path.parent
    return _stated(criteria), criteria.source if beside else ""


def _ground(context: GoldenContext) -> Criteria | None:
    """The criteria of the run that is shown, for this golden's file."""
    run = context.shown.value
    if run is None or run.ground is None:
        return None
    return run.ground.criteria.by_golden.get(run.path_of(context.file))


def _judged_by(context: GoldenContext) -> Iterable[Criterion]:
    criteria = _ground(context)
    return criteria.items if criteria is not None else ()


def _stated(criteria: Criteria) -> Criteria:
    """The criteria without those that every run adds."""
    placed = any(item.place for item in criteria.items)
    items = tuple(item for item in criteria.items if (item.place if placed else item.threshold is not None))
    return Criteria(items, criteria.source, criteria.asked_for)


def _of(items: Iterable[Criterion]) -> Criterion | None:
    by_metric = {item.metric: item for item in items if not item.told_only}
    return next((by_metric[metric] for metric in _METRICS if metric in by_metric), None)


def _match(criterion: Criterion | None) -> str:
    return _read(criterion)[0] if criterion is not None else ""


def _read(criterion: Criterion) -> tuple[str, bool]:
    """The match type as ADK's files may spell it, and whether names alone are compared."""
    match_type = _option(criterion.options, MATCH_TYPE)
    names = list(MEANS)
    if isinstance(match_type, int) and not isinstance(match_type, bool) and 0 <= match_type < len(names):
        match_type = names[match_type]
    word = match_type.strip().upper().replace("-", "_").replace(" ", "_") if isinstance(match_type, str) else names[0]
    return (word if word in MEANS else ""), _option(criterion.options, "ignore_args") is True


def _option(options: JsonObject, name: str) -> Json:
    return options.get(name, options.get(_CAMEL[name]))
