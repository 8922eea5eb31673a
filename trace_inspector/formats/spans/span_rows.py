"""Spans of a large file as they come from decoding it as types, maybe in another process: plain values alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from trace_inspector.core.trace.trace import Span, SpanKind
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.spans.spans import (
    AROUND,
    NO_ATTRIBUTES,
    WITHOUT_ID,
    Recorded,
    Recording,
    kind_of,
)

# The ids of its trace and its own, its name, the id of its parent, when it began and how long it took in seconds.
QuietSpan: TypeAlias = tuple[str, str, str, str | None, float | None, float | None]
# What is a run, an agent, a model, a tool or a failure comes as it stands in the file.
SpanRow: TypeAlias = "QuietSpan | JsonObject"

_NOTHING: JsonObject = {}


class Kinds(dict[str, SpanKind]):
    """The kinds of spans that state none, by name."""

    def __missing__(self, name: str) -> SpanKind:
        kind = self[name] = kind_of(name, _NOTHING)
        return kind


def may_be_quiet(span_id: str, kind: SpanKind) -> bool:
    """Whether a span is only around the work as far as its name tells."""
    return kind in AROUND and not span_id.startswith(WITHOUT_ID)


def take_rows(
    rows: Sequence[SpanRow],
    trace_id: str,
    list_place: str,
    first: int,
    recording: Recording,
    take: Callable[[Json, str, str, Recording], None],
) -> None:
    """Record spans that are members of a list from `first` on; `take` those that come as they stand in the file."""
    kinds = Kinds()
    quiet = 0
    for index, row in enumerate(rows, first):
        place = f"{list_place}/{index}"
        if isinstance(row, dict):
            take(row, trace_id, place, recording)
            continue
        own_trace, span_id, name, parent, start_s, duration_s = row
        span = Span(span_id, name, kinds[name], parent, start_s, duration_s, None, place)
        recording.spans.append(Recorded(own_trace or trace_id, span, NO_ATTRIBUTES, _NOTHING))
        quiet += 1
    recording.count += quiet
