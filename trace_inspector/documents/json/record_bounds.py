"""Which parts of a file stand for themselves: frames of a stream, lines where each is a document, else the whole."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.event_stream import frames, in_event_stream

_PROBED_LINES = 10


def record_bounds(body: Body) -> Iterator[tuple[int, int]]:
    """The bounds of a body's records in order. A line that is cut off or broken spoils only its own record."""
    if in_event_stream(body):
        yield from frames(body)
    elif _has_documents_in_lines(body):
        yield from _lines(body)
    else:
        yield body.start, len(body.data)


def _lines(body: Body) -> Iterator[tuple[int, int]]:
    start = body.start
    while start < len(body.data):
        end = body.data.find(b"\n", start) + 1 or len(body.data)
        if line := body.data[start:end].rstrip():
            yield start, start + len(line)
        start = end


def _has_documents_in_lines(body: Body) -> bool:
    """Whether the first lines and the last begin an object or array each, and one of them is whole."""
    last = body.data.rstrip()
    if last.find(b"\n", body.start) < 0:
        return False
    probed = [body.data[start:end].lstrip() for start, end in islice(_lines(body), _PROBED_LINES)]
    probed.append(last[max(last.rfind(b"\n") + 1, body.start) :].lstrip())
    if any(line[:1] not in (b"{", b"[") or len(line) == 1 for line in probed):
        return False
    return any(map(_is_whole, probed))


def _is_whole(line: bytes) -> bool:
    try:
        fast_value(line)
    except ValueError:
        return False
    return True
