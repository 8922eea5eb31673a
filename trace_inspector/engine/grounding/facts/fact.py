"""A checkable fact in a text: a number, date, time, weekday, identifier or address, and its position."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.engine.grounding.text.units import Unit


class FactKind(enum.Enum):
    """What is checked; the value is its word in reasons."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    WEEKDAY = "weekday"
    IDENTIFIER = "identifier"
    ADDRESS = "address"
    NAME = "name"
    QUOTATION = "quotation"


class Amount(Struct, frozen=True, gc=False):
    """A number as written: its readings ("1.000" has two), the worth of its last digit, and its unit."""

    values: tuple[float, ...]
    step: float = 1.0
    unit: Unit = ()


class Fact(Struct, frozen=True, gc=False):
    """A fact at characters [start, end). One equal key or value on both sides is a match.

    `implied` keys are given by evidence only: a full date implies its weekday, its year and its day of the month.
    """

    kind: FactKind
    start: int
    end: int
    keys: tuple[str, ...] = ()
    amount: Amount | None = None
    implied: tuple[str, ...] = ()


def take(text: str, pattern: re.Pattern[str], make: Callable[[re.Match[str]], Fact | None], facts: list[Fact]) -> str:
    """Add the facts a pattern makes, and blank them out, so that no part of a date is a number too."""

    def keep(match: re.Match[str]) -> str:
        fact = make(match)
        if fact is None:
            return match[0]
        facts.append(fact)
        return " " * len(match[0])

    return pattern.sub(keep, text)
