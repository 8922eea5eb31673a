"""The text of a value as its file spells it: what tests hold edits against."""

from __future__ import annotations

from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.editing.places import member_at, place_in, string_holding
from trace_inspector.documents.text.encoding import body_of


def text_at(document: Document, pointer: str) -> str | None:
    """The JSON text of a value exactly as the file spells it; None where there is none.

    Inside a string that holds JSON it is the text that the string says.
    """
    if document.container is Container.BUNDLE:
        member, rest = member_at(document, pointer)
        return text_at(member, rest) if member else None
    if inside := string_holding(document, pointer):
        return text_at(inside.document, inside.rest)
    body = body_of(document.data)
    place = place_in(document, body, pointer)
    return body.decode(place.start, place.end) if place else None
