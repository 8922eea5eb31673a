"""Event streams (text/event-stream), as a service sends its replies: the JSON in the data of each frame."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from trace_inspector.documents.text.encoding import Body, body_of

_HEAD = 1 << 12
# Comments and other fields may stand before the first data, which must be an object or an array.
_BEGINNING = re.compile(rb"(?:[ \t]*\r?\n|:[^\n]*\n|(?:event|id|retry):[^\n]*\n)*+data:[ \t]*[{\[]")
_DATA = re.compile(rb"^data:[ \t]*(?=[{\[])([^\r\n]+)", re.MULTILINE)


def is_event_stream(data: bytes, _path: Path) -> bool:
    """Whether a file is one, by its beginning."""
    return in_event_stream(body_of(data[:_HEAD]))


def in_event_stream(body: Body) -> bool:
    """Whether a text is one, by its beginning."""
    return _BEGINNING.match(body.data, body.start, body.start + _HEAD) is not None


def frames(body: Body) -> Iterator[tuple[int, int]]:
    """Where the data of each frame stands; other fields, and data that is no JSON, hold nothing."""
    for match in _DATA.finditer(body.data, body.start):
        yield match.span(1)
