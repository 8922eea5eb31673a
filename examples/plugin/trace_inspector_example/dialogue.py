"""Reads {"id": "d1", "dialogue": [["user", "Hi"], ["call", "find", {}], ["result", "find", 3], ["agent", "3"]]}."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.extending import (
    Event,
    Finding,
    Implementation,
    Source,
    Steps,
    Text,
    ToolCall,
    ToolResult,
    Trace,
    Turn,
    warning,
)


def _read(source: Source) -> Iterator[Trace | Turn | Finding]:
    value = source.value
    if not isinstance(value, dict) or not isinstance(value["dialogue"], list):
        return
    yield Trace(id=str(value.get("id", source.stem)))
    index, user, events, begun = 0, "", [], ""
    for number, line in enumerate(value["dialogue"]):
        source.tick()  # progress, and where a person can stop the reading
        place = f"/dialogue/{number}"
        match line:
            case ["user", str(text)]:
                user, events, begun = text, [], place
            case ["call", str(name), arguments]:
                events.append(Event("agent", (ToolCall(name, arguments, place=place),), place=place))
            case ["result", str(name), result]:
                events.append(Event(name, (ToolResult(name, result, place=place),), place=place))
            case ["agent", str(text)]:
                answer = (Text(text, place=place),)
                yield Turn(
                    index,
                    None,
                    (Text(user),),
                    tuple(events),
                    answer,
                    "agent",
                    steps=Steps.EVENTS,
                    place=begun or place,
                )
                index, user, events, begun = index + 1, "", [], ""
            case _:
                yield warning(
                    "example-line", "This line is none of user, agent, call and result; it is left out.", place
                )


IMPLEMENTATION = Implementation(_read)
