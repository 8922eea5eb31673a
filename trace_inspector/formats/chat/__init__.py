"""Chats as the services of models take and give them: messages, completions, responses. Here their rows."""

from __future__ import annotations

from trace_inspector.formats.chat import recognisers
from trace_inspector.formats.common.format import Format, Implementation


def _messages() -> Implementation:
    from trace_inspector.formats.chat.messages import IMPLEMENTATION

    return IMPLEMENTATION


def _completions() -> Implementation:
    from trace_inspector.formats.chat.completions import IMPLEMENTATION

    return IMPLEMENTATION


def _responses() -> Implementation:
    from trace_inspector.formats.chat.responses import IMPLEMENTATION

    return IMPLEMENTATION


FORMATS: tuple[Format, ...] = (
    Format(
        name="openai-messages",
        title="Chat messages",
        system="Chats",
        short="messages of OpenAI, Anthropic, Gemini and LangChain",
        holds="recorded conversations, message by message, as most logs of one's own have them",
        recognise=recognisers.messages,
        load=_messages,
        writes=True,
    ),
    Format(
        name="openai-completion",
        title="Chat completions",
        system="Chats",
        short="chat completions",
        holds="answers of a model, each with its tokens",
        recognise=recognisers.completion,
        load=_completions,
    ),
    Format(
        name="openai-responses",
        title="OpenAI responses",
        system="Chats",
        short="responses of OpenAI",
        holds="answers of a model with reasoning, calls of its own tools, and tokens",
        recognise=recognisers.response,
        load=_responses,
    ),
)
