"""Conversations of OpenHands, of both generations, and how their events are recognised, one alone or many."""

from __future__ import annotations

from collections.abc import Mapping

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in
from trace_inspector.formats.common.recogniser import (
    LOOKED_AT,
    All,
    Best,
    Condition,
    Either,
    Has,
    Keys,
    OneObject,
    Rules,
    Surest,
)

# A conversation as files by name: what is said of the whole, and each event; names are those of its SDK and its app.
STATES = ("base_state.json", "meta.json")
_FILES = ("events/event", "event")
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


def event_files(files: Mapping[str, Json]) -> list[str]:
    """The names of the events among the files of a conversation."""
    return [name for name in files if name.startswith(_FILES) and name.endswith(".json")]


def is_conversation(fields: Fields) -> bool:
    """The files of a conversation, by name; any of the events may be broken."""
    first = next(iter(fields.value), "")
    if first not in STATES and not first.startswith(_FILES):
        return False
    names = event_files(fields.value)
    events = objects_in([fields.value[name] for name in names[:LOOKED_AT]], "")
    return any(map(_EVENT, events)) or (bool(names) and not events and first in STATES)


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


_RULES: tuple[tuple[int, Condition], ...] = ((96, is_of_the_sdk), (95, _FIRST_GENERATION), (94, _holds_events))

events = Surest(OneObject((97, is_conversation), *_RULES), Best(Rules(*_RULES)))
