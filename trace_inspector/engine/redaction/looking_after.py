"""Looks through what is about to be written for what was taken out; the program's own words are no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from trace_inspector.engine.redaction.blank import BLANK
from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.redactor import MARK, Redactor
from trace_inspector.engine.redaction.segments import BUILT_OF, OTHER_SYSTEMS, Segment, Where, segments_of

_BLANKS = re.compile(f"{BLANK}[{BLANK}…]*")
Hits = Callable[[str], list[Span]]


def stands_in(redactor: Redactor, kind: str, report: str, blank: Callable[[], str]) -> bool:
    """Whether anything that was taken out stands in a report. `blank` writes it of values without a word."""

    def hits_in(segment: Segment) -> Hits:
        is_left = kind in OTHER_SYSTEMS and any(map(redactor.keys.mean, segment.behind - BUILT_OF))
        return _all_of if is_left else redactor.known_in

    return _any_left(segments_of(kind, report), hits_in, lambda: segments_of(kind, blank()))


def remains_in(redactor: Redactor, texts: Iterable[str], blank: Callable[[], Iterable[str]]) -> bool:
    """The same of texts that stand alone; what a pattern matches must not stand in them either."""

    def hits(text: str) -> list[Span]:
        return [*redactor.known_in(text), *redactor.matched_in(text)]

    return _any_left(map(Segment, texts), lambda _segment: hits, lambda: map(Segment, blank()))


def _any_left(
    told: Iterable[Segment], hits_in: Callable[[Segment], Hits], blank: Callable[[], Iterable[Segment]]
) -> bool:
    clean: set[tuple[Hits, str]] = set()  # a report says most of its texts many times
    suspects = []
    for one in told:
        hits = hits_in(one)
        if (hits, one.text) not in clean:
            if any(map(hits, one.text.split(MARK))):
                suspects.append(one)
            else:
                clean.add((hits, one.text))
    if not suspects:
        return False
    own: dict[Where, set[str]] = {}  # by where they stand, the words that no file says
    for segment in blank():
        own.setdefault(segment.where, set()).update(filter(str.strip, _BLANKS.split(segment.text)))
    return any(not _is_own(one.text, own.get(one.where, set()), hits_in(one)) for one in suspects)


def _all_of(text: str) -> list[Span]:
    """Behind a key that is meant, everything is too much."""
    return [(0, len(text))] if text.strip() else []


def _is_own(text: str, own: set[str], hits: Hits) -> bool:
    return all(rest in own or all(_is_covered(rest, span, own) for span in hits(rest)) for rest in text.split(MARK))


def _is_covered(text: str, span: Span, own: set[str]) -> bool:
    start, end = span
    return any(0 <= text.find(piece, max(0, end - len(piece))) <= start for piece in own)
