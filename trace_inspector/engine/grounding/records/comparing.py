"""Compares a figure of a sentence with the value of a field: numbers in units, dates, times and years."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.records.meaning import FieldKind, FieldMeaning
from trace_inspector.engine.grounding.text.units import COUNT, Unit

_YEARS: Final = range(1900, 2101)
_ROUNDED: Final = 0.06
_CLOSE: Final = 1.0000001
# How far from a value in another unit a figure may be without a word such as "about": two hours are no 95 minutes.
_CONVERTED: Final = 0.05


class Match(enum.Enum):
    """How a figure compares with a field."""

    SAME = "same"
    OTHER = "other value"
    UNIT = "other unit"
    NEITHER = "not comparable"


def fact_unit(fact: Fact) -> Unit:
    """The unit of a number; what is merely counted has none."""
    unit = fact.amount.unit if fact.amount else ()
    return () if unit == COUNT else unit


def compare(fact: Fact, cell: FieldMeaning, bounds: Sequence[tuple[float, float]]) -> Match:
    """Compare a figure with the value of a field."""
    if fact.kind is FactKind.NUMBER and cell.kind is FieldKind.NUMBER:
        return _numbers(fact, cell, bounds)
    if cell.kind is not FieldKind.MOMENT:
        return Match.NEITHER
    if fact.kind is FactKind.NUMBER:
        years = {f"year:{int(value)}" for value in (fact.amount.values if fact.amount else ()) if value in _YEARS}
        implied = {key for fact in cell.facts for key in fact.implied}
        return Match.SAME if not fact_unit(fact) and years & implied else Match.NEITHER
    return _moments(fact, cell)


def _moments(fact: Fact, cell: FieldMeaning) -> Match:
    kinds = (FactKind.DATE,) if fact.kind in (FactKind.DATE, FactKind.WEEKDAY) else (fact.kind,)
    stated = [fact for fact in cell.facts if fact.kind in kinds]
    if not stated or not fact.keys:
        return Match.NEITHER
    keys = {key for fact in stated for key in (*fact.keys, *fact.implied)}
    claimed = set(fact.keys)
    if not any(key.startswith("date:") for key in keys):
        claimed |= {key for key in fact.implied if key.startswith("day:")}  # what is stated has no year
    if not any(key.partition(":")[0] in {k.partition(":")[0] for k in keys} for key in claimed):
        return Match.NEITHER
    return Match.SAME if claimed & keys else Match.OTHER


def _numbers(fact: Fact, cell: FieldMeaning, bounds: Sequence[tuple[float, float]]) -> Match:
    amount, stated = fact.amount, cell.facts[0].amount
    if amount is None or stated is None:
        return Match.NEITHER
    unit = fact_unit(fact)
    if _is_share(unit) and "~price" in cell.key.shared and not _is_share(cell.unit):
        return Match.NEITHER  # 15 % off
    pairs = list(_scales(unit, cell.unit))
    if not pairs:
        is_same = any(_near(value, there, amount.step, ()) for value in amount.values for there in stated.values)
        alike = {_family(dimension) for dimension, _ in unit} & {_family(dimension) for dimension, _ in cell.unit}
        if not alike:
            return Match.NEITHER
        return Match.UNIT if is_same else Match.OTHER
    offs = [
        off
        for value, there, scale in product(amount.values, stated.values, pairs)
        if (off := scale.off(value, there, amount.step, bounds)) is not None
    ]
    if any(off <= _CONVERTED for off in offs) or (
        _is_share(unit) and not cell.unit and _is_part_of_one(amount, stated, bounds)
    ):
        return Match.SAME
    if any(value == -there for value in amount.values for there in stated.values):
        return Match.NEITHER  # down 1.8 % is −1.8 %
    if any(
        _is_rounding(value, scale(there)) for value in amount.values for there in stated.values for scale in pairs
    ):
        return Match.NEITHER
    if any(off <= 2 * _CONVERTED for off in offs):
        return Match.NEITHER  # 100 minutes may be called two hours, and need not
    raw = any(_near(value, there, amount.step, ()) for value in amount.values for there in stated.values)
    differs = bool(unit) and bool(cell.unit) and not set(unit) & set(cell.unit)
    return Match.UNIT if raw and differs else Match.OTHER


def _is_part_of_one(amount: Amount, stated: Amount, bounds: Sequence[tuple[float, float]]) -> bool:
    """Whether 25 % are said of 0.25."""
    return any(
        abs(there) <= 1 and _near(value, there * 100, amount.step, bounds)
        for value, there in product(amount.values, stated.values)
    )


def _is_share(unit: Unit) -> bool:
    return any(dimension == "percent" for dimension, _ in unit)


class _Scale:
    """Turns a value of a record into the unit of the sentence."""

    def __init__(self, factor: float, offset: float = 0.0) -> None:
        self._factor = factor
        self._offset = offset

    def off(self, value: float, there: float, step: float, bounds: Sequence[tuple[float, float]]) -> float | None:
        """By what share of a near value a figure differs from it, where they have different units; None if not near.

        What has the same unit may be rounded as it likes, and so may what is said to be about it.
        """
        stated = self(there)
        if not _near(value, stated, step, bounds):
            return None
        return 0.0 if bounds or self._factor == 1.0 else abs(value - stated) / (abs(stated) or 1.0)

    def __call__(self, value: float) -> float:
        return value * self._factor + self._offset


def _scales(unit: Unit, stated: Unit) -> Iterator[_Scale]:
    if not unit or not stated:
        yield _Scale(1.0)
        return
    for dimension, factor in unit:
        for there, base in stated:
            if dimension == there:
                yield _Scale(base / factor)
            elif (dimension, there) == ("temperature F", "temperature C"):
                yield _Scale(1.8, 32.0)
            elif (dimension, there) == ("temperature C", "temperature F"):
                yield _Scale(1 / 1.8, -32.0 / 1.8)


def _family(dimension: str) -> str:
    return dimension.partition(" ")[0]


def _is_rounding(value: float, there: float) -> bool:
    """Whether a round number may stand for a value: 1,000 for 996. It may, but it need not."""
    if not value or value != int(value) or int(value) % 10:
        return False
    zeros = len(str(int(value))) - len(str(int(value)).rstrip("0"))
    return abs(value - there) <= min(0.5 * 10.0**zeros, _ROUNDED * abs(there))


def _near(value: float, there: float, step: float, bounds: Sequence[tuple[float, float]]) -> bool:
    if abs(value - there) <= 0.5 * step * _CLOSE or abs(value - there) <= abs(there) * 1e-9:
        return True
    return any(min(value * low, value * high) <= there <= max(value * low, value * high) for low, high in bounds)
