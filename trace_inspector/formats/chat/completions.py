"""Chat completions: `openai-completion`, the answers of a service, one a request."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Agent, Trace
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.common.chat_flow import ChatFlow
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts

_READ = ("id", "choices", "usage", "model")
_BESIDE = ("usage", "model")


def read(source: Source) -> Iterator[Item]:
    """Each choice as a conversation of one turn, which does not say what was asked."""
    report, counts = Report(), RecordCounts()
    value = source.value
    whole = [Fields(value, "")] if isinstance(value, dict) else report.bounded_list(value, "")
    for number, fields in enumerate(whole, 1):
        source.tick()
        identity = fields.text("id") or f"{source.stem or 'completion'}-{number}"
        messages = choice_messages(fields)
        for choice, message in enumerate(messages):
            counts.understood()
            yield Trace(
                f"{identity}~{choice + 1}" if choice else identity,
                agents=(Agent("assistant"),),
                extras=extras_of(fields, *_READ),
                candidate=f"choice {choice + 1}" if len(messages) > 1 else "",
                place=fields.place,
            )
            chat = ChatFlow()
            yield from chat.message(message)
            yield from chat.flow.finish()
        if not messages:
            counts.unknown("completion without a message", fields.place)
    yield counts.finding()
    yield from report.drain()


def choice_messages(completion: Fields) -> list[Fields]:
    """The message of each choice, with what the completion says of all of them; tokens are those of the first."""
    messages: list[Fields] = []
    for choice in completion.objects("choices"):
        message = choice.object("message")
        if message is None:
            continue
        beside: JsonObject = {
            key: value
            for key in (*(_BESIDE if not messages else ("model",)), "created")
            if (value := _given(completion, key)) is not None
        }
        if (made := beside.pop("created", None)) is not None:
            beside["timestamp"] = made
        reason = _given(choice, "finish_reason")
        ended: JsonObject = {} if reason is None else {"finish_reason": reason}
        messages.append(Fields({"role": "assistant", **beside, **ended, **message.value}, message.place))
    return messages


def _given(fields: Fields, name: str) -> Json:
    value = fields.get(name)
    return None if value is ABSENT else value


IMPLEMENTATION = Implementation(read=read)
