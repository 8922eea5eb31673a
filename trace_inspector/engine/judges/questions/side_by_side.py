"""Runs several lines of questions at once; each asks its next question when the last was answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from trace_inspector.engine.scoring.metric import Ask, Rounds, Said


def side_by_side(lines: Sequence[Rounds[Said]], *, one_by_one: bool) -> Rounds[list[Said]]:
    """The result of each line, in order. With `one_by_one` each line ends before the next begins, as in ADK.

    The next round waits for all replies of this one. Being a generator of rounds, it runs with a judge that blocks
    as well as with one on an event loop."""
    results: dict[int, Said] = {}
    remaining = deque(enumerate(lines))
    while remaining:
        batch = [remaining.popleft()] if one_by_one else [remaining.popleft() for _ in range(len(remaining))]
        yield from _together(batch, results)
    return [results[index] for index in range(len(lines))]


def _together(lines: Sequence[tuple[int, Rounds[Said]]], results: dict[int, Said]) -> Rounds[None]:
    waiting: dict[int, tuple[Ask, ...]] = {}
    for index, line in lines:
        _note(index, partial(next, line), waiting, results)
    by_number = dict(lines)
    while waiting:
        asked = dict(waiting)
        replies = yield tuple(ask for asks in asked.values() for ask in asks)
        waiting.clear()
        for index, asks in asked.items():
            own, replies = replies[: len(asks)], replies[len(asks) :]
            _note(index, partial(by_number[index].send, own), waiting, results)


def _note(
    index: int, advance: Callable[[], tuple[Ask, ...]], waiting: dict[int, tuple[Ask, ...]], results: dict[int, Said]
) -> None:
    """Advance a line: its next questions wait, or its result is stored."""
    try:
        waiting[index] = advance()
    except StopIteration as end:
        results[index] = end.value
