"""The messages of a session as they stand in the end, and those that somebody went back from.

How lines replace each other is as in chatRecordingService.ts of google-gemini/gemini-cli, Apache-2.0.
"""

from __future__ import annotations

from msgspec import Struct, field

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.record_counts import RecordCounts


class Chat(Struct):
    """One session. The values of its head are those that were set last."""

    place: str = ""
    head: JsonObject = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)  # of the values of the head
    messages: dict[str, Fields] = field(default_factory=dict)  # in the order in which each began
    taken_back: list[list[Fields]] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """A text of the head."""
        value = self.head.get(name)
        return value if isinstance(value, str) else None


def chats_in(value: Json, place: str, report: Report, counts: RecordCounts) -> list[Chat]:
    """The sessions of a file; of lines, a new head begins another unless it names the same session."""
    chats: list[Chat] = []
    listed = [Fields(value, place)] if isinstance(value, dict) else report.bounded_list(value, place)
    for fields in listed:
        session = fields.text("sessionId")
        is_head = session is not None and "type" not in fields.value and "$set" not in fields.value
        if not chats or (is_head and chats[-1].text("sessionId") not in (None, session)):
            chats.append(Chat(fields.place))
        _take(chats[-1], fields, report, counts, is_head=is_head)
    return chats


def _take(chat: Chat, fields: Fields, report: Report, counts: RecordCounts, *, is_head: bool) -> None:
    change, back = fields.object("$set"), fields.text("$rewindTo")
    if back is not None:
        counts.understood()
        _go_back(chat, back)
    elif is_head or change is not None:
        counts.understood()
        _set(chat, change or fields, report)
    elif "type" in fields.value or "content" in fields.value:
        chat.messages[fields.text("id") or fields.place] = fields
    else:
        chat.messages[fields.place] = fields


def _set(chat: Chat, change: Fields, report: Report) -> None:
    for name, value in change.value.items():
        if name != "messages":
            chat.head[name] = value
            chat.places[name] = change.pointer(name)
    for message in report.bounded(change, "messages"):
        chat.messages[message.text("id") or message.place] = message


def _go_back(chat: Chat, identity: str) -> None:
    """Take back a message and all behind it; all of them where nobody knows it."""
    gone: list[Fields] = []
    while chat.messages:
        name, message = chat.messages.popitem()
        gone.append(message)
        if name == identity:
            break
    if gone:
        chat.taken_back.append(gone[::-1])
