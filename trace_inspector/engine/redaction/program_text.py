"""The program's own words in a report: what it says of values in which every text is a block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from trace_inspector.engine.redaction.blank import BLANK
from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.segments import Segment, Where

_BLANKS = re.compile(f"{BLANK}[{BLANK}…]*")


class OwnWords:
    """Texts that are its own as a whole, and those into which it puts words of files, by where they stand."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        self._whole: set[tuple[Where, str]] = set()
        self._around: dict[Where, dict[str, set[tuple[str, ...]]]] = {}  # by what stands before the first block
        for segment in segments:
            first, *rest = _BLANKS.split(segment.text)
            if rest:
                self._around.setdefault(segment.where, {}).setdefault(first, set()).add(tuple(rest))
            else:
                self._whole.add((segment.where, first))

    def cover(self, segment: Segment, spans: Sequence[Span]) -> bool:
        """Whether all spans of a text lie in words of the program."""
        if (segment.where, segment.text) in self._whole:
            return True
        return any(
            all(any(start <= at and to <= end for start, end in own) for at, to in spans)
            for own in self._fitting(segment)
        )

    def _fitting(self, segment: Segment) -> Iterator[list[Span]]:
        around = self._around.get(segment.where, {})
        for length in sorted({len(first) for first in around}):
            for rest in around.get(segment.text[:length], ()):
                own = _fit(segment.text, length, rest)
                if own is not None:
                    yield own


def _fit(text: str, first: int, rest: Sequence[str]) -> list[Span] | None:
    """Where the program's own words stand in a text, if it is of that form."""
    own, at = [(0, first)], first
    *between, last = rest
    for piece in between:
        start = text.find(piece, at)
        if start < 0:
            return None
        at = start + len(piece)
        own.append((start, at))
    if len(text) - len(last) < at or not text.endswith(last):
        return None
    return [*own, (len(text) - len(last), len(text))]
