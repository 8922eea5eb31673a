"""The parts of an event: texts, thoughts, calls, results, transfers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from trace_inspector.core.values.values import ABSENT, Absent, Json


@dataclass(frozen=True, slots=True)
class Text:
    """Words to be shown."""

    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Thought:
    """Words the model wrote for itself."""

    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
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


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered."""

    name: str
    value: Json | Absent = ABSENT
    call_id: str | None = None
    is_error: bool = False
    place: str = ""
    nameless: bool = False


@dataclass(frozen=True, slots=True)
class Media:
    """Bytes or a link. Never fetched or decoded by reading; `uri` is shown as text only.

    `data` is the base64 of bytes as the file spells it, for whoever writes them into another file.
    """

    mime_type: str
    size_bytes: int | None = None
    uri: str | None = None
    place: str = ""
    data: str | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """Code the model wrote, or what it printed. Never run."""

    text: str
    language: str = ""
    is_result: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Transfer:
    """One agent hands the conversation to another."""

    target: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
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
