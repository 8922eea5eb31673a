"""Which trees of spans seem complete while a very large file is still being read."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.formats.spans.spans import Recorded

STEP_BYTES = 1 << 22  # how often one looks at the beginning, for the first turns
LONG_STEP_BYTES = 1 << 24  # and later
# A tree counts as complete when so much of the file passed without a span of it. The span at its top ends last and is
# mostly written last, so without it one waits for longer.
QUIET_BYTES = 1 << 23
TOPLESS_BYTES = 1 << 26


class Quiet:
    """Takes complete trees out of the spans read so far, and remembers what it took."""

    def __init__(self) -> None:
        self._next_bytes = STEP_BYTES
        self._stamped = 0
        self._taken: set[int] = set()  # hashes; of millions of spans texts would take ten times as much

    def is_due(self, spans: list[Recorded], read_bytes: int) -> bool:
        """Note when the newest spans came, and whether it is time to look again."""
        for recorded in spans[self._stamped :]:
            recorded.arrived_bytes = read_bytes
        self._stamped = len(spans)
        return read_bytes >= self._next_bytes

    def take(self, spans: list[Recorded], read_bytes: int) -> list[Recorded]:
        """Remove and return the spans of complete trees."""
        tops = _tops(spans)
        last: dict[int, int] = {}
        whole: set[int] = set()
        for recorded, top in zip(spans, tops, strict=True):
            last[top] = recorded.arrived_bytes  # they come in order
            if recorded.span.parent_id is None:
                whole.add(top)
        patience = {top: QUIET_BYTES if top in whole else TOPLESS_BYTES for top in last}
        complete: list[Recorded] = []
        remaining: list[Recorded] = []
        for recorded, top in zip(spans, tops, strict=True):
            (complete if last[top] + patience[top] <= read_bytes else remaining).append(recorded)
        spans[:] = remaining
        self._stamped = len(remaining)
        # Whoever keeps a tree of half the file open is asked less and less often.
        kept_bytes = read_bytes - remaining[0].arrived_bytes if remaining else 0
        step_bytes = STEP_BYTES if read_bytes < LONG_STEP_BYTES else LONG_STEP_BYTES
        self._next_bytes = read_bytes + max(step_bytes, (kept_bytes - TOPLESS_BYTES) // 2)
        self._taken.update(hash((recorded.trace_id, recorded.span.id)) for recorded in complete)
        return complete

    def is_taken(self, trace_id: str, span_id: str) -> bool:
        """Whether that span was taken before."""
        return hash((trace_id, span_id)) in self._taken


def _tops(spans: Iterable[Recorded]) -> list[int]:
    """For every span a number that all spans of its tree have in common, also those that hang together by a gap."""
    numbers: dict[tuple[str, str], int] = {}
    above: list[int] = []
    numbered: list[int] = []
    for recorded in spans:
        own = _number(numbers, above, (recorded.trace_id, recorded.span.id))
        parent_id = recorded.span.parent_id
        if parent_id is not None:
            parent = _number(numbers, above, (recorded.trace_id, parent_id))
            above[_top(above, own)] = _top(above, parent)
        numbered.append(own)
    return [_top(above, own) for own in numbered]


def _number(numbers: dict[tuple[str, str], int], above: list[int], key: tuple[str, str]) -> int:
    number = numbers.get(key)
    if number is None:
        number = numbers[key] = len(above)
        above.append(number)
    return number


def _top(above: list[int], number: int) -> int:
    while above[number] != number:
        above[number] = number = above[above[number]]
    return number
