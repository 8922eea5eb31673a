"""Strings whose text is JSON, each as a document of its own: its places and changes are those of the string, too."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json, present
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.base.json_syntax import STRING
from trace_inspector.documents.json.dialect import dialect_of
from trace_inspector.documents.json.json_text import LEGAL
from trace_inspector.documents.json.tolerant import TolerantReader
from trace_inspector.documents.nested.text import TokenText, decoded, spelling_of, token_text
from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.patch import Patch
from trace_inspector.documents.text.requested_places import Place, Watch

# What the formats, too, take for JSON when it stands in a string.
_READABLE = LEGAL | {"not-a-number"}
HOLD_TOKENS = frozenset({Container.JSON, Container.JSON_LINES, Container.TEXT})
_BEGINNINGS = frozenset({b"{", b"[", b'"'})
_LOOKED_AT = 64


class Nested(Struct, frozen=True):
    """What a string says, as a document; offsets of `document` are those of `text`."""

    document: Document
    text: TokenText

    def move_out(self, watch: Watch) -> None:
        """Turn the places below a value, offsets of the text, into offsets of the bytes that hold the string."""
        inside = [node for node in _below(watch) if node.place]
        offsets = self.text.outer_offsets(
            offset
            for node in inside
            if node.place
            for offset in (node.place.member, node.place.start, node.place.end)
        )
        for node in inside:
            if node.place:
                node.place = Place(
                    *(offsets[bound] for bound in (node.place.member, node.place.start, node.place.end))
                )


class NestedPointer(Struct, frozen=True):
    """A pointer in two parts: that of a string that holds JSON, and the rest, which leads on in there.

    `document` is what the string says. Without `text`, it is no token of JSON and can only be written as a whole.
    """

    pointer: str
    rest: str
    document: Document
    text: TokenText | None


def _below(watch: Watch) -> list[Watch]:
    nodes, stack = [], list(watch.children.values())
    while stack:
        node = stack.pop()
        nodes.append(node)
        stack.extend(node.children.values())
    return nodes


class StringCrossed(Struct, frozen=True):
    """A pointer that leads into a string: the string's own pointer, the rest, and what the string says."""

    pointer: str
    rest: str
    text: str


def string_crossed(value: Json, pointer: str) -> StringCrossed | None:
    """Where a pointer leads into a string; None when it leads into none."""
    tokens = pointers.split(pointer)
    for depth, token in enumerate(tokens):
        if isinstance(value, str):
            return StringCrossed(pointers.join("", *tokens[:depth]), pointers.join("", *tokens[depth:]), value)
        child = pointers.resolve(value, pointers.join("", token))
        if not present(child):
            return None
        value = child
    return None


def strings_to_look_into(document: Document, body: Body, watch: Watch) -> list[Watch]:
    """The strings in a filled tree inside of which something is requested."""
    nodes = _below(watch) if document.container is Container.JSON_LINES else [watch, *_below(watch)]
    return [
        node
        for node in nodes
        if node.children and node.place and body.data[node.place.start : node.place.start + 1] == b'"'
    ]


def nested_at(document: Document, body: Body, start: int) -> Nested | None:
    """The document in the string that begins at an offset of the body; None when its text is no JSON.

    Each level of strings in strings doubles the backslashes of the innermost one, so whoever recurses ends soon.
    """
    token = STRING.match(body.data, start) if document.container in HOLD_TOKENS else None
    if token is None:
        return None
    text = token_text(body.data, start + 1, token.end() - 1)
    inner = document_in_text(document, text.data)
    return Nested(inner, text) if inner else None


def document_in_text(document: Document, text: bytes) -> Document | None:
    """What a string of a document says, as a document; None when it is no JSON that anything can be inside of."""
    if text[:_LOOKED_AT].lstrip()[:1] not in _BEGINNINGS:
        return None
    reader = TolerantReader(text, lambda: None)
    values = reader.values(0, len(text))
    if len(values) != 1 or reader.hidden or any(warning.code not in _READABLE for warning in reader.warnings):
        return None
    return Document(document.path, text, Container.TEXT, values[0], plain=reader.plain)


def outer_change(document: Document, body: Body, text: TokenText, patch: Patch) -> tuple[int, int, str]:
    """A patch of what a string says as offsets of the body, and the new text between them, escaped."""
    offsets = text.outer_offsets((patch.offset, patch.offset + len(patch.old)))
    start, end = offsets[patch.offset], offsets[patch.offset + len(patch.old)]
    if patch.new == patch.old:
        return start, end, body.decode(start, end)
    spelling = spelling_of(text.token, letters=_escapes_letters(document))
    new = spelling.escaped(patch.new.decode("utf-8", "surrogateescape"))
    token = b"".join(
        (
            text.token[: start - text.start],
            new.encode("utf-8", "surrogateescape"),
            text.token[end - text.start :],
        )
    )
    expected = b"".join((text.data[: patch.offset], patch.new, text.data[patch.offset + len(patch.old) :]))
    if decoded(token) != expected:
        raise EditError("The text around this value would change with it. Set the whole text instead.")
    return start, end, new


def _escapes_letters(document: Document) -> bool:
    """Whether é is likely an escape where nothing shows it: files of plain ASCII with Python's spacing mostly do."""
    dialect = dialect_of(document)
    return (dialect.escapes or dialect.colon != ":") and document.data.isascii()
