"""How a format is recognised, as data: conditions on the keys of an object, and how sure each makes.

A recogniser takes a parsed value and says how sure it is, 0 to 100. Names are given in snake_case and found in
camelCase too, but where a condition says that it takes keys as they are spelt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in

Recogniser: TypeAlias = Callable[[Json], int]
Condition: TypeAlias = Callable[[Fields], bool]

LOOKED_AT = 20  # so many members of a list are looked at


class Has:
    """At least so many of these keys are there, whatever they hold."""

    def __init__(self, *names: str, least: int = 1) -> None:
        self._names = names
        self._least = least

    def __call__(self, fields: Fields) -> bool:
        if self._least == 1:
            return any(fields.key(name) is not None for name in self._names)
        return sum(fields.key(name) is not None for name in self._names) >= self._least


class Keys:
    """All of these keys are there, spelt like this."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __call__(self, fields: Fields) -> bool:
        return fields.value.keys() >= self._names


class AnyKey:
    """One of these keys is there, spelt like this."""

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __call__(self, fields: Fields) -> bool:
        return not self._names.isdisjoint(fields.value)


class Holds:
    """Under a key stands a value of a kind."""

    def __init__(self, name: str, kind: type) -> None:
        self.name = name
        self.kind = kind

    def __call__(self, fields: Fields) -> bool:
        """Whether it does."""
        return isinstance(fields.get(self.name), self.kind)


class Within:
    """Under a key stands an object for which a condition holds."""

    def __init__(self, name: str, condition: Condition) -> None:
        self.name = name
        self.condition = condition

    def __call__(self, fields: Fields) -> bool:
        """Whether one does."""
        inner = fields.object(self.name)
        return inner is not None and self.condition(inner)


class Some:
    """Of the objects in a list, of the first so many or of all, a condition holds for one."""

    def __init__(self, name: str, condition: Condition, of: int | None = LOOKED_AT) -> None:
        self.name = name
        self.condition = condition
        self.of = of

    def __call__(self, fields: Fields) -> bool:
        """Whether it does."""
        return any(map(self.condition, islice(_objects(fields, self.name), self.of)))


def first(name: str, condition: Condition) -> Some:
    """For the first object in a list a condition holds."""
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
    """How sure an object makes: the number beside the first condition that holds, 0 when none does."""

    def __init__(self, *rules: tuple[int, Condition]) -> None:
        self._rules = rules
        self.most = max((sure for sure, _condition in rules), default=0)

    def __call__(self, fields: Fields) -> int:
        return next((sure for sure, condition in self._rules if condition(fields)), 0)


class OneObject:
    """A document that is one object, judged by rules."""

    def __init__(self, *rules: tuple[int, Condition]) -> None:
        self._rules = Rules(*rules)

    def __call__(self, value: Json) -> int:
        return self._rules(Fields(value, "")) if isinstance(value, dict) else 0


class Best:
    """A list, as sure as the surest of its objects makes, of the first so many members or of all."""

    def __init__(self, rules: Rules, of: int | None = LOOKED_AT) -> None:
        self.rules = rules
        self.of = of

    def __call__(self, value: Json) -> int:
        """How sure that is."""
        sure = 0
        for item in value[: self.of] if isinstance(value, list) else ():
            if isinstance(item, dict):
                sure = max(sure, self.rules(Fields(item, "")))
            if sure >= self.rules.most:
                break
        return sure


class Listed:
    """Documents of one kind: one alone, a list of them, or an object with such a list; as sure as the least makes."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name = name
        self.rules = rules

    def __call__(self, value: Json) -> int:
        """How sure that is."""
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
    """Whichever of several recognisers is surest."""

    def __init__(self, *recognisers: Recogniser) -> None:
        self._recognisers = recognisers

    def __call__(self, value: Json) -> int:
        return max(recognise(value) for recognise in self._recognisers)


def _objects(fields: Fields, name: str) -> Iterator[Fields]:
    listed = fields.get(name)
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict):
            yield Fields(item, "")
