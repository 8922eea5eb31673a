"""Messages of a service, key by key, and those inside them: what is of a wrong kind or unknown is told."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Extra, Field, Fields, Report, Shape, camel, check, objects_in, unfit


@dataclass(frozen=True, slots=True, eq=False)  # told apart by identity, so that what follows from one is kept
class Message:
    """A message, and the messages under its keys, alone or in lists; others are checked where they are read."""

    shape: Shape
    inside: dict[str, Message] = field(default_factory=dict)
    named: dict[str, Message] = field(default_factory=dict)  # under names of their own, below these keys
    entries: dict[str, tuple[type, ...]] = field(default_factory=dict)  # what lists and objects under these keys hold


def message(name: str, inside: Mapping[str, Message] | None = None, /, **kinds: tuple[type, ...]) -> Message:
    """A message of a service whose schema grows: a key that is not known here is only told."""
    return Message(_shape(name, Extra.TOLD, kinds), dict(inside or {}))


def open_message(name: str, inside: Mapping[str, Message] | None = None, /, **kinds: tuple[type, ...]) -> Message:
    """A message that may have any other key, each shown under its own name."""
    return Message(_shape(name, Extra.KEPT, kinds), dict(inside or {}))


def holding(kind: Message, **entries: tuple[type, ...]) -> Message:
    """The message itself, now that it is known what its lists hold."""
    kind.entries.update(entries)
    return kind


def _shape(name: str, extra: Extra, kinds: Mapping[str, tuple[type, ...]]) -> Shape:
    return Shape(name, {key: Field(types) for key, types in kinds.items()}, extra)


def check_message(fields: Fields, kind: Message, report: Report) -> None:
    """Report what is odd in a message and in those inside it, without recursion."""
    left = [(fields, kind)]
    while left:
        one, stated = left.pop()
        check(one, stated.shape, report)
        below = _below(stated)
        for key, value in one.value.items():
            under = below.get(key) if value and isinstance(value, dict | list) else None
            if under is None:
                continue
            place = f"{one.place}/{key}"  # our names need no escape
            if under.entries is not None:
                report.take(_odd_entries(value, under.entries, f"“{key}” of {stated.shape.name}", place))
            if under.inside is not None:
                held = [Fields(value, place)] if isinstance(value, dict) else objects_in(value, place)
                left += [(each, under.inside) for each in held]
            if under.named is not None and isinstance(value, dict):
                held = [Fields(each, join(place, name)) for name, each in value.items() if isinstance(each, dict)]
                left += [(each, under.named) for each in held]


class _Under(NamedTuple):
    """What is known of the values under a key."""

    inside: Message | None
    named: Message | None
    entries: tuple[type, ...] | None


@functools.lru_cache(maxsize=256)
def _below(kind: Message) -> dict[str, _Under]:
    """Of each key that holds more, in both spellings, what is known of that."""
    return {
        spelled: _Under(kind.inside.get(name), kind.named.get(name), kind.entries.get(name))
        for name in {**kind.inside, **kind.named, **kind.entries}
        for spelled in (name, camel(name))
    }


def _odd_entries(held: Json, types: tuple[type, ...], owner: str, place: str) -> Iterator[Finding]:
    members = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for at, entry in members:
        if entry is not None and (misfit := unfit(entry, types)):
            yield error("wrong-type", f"An entry of {owner} should be {misfit}.", join(place, at))
