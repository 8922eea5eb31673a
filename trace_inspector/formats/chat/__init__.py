"""Chats as the services of models take and give them: messages, completions, responses. Here their rows."""

from __future__ import annotations

from trace_inspector.formats.chat import recognisers
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import All, Holds, OneObject


def _messages() -> Implementation:
    from trace_inspector.formats.chat.messages import IMPLEMENTATION

    return IMPLEMENTATION


def _completions() -> Implementation:
    from trace_inspector.formats.chat.completions import IMPLEMENTATION

    return IMPLEMENTATION


def _responses() -> Implementation:
    from trace_inspector.formats.chat.responses import IMPLEMENTATION

    return IMPLEMENTATION


def _agents_sessions() -> Implementation:
    from trace_inspector.formats.chat.agents_sessions import IMPLEMENTATION

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
    Format(
        name="openai-agents",
        title="OpenAI Agents SDK sessions",
        system="Chats",
        short="session databases of the OpenAI Agents SDK",
        holds="conversations as the OpenAI Agents SDK keeps them in SQLite, item by item",
        recognise=OneObject((95, All(Holds("agent_sessions", list), Holds("agent_messages", list)))),
        load=_agents_sessions,
    ),
)
