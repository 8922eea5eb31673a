"""A document in pieces: which values inside it may come one after the other, and some of them as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from trace_inspector.core.values.values import Json, JsonObject


class Shape(Struct, frozen=True):
    """Where a value that is too large to be made whole may be cut: into the members of a list, or below some keys.

    `level` is the format's own word for a value of this kind. `decode`, of the members of a list, makes typed records
    of the text of a list of them, or None of what it leaves to the general reader; the flag asks it to refuse members
    in which a key stands twice.
    """

    level: str = ""
    keys: Mapping[str, Shape] = field(default_factory=dict)
    items: Shape | None = None
    decode: Callable[[bytes, bool], Sequence[Any] | None] | None = None

    @property
    def is_typed(self) -> bool:
        """Whether anything inside is decoded as typed records."""
        return any(inner.decode is not None or inner.is_typed for inner in self.inside())

    def inside(self) -> Iterator[Shape]:
        """The shapes just below this one."""
        yield from self.keys.values()
        if self.items is not None:
            yield self.items


class Piece(Struct, frozen=True):
    """One value, or some members of a list that follow each other, each of them whole.

    A value that was cut comes last, with what is in pieces left out of it: lists empty, all other members there.
    """

    level: str
    values: Sequence[Json]
    place: str = ""  # of the one value, or of the list
    first: int | None = None  # the index of the first member of that list; None for one value
    around: JsonObject = field(default_factory=dict)  # what is known so far of the object that holds the list
    start: int = 0  # the bytes that the values were read from
    end: int = 0
    records: Sequence[Any] = ()  # members that are typed; there are no values then

    def placed(self) -> Iterator[tuple[Json, str]]:
        """Every value with its pointer."""
        if self.first is None:
            yield from ((value, self.place) for value in self.values)
            return
        for index, value in enumerate(self.values, self.first):
            yield value, f"{self.place}/{index}"
