"""Answers of four services in a chat: completions, messages of Anthropic, candidates of Gemini, responses."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import ABSENT, Json, JsonObject
from trace_inspector.formats.chat.items import take_response
from trace_inspector.formats.chat.recognisers import COMPLETION, GEMINI, MESSAGE, RESPONSE, answer_kind
from trace_inspector.formats.common.chat_flow import ChatFlow
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.record_counts import RecordCounts

_BESIDE = ("usage", "model")
# What Gemini states of all candidates, by the names that messages have for it; tokens are those of the first.
_OF_GEMINI = {"usage_metadata": "usage", "model_version": "model", "create_time": "timestamp", "response_id": "id"}


def take_answer(answer: Fields, chat: ChatFlow, report: Report, counts: RecordCounts) -> Iterator[Turn]:
    """Tell an answer of whatever service in a conversation."""
    if answer_kind(answer) == RESPONSE:
        take_response(answer, chat, report, counts)
        return
    for message in spoken(answer):
        counts.understood()
        yield from chat.message(message)


def spoken(answer: Fields) -> list[Fields]:
    """The messages of an answer, of several choices or candidates one each; none of what is no message or broken."""
    kind = answer_kind(answer)
    if kind == MESSAGE:
        return [answer]
    return _choices(answer) if kind == COMPLETION else _candidates(answer) if kind == GEMINI else []


def _choices(completion: Fields) -> list[Fields]:
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


def _candidates(response: Fields) -> list[Fields]:
    messages: list[Fields] = []
    for candidate in response.objects("candidates"):
        content = candidate.object("content") or Fields({}, candidate.place)
        beside: JsonObject = {
            key: value
            for name, key in _OF_GEMINI.items()
            if (value := _given(response, name)) is not None and not (messages and key in ("usage", "id"))
        }
        reason = _given(candidate, "finish_reason")
        ended: JsonObject = {} if reason is None else {"finish_reason": reason}
        messages.append(Fields({**beside, **ended, **content.value, "role": "model"}, content.place))
    return messages


def _given(fields: Fields, name: str) -> Json:
    value = fields.get(name)
    return None if value is ABSENT else value
