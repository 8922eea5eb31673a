"""Random messages by a table of their fields, in every spelling that JSON allows for protobuf.

A table has a line for each message: `key:kind`, without a kind a text; `[]` behind it for a list, `!` before it for a
field that is nearly always there, `+` for one that always is, `?` for one that seldom is, and `<…>` around fields of
which at most one may be given. A kind is the name of another message, of an enumeration or of a maker of values.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from tests.peers.odd_values import mapping, text, value
from trace_inspector.core.values.values import Json, JsonObject

_MOST_DEPTH = 9
_SNAKE = re.compile("(?<!^)(?=[A-Z])")
_FIELD = re.compile(r"(?P<often>[!?+]?)(?P<key>\w+)(?::(?P<kind>\w+))?(?P<listed>(\[\])?)")

Maker = Callable[[random.Random], Json]


def snake(key: str) -> str:
    """A key as Python spells it."""
    return _SNAKE.sub("_", key).lower()


class _Field(Struct, frozen=True):
    key: str
    kind: str
    listed: bool
    often: str


class Odds(Struct, frozen=True):
    """How often a file says things in another way, or says what it should not."""

    absent: float = 0.4
    null: float = 0.04
    unknown_key: float = 0.03
    unknown_enum: float = 0.04
    number_enum: float = 0.1
    spelling: str = "camel"  # or "snake", "mixed"


class Messages:
    """Makes messages of one table."""

    def __init__(
        self, table: Mapping[str, str], enums: Mapping[str, str], makers: Mapping[str, Maker], rng: random.Random
    ) -> None:
        self._table, self._enums, self._makers, self._rng = table, enums, {**_MAKERS, **makers}, rng
        self._odds = Odds(
            absent=rng.choice((0.2, 0.4, 0.4, 0.7)), spelling=rng.choice(("camel", "camel", "snake", "mixed"))
        )
        self.plain = rng.random() < 0.4  # nothing in it that nobody knows

    def make(self, name: str, depth: int = 0) -> JsonObject:
        """One message."""
        made: JsonObject = {}
        for fields in _parsed(self._table[name]):
            field = fields[0] if len(fields) == 1 else self._rng.choice(fields)
            if self._given(field, depth):
                made[self._spelled(field.key)] = self._value(field, depth)
            elif self._rng.random() < self._odds.null:
                made[self._spelled(field.key)] = None
        if not self.plain and self._rng.random() < self._odds.unknown_key:
            made["futureField"] = value(self._rng)
        return made

    def _given(self, field: _Field, depth: int) -> bool:
        if depth > _MOST_DEPTH and field.kind in self._table:
            return False
        return self._rng.random() > {"+": -1.0, "!": 0.03, "?": 0.93}.get(field.often, self._odds.absent)

    def _spelled(self, key: str) -> str:
        style = self._odds.spelling
        if style == "mixed":
            style = self._rng.choice(("camel", "snake"))
        return key if style == "camel" else snake(key)

    def _value(self, field: _Field, depth: int) -> Json:
        if not field.listed:
            return self._one(field.kind, depth)
        most = 2 if depth > 4 else 3
        least = 1 if field.often == "!" else 0
        return [self._one(field.kind, depth) for _item in range(self._rng.randint(least, most))]

    def _one(self, kind: str, depth: int) -> Json:
        if kind in self._table:
            return self.make(kind, depth + 1)
        if kind in self._enums:
            return self._enum(self._enums[kind].split())
        return self._makers[kind](self._rng)

    def _enum(self, names: Sequence[str]) -> Json:
        """A name, mostly; the first says nothing, and is 0. A name with `=` has a number of its own."""
        chance = self._rng.random()
        if not self.plain and chance < self._odds.unknown_enum:
            return self._rng.choice(("FUTURE_VALUE", 77))
        at = 0 if chance < 0.1 else self._rng.randrange(len(names))
        name, _equals, number = names[at].partition("=")
        if self._rng.random() < self._odds.number_enum:
            return int(number or at)
        return name


def _parsed(line: str) -> list[list[_Field]]:
    found: list[list[_Field]] = []
    for union in re.findall(r"<[^>]*>|\S+", line):
        fields = []
        for word in union.strip("<>").split():
            match = _FIELD.fullmatch(word)
            assert match, word
            fields.append(_Field(match["key"], match["kind"] or "text", bool(match["listed"]), match["often"]))
        found.append(fields)
    return found


def _time(rng: random.Random) -> Json:
    fraction = rng.choice(("", "", ".5", ".123456", ".123456789", ".001"))
    zone = rng.choice(("Z", "Z", "Z", "+05:30", "-08:00"))
    day, hour, second = rng.randint(10, 28), rng.randint(10, 23), rng.randint(10, 59)
    return f"2026-0{rng.randint(1, 9)}-{day}T{hour}:30:{second}{fraction}{zone}"


def _duration(rng: random.Random) -> Json:
    return rng.choice(("0s", "1s", "0.250s", "3.5s", "3.500000001s", "12.000001s", "-1.5s", "100000s"))


def _bytes(rng: random.Random) -> Json:
    return rng.choice(("", "QUJD", "QUI=", "QQ==", "_-8=", "/+8="))


def _share(rng: random.Random) -> Json:
    """From 0 to 1, or a little more; a number may stand in quotes."""
    return rng.choice((0, 0.0, 0.5, 1, 1.0, 0.75, 0.1, 0.6666666666666666, "0.5", 1.5, -1, 3))


def _whole(rng: random.Random) -> Json:
    return rng.choice((0, 1, 2, 3, 4, 5, "3", 2.0, 100))


def _verdict(rng: random.Random) -> Json:
    return rng.choice((-1, 0, 1, 1, 0, "1", 2))


_MAKERS: Mapping[str, Maker] = {
    "text": lambda rng: text(rng, 5),
    "bool": lambda rng: rng.random() < 0.5,
    "time": _time,
    "duration": _duration,
    "bytes": _bytes,
    "share": _share,
    "whole": _whole,
    "verdict": _verdict,
    "struct": mapping,
    "value": value,
}
