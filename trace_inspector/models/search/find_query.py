"""A text search: words or a regular expression, with or without regard to case."""

from __future__ import annotations

import regex
from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.scoring.patterns import why_unusable

LONGEST = 1_000
EXCERPT_CHARS = 160
_BEFORE_CHARS = 40
_MOST_S = 0.02  # on one text; longer ones are skipped, and counted as slow


class Query(Struct, frozen=True):
    """One search. `everywhere`: in all open files, in verdict reasons and judge replies; else in one file."""

    text: str
    match_case: bool = False
    is_pattern: bool = False
    everywhere: bool = False

    def why_not(self) -> str:
        """Why the query is invalid, "" when it is valid."""
        if len(self.text) > LONGEST:
            return f"At most {LONGEST:,} characters can be searched for."
        problem = why_unusable(self.text) if self.is_pattern else ""
        return f"This cannot be searched for: {problem}." if problem else ""

    def find(self, text: str) -> tuple[int, int] | None:
        """The first match in a text. Raises TimeoutError when a pattern takes too long."""
        if self.is_pattern:
            flags = 0 if self.match_case else regex.IGNORECASE
            match = regex.search(self.text, text, flags=flags, timeout=_MOST_S)
            return (match.start(), match.end()) if match and match.end() > match.start() else None
        start = text.find(self.text) if self.match_case else _folded(text, self.text)
        return (start, start + len(self.text)) if start >= 0 else None


class Excerpt(Struct, frozen=True):
    """One line around a match, which is at `start` to `end` of it."""

    text: str
    start: int
    end: int


def excerpt(text: str, start: int, end: int) -> Excerpt:
    """The line around a match, with control characters made visible, cut on both sides."""
    begin = max(0, start - _BEFORE_CHARS)
    before = one_line(text[begin:start] + "|")[:-1]
    hit = one_line(text[start:end] + "|")[:-1] or " "
    before = before if not begin else "…" + before
    behind = one_line("|" + text[end : end + EXCERPT_CHARS])[1:]
    return Excerpt(before + hit + behind, len(before), len(before) + len(hit))


def _folded(text: str, text_sought: str) -> int:
    """The first match in any case; by a slower search when lower case changes the length of the text."""
    small, sought = text.lower(), text_sought.lower()
    if len(small) == len(text):
        return small.find(sought)
    match = regex.search(regex.escape(text_sought), text, flags=regex.IGNORECASE)
    return match.start() if match else -1
