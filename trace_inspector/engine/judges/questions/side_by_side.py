"""Several lines of questions at once, each of which asks its next question when its last was answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

from trace_inspector.engine.scoring.metric import Ask, Rounds, Said


def side_by_side(lines: Sequence[Rounds[Said]], *, one_by_one: bool) -> Rounds[list[Said]]:
    """What each line comes to, in order. One by one each line ends before the next begins."""
    said: dict[int, Said] = {}
    left = deque(enumerate(lines))
    while left:
        batch = [left.popleft()] if one_by_one else [left.popleft() for _ in range(len(left))]
        yield from _together(batch, said)
    return [said[at] for at in range(len(lines))]


def _together(lines: Sequence[tuple[int, Rounds[Said]]], said: dict[int, Said]) -> Rounds[None]:
    waiting: dict[int, tuple[Ask, ...]] = {}
    for at, line in lines:
        _note(at, partial(next, line), waiting, said)
    by_number = dict(lines)
    while waiting:
        asked = dict(waiting)
        replies = yield tuple(ask for asks in asked.values() for ask in asks)
        waiting.clear()
        for at, asks in asked.items():
            own, replies = replies[: len(asks)], replies[len(asks) :]
            _note(at, partial(by_number[at].send, own), waiting, said)


def _note(
    at: int, advance: Callable[[], tuple[Ask, ...]], waiting: dict[int, tuple[Ask, ...]], said: dict[int, Said]
) -> None:
    """Go on with a line: what it asks now waits, or what it came to is kept."""
    try:
        waiting[at] = advance()
    except StopIteration as end:
        said[at] = end.value
