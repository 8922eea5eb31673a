"""The newline styles of a text that is edited in Qt, which shows all alike: untouched lines keep their own."""

from __future__ import annotations

import re
from itertools import zip_longest

from trace_inspector.documents.text.patch import shared_start

PARAGRAPH = "\u2029"  # where Qt has a line end
_END = re.compile(rf"\r\n|[\r\n{PARAGRAPH}]")


def with_line_ends(shown: str, before: str) -> str:
    """A text as Qt has it, with the ends of the text that it was made of; a new end is like the one before it."""
    ends = _END.findall(before)
    was = _END.sub(PARAGRAPH, before)
    start = shared_start(was, shown)
    end = shared_start(was[start:][::-1], shown[start:][::-1])
    head = was.count(PARAGRAPH, 0, start)
    tail = was.count(PARAGRAPH, len(was) - end)
    new = shown.count(PARAGRAPH) - head - tail
    like = ends[head - 1] if head else ends[0] if ends else "\n"
    now = [*ends[:head], *[like] * new, *ends[len(ends) - tail :]]
    return "".join(line + stop for line, stop in zip_longest(shown.split(PARAGRAPH), now, fillvalue=""))
