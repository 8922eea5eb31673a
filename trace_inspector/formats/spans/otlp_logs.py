"""Log records beside the spans they belong to: where the words of a conversation stand when spans hold none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trace_inspector.core.finding import info
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.spans.spans import Recorded


class LogRecords:
    """The log records of a file by the span that each belongs to."""

    def __init__(self) -> None:
        self._count = 0
        self._by_span: dict[tuple[str, str], list[tuple[JsonObject, str]]] = {}

    def add(self, raw: Json, place: str) -> None:
        """Take one record."""
        if isinstance(raw, dict):
            self._count += 1
            key = (_id(raw, "traceId", "trace_id"), _id(raw, "spanId", "span_id"))
            self._by_span.setdefault(key, []).append((raw, place))

    def join(self, spans: Iterable[Recorded]) -> None:
        """Give every span its records."""
        if self._by_span:
            for recorded in spans:
                found = self._by_span.pop((recorded.trace_id, recorded.span.id), None)
                if found is not None:
                    recorded.attributes.joined = [*(recorded.attributes.joined or ()), *found]

    def left(self, *, has_spans: bool) -> Iterator[Item]:
        """What the records that no span took are."""
        left = sum(map(len, self._by_span.values()))
        if not has_spans and self._count:
            yield Holds("log records", self._count)
        elif left:
            records = "1 log record belongs" if left == 1 else f"{left} log records belong"
            place = next(iter(self._by_span.values()))[0][1]
            yield info("log-without-span", f"{records} to no span of this file: not shown.", place)


def _id(raw: JsonObject, name: str, other: str) -> str:
    value = raw.get(name) or raw.get(other)
    return value if isinstance(value, str) else ""
