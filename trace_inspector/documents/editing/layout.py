"""The members of one object, array or JSON Lines file, and the white space between them."""

from __future__ import annotations

import enum
import re

from msgspec import Struct

from trace_inspector.core.errors import EditError
from trace_inspector.core.values import pointer as pointers
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.base.json_syntax import SPACE_OR_COMMENT, STRING
from trace_inspector.documents.editing.places import fill_in
from trace_inspector.documents.text.encoding import Body, body_of
from trace_inspector.documents.text.requested_places import Place, Watch

_GAP = re.compile(rb"[ \t\r\n]*,[ \t\r\n]*")
_COLON = re.compile(rb"[ \t]*:[ \t]*")


class ContainerKind(enum.Enum):
    """What holds the members."""

    OBJECT = "object"
    ARRAY = "array"
    LINES = "JSON Lines file"


class Layout(Struct, frozen=True):
    """The members of a container as offsets into the body; `begin` and `end` are those of its inside."""

    body: Body
    kind: ContainerKind
    member: int  # where the container's own member begins
    begin: int
    end: int
    members: tuple[Place, ...]
    index: int | None  # of the member that was asked for

    def text(self, start: int, end: int) -> str:
        """The text between two offsets."""
        return self.body.decode(start, end)

    def gap(self, index: int) -> str | None:
        """What separates a member from the one before it, when that is a comma and white space alone."""
        if not 0 < index < len(self.members):
            return None
        between = self.body.data[self.members[index - 1].end : self.members[index].member]
        return between.decode() if _GAP.fullmatch(between) else None

    def lead(self) -> str:
        """The white space before the first member."""
        before = self.body.data[self.begin : self.members[0].member]
        return "" if before.strip() else before.decode()

    def colon(self) -> str | None:
        """How the last member separates its key from its value."""
        if not self.members:
            return None
        last = self.members[-1]
        key = STRING.match(self.body.data, last.member)
        between = self.body.data[key.end() if key else last.start : last.start]
        return between.decode() if _COLON.fullmatch(between) else None

    def indentation(self) -> str:
        """The white space that begins the line on which the container stands."""
        line = self.body.data.rfind(b"\n", 0, self.member) + 1
        match = re.compile(rb"[ \t]*").match(self.body.data, max(line, self.body.start))
        return match.group().decode() if match else ""


def layout_of(document: Document, pointer: str) -> Layout:
    """The container that a pointer's last token looks into."""
    tokens = pointers.split(pointer)
    parent = pointers.join("", *tokens[:-1])
    body = body_of(document.data)
    watch = Watch()
    around, node = watch.node_at(parent), watch.node_at(pointer)
    around.requested = node.requested = True
    around.members = []
    fill_in(document, body, watch)
    place = around.place
    if place is None:
        raise EditError(f"There is no value at “{parent}”. Check the pointer.", path=str(document.path))
    members = tuple(around.members)
    index = next(
        (number for number, member in enumerate(members) if node.place and member.member == node.place.member), None
    )
    if not tokens[:-1] and document.container is Container.JSON_LINES:
        return Layout(body, ContainerKind.LINES, place.member, place.start, place.end, members, index)
    kind = _KINDS.get(body.data[place.start])
    if kind is None:
        raise EditError(f"“{parent}” is neither an object nor an array. Check the pointer.", path=str(document.path))
    if not _is_closed(body, place, members):
        raise EditError(f"The file ends inside “{parent}”. Get the complete file first.", path=str(document.path))
    return Layout(body, kind, place.member, place.start + 1, place.end - 1, members, index)


_KINDS = {ord("{"): ContainerKind.OBJECT, ord("["): ContainerKind.ARRAY}
_REST = re.compile(rb"(?:,|" + SPACE_OR_COMMENT.pattern + rb")*+", re.DOTALL)


def _is_closed(body: Body, place: Place, members: tuple[Place, ...]) -> bool:
    rest = _REST.match(body.data, members[-1].end if members else place.start + 1)
    return rest is not None and rest.end() == place.end - 1
