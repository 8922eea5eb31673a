"""The parts of an event: texts, thoughts, calls, results, transfers. The tag tells their kind in a digest."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.values.values import ABSENT, Absent, Json


class Text(Struct, frozen=True, tag=True):
    """Words to be shown."""

    text: str
    place: str = ""


class Thought(Struct, frozen=True, tag=True):
    """Words the model wrote for itself."""

    text: str
    place: str = ""


class ToolCall(Struct, frozen=True, tag=True):
    """A tool asked for. `args` keeps absent, null and {} apart; `nameless` is one without even an empty name."""

    name: str
    args: Json | Absent = ABSENT
    call_id: str | None = None
    place: str = ""
    resource: str = ""  # the whole name that the system gives the tool, where it has one
    agent: str = ""  # who called, where the call itself says so
    parent_id: str | None = None  # the call that started the agent who called
    nameless: bool = False

    @property
    def stated_name(self) -> str | None:
        """The name to compare by: none at all is not the empty one."""
        return None if self.nameless else self.name


class ToolResult(Struct, frozen=True, tag=True):
    """What a tool answered."""

    name: str
    value: Json | Absent = ABSENT
    call_id: str | None = None
    is_error: bool = False
    place: str = ""
    nameless: bool = False


class Media(Struct, frozen=True, tag=True):
    """Bytes or a link. Never fetched or decoded by reading; `uri` is shown as text only.

    `data` is the base64 of bytes as the file spells it, for whoever writes them into another file.
    """

    mime_type: str
    size_bytes: int | None = None
    uri: str | None = None
    place: str = ""
    data: str | None = None


class Code(Struct, frozen=True, tag=True):
    """Code the model wrote, or what it printed. Never run."""

    text: str
    language: str = ""
    is_result: bool = False
    place: str = ""


class Transfer(Struct, frozen=True, tag=True):
    """One agent hands the conversation to another."""

    target: str
    place: str = ""


class Unknown(Struct, frozen=True, tag=True):
    """A part of a kind that has no fields here, such as a payload or an event; shown as it stands."""

    kind: str
    raw: Json
    place: str = ""


Part: TypeAlias = Text | Thought | ToolCall | ToolResult | Media | Code | Transfer | Unknown


def text_of(parts: tuple[Part, ...]) -> str:
    """The words of a content as ADK reads them: every non-empty text, thoughts included, one a line."""
    return "\n".join(part.text for part in parts if isinstance(part, Text | Thought) and part.text)


def spoken_text(parts: tuple[Part, ...]) -> str:
    """The words a reader would see: texts without thoughts."""
    return "\n".join(part.text for part in parts if isinstance(part, Text) and part.text)
