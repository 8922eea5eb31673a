"""Looks through what is about to be written for what was taken out; the program's own words are no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from trace_inspector.engine.redaction.blank import BLANK
from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.redactor import MARK, Redactor
from trace_inspector.engine.redaction.segments import BUILT_OF, OTHER_SYSTEMS, Segment, Where, segments_of
from trace_inspector.engine.reports.report import Report

_BLANKS = re.compile(f"{BLANK}[{BLANK}…]*")


class ProgramText:
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
            all(any(start <= span_start and span_end <= end for start, end in own) for span_start, span_end in spans)
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
    own, end = [(0, first)], first
    *between, last = rest
    for piece in between:
        start = text.find(piece, end)
        if start < 0:
            return None
        end = start + len(piece)
        own.append((start, end))
    if len(text) - len(last) < end or not text.endswith(last):
        return None
    return [*own, (len(text) - len(last), len(text))]


Hits = Callable[[str], list[Span]]


def stands_in(redactor: Redactor, report: Report[...], written: str, blank: Callable[[], str]) -> bool:
    """Whether anything that was taken out stands in a written report. `blank` writes it of values without a word."""

    def hits_in(segment: Segment) -> Hits:
        must_be_gone = report.name in OTHER_SYSTEMS and any(map(redactor.keys.mean, segment.behind - BUILT_OF))
        return _all_of if must_be_gone else redactor.removed_in

    return _any_leak(
        segments_of(report.media_type, written), hits_in, lambda: segments_of(report.media_type, blank())
    )


def remains_in(redactor: Redactor, texts: Iterable[str], blank: Callable[[], Iterable[str]]) -> bool:
    """The same of texts that stand alone; what a pattern matches must not stand in them either."""

    def hits(text: str) -> list[Span]:
        return [*redactor.removed_in(text), *redactor.matched_in(text)]

    return _any_leak(map(Segment, texts), lambda _segment: hits, lambda: map(Segment, blank()))


def _any_leak(
    segments: Iterable[Segment], hits_in: Callable[[Segment], Hits], blank: Callable[[], Iterable[Segment]]
) -> bool:
    clean: set[tuple[Hits, str]] = set()  # a report says most of its texts many times
    suspects: dict[Segment, list[Span]] = {}
    for segment in segments:
        hits = hits_in(segment)
        if (hits, segment.text) in clean or segment in suspects:
            continue
        spans = list(_spans(segment.text, hits))
        if spans:
            suspects[segment] = spans
        else:
            clean.add((hits, segment.text))
    if not suspects:
        return False
    own = ProgramText(blank())
    return not all(own.cover(segment, spans) for segment, spans in suspects.items())


def _spans(text: str, hits: Hits) -> Iterator[Span]:
    offset = 0
    for rest in text.split(MARK):
        yield from ((offset + start, offset + end) for start, end in hits(rest))
        offset += len(rest) + len(MARK)


def _all_of(text: str) -> list[Span]:
    """Behind a key that is meant, everything is too much."""
    return [(0, len(text))] if text.strip() else []
