"""Recognisers of formats as data: conditions on the keys of an object, each with a confidence.

A recogniser takes a parsed value and gives a confidence of 0 to 100. Names are given in snake_case and also match
camelCase, except in conditions for exact keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in, spellings

Recogniser: TypeAlias = Callable[[Json], int]
Condition: TypeAlias = Callable[[Fields], bool]

CERTAIN = 100
LOOKED_AT = 20  # items of a list that are examined


def most_of(recogniser: Recogniser) -> int:
    """The highest confidence that a recogniser can have; of a function nobody knows it."""
    most = getattr(recogniser, "most", CERTAIN)
    return most if isinstance(most, int) else CERTAIN


class Has:
    """At least `least` of these keys exist, with any value."""

    def __init__(self, *names: str, least: int = 1) -> None:
        self._names = names
        self._least = least

    def __call__(self, fields: Fields) -> bool:
        if self._least == 1:
            return any(fields.key(name) is not None for name in self._names)
        return sum(fields.key(name) is not None for name in self._names) >= self._least


class Keys:
    """All of these exact keys exist."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __call__(self, fields: Fields) -> bool:
        return fields.value.keys() >= self._names


class AnyKey:
    """One of these exact keys exists."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __call__(self, fields: Fields) -> bool:
        return not self._names.isdisjoint(fields.value)


class Only:
    """There are no other keys than these."""

    def __init__(self, *names: str) -> None:
        self._names = spellings(*names)

    def __call__(self, fields: Fields) -> bool:
        return fields.value.keys() <= self._names


class Holds:
    """A key has a value of a kind."""

    def __init__(self, name: str, kind: type) -> None:
        self.name = name
        self.kind = kind

    def __call__(self, fields: Fields) -> bool:
        """Whether it does."""
        return isinstance(fields.get(self.name), self.kind)


class Within:
    """A key has an object for which a condition holds."""

    def __init__(self, name: str, condition: Condition) -> None:
        self.name = name
        self.condition = condition

    def __call__(self, fields: Fields) -> bool:
        """Whether one does."""
        inner = fields.object(self.name)
        return inner is not None and self.condition(inner)


class Some:
    """A condition holds for one of the objects in a list, of the first `of` or of all."""

    def __init__(self, name: str, condition: Condition, of: int | None = LOOKED_AT) -> None:
        self.name = name
        self.condition = condition
        self.of = of

    def __call__(self, fields: Fields) -> bool:
        """Whether it does."""
        return any(map(self.condition, islice(_objects(fields, self.name), self.of)))


def first(name: str, condition: Condition) -> Some:
    """A condition holds for the first object in a list."""
    return Some(name, condition, of=1)


def an_object(_fields: Fields) -> bool:
    """Any object at all."""
    return True


class All:
    """All conditions hold."""

    def __init__(self, *conditions: Condition) -> None:
        self._conditions = conditions

    def __call__(self, fields: Fields) -> bool:
        return all(condition(fields) for condition in self._conditions)


class Either:
    """One of the conditions holds."""

    def __init__(self, *conditions: Condition) -> None:
        self._conditions = conditions

    def __call__(self, fields: Fields) -> bool:
        return any(condition(fields) for condition in self._conditions)


class Not:
    """A condition does not hold."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition

    def __call__(self, fields: Fields) -> bool:
        """Whether it does not."""
        return not self.condition(fields)


class Rules:
    """The confidence for an object: the number of the first condition that holds, else 0."""

    def __init__(self, *rules: tuple[int, Condition]) -> None:
        self._rules = rules
        self.most = max((sure for sure, _condition in rules), default=0)

    def __call__(self, fields: Fields) -> int:
        return next((sure for sure, condition in self._rules if condition(fields)), 0)


class OneObject:
    """A document that is one object, judged by rules."""

    def __init__(self, *rules: tuple[int, Condition]) -> None:
        self._rules = Rules(*rules)
        self.most = self._rules.most

    def __call__(self, value: Json) -> int:
        return self._rules(Fields(value, "")) if isinstance(value, dict) else 0


class Best:
    """A list, with the highest confidence of its objects, of the first `of` items or of all."""

    def __init__(self, rules: Rules, of: int | None = LOOKED_AT) -> None:
        self.rules = rules
        self.of = of
        self.most = rules.most

    def __call__(self, value: Json) -> int:
        """The confidence."""
        sure = 0
        for item in value[: self.of] if isinstance(value, list) else ():
            if isinstance(item, dict):
                sure = max(sure, self.rules(Fields(item, "")))
            if sure >= self.rules.most:
                break
        return sure


class Among:
    """A list with the highest confidence of its first objects, none of which is anything but one of `beside`."""

    def __init__(self, rules: Rules, beside: Condition) -> None:
        self._rules = rules
        self._beside = beside
        self.most = rules.most

    def __call__(self, value: Json) -> int:
        sure = 0
        for item in objects_in(value[:LOOKED_AT], "") if isinstance(value, list) else ():
            one = self._rules(item)
            if not one and not self._beside(item):
                return 0
            sure = max(sure, one)
        return sure


class Listed:
    """One document, a list of documents, or an object with such a list; with the lowest confidence of them."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name = name
        self.rules = rules
        self.most = rules.most

    def __call__(self, value: Json) -> int:
        """The confidence."""
        if isinstance(value, list):
            return min(map(self.rules, objects_in(value[:LOOKED_AT], "")), default=0)
        if not isinstance(value, dict):
            return 0
        fields = Fields(value, "")
        listed = fields.get(self.name)
        if not isinstance(listed, list):
            return self.rules(fields)
        scores = map(self.rules, objects_in(listed[:LOOKED_AT], ""))
        least = min(scores, default=None)
        return self.rules(fields) if least is None else least


class Surest:
    """The highest confidence of several recognisers."""

    def __init__(self, *recognisers: Recogniser) -> None:
        self._recognisers = recognisers
        self.most = max(map(most_of, recognisers))

    def __call__(self, value: Json) -> int:
        return max(recognise(value) for recognise in self._recognisers)


def _objects(fields: Fields, name: str) -> Iterator[Fields]:
    listed = fields.get(name)
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict):
            yield Fields(item, "")
