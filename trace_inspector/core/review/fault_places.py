"""Where an output first went wrong: in which turn, at which agent or tool, and after which hand-off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.trace.parts import Part, ToolCall, Transfer
from trace_inspector.core.trace.summary import one_line, transfer_target
from trace_inspector.core.trace.trace import Turn, paired_calls

_NAME_CHARS = 80
HAND_OFF = "hand-off"


class FaultPlace(Struct, frozen=True):
    """What is known of a place; empty is not known. `part` is call, sentence, answer or hand-off."""

    turn: int | None = None  # counted from 0
    part: str = ""
    agent: str = ""
    tool: str = ""
    hand_off: str = ""  # the last one until then, from whom to whom


def fault_place(first_fault: str, turn: int | None, turns: Sequence[Turn] = ()) -> FaultPlace:
    """The place that a label names, in a turn or in a case. `turns` are the output's, of which the names come."""
    words = first_fault.split("/")
    if words[0] == "turn":
        turn, words = int(words[1]), words[2:]
        turns = turns[turn : turn + 1]
    part = words[0] if words else ""
    own = turns[0] if len(turns) == 1 else None
    if own is None:
        return FaultPlace(turn, part)
    if part == "call":
        return _at_call(own, turn, int(words[1]))
    authors = {event.author for event in own.events if event.author} | ({own.final_author} - {""})
    author = own.final_author if part else ""
    if not author and len(authors) == 1:
        (author,) = authors
    hand_off = _last_hand_off(own, len(own.events)) if part else ""
    return FaultPlace(turn, part, one_line(author, _NAME_CHARS), hand_off=hand_off)


def _at_call(own: Turn, turn: int | None, number: int) -> FaultPlace:
    calls = paired_calls(own)
    if number >= len(calls):
        return FaultPlace(turn, "call")
    call, event = calls[number].call, calls[number].event
    author = one_line(own.events[event].author, _NAME_CHARS)
    if transfer_target(call):
        return FaultPlace(turn, HAND_OFF, author, hand_off=_hand_off(author, transfer_target(call)))
    return FaultPlace(turn, "call", author, one_line(call.name, _NAME_CHARS), _last_hand_off(own, event))


def _last_hand_off(own: Turn, before: int) -> str:
    for event in reversed(own.events[:before]):
        for part in reversed(event.parts):
            if _target(part):
                return _hand_off(event.author, _target(part))
    return ""


def _target(part: Part) -> str:
    if isinstance(part, Transfer):
        return part.target
    return transfer_target(part) if isinstance(part, ToolCall) else ""


def _hand_off(author: str, target: str) -> str:
    return f"{one_line(author, _NAME_CHARS)} → {one_line(target, _NAME_CHARS)}"


# By what a matrix is divided.
AXES: Mapping[str, Callable[[FaultPlace], str]] = {
    "tool": lambda place: place.tool or place.part,
    "agent": lambda place: place.agent,
    HAND_OFF: lambda place: place.hand_off,
    "turn": lambda place: f"turn {place.turn + 1}" if place.turn is not None else "",
    "part": lambda place: place.part,
}
