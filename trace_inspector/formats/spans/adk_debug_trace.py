"""What ADK's development server answers when it is asked for a session's spans: `adk-debug-trace`."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.format import Format
from trace_inspector.formats.spans import dumps as span_dumps

_KEYS = ("name", "span_id", "trace_id", "start_time", "end_time")
_LOOKED_AT = 20


def recognise(value: Json) -> int:
    """A list of spans whose ids are numbers, 64 and 128 bits long."""
    listed = value[:_LOOKED_AT] if isinstance(value, list) else []
    return 90 if any(_is_span(item) for item in listed) else 0


def _is_span(item: Json) -> bool:
    return (
        isinstance(item, dict)
        and all(key in item for key in _KEYS)
        and isinstance(item["span_id"], int)
        and isinstance(item["trace_id"], int)
    )


FORMAT = Format(
    name="adk-debug-trace",
    title="ADK debug trace",
    system="ADK",
    short="debug traces",
    holds="traces: the spans of one session as ADK's development server remembers them",
    recognise=recognise,
    read=span_dumps.read,
    shape=span_dumps.SHAPE,
)
