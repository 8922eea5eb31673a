"""Log records beside the spans they belong to: where the words of a conversation stand when spans hold none."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.contents import Holds, Item
from trace_inspector.core.finding import info
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.formats.spans import Recording


class LogRecords:
    """The log records of a file by the span that each belongs to."""

    def __init__(self) -> None:
        self._count = 0
        self._by_span: dict[tuple[str, str], list[tuple[JsonObject, str]]] = {}

    def add(self, listed: list[Json], place: str) -> None:
        """Take the records of one scope."""
        for index, raw in enumerate(listed):
            if isinstance(raw, dict):
                self._count += 1
                key = (_id(raw, "traceId", "trace_id"), _id(raw, "spanId", "span_id"))
                self._by_span.setdefault(key, []).append((raw, f"{place}/{index}"))

    def join(self, recording: Recording) -> Iterator[Item]:
        """Give every span its records, and tell what is left."""
        if not self._count:
            return
        for recorded in recording.spans:
            found = self._by_span.pop((recorded.trace_id, recorded.span.id), None)
            if found is not None:
                recorded.attributes.joined = found
        left = sum(map(len, self._by_span.values()))
        if not recording.spans:
            yield Holds("log records", self._count)
        elif left:
            records = "1 log record belongs" if left == 1 else f"{left} log records belong"
            place = next(iter(self._by_span.values()))[0][1]
            yield info("log-without-span", f"{records} to no span of this file: not shown.", place)


def _id(raw: JsonObject, name: str, other: str) -> str:
    value = raw.get(name) or raw.get(other)
    return value if isinstance(value, str) else ""
