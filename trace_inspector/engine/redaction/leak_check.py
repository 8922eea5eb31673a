"""Searches a report for redacted texts before it is written; matches in the program's own text are no leak."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from trace_inspector.engine.redaction.blank import BLANK
from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.redactor import MARK, Redactor
from trace_inspector.engine.redaction.segments import BUILT_OF, OTHER_SYSTEMS, Location, Segment, segments_of
from trace_inspector.engine.reports.report import Report

_BLANKS = re.compile(f"{BLANK}[{BLANK}…]*")


class ProgramText:
    """The program's own text in a report: whole texts, and templates around text of files, by their location.

    A secret such as “passed” also occurs in the program's sentences. The report is therefore written a second time
    from blanked values: what is left is the program's own, and the blocks show where text of files goes."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        self._whole: set[tuple[Location, str]] = set()
        self._around: dict[Location, dict[str, set[tuple[str, ...]]]] = {}  # by the text before the first block
        for segment in segments:
            first, *rest = _BLANKS.split(segment.text)
            if rest:
                self._around.setdefault(segment.location, {}).setdefault(first, set()).add(tuple(rest))
            else:
                self._whole.add((segment.location, first))

    def cover(self, segment: Segment, spans: Sequence[Span]) -> bool:
        """Whether all spans of a segment lie in the program's own text."""
        if (segment.location, segment.text) in self._whole:
            return True
        return any(
            all(any(start <= span_start and span_end <= end for start, end in own) for span_start, span_end in spans)
            for own in self._fitting(segment)
        )

    def _fitting(self, segment: Segment) -> Iterator[list[Span]]:
        around = self._around.get(segment.location, {})
        for length in sorted({len(first) for first in around}):
            for rest in around.get(segment.text[:length], ()):
                own = _fit(segment.text, length, rest)
                if own is not None:
                    yield own


def _fit(text: str, first: int, rest: Sequence[str]) -> list[Span] | None:
    """The spans of the program's own text, if the text fits the template."""
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


def leaks_in_report(redactor: Redactor, report: Report[...], written: str, blank: Callable[[], str]) -> bool:
    """Whether any redacted text is in a written report. `blank` writes the same report from blanked values."""

    def hits_in(segment: Segment) -> Hits:
        must_be_gone = report.name in OTHER_SYSTEMS and any(map(redactor.keys.redacts, segment.keys_above - BUILT_OF))
        return _all_of if must_be_gone else redactor.removed_in

    return _any_leak(
        segments_of(report.media_type, written), hits_in, lambda: segments_of(report.media_type, blank())
    )


def leaks_in_texts(redactor: Redactor, texts: Iterable[str], blank: Callable[[], Iterable[str]]) -> bool:
    """The same for separate texts, which must contain no match of a pattern either."""

    def hits(text: str) -> list[Span]:
        return [*redactor.removed_in(text), *redactor.matched_in(text)]

    return _any_leak(map(Segment, texts), lambda _segment: hits, lambda: map(Segment, blank()))


def _any_leak(
    segments: Iterable[Segment], hits_in: Callable[[Segment], Hits], blank: Callable[[], Iterable[Segment]]
) -> bool:
    clean: set[tuple[Hits, str]] = set()  # most texts occur many times in a report
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
    """Any text at all under a redacted key is a leak."""
    return [(0, len(text))] if text.strip() else []
