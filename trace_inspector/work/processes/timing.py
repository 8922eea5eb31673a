"""Reduces turns to the steps that took time: here for few turns, in a child for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.rows.timing import Work
from trace_inspector.core.rows.turn_work import work_of_spans, work_of_turn
from trace_inspector.core.trace import long_turn, trace  # and with it the parts: unpacking imports no class by itself
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.work.processes.child import Channel, Progress

PIECES_A_MESSAGE = 4_000  # unpickled within milliseconds


class TurnsTimed(Struct, frozen=True):
    """Some turns, each with its index in the request."""

    works: tuple[tuple[int, Work], ...]


def time_turns(channel: Channel, counts: Sequence[int]) -> None:
    """In the child: reduce what comes in, `counts` bodies at a time."""
    incoming = channel.incoming()
    works: list[tuple[int, Work]] = []
    for number, count in enumerate(counts):
        with gc_paused():  # collections would traverse a large turn repeatedly
            works.append((number, work_of([next(incoming) for _ in range(count)])))
        if sum(len(work) + 20 for _number, work in works) > PIECES_A_MESSAGE or number + 1 == len(counts):
            channel.send(TurnsTimed(tuple(works)))
            channel.send(Progress(number + 1, len(counts)))
            works = []


def work_of(bodies: Sequence[bytes]) -> Work:
    """The timed steps of a turn, or of spans in several bodies; none where a body is lost."""
    spans: list[trace.Span] = []
    for body in long_turn.with_whole_turns(_opened(bodies)):
        if isinstance(body, trace.Turn):
            return work_of_turn(body)
        if isinstance(body, tuple):
            spans += [span for span in body if isinstance(span, trace.Span)]
    return work_of_spans(spans)


def _opened(bodies: Sequence[bytes]) -> Iterator[object]:
    for body in bodies:
        try:
            yield unpack(body)
        except ReadError:
            yield None
