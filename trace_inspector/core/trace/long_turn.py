"""Turns with very many events or spans: kept in several bodies, so that looking at one event opens a few of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.trace import Event, Span, Turn, Usage, calls_of, turn_usage

EVENTS_A_BODY = 200  # opened in a millisecond or two


class LongTurn(Struct, frozen=True):
    """The first body of such a turn: all of it but the events and spans; `parts` counts the bodies with these."""

    turn: Turn
    parts: int
    calls: int
    usage: Usage


class TurnPart(Struct, frozen=True):
    """Another body: some events and some spans that follow each other; `first` is the index of the first of them."""

    first: int
    events: tuple[Event, ...]
    spans: tuple[Span, ...]


Bodies: TypeAlias = LongTurn | TurnPart


def is_long(turn: Turn) -> bool:
    """Whether a turn is kept in several bodies."""
    return _size(turn) > EVENTS_A_BODY


def bodies_of(turn: Turn) -> Iterator[Bodies]:
    """The bodies of a long turn, in their order."""
    parts = -(-_size(turn) // EVENTS_A_BODY)
    yield LongTurn(replace(turn, events=(), spans=()), parts, len(calls_of(turn)), turn_usage(turn))
    for first in range(0, _size(turn), EVENTS_A_BODY):
        end = first + EVENTS_A_BODY
        yield TurnPart(first, turn.events[first:end], turn.spans[first:end])


def body_holding(first_body: int, index: int) -> int:
    """Which body holds an event or a span of a long turn, by the number of the turn's first body."""
    return first_body + 1 + index // EVENTS_A_BODY


def with_whole_turns(bodies: Iterable[object]) -> Iterator[object]:
    """The same bodies, with turns in place of what they were cut into."""
    head: LongTurn | None = None
    events: list[Event] = []
    spans: list[Span] = []
    remaining = 0
    for body in bodies:
        if isinstance(body, LongTurn):
            head, remaining, events, spans = body, body.parts, [], []
        elif isinstance(body, TurnPart) and head is not None:
            events += body.events
            spans += body.spans
            remaining -= 1
            if not remaining:
                yield replace(head.turn, events=tuple(events), spans=tuple(spans))
        else:
            yield body


def _size(turn: Turn) -> int:
    return max(len(turn.events), len(turn.spans))
