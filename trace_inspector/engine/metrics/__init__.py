"""One file per metric, which computes it. METRICS is the one list; a row imports its file when that is needed.

Here are the tables of ADK's metrics and of ours; those of Vertex AI and of CES lie beside what computes them.
"""

from __future__ import annotations

from trace_inspector.engine.ces.metrics import CES_METRICS
from trace_inspector.engine.metrics.adk import ADK_METRICS
from trace_inspector.engine.metrics.agent_eval import AGENT_EVAL_METRICS
from trace_inspector.engine.metrics.local import LOCAL_METRICS
from trace_inspector.engine.scoring.metric import Metric, metric_for
from trace_inspector.engine.vertex.metrics import VERTEX_METRICS

METRICS: tuple[Metric, ...] = (
    *ADK_METRICS,
    *LOCAL_METRICS,
    *VERTEX_METRICS,
    *CES_METRICS,
    *AGENT_EVAL_METRICS,
)


def metric_named(name: str) -> Metric | None:
    """The metric that a criterion of that name means."""
    return metric_for(name, METRICS)
