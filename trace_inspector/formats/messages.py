"""Messages of a service, key by key, and those inside them: what is of a wrong kind or unknown is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trace_inspector.core.finding import Finding, error
from trace_inspector.core.pointer import join
from trace_inspector.formats.lenient import Extra, Field, Fields, Report, Shape, check, unfit


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and the messages under its keys, alone or in lists; others are checked where they are read."""

    shape: Shape
    inside: dict[str, Message] = field(default_factory=dict)
    named: dict[str, Message] = field(default_factory=dict)  # under names of their own, below these keys
    entries: dict[str, tuple[type, ...]] = field(default_factory=dict)  # what lists and objects under these keys hold


def message(name: str, inside: Mapping[str, Message] | None = None, /, **kinds: tuple[type, ...]) -> Message:
    """A message of a service whose schema grows: a key that is not known here is only told."""
    return Message(Shape(name, {key: Field(types) for key, types in kinds.items()}, Extra.TOLD), dict(inside or {}))


def check_message(fields: Fields, kind: Message, report: Report) -> None:
    """Report what is odd in a message and in those inside it, without recursion."""
    left = [(fields, kind)]
    while left:
        one, stated = left.pop()
        check(one, stated.shape, report)
        report.take(_odd_entries(one, stated))
        left += [(held, inner) for name, inner in stated.inside.items() for held in _held(one, name)]
        left += [(held, inner) for name, inner in stated.named.items() for held in _named(one, name)]


def _odd_entries(owner: Fields, stated: Message) -> Iterator[Finding]:
    for name, types in stated.entries.items():
        held = owner.get(name)
        members = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
        for at, entry in members:
            if entry is not None and (misfit := unfit(entry, types)):
                message = f"An entry of “{owner.key(name)}” of {stated.shape.name} should be {misfit}."
                yield error("wrong-type", message, join(owner.at(name), at))


def _held(owner: Fields, name: str) -> Iterator[Fields]:
    alone = owner.object(name)
    yield from owner.objects(name) if alone is None else (alone,)


def _named(owner: Fields, name: str) -> Iterator[Fields]:
    members = owner.object(name)
    for key in members.value if members is not None else ():
        held = members.object(key) if members is not None else None
        if held is not None:
            yield held
