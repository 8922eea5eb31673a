"""Conversations of OpenHands, of both generations, and how their events are recognised, one alone or many."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields, objects_in
from trace_inspector.formats.common.recogniser import (
    LOOKED_AT,
    All,
    Best,
    Either,
    Has,
    Keys,
    OneObject,
    Rules,
    Surest,
)

_KINDS_END = "Event"
_HOLDERS = ("history", "trajectory")  # of events: in the output of a benchmark, and as the server gives them


def is_of_the_sdk(fields: Fields) -> bool:
    """An event of the SDK: its kind is the name of a class."""
    kind = fields.text("kind")
    return kind is not None and kind.endswith(_KINDS_END) and Keys("id", "timestamp", "source")(fields)


_FIRST_GENERATION = All(
    Keys("id", "timestamp", "source", "message"),
    Either(All(Keys("action"), Has("args")), All(Keys("observation", "content"), Has("extras", "cause"))),
)
_EVENT = Either(is_of_the_sdk, _FIRST_GENERATION)


def held_in(fields: Fields) -> str:
    """The key of the events that an object holds, or "" where it holds none.

    Older benchmarks keep each action in a pair with what came of it.
    """
    for name in _HOLDERS:
        listed = fields.value.get(name)
        looked_at = listed[:LOOKED_AT] if isinstance(listed, list) else []
        first = [item[0] if isinstance(item, list) and item else item for item in looked_at]
        if any(_EVENT(event) for event in objects_in(first, "")):
            return name
    return ""


def listed_in(run: Fields) -> str:
    """The key of the events of what stands among runs: there any list will do, whatever its first items are."""
    return held_in(run) or next((name for name in _HOLDERS if isinstance(run.value.get(name), list)), "")


def is_run(fields: Fields) -> bool:
    """Whether a record is a run whose events are listed, or which says of itself that it has none."""
    return bool(listed_in(fields)) or (
        "instance_id" in fields.value and not any(fields.value.get(name) for name in _HOLDERS)
    )


def _holds_events(fields: Fields) -> bool:
    return bool(held_in(fields))


_RULES = ((96, is_of_the_sdk), (95, _FIRST_GENERATION), (94, _holds_events))

events = Surest(OneObject(*_RULES), Best(Rules(*_RULES)))
