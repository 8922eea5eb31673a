"""Session state around the turns of a recorded conversation, as far as the recording tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trace_inspector.core.trace.trace import Agent, Trace, Turn
from trace_inspector.core.values.values import JsonObject

_NAMED = re.compile(r"{(\w+)}")
_UNSAVED = ("temp:", "__llm_request_key__")


def state_before(trace: Trace, index: int) -> JsonObject | None:
    """The state before a turn: what nobody wrote was there from the start. None where nothing is known of it."""
    written = [delta for turn in trace.turns for delta in _deltas(turn)]
    if trace.final_state is None and not written:
        return None
    later = {name for delta in written for name in delta}
    state = {name: value for name, value in (trace.final_state or {}).items() if name not in later}
    for turn in trace.turns[:index]:
        for delta in _deltas(turn):
            state |= delta
    for turn in trace.turns[index : index + 1]:
        for delta in _deltas(turn, of_user=True):
            state |= delta
    return _saved(state)


def state_after(trace: Trace, index: int) -> JsonObject | None:
    """The state after a turn; after the last one it is what the recording says."""
    if index >= len(trace.turns) - 1:
        return None if trace.final_state is None else _saved(trace.final_state)
    state = state_before(trace, index)
    if state is None:
        return None
    for delta in _deltas(trace.turns[index]):
        state |= delta
    return _saved(state)


def template_state(agents: Iterable[Agent]) -> JsonObject:
    """What google-adk gives a new case: an empty text for every {name} in the instructions."""
    return {name: "" for agent in agents for name in _NAMED.findall(agent.instruction)}


def _deltas(turn: Turn, *, of_user: bool = False) -> Iterable[JsonObject]:
    for event in turn.events:
        if event.state_delta and (not of_user or event.author.lower() == "user"):
            yield event.state_delta


def _saved(state: JsonObject) -> JsonObject:
    return {name: value for name, value in state.items() if not name.startswith(_UNSAVED)}
