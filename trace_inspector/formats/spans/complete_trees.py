"""Finds trees of spans that seem complete while a very large file is still being read."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.formats.spans.spans import Recorded

STEP_BYTES = 1 << 22  # between checks at the beginning, for the first turns
LONG_STEP_BYTES = 1 << 24  # and later
# A tree counts as complete after so many bytes without a span of it. Its root ends last and is mostly written last,
# so without a root the limit is higher.
QUIET_BYTES = 1 << 23
TOPLESS_BYTES = 1 << 26


class CompleteTrees:
    """Removes complete trees from the spans read so far, and remembers the ids of their spans."""

    def __init__(self) -> None:
        self._next_bytes = STEP_BYTES
        self._stamped = 0
        self._taken: set[int] = set()  # hashes: for millions of spans, ids as text would take ten times as much

    def is_due(self, spans: list[Recorded], read_bytes: int) -> bool:
        """Stamp the newest spans, and say whether the next check is due."""
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
            last[top] = recorded.arrived_bytes  # spans come in order
            if recorded.span.parent_id is None:
                whole.add(top)
        patience = {top: QUIET_BYTES if top in whole else TOPLESS_BYTES for top in last}
        complete: list[Recorded] = []
        remaining: list[Recorded] = []
        for recorded, top in zip(spans, tops, strict=True):
            (complete if last[top] + patience[top] <= read_bytes else remaining).append(recorded)
        spans[:] = remaining
        self._stamped = len(remaining)
        # A tree that stays open over half the file would make every check slow, so these become rarer.
        open_bytes = read_bytes - remaining[0].arrived_bytes if remaining else 0
        step_bytes = STEP_BYTES if read_bytes < LONG_STEP_BYTES else LONG_STEP_BYTES
        self._next_bytes = read_bytes + max(step_bytes, (open_bytes - TOPLESS_BYTES) // 2)
        self._taken.update(hash((recorded.trace_id, recorded.span.id)) for recorded in complete)
        return complete

    def is_taken(self, trace_id: str, span_id: str) -> bool:
        """Whether that span was removed before."""
        return hash((trace_id, span_id)) in self._taken


def _tops(spans: Iterable[Recorded]) -> list[int]:
    """For every span the number of its tree, where a missing parent also connects spans."""
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
