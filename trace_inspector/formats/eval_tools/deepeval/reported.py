"""What DeepEval's metrics decided, as reported: some pass below their threshold, so nothing is derived from it."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import ABSENT
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status, compose
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.record_counts import RecordCounts

_FIGURES = ("evaluation_cost", "input_token_count", "output_token_count")
_OF_A_METRIC = ("name", "threshold", "success", "score", "reason", "error", *_FIGURES)
_STATED = {True: Status.PASSED, False: Status.FAILED}


def verdict_on(case: Fields, identity: str, suite: str, counts: RecordCounts) -> CaseVerdict:
    """The verdict on a case of a run: its own word, else what its metrics say together."""
    metrics = [(metric, None) for metric in case.objects("metrics_data")]
    return metrics_in(metrics, identity, suite, case.place, counts, case.get("success"))


def metrics_in(
    metrics: Iterable[tuple[Fields, Fields | None]],
    identity: str,
    suite: str,
    place: str,
    counts: RecordCounts,
    success: object = None,
) -> CaseVerdict:
    """The metrics of one case, each with its configuration where that stands beside; flaky ones decide nothing."""
    stated = [*metrics]
    counts.understood(len(stated))
    decided = tuple(_metric(metric) for metric, _ in stated)
    deciding = [
        one.status for (metric, _), one in zip(stated, decided, strict=True) if metric.get("flaky") is not True
    ]
    own = _STATED.get(success) if isinstance(success, bool) else None
    return CaseVerdict(
        case_id=identity,
        suite_id=suite,
        trace_id=identity,
        status=own or compose(deciding),
        metrics=decided,
        golden_place=place,
        trace_place=place,
        native=success if isinstance(success, bool) else ABSENT,
        provenance=Provenance.REPORTED if own else Provenance.DERIVED,
        extras=tuple(extra for metric, beside in stated for extra in _beside(metric, beside)),
    )


def _metric(metric: Fields) -> MetricVerdict:
    success, failure = metric.get("success"), metric.text("error")
    undecided = Status.ERROR if failure else Status.NOT_EVALUATED
    flaky = "flaky: it does not decide the case" if metric.get("flaky") is True else None
    return MetricVerdict(
        metric=metric.text("name") or "metric",
        score=metric.number("score"),
        status=_STATED[success] if isinstance(success, bool) else undecided,
        threshold=metric.number("threshold"),
        reason="; ".join(words for words in (metric.text("reason"), failure, flaky) if words),
        provenance=Provenance.REPORTED,
        figures=tuple((name, number) for name in _FIGURES if (number := metric.number(name)) is not None),
        native=success if isinstance(success, bool) else ABSENT,
    )


def _beside(metric: Fields, configuration: Fields | None) -> Iterable[Extra]:
    name = metric.text("name") or "metric"
    for owner in (metric, configuration):
        for extra in stated_extras(owner, *_OF_A_METRIC) if owner is not None else ():
            yield Extra(f"{name}: {extra.name}", extra.value, extra.place)
