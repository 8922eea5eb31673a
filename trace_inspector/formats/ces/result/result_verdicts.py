"""What CES's results say of turns and conversations, metric by metric, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import (
    ExpectationVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Status,
    compose,
)
from trace_inspector.formats.ces.common.thresholds import (
    EXPECTATIONS,
    EXTRA_CALLS,
    HALLUCINATION,
    INVOCATION,
    PARAMETERS,
    SIMILARITY,
    USER_GOAL,
)
from trace_inspector.formats.ces.result.result_outcomes import Outcome, criterion_verdict, outcome_status
from trace_inspector.formats.common.fields import Fields, Report

ORDER, CRITERIA, RUBRICS, TASK = "ces_tool_order", "ces_llm_criteria", "ces_rubrics", "ces_task_completed"
_OF_SCORE = {1.0: Status.PASSED, 0.0: Status.FAILED}
_GOAL_OPEN = "whether the goal was to be met is not in a result: see “userGoalBehavior” in its evaluation"
# Which switch counts where, and the deprecated one that stood for goldens before.
_SWITCHES = {
    "golden": ("goldenHallucinationMetricBehavior", "hallucinationMetricBehavior"),
    "scenario": ("scenarioHallucinationMetricBehavior",),
}


class Settings(Struct, frozen=True):
    """The thresholds and switches that a result was judged by, as it repeats them."""

    criteria: Mapping[str, Criterion]
    kind: str  # "golden" or "scenario"

    def threshold(self, metric: str) -> float | None:
        """The threshold of a metric, None where the result names none."""
        criterion = self.criteria.get(metric)
        return criterion.threshold if criterion else None

    def option(self, metric: str, *names: str) -> str:
        """The first of some options of a metric that is stated."""
        criterion = self.criteria.get(metric)
        stated = [criterion.options[name] for name in names if name in criterion.options] if criterion else []
        return str(stated[0]) if stated else ""

    @property
    def hallucination_counts(self) -> bool:
        """Whether hallucination decides; what holds where the switch is not set is not documented."""
        return self.option(HALLUCINATION, *_SWITCHES[self.kind]) == "ENABLED"


def turn_metrics(
    turn: Fields, outcomes: Sequence[Outcome], settings: Settings, report: Report
) -> tuple[MetricVerdict, ...]:
    """Every metric of a replayed turn. The deprecated score of its tools, which is 0 in every dump, is never read."""
    metrics = (
        _invocation(turn, settings, report),
        _ordered(turn),
        _parameters(outcomes, settings),
        _extra_calls(outcomes, settings),
        _similarity(turn, settings, report),
        _hallucination(turn.object("hallucination_result"), settings),
        expectations_metric(outcomes),
    )
    return tuple(metric for metric in metrics if metric is not None)


def expectations_metric(outcomes: Sequence[Outcome]) -> MetricVerdict | None:
    """Expectation by expectation; the status of all together is ours."""
    verdicts = tuple(outcome.verdict for outcome in outcomes)
    return _together(EXPECTATIONS, verdicts) if verdicts else None


def criteria_metric(owner: Fields, report: Report) -> MetricVerdict | None:
    """The sentences that a judge of CES decided about the whole conversation."""
    verdicts = tuple(
        criterion_verdict(result, report) for result in report.bounded(owner, "evaluation_expectation_results")
    )
    return _together(CRITERIA, verdicts) if verdicts else None


def scenario_metrics(
    scenario: Fields, outcomes: Sequence[Outcome], settings: Settings, report: Report
) -> tuple[MetricVerdict, ...]:
    """Every metric of a simulated conversation."""
    metrics = (
        _scenario_expectations(scenario, outcomes),
        _goal(scenario),
        _turns_hallucination(scenario, settings, report),
        _task(scenario),
        _rubrics(scenario, report),
        criteria_metric(scenario, report),
    )
    return tuple(metric for metric in metrics if metric is not None)


def derived(metrics: Iterable[MetricVerdict]) -> Status:
    """The status by the metrics; skipped and informational ones do not count, an open goal leaves it open."""
    counted = list(_counted(metrics))
    status = compose(metric.status for metric in counted)
    return Status.NOT_EVALUATED if status is Status.PASSED and any(map(_is_open_goal, counted)) else status


def _is_open_goal(metric: MetricVerdict) -> bool:
    return metric.metric == USER_GOAL and metric.status is Status.NOT_EVALUATED and metric.score in _OF_SCORE


def failing(metrics: Iterable[MetricVerdict]) -> str:
    """Which metrics fail, as text."""
    return ", ".join(metric.metric for metric in _counted(metrics) if metric.status is Status.FAILED)


def _counted(metrics: Iterable[MetricVerdict]) -> Iterator[MetricVerdict]:
    """All but the completed task, which is itself derived from the others."""
    return (metric for metric in metrics if metric.metric != TASK)


def _invocation(turn: Fields, settings: Settings, report: Report) -> MetricVerdict | None:
    result = turn.object("overall_tool_invocation_result")
    if result is None:
        return None
    return MetricVerdict(
        INVOCATION,
        result.number("tool_invocation_score"),
        outcome_status(result, "outcome", report),
        settings.threshold(INVOCATION),
        provenance=Provenance.REPORTED,
        native=result.get("outcome"),
    )


def _ordered(turn: Fields) -> MetricVerdict | None:
    score = turn.number("tool_ordered_invocation_score")
    return (
        None if score is None else MetricVerdict(ORDER, score, Status.INFORMATIONAL, provenance=Provenance.REPORTED)
    )


def _parameters(outcomes: Iterable[Outcome], settings: Settings) -> MetricVerdict | None:
    verdicts = tuple(outcome.arguments for outcome in outcomes if outcome.arguments is not None)
    if not verdicts:
        return None
    alone = verdicts[0].score if len(verdicts) == 1 else None  # of several calls no score of all is reported
    metric = _together(PARAMETERS, verdicts)
    return replace(metric, score=alone, threshold=settings.threshold(PARAMETERS))


def _extra_calls(outcomes: Iterable[Outcome], settings: Settings) -> MetricVerdict | None:
    """Unexpected calls: by the verdicts of their entries; where there are none, by the switch, which is FAIL."""
    verdicts = tuple(outcome.verdict for outcome in outcomes if outcome.is_extra_call)
    if not verdicts:
        return None
    allowed = settings.option(EXTRA_CALLS, "extraToolCallBehavior") == "ALLOW"
    stated = compose(verdict.status for verdict in verdicts)
    silent = Status.PASSED if allowed else Status.FAILED
    return MetricVerdict(
        EXTRA_CALLS,
        None,
        silent if stated is Status.NOT_EVALUATED else stated,
        reason=", ".join(verdict.what for verdict in verdicts),
        provenance=Provenance.DERIVED,
        expectations=verdicts,
        figures=(("extra calls", float(len(verdicts))),),
    )


def _similarity(turn: Fields, settings: Settings, report: Report) -> MetricVerdict | None:
    result = turn.object("semantic_similarity_result")
    if result is None:
        return None
    return MetricVerdict(
        SIMILARITY,
        result.number("score"),
        outcome_status(result, "outcome", report),
        settings.threshold(SIMILARITY),
        _explanation(result),
        Provenance.REPORTED,
        native=result.get("outcome"),
    )


def _hallucination(result: Fields | None, settings: Settings) -> MetricVerdict | None:
    if result is None:
        return None
    status = _of_score(result)
    if status is not Status.NOT_EVALUATED and not settings.hallucination_counts:
        status = Status.INFORMATIONAL
    return MetricVerdict(
        HALLUCINATION, result.number("score"), status, reason=_explanation(result), provenance=Provenance.REPORTED
    )


def _turns_hallucination(scenario: Fields, settings: Settings, report: Report) -> MetricVerdict | None:
    """One for each turn, under a name that is singular all the same; -1 is nothing to assess."""
    results = report.bounded(scenario, "hallucination_result")
    verdicts = tuple(
        ExpectationVerdict(
            f"turn {index + 1}", _of_score(result), result.number("score"), _explanation(result), place=result.place
        )
        for index, result in enumerate(results)
    )
    if not verdicts:
        return None
    metric = _together(HALLUCINATION, verdicts)
    informs = metric.status is not Status.NOT_EVALUATED and not settings.hallucination_counts
    return replace(metric, status=Status.INFORMATIONAL) if informs else metric


def _scenario_expectations(scenario: Fields, outcomes: Sequence[Outcome]) -> MetricVerdict | None:
    metric = expectations_metric(outcomes)
    stated = scenario.get("all_expectations_satisfied")
    if not isinstance(stated, bool):
        return metric
    metric = metric or MetricVerdict(EXPECTATIONS, None, Status.NOT_EVALUATED)
    status = Status.PASSED if stated else Status.FAILED
    return replace(metric, status=status, provenance=Provenance.REPORTED, native=stated)


def _goal(scenario: Fields) -> MetricVerdict | None:
    """Whether the simulated user took the goal to be met: 1, 0, or -1 for neither.

    Whether it was to be met stands in the evaluation alone. Only a completed task says that it ended as it was to.
    """
    result = scenario.object("user_goal_satisfaction_result")
    if result is None:
        return None
    score, reason, status = result.number("score"), _explanation(result), Status.NOT_EVALUATED
    if score in _OF_SCORE and scenario.get("task_completed") is True:
        status = Status.PASSED
    elif score in _OF_SCORE:
        reason = "; ".join(text for text in (reason, _GOAL_OPEN) if text)
    return MetricVerdict(USER_GOAL, score, status, reason=reason, provenance=Provenance.REPORTED)


def _task(scenario: Fields) -> MetricVerdict | None:
    """Whether the task was completed; the score that stated it before is deprecated."""
    result, stated = scenario.object("task_completion_result"), scenario.get("task_completed")
    if result is None and not isinstance(stated, bool):
        return None
    by_score = _of_score(result) if result else Status.NOT_EVALUATED
    return MetricVerdict(
        TASK,
        result.number("score") if result else None,
        (Status.PASSED if stated else Status.FAILED) if isinstance(stated, bool) else by_score,
        reason=_explanation(result) if result else "",
        provenance=Provenance.REPORTED,
        native=stated if isinstance(stated, bool) else ABSENT,
    )


def _rubrics(scenario: Fields, report: Report) -> MetricVerdict | None:
    """Rubrics with their scores, on a scale that is not documented."""
    outcomes = report.bounded(scenario, "rubric_outcomes")
    rubrics = tuple(
        RubricVerdict(
            rubric_id=f"rubric {index + 1}",  # CES's have no ids; the case's are counted in the same way
            score=outcome.number("score"),
            rationale=outcome.text("score_explanation") or "",
            text=outcome.text("rubric") or "",
        )
        for index, outcome in enumerate(outcomes)
    )
    if not rubrics:
        return None
    return MetricVerdict(RUBRICS, None, Status.INFORMATIONAL, provenance=Provenance.REPORTED, rubrics=rubrics)


def _together(metric: str, verdicts: tuple[ExpectationVerdict, ...]) -> MetricVerdict:
    """Several outcomes as one metric; that they come to its status is ours."""
    status = compose(verdict.status for verdict in verdicts)
    if verdicts and all(verdict.status is Status.SKIPPED for verdict in verdicts):
        status = Status.SKIPPED
    missed = ", ".join(_missed(verdicts))
    return MetricVerdict(metric, None, status, reason=missed, provenance=Provenance.DERIVED, expectations=verdicts)


def _missed(verdicts: Iterable[ExpectationVerdict]) -> Iterator[str]:
    return (verdict.what for verdict in verdicts if verdict.status is Status.FAILED)


def _of_score(result: Fields) -> Status:
    """1 and 0 as pass and fail; -1 and no score at all as neither. The label is for people: it varies."""
    score = result.number("score")
    return Status.NOT_EVALUATED if score is None else _OF_SCORE.get(score, Status.NOT_EVALUATED)


def _explanation(result: Fields) -> str:
    return ": ".join(text for text in (result.text("label"), result.text("explanation")) if text)
