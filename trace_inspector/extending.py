"""What plugins are made of (docs/plugins.md). These names and their fields stay until the major version changes."""

from __future__ import annotations

from trace_inspector.core.finding import Finding, error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn, Usage, answer_text, calls_of, user_text
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Method, Metric, PairedTurn, Subject
from trace_inspector.formats.common.format import Format, Implementation, Source

__all__ = (
    "Backend",
    "CallFailed",
    "CannotJudge",
    "Case",
    "Criterion",
    "Event",
    "Finding",
    "Format",
    "Implementation",
    "Judged",
    "Method",
    "Metric",
    "MetricVerdict",
    "ModelAnswer",
    "PairedTurn",
    "Prompted",
    "Source",
    "Status",
    "Steps",
    "Subject",
    "Suite",
    "Text",
    "ToolCall",
    "ToolResult",
    "Trace",
    "Turn",
    "Usage",
    "against",
    "answer_text",
    "calls_of",
    "error",
    "info",
    "user_text",
    "warning",
)
