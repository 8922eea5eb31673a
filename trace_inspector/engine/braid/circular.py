"""Whether a finding only says again what the failing criterion compares: that both go together is no news then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from trace_inspector.engine.braid.attempts import Attempt, StepKind
from trace_inspector.engine.braid.columns import indexes_of
from trace_inspector.engine.braid.features import Feature, FeatureKind
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import ANSWERING, metric_for

_CALLS, _HAND_OFFS, _TIMES, _ANSWER, _NOTHING = "calls", "hand-offs", "times", "answer", ""
# What a metric reads that compares without judging; a judge that reads a whole conversation compares no step.
_READS: Mapping[str, str] = {
    "tool calls": _CALLS,
    "transfers": _HAND_OFFS,
    "authors and transfers": _HAND_OFFS,
    "times": _TIMES,
    "durations": _TIMES,
    "final answer": _ANSWER,
}
_ABOUT: Mapping[StepKind, str] = {
    StepKind.CALL: _CALLS,
    StepKind.HAND_OFF: _HAND_OFFS,
    StepKind.ANSWER: _ANSWER,
    StepKind.TURN: _NOTHING,
}
_NOT_COMPARED = frozenset({FeatureKind.ERROR})


def compares(feature: Feature, absent: bool, runs: int, attempts: Sequence[Attempt]) -> bool:
    """Whether most failing runs that show a feature failed by nothing but criteria that compare it."""
    about = _about(feature)
    failing = [attempts[index] for index in indexes_of(runs)]
    counted = sum(_compared_by_all(feature, absent, about, attempt) for attempt in failing)
    return bool(failing) and 2 * counted > len(failing)


def _about(feature: Feature) -> str:
    if feature.kind in _NOT_COMPARED:
        return _NOTHING
    return _TIMES if feature.kind is FeatureKind.SECONDS else _ABOUT[feature.label[0]]


def _compared_by_all(feature: Feature, absent: bool, about: str, attempt: Attempt) -> bool:
    if not about or not attempt.criteria or any(about not in _compared_by(name) for name in attempt.criteria):
        return False
    if about != _CALLS or attempt.compared is None or feature.kind in (FeatureKind.COUNT, FeatureKind.STOP):
        return True
    expected = feature.label[1] in attempt.compared
    if feature.other is not None:
        return expected and feature.other[1] in attempt.compared
    # A call that nobody expects is one too many; that it is missing is nothing to a criterion.
    return expected or not absent


@lru_cache(maxsize=1_000)
def _compared_by(name: str) -> frozenset[str]:
    metric = metric_for(name, METRICS)
    if metric is None or metric.needs & ANSWERING:
        return frozenset()
    found = {_READS[words] for words in metric.reads if words in _READS}
    return frozenset(found | {_HAND_OFFS} if _CALLS in found else found)
