"""Conversations of OpenHands, of both generations, and how their events are recognised, one alone or many."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.common.recogniser import All, Best, Either, Has, Keys, OneObject, Rules, Surest

_KINDS_END = "Event"


def is_of_the_sdk(fields: Fields) -> bool:
    """An event of the SDK: its kind is the name of a class."""
    kind = fields.text("kind")
    return kind is not None and kind.endswith(_KINDS_END) and Keys("id", "timestamp", "source")(fields)


_FIRST_GENERATION = All(
    Keys("id", "timestamp", "source", "message"),
    Either(All(Keys("action"), Has("args")), All(Keys("observation", "content"), Has("extras", "cause"))),
)
_RULES = ((96, is_of_the_sdk), (95, _FIRST_GENERATION))

events = Surest(OneObject(*_RULES), Best(Rules(*_RULES)))
