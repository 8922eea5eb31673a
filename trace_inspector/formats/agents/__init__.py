"""What frameworks for agents keep of their runs. Here the rows; a module for each framework."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import (
    All,
    AnyKey,
    Best,
    Either,
    Holds,
    Keys,
    OneObject,
    Rules,
    Some,
    Surest,
    Within,
)


def _autogen() -> Implementation:
    from trace_inspector.formats.agents.autogen import IMPLEMENTATION

    return IMPLEMENTATION


def _browser_use() -> Implementation:
    from trace_inspector.formats.agents.browser_use import IMPLEMENTATION

    return IMPLEMENTATION


_ENDINGS = ("Message", "Event")  # of the names of AutoGen's classes


def _is_message_of_autogen(fields: Fields) -> bool:
    kind = fields.text("type") or ""
    return (
        kind.endswith(_ENDINGS) and Keys("source", "content")(fields) and AnyKey("models_usage", "metadata")(fields)
    )


def _is_state_of_autogen(fields: Fields) -> bool:
    return (fields.text("type") or "").endswith("State") and Keys("version")(fields)


_AUTOGEN = (
    (96, All(_is_state_of_autogen, Either(Holds("agent_states", dict), Holds("message_thread", list)))),
    (96, All(_is_state_of_autogen, Within("llm_context", Holds("messages", list)))),
    (94, Some("messages", _is_message_of_autogen)),
)
_STEP = Keys("model_output", "state", "result")

FORMATS: tuple[Format, ...] = (
    Format(
        name="autogen",
        title="AutoGen run",
        system="Agent frameworks",
        short="messages and states of AutoGen",
        holds="conversations of AutoGen's agents: messages of a run, saved states of agents and teams",
        recognise=Surest(OneObject(*_AUTOGEN), Best(Rules((94, _is_message_of_autogen)))),
        load=_autogen,
    ),
    Format(
        name="browser-use",
        title="browser-use history",
        system="Agent frameworks",
        short="histories of browser-use",
        holds="what an agent did in a browser, step by step",
        recognise=OneObject((96, Some("history", _STEP))),
        load=_browser_use,
    ),
)
