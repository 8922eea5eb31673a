"""The critical path of a turn: from its end backwards, the chain of work without which it had ended earlier."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

HANDOVER_S = 0.01  # what ended no longer before is taken for what the next one waited for


class Stretch(Struct, frozen=True):
    """A part of the path: this piece of work, from here to there."""

    piece: int
    start_s: float
    end_s: float


def critical_path(pieces: Sequence[tuple[float, float]], start_s: float, end_s: float) -> tuple[Stretch, ...]:
    """From pieces as (start, end) the path within these bounds, earliest first; pieces without length are left out.

    Backwards from the end, each step goes to what ended just before, else to what was running (of several, what had
    run longest), else to what ended last. Equal ends go to the earlier start, then to the first in the list.
    """
    inside = [(max(a_s, start_s), min(b_s, end_s), index) for index, (a_s, b_s) in enumerate(pieces)]
    timed = [piece for piece in inside if piece[0] < piece[1]]
    by_end = sorted(timed, key=lambda piece: (piece[1], -piece[0], -piece[2]))
    by_start = sorted(timed, key=lambda piece: (piece[0], piece[2]))
    ends_s = [piece[1] for piece in by_end]
    latest_s = list(accumulate((piece[1] for piece in by_start), max))
    path: list[Stretch] = []
    now_s = end_s
    while timed:
        ended = bisect_right(ends_s, now_s)
        last = by_end[ended - 1] if ended else None
        running = bisect_right(latest_s, now_s)  # the first by start that ends later than now
        chosen = last
        if last is None or last[1] < now_s - HANDOVER_S:
            runs = running < len(by_start) and by_start[running][0] < now_s
            chosen = by_start[running] if runs else last
        if chosen is None:
            break
        path.append(Stretch(chosen[2], chosen[0], min(chosen[1], now_s)))
        now_s = chosen[0]
    return tuple(reversed(path))


def slack_s(pieces: Sequence[tuple[float, float]], path: Sequence[Stretch]) -> list[float]:
    """How much longer each piece could have run before the path's next stretch began; 0 on the path."""
    begins_s = [stretch.start_s for stretch in path]
    on_path = {stretch.piece for stretch in path}
    end_s = path[-1].end_s if path else 0.0
    slacks_s = []
    for index, (_start_s, piece_end_s) in enumerate(pieces):
        after = bisect_left(begins_s, piece_end_s)
        until_s = begins_s[after] if after < len(begins_s) else end_s
        slacks_s.append(0.0 if index in on_path else max(0.0, until_s - piece_end_s))
    return slacks_s
