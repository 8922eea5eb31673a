"""Sums, averages and products of the numbers of records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, ValueKind
from trace_inspector.engine.grounding.calculations.ordering import compared_pair
from trace_inspector.engine.grounding.calculations.outcome import (
    Outcome,
    agreed,
    likely_columns,
    matching_states,
    shown,
)
from trace_inspector.engine.grounding.calculations.statement import (
    Mention,
    StatedFigure,
    Statement,
    agrees,
    is_rounded,
)
from trace_inspector.engine.grounding.lexicon.calculation_words import (
    AVERAGE,
    JOINED_AVERAGE,
    JOINED_TOTAL,
    STRONG_TOTAL,
    TOTAL,
    TOTAL_PHRASES,
)
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.units import measures, unit_of
from trace_inspector.engine.grounding.text.words import split_words

_MAX_SHOWN: Final = 8
_MAX_FACTOR: Final = 10_000
_RATES: Final = frozenset({"rate", "ratio", "share", "pct", "percent", "percentage", "probability", "avg", "average"})


def sum_of_records(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """The sum of an attribute: "together they cost 42 euros"."""
    if not says_total(statement):
        return None
    outcome = _of_all(statement, grid, mentions, "sum")
    if outcome is None or outcome.holds or statement.has(STRONG_TOTAL, JOINED_TOTAL):
        return outcome
    # "All of them cost 40 euros" may be meant of each.
    return outcome if _says_all(statement) and not _is_of_one(statement, grid, mentions) else None


def average_of_records(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """The average of an attribute: "a ticket costs 21 euros on average"."""
    return _of_all(statement, grid, mentions, "average") if says_average(statement) else None


def product_of_attribute(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """So many times an attribute of one record: "three nights come to 360 euros"."""
    figures = statement.free_figures(mentions)
    records = {mention.record for mention in mentions} or ({0} if grid.size == 1 else set())
    if len(figures) != 2 or len(records) != 1:
        return None
    times, result = figures
    factor = times.amount.values[0]
    if measures(result.amount.unit) is False or not 1 < factor <= _MAX_FACTOR or factor != round(factor):
        return None
    columns = likely_columns(grid, statement.concepts(mentions), _is_number, result)
    return agreed(_product(column, next(iter(records)), factor, result) for column in columns)


def _of_all(statement: Statement, grid: Grid, mentions: tuple[Mention, ...], operation: str) -> Outcome | None:
    named = sorted({mention.record for mention in mentions})
    if len(named) == 1 or (not named and (not grid.is_whole or grid.size < 2)):
        return None
    figures = statement.free_figures(mentions)
    if len(figures) == 2:
        figures = tuple(figure for figure in figures if (len(named) or grid.size) not in figure.amount.values)
    if len(figures) != 1:
        return None
    concepts = statement.concepts(mentions)
    columns = likely_columns(grid, concepts, _is_number, figures[0])
    records = named or list(range(grid.size))
    whole = agreed(_aggregated(column, records, figures[0], operation) for column in columns)
    if whole is None or named:
        return whole
    own = frozenset(concept for column in columns for concept in column.concepts)
    states = matching_states(grid, (concepts - own) & CONCEPTS)
    if not states:
        return whole
    partly = agreed(
        _aggregated(column, sorted(state.records), figures[0], operation) for column in columns for state in states
    )
    return partly if partly is not None and partly.holds and not whole.holds else None


def _aggregated(column: Column, records: Sequence[int], figure: StatedFigure, operation: str) -> Outcome | None:
    numbers = [number for record in records if (number := column.numbers[record]) is not None]
    if not numbers:
        return None
    if operation == "sum" and (not _RATES.isdisjoint(split_words(column.key)) or column.unit == unit_of("%")):
        return None  # nobody adds rates
    total = sum(numbers)
    result = total / len(numbers) if operation == "average" else total
    holds = agrees(figure, result, column.unit)
    if holds is None or (not holds and len(numbers) < len(records)):
        return None
    written = " + ".join(shown(number) for number in numbers[:_MAX_SHOWN])
    if len(numbers) > _MAX_SHOWN:
        written += f" + … ({len(numbers)} numbers)"
    if operation == "average":
        reason = f"{column.key}: ({written}) / {len(numbers)} = {shown(result)}"
    else:
        reason = f"{column.key}: {written} = {shown(result)}"
    return Outcome(holds, f"{operation} of records", reason, tuple(records))


def says_total(statement: Statement) -> bool:
    """Whether a sentence speaks of all together, and not of their average."""
    is_total = statement.has(TOTAL, JOINED_TOTAL) or _says_all(statement)
    return is_total and not says_average(statement)


def says_average(statement: Statement) -> bool:
    """Whether a sentence speaks of an average."""
    return statement.has(AVERAGE, JOINED_AVERAGE)


def _says_all(statement: Statement) -> bool:
    return any(phrase in statement.plain for phrase in TOTAL_PHRASES)


def _is_of_one(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> bool:
    """Whether some record has the figure itself."""
    return any(
        number is not None and agrees(figure, number, column.unit)
        for figure in statement.free_figures(mentions)
        for column in grid.columns
        if column.kind is ValueKind.NUMBER
        for number in column.numbers
    )


def _product(column: Column, record: int, factor: float, result: StatedFigure) -> Outcome | None:
    number = column.numbers[record]
    if number is None:
        return None
    holds = agrees(result, number * factor, column.unit)
    if not holds:
        return None  # the other figure may count something else
    reason = f"{column.key}: {shown(factor)} × {shown(number)} = {shown(number * factor)}"
    return Outcome(holds=True, rule="product", reason=reason, records=(record,))


def _is_number(column: Column) -> bool:
    return column.kind is ValueKind.NUMBER


_RISE: Final = folded_words("""
    rose rise risen rises grew grown grows growth increased increase increases climbed gained jumped up
    stieg stiegen gestiegen wuchs gewachsen zugenommen Anstieg augmenté augmente hausse progressé subió subido aumentó
    creció aumento subiu aumentou cresceu बढ़ा बढ़ी बढ़े
""")
_FALL: Final = folded_words("""
    fell fall fallen falls dropped drop drops declined decline decreased decrease shrank sank down
    sank gesunken fiel gefallen Rückgang zurückgegangen abgenommen baissé baisse chuté diminué bajó bajado cayó
    disminuyó caiu diminuiu घटा घटी घटे
""")
_FROM: Final = re.compile(r"\b(?:from|between|von|zwischen|de|du|d|entre|desde|del)[ '’]$")
_THAN: Final = re.compile(r"\b(?:than|als|que|qu|compared (?:to|with)|gegenuber|par rapport a|comparad[oa] con)\b")


def change_in_percent(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """A change or a difference in percent: "sales rose by 25 % from May to June", "A costs 10 % more than B"."""
    figures = statement.free_figures(mentions)
    if len(figures) != 1 or not figures[0].amount.unit or figures[0].amount.unit[0][0] != "percent":
        return None
    if statement.is_negated or len({mention.record for mention in mentions}) != 2:
        return None
    ends = _ends(statement, mentions)
    if ends is None:
        return None
    columns = likely_columns(grid, statement.concepts(mentions), _is_plain_number)
    return agreed(_changed(grid, column, *ends, figures[0]) for column in columns)


def _ends(statement: Statement, mentions: tuple[Mention, ...]) -> tuple[int, int, int] | None:
    """The record that is compared to, the other one, and whether the other one is said to have more."""
    sign = 1 if statement.has(_RISE) else -1 if statement.has(_FALL) else 0
    if sign and _FROM.search(statement.plain[: mentions[0].start]):
        return mentions[0].record, mentions[-1].record, sign
    pair = compared_pair(statement, mentions)
    if pair is None or len(statement.grades) != 1 or not _THAN.search(statement.plain):
        return None
    return pair[1], pair[0], 1 if statement.grades[0].kinds[0].endswith("+") else -1


def _changed(grid: Grid, column: Column, base: int, other: int, sign: int, figure: StatedFigure) -> Outcome | None:
    before, after = column.numbers[base], column.numbers[other]
    if not before or after is None:
        return None
    change = 100 * (after - before) / before
    holds = change * sign > 0 and is_rounded(figure, abs(change))
    reason = (
        f"{column.key}: from {shown(before)} ({grid.called(base)}) to {shown(after)} ({grid.called(other)})"
        f" is {'+' if change >= 0 else '−'}{shown(round(abs(change), 1))} %"
    )
    return Outcome(holds, "change in percent", reason, (base, other))


def _is_plain_number(column: Column) -> bool:
    return column.kind is ValueKind.NUMBER and not any(dimension == "percent" for dimension, _ in column.unit)
