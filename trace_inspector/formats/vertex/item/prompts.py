"""What a case of Vertex's SDK asks, however whoever wrote it spelled the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.finding import error, info
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.chat_flow import USER, speaker_of
from trace_inspector.formats.common.content import parts_in
from trace_inspector.formats.common.fields import Fields, Report, kind_of, objects_in, or_null
from trace_inspector.formats.common.message_parts import message_parts
from trace_inspector.formats.vertex.common.content import content_parts, data_parts, given
from trace_inspector.formats.vertex.common.recognisers import PROMPT_DATA

# The first that a case has is its prompt. The last ones are of files that people wrote by hand.
PROMPTS = ("prompt", "source", "messages", "contents", "query", "question", "input", "user_input", "user_content")
_LISTS = ("contents", "messages")
_OF_A_CONTENT = ("parts", "content", "role")


class Prompt(Struct, frozen=True):
    """What is asked, its place, the messages before, and the key that has it."""

    parts: tuple[Part, ...] = ()
    place: str = ""
    before: tuple[Event, ...] = ()
    key: str = PROMPTS[0]


def prompt_of(fields: Fields, report: Report) -> Prompt:
    """The prompt of a case; one without parts where it asks nothing."""
    name = next((name for name in PROMPTS if given(fields.get(name))), PROMPTS[0])
    return replace(_read(or_null(fields.get(name)), fields.pointer(name), report), key=name)


def _read(value: Json, place: str, report: Report) -> Prompt:
    if isinstance(value, list):
        return _of_list(value, place, report)
    if not isinstance(value, dict) or any(name in value for name in _OF_A_CONTENT):
        return _of_content(value, place, report)
    fields = Fields(value, place)
    for name in _LISTS:
        if isinstance(listed := fields.get(name), list):
            return _of_list(listed, fields.pointer(name), report)
    if any(fields.key(name) for name in PROMPT_DATA):
        return Prompt(data_parts(fields, report), place)
    return _of_content(value, place, report)


def _of_content(value: Json, place: str, report: Report) -> Prompt:
    alone = value.get("parts") if isinstance(value, dict) else None
    if isinstance(alone, dict):  # one part where a list is meant
        parts = tuple(replace(part, place=f"{place}/parts") for part in parts_in([alone], place))
        return Prompt(parts, place)
    return Prompt(content_parts(value, place, report), place)


def _of_list(listed: list[Json], place: str, report: Report) -> Prompt:
    """A list of parts or of texts, or messages of which the last is asked and those before are the history."""
    odd = next((index for index, item in enumerate(listed) if not isinstance(item, dict | str)), None)
    if odd is not None:
        message = f"An entry of a prompt should be a message, a part or a text, not {kind_of(listed[odd])}."
        report.add(error("wrong-type", message, f"{place}/{odd}"))
    messages = [item for item in objects_in(listed, place) if any(name in item.value for name in _OF_A_CONTENT)]
    if not messages:
        report.add(info("other-shape", "A prompt is a content or a text; this list is read as its parts.", place))
        return Prompt(parts_in(listed, place), place)
    last = max((index for index, item in enumerate(messages) if speaker_of(item) in (USER, "")), default=-1)
    if last < 0:
        return Prompt(before=tuple(_events(messages)), place=place)
    asked = messages[last]
    return Prompt(tuple(message_parts(asked.value, asked.place)), asked.place, tuple(_events(messages[:last])))


def _events(messages: list[Fields]) -> Iterator[Event]:
    for message in messages:
        role = message.text("role") or ""
        yield Event(role, tuple(message_parts(message.value, message.place)), role or None, place=message.place)
