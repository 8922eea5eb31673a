"""Whose labels an answer shows where several verdicts judge its sentences: those of one, never a mixture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from trace_inspector.core.verdict.verdict import MetricVerdict
from trace_inspector.engine.scoring.metric_names import GROUNDING_MODEL, MINICHECK

_BESIDE: Final = frozenset({GROUNDING_MODEL, MINICHECK})  # a person's own models, which stand beside the others


def sentence_verdicts(metrics: Iterable[MetricVerdict]) -> list[MetricVerdict]:
    """The verdicts that judge sentences; a person's own models only where nobody else does."""
    having = [metric for metric in metrics if metric.sentences]
    return [metric for metric in having if metric.metric not in _BESIDE] or having[:1]


def shown_sentences(metrics: Iterable[MetricVerdict]) -> MetricVerdict | None:
    """The verdict whose sentences are marked in the answer."""
    return next(iter(sentence_verdicts(metrics)), None)


def named_beside(metric: MetricVerdict | None) -> str:
    """The name of a person's own model, which stands with its labels; "" for all others."""
    return metric.metric if metric is not None and metric.metric in _BESIDE else ""
