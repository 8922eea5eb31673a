"""The value of a document with numbers that keep their text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.text.encoding import body_of


def spelled_value(document: Document) -> Json:
    """The value with exact numbers where the document is strict JSON or JSON Lines; else as read."""
    read = _READERS.get(document.container)
    if read is None or not document.plain:
        return document.value
    body = body_of(document.data)
    try:
        return read(body.decode(body.start, len(body.data)))
    except (ValueError, RecursionError):
        return document.value


def _lines(text: str) -> Json:
    return [parse_exactly(line) for line in text.split("\n") if line.strip()]


_READERS: Mapping[Container, Callable[[str], Json]] = {Container.JSON: parse_exactly, Container.JSON_LINES: _lines}
