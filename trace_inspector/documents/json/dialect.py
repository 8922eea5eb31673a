"""How a document likes to be written: what new text in it should look like."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.values.json_numbers import Layout, has_lone_surrogate
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.text.encoding import body_of

_HEAD = 1 << 16

_INDENT = re.compile(rb"[\[{][ \t]*\r?\n([ \t]+)")
# A string that the head cuts off counts, else the search would begin anew at each escaped quotation mark in it.
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_STRING_OR_COLON = re.compile(_STRING + rb"([ \t]*+:[ \t]*+(?=[^ \t\r\n]))?", re.DOTALL)
_STRING_OR_COMMA = re.compile(_STRING + rb"|(,[ \t]*+)(?=[^ \t\r\n])", re.DOTALL)
_ESCAPED_LETTER = re.compile(rb"\\u(?!00[0-7])[0-9a-fA-F]{4}")


class Dialect(Struct, frozen=True):
    """Indentation ("" writes everything on one line), line end, separators, and whether é is written as an escape."""

    indent: str = "  "
    newline: str = "\n"
    comma: str = ", "
    colon: str = ": "
    escapes: bool = False

    @property
    def layout(self) -> Layout:
        """The same, for whole values."""
        return Layout(self.string, self.indent, self.newline, self.comma, self.colon)

    def string(self, text: str) -> str:
        """A JSON string, for keys above all. Lone surrogates can only be written as escapes."""
        return json.dumps(text, ensure_ascii=self.escapes or has_lone_surrogate(text))


def dialect_of(document: Document) -> Dialect:
    """The dialect of a document, judged by its first 64 KiB; two spaces where it shows nothing."""
    body = body_of(document.data)
    of_head = _of_head(body.data[body.start : body.start + _HEAD], document.container)
    return replace(of_head, escapes=_has_escapes(document))


def with_dialect(document: Document) -> Document:
    """A document that is about to be edited, with its dialect determined: it stays the same over the changes."""
    return document if document.has_escapes is not None else replace(document, has_escapes=_has_escapes(document))


def _has_escapes(document: Document) -> bool:
    if document.has_escapes is not None:
        return document.has_escapes
    return document.data.isascii() and _ESCAPED_LETTER.search(document.data) is not None


@lru_cache(maxsize=8)
def _of_head(head: bytes, container: Container) -> Dialect:
    # An edit asks for it, and most edits stand further down: what somebody types waits for this.
    indent = _INDENT.search(head)
    colon = _first(_STRING_OR_COLON, head)
    comma = _first(_STRING_OR_COMMA, head)
    is_short = container is Container.TEXT or (colon or comma) is not None
    is_one_line = container is Container.JSON_LINES or (indent is None and is_short)
    return Dialect(
        indent="" if is_one_line else indent[1].decode() if indent else "  ",
        newline="\r\n" if b"\r\n" in head else "\n",
        comma=comma or (", " if colon != ":" else ","),
        colon=colon or (": " if comma != "," else ":"),
    )


def _first(tokens: re.Pattern[bytes], data: bytes) -> str | None:
    return next((match[1].decode() for match in tokens.finditer(data) if match[1]), None)
