"""The verdicts that an ADK result file reports of its cases, and their criteria."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from trace_inspector.core.finding import info, warning
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_digest import turns_digest
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    RubricVerdict,
    Status,
    TurnVerdict,
    compose,
)
from trace_inspector.formats.adk.result import eval_result_schemas as schemas
from trace_inspector.formats.adk.result.own_results import beside, with_own_results
from trace_inspector.formats.common.fields import Fields, Report, number_of
from trace_inspector.formats.common.schema import check

_WORDS = {status.value: status for status in Status}


def case_verdict(
    fields: Fields, trace: Trace, suite: Case | None, own: Case | None, rows: list[Fields], report: Report
) -> CaseVerdict:
    """The verdict on one case, exactly as it is reported. `own` is the golden that this result states.

    `suite` stands for all results of the case.
    """
    status = _status(fields.get("final_eval_status"), fields.pointer("final_eval_status"), report)
    goldens = {turn.place: turn.index for turn in own.turns} if own else {}
    plain = CaseVerdict(
        case_id=trace.case_id or "",
        suite_id=trace.suite_id or "",
        trace_id=trace.id,
        status=status,
        metrics=tuple(_metric(result, report) for result in overall_results(fields)),
        turns=tuple(_turn(row, index, goldens, report) for index, row in enumerate(rows)),
        golden_place=suite.place if suite else "",
        golden_digest=turns_digest(own.turns) if own else "",
        trace_place=trace.place,
        session_id=trace.session_id,
        native=fields.get("final_eval_status"),
        provenance=Provenance.REPORTED,
    )
    return with_own_results(plain, beside(fields, report), report)


def overall_results(case: Fields) -> list[Fields]:
    """The results of the metrics over the whole case; older files have pairs of a metric and its result."""
    listed = case.get("overall_eval_metric_results")
    return list(_results(case, "overall_eval_metric_results" if listed else "eval_metric_results"))


def criteria_of(cases: Iterable[Fields], report: Report) -> tuple[Criterion, ...]:
    """Every criterion that decided something in the file, in order; of several thresholds the first."""
    by_name: dict[str, Criterion] = {}
    for criterion in (criterion for case in cases for criterion in _criteria(case)):
        first = by_name.setdefault(criterion.metric, criterion)
        if first.threshold != criterion.threshold:
            message = (
                f"“{criterion.metric}” has a different threshold here than at {first.place}; each case is judged by "
                "its own."
            )
            report.add(info("criteria-differ", message, criterion.place))
    return tuple(by_name.values())


def criteria_of_case(case: Fields, of_file: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    """Those of the file, which is one run, each as this case states it where it does."""
    own = {criterion.metric: criterion for criterion in reversed(list(_criteria(case)))}
    return tuple(own.get(criterion.metric, criterion) for criterion in of_file)


def _criteria(case: Fields) -> Iterator[Criterion]:
    for result in overall_results(case):
        criterion = _criterion(result)
        if criterion is not None:
            yield criterion


def _criterion(result: Fields) -> Criterion | None:
    stated = result.mapping("criterion") or {}
    threshold = result.number("threshold")
    threshold = number_of(stated.get("threshold")) if threshold is None else threshold
    name = result.text("metric_name")
    if name is None or threshold is None:
        return None
    options = {key: value for key, value in stated.items() if key != "threshold"}
    judge = result.mapping("judge_model_options")  # before google-adk 1.22 it stood beside the threshold
    if judge and "judge_model_options" not in options:
        options["judge_model_options"] = judge
    return Criterion(name, threshold, options, result.place)


def _results(owner: Fields, *names: str) -> Iterator[Fields]:
    name = next((name for name in names if owner.get(name) not in (ABSENT, None)), names[0])
    listed = owner.get(name)
    for index, raw in enumerate(listed if isinstance(listed, list) else []):
        place = join(owner.pointer(name), index)
        if isinstance(raw, dict):
            yield Fields(raw, place)
        elif isinstance(raw, list) and len(raw) == 2:
            metric, result = raw
            if isinstance(metric, dict) and isinstance(result, dict):
                yield Fields({**metric, **result}, place)


def _turn(row: Fields, index: int, goldens: Mapping[str, int], report: Report) -> TurnVerdict:
    golden = goldens.get(row.pointer("expected_invocation"))
    metrics = tuple(_metric(result, report) for result in _results(row, "eval_metric_results", "metric_results"))
    return TurnVerdict(index, golden, compose(metric.status for metric in metrics), metrics)


def _metric(fields: Fields, report: Report) -> MetricVerdict:
    check(fields, schemas.METRIC_RESULT, report)
    stated = "eval_status" if fields.key("eval_status") else "status"
    details = fields.object("details")
    _check_inside(fields, details, report)
    return MetricVerdict(
        metric=fields.text("metric_name") or "",
        score=fields.number("score"),
        status=_status(fields.get(stated), fields.pointer(stated), report),
        threshold=fields.number("threshold"),
        reason=(details.text("reason") if details else None) or "",
        provenance=Provenance.REPORTED,
        rubrics=tuple(_rubric(score) for score in details.objects("rubric_scores")) if details else (),
        has_rubrics=details is not None and isinstance(details.get("rubric_scores"), list),
        figures=tuple(_figures(details)) if details else (),
        native=fields.get(stated),
    )


def _check_inside(fields: Fields, details: Fields | None, report: Report) -> None:
    criterion = fields.object("criterion")
    if criterion is not None:
        check(criterion, schemas.CRITERION, report)
    if details is not None:
        check(details, schemas.DETAILS, report)
        for score in details.objects("rubric_scores"):
            check(score, schemas.RUBRIC_SCORE, report)
    if fields.get("score") is ABSENT:
        message = "This metric result has no “score”, not even null, which would mean that no score could be given."
        report.add(info("no-score", message, fields.place))


def _rubric(fields: Fields) -> RubricVerdict:
    return RubricVerdict(fields.text("rubric_id") or "", fields.number("score"), fields.text("rationale") or "")


def _figures(details: Fields) -> Iterator[tuple[str, float | None]]:
    for name in schemas.FIGURES:
        for key, value in (details.mapping(name) or {}).items():
            yield key, number_of(value)


def is_word(result: Fields) -> bool:
    """Whether a status is a word, which google-adk itself never writes."""
    return any(result.text(name) is not None for name in ("final_eval_status", "eval_status", "status"))


def _status(value: Json | Absent, place: str, report: Report) -> Status:
    """1 to 4, or a word, as other tools write it."""
    if isinstance(value, str):
        status = _WORDS.get(value.strip().upper().replace("-", "_").replace(" ", "_"))
    else:
        number = number_of(value)
        status = schemas.STATUSES.get(int(number)) if number is not None else None
    if status is None and value is not ABSENT:
        message = "This status is unknown, so it counts as not evaluated. Known statuses are 1 to 4, and their names."
        report.add(warning("unknown-status", message, place))
    return status or Status.NOT_EVALUATED
