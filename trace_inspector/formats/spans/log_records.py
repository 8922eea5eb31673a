"""Log records beside spans: each belongs to a span, or is all that is known of a call of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from msgspec import Struct, field

from trace_inspector.core.finding import info
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.span_attributes import Attributes, Form
from trace_inspector.formats.spans.layouts import DETAILS
from trace_inspector.formats.spans.spans import (
    NO_ATTRIBUTES,
    Recorded,
    Recording,
    identifying_attributes,
    without_id,
)


class LogRecords(Struct):
    """The log records of a file by span."""

    form: Form
    _count: int = 0
    _by_span: dict[tuple[str, str], list[tuple[JsonObject, str, float | None]]] = field(default_factory=dict)
    _new: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many were added."""
        return self._count

    def add(self, raw: JsonObject, place: str, span: tuple[str, str], time_s: float | None) -> None:
        """Add a record, with the ids of its trace and span."""
        self._count += 1
        self._new.add(span[0])
        self._by_span.setdefault(span, []).append((raw, place, time_s))

    def new_traces(self) -> set[str]:
        """The traces of the records that were added since the last call."""
        new, self._new = self._new, set()
        return new

    def copy(self) -> LogRecords:
        """The same records once more, as joining takes them out."""
        return LogRecords(self.form, self._count, dict(self._by_span))

    def leave_out(self, spans: Set[tuple[str, str]]) -> None:
        """Take out those of spans that have theirs."""
        for span in self._by_span.keys() & spans:
            del self._by_span[span]

    def join(self, spans: Iterable[Recorded]) -> None:
        """Attach the records to their spans."""
        if self._by_span:
            for recorded in spans:
                records = self._by_span.pop((recorded.trace_id, recorded.span.id), None)
                if records is not None and recorded.attributes is not NO_ATTRIBUTES:
                    joined = [(raw, place) for raw, place, _time_s in records]
                    recorded.attributes.joined = [*(recorded.attributes.joined or ()), *joined]

    def remaining(self, recording: Recording) -> Iterator[Item]:
        """Makes spans of the calls that only a record tells of, and reports the records that belong to no span."""
        records = [(span, *record) for span, listed in self._by_span.items() for record in listed]
        calls = [
            (span, attributes, time_s)
            for span, raw, place, time_s in records
            if (attributes := Attributes(raw, place, self.form)).note_name() == DETAILS
        ]
        for (trace_id, span_id), attributes, time_s in calls:
            place = attributes.holder_place
            span = Span(span_id or without_id(place), DETAILS, SpanKind.MODEL, start_s=time_s, place=place)
            recording.take(Recorded(trace_id, span, attributes, identifying_attributes(attributes)))
        if calls:
            told = "1 call of a model is" if len(calls) == 1 else f"{len(calls)} calls of models are"
            message = f"{told} known only by an event, without a span: how long it took is not known."
            yield info("call-without-span", message, calls[0][1].holder_place)
        count = len(records) - len(calls)
        if not recording.count and self._count:
            yield Holds("log records", self._count)
        elif count:
            words = "1 log record belongs" if count == 1 else f"{count} log records belong"
            shown = {attributes.holder_place for _ids, attributes, _time in calls}
            place = next(place for _ids, _raw, place, _time in records if place not in shown)
            yield info("log-without-span", f"{words} to no span of this file, so they are not shown.", place)
