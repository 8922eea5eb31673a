"""One file per metric, which computes it. METRICS is the one list; a row imports its file when that is needed.

Here are the tables of ADK's metrics and of ours; those of Vertex AI and of CES lie beside what computes them. What
plugins and commands add is looked for when a name is none of these.
"""

from __future__ import annotations

from trace_inspector.engine.ces.metrics import CES_METRICS
from trace_inspector.engine.metrics.adk import ADK_METRICS
from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS
from trace_inspector.engine.metrics.local import LOCAL_METRICS
from trace_inspector.engine.scoring.metric import Metric, MetricTable, metric_for
from trace_inspector.engine.vertex.metrics import VERTEX_METRICS


class _OurMetrics(MetricTable):
    __slots__ = ()

    def added(self, name: str, /) -> Metric | None:
        from trace_inspector.engine.metrics.added.added_metrics import added_metric

        return added_metric(name)


METRICS = _OurMetrics(
    (
        *ADK_METRICS,
        *LOCAL_METRICS,
        *VERTEX_METRICS,
        *CES_METRICS,
        *AGENT_EVAL_METRICS,
    )
)


def metric_named(name: str) -> Metric | None:
    """The metric that a criterion of that name means."""
    return metric_for(name, METRICS)


def all_metrics() -> tuple[Metric, ...]:
    """Ours and all that is added."""
    from trace_inspector.engine.metrics.added.added_metrics import added_metrics

    return (*METRICS, *added_metrics())
