"""The value of a document with its numbers as the file spells them."""

from __future__ import annotations

from trace_inspector.core.spelled import spelled
from trace_inspector.core.values import Json
from trace_inspector.documents.document import Container, Document
from trace_inspector.documents.encoding import body_of


def spelled_value(document: Document) -> Json:
    """The value with spelled numbers where the document is strict JSON, else as it was read."""
    if document.container is not Container.JSON or not document.plain:
        return document.value
    body = body_of(document.data)
    try:
        return spelled(body.decode(body.start, len(body.data)))
    except (ValueError, RecursionError):
        return document.value
