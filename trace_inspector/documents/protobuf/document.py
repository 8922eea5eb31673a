"""OTLP in protobuf as documents: the same object that OTLP's JSON is, or an array of them where several follow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Severity
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.text.garbage_collection import gc_paused

if TYPE_CHECKING:
    from trace_inspector.documents.protobuf.messages import MessageReader
    from trace_inspector.documents.protobuf.schema import MessageType


# One of these bytes stands before every record, the second where its number is written longer than it needs to be.
# In ASCII text neither does.
_TAGS_OF_RECORDS = (b"\x12", b"\x92")


def is_protobuf(data: bytes, _path: Path) -> bool:
    """Whether bytes are spans or log records as protobuf writes them."""
    if not any(tag in data for tag in _TAGS_OF_RECORDS):
        return False
    from trace_inspector.documents.protobuf.framing import frames

    return frames(data) is not None


def parse_protobuf(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None]) -> Document:
    """The messages of a file, ids in hex, numbers exact."""
    tick()
    with gc_paused():
        value, reader = _read(data, tick)
    return Document(path, data, Container.PROTOBUF, value, stamp, reader.notes.findings())


def read_request(data: bytes, message_type: MessageType) -> JsonObject:
    """One message that a program sent, as OTLP's own JSON has it; ReadError where anything of it is damaged."""
    from trace_inspector.documents.protobuf.messages import MessageReader

    reader = MessageReader(data, lambda: None, long_as_text=True)
    with gc_paused():
        value = reader.container(0, len(data), message_type)
    if reader.is_over:
        reader.notes.too_much()
    damage = next((note for note in reader.notes.findings() if note.severity is Severity.ERROR), None)
    if damage is not None:
        raise ReadError(damage.message)
    return value


def _read(data: bytes, tick: Callable[[], None]) -> tuple[Json, MessageReader]:
    from trace_inspector.documents.protobuf.framing import frames, signal_of
    from trace_inspector.documents.protobuf.messages import MessageReader

    reader = MessageReader(data, tick)
    bounds, are_several = frames(data) or (iter(()), False)
    messages: list[Json] = []
    for start, end in bounds:
        message_type = signal_of(data, start, end)
        if message_type:
            messages.append(reader.container(start, min(end, len(data)), message_type))
        elif start < end <= len(data):
            reader.notes.other_signal(start)
        if end > len(data):
            reader.notes.cut(end)
        if reader.is_over:
            reader.notes.too_much()
            break
    return messages if are_several else messages[0] if messages else None, reader
