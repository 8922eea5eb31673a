"""Values of Jaeger that both of its readers look at: times, and the tags that give a span's kind or its error."""

from __future__ import annotations

from trace_inspector.formats.common.fields import number_of
from trace_inspector.formats.spans.spans import IDENTIFYING

_MOST_MICROSECONDS = 1 << 62  # year 148,000
ERROR_KEYS = frozenset({"error", "otel.status_code", "status.code"})
FAILED = (True, "true", "True", "ERROR", 2)
NOTED = IDENTIFYING | ERROR_KEYS


def seconds(value: object) -> float | None:
    """Microseconds as seconds."""
    number = value if type(value) is int else number_of(value)
    return number / 1e6 if number is not None and -_MOST_MICROSECONDS < number < _MOST_MICROSECONDS else None
