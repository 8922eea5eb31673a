"""What one record says, said in other units, rounded, or as the time between two of its moments."""

from __future__ import annotations

import math
import re
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, ValueKind
from trace_inspector.engine.grounding.calculations.outcome import (
    Outcome,
    agreed,
    column_score,
    likely_columns,
    shown,
)
from trace_inspector.engine.grounding.calculations.statement import (
    Mention,
    StatedFigure,
    Statement,
    agrees,
    factor_between,
    one_of_article,
)
from trace_inspector.engine.grounding.facts.fact import Amount, FactKind
from trace_inspector.engine.grounding.lexicon.calculation_words import HEDGED
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS, concepts_in_words
from trace_inspector.engine.grounding.text.units import Unit, measures, unit_of
from trace_inspector.engine.grounding.text.vocabulary import WEEKDAYS
from trace_inspector.engine.grounding.text.words import find_words

_DAY_MINUTES: Final = 1440.0
_WEEK_SECONDS: Final = 604_800.0
_TIMES: Final = {1.0: "s", 60.0: "min", 3600.0: "h", 86_400.0: "days"}
_MINUTES: Final[Unit] = (("time", 60.0),)
_OFFSET: Final = re.compile(r"\d:\d\d(?::[\d.]+)?([+-]\d\d:?\d\d)$")
_HOURS: Final = re.compile(r"(\d{1,2})[ ]?h[ ]?([0-5]\d)")
_FIGURES: Final = re.compile(r"\d[\d.,]*")
_MAX_OTHERS: Final = 3
_ROUNDED_BY: Final = 0.1
_WRONG_BY: Final = 0.12
# Pairs of moments with a time between them.
_SPANS: Final = (
    ("departure", "arrival"),
    ("begin", "end"),
    ("open", "close"),
    ("sunrise", "sunset"),
    ("created", "due"),
    ("created", "end"),
)


def attribute_in_other_words(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """An attribute of one record in another unit, compound or rounded: "1 h 5", "about 140 dollars", "8,200 m"."""
    record = _record(grid, mentions)
    if record is None or statement.is_negated:
        return None
    figures = statement.free_figures(mentions) or one_of_article(statement)
    compound = compound_duration(statement)
    if compound is not None:
        figures = (compound,)
    if len(figures) != 1:
        return None
    figure = figures[0]
    is_about = statement.is_hedged and not figure.bound
    if compound is None and not is_about and not measures(figure.amount.unit):
        return None  # as written: nothing to convert, whatever the columns are
    columns = likely_columns(
        grid, statement.concepts(mentions), lambda column: column.kind is ValueKind.NUMBER, figure
    )
    converted = compound is not None or any(_is_converted(figure, column) for column in columns)
    if columns and converted:
        outcome = agreed(_converted(grid, column, record, figure, hedged=statement.is_hedged) for column in columns)
    elif columns and is_about:
        outcome = agreed(_about(grid, column, record, figure) for column in columns)
    else:
        return None
    if outcome is None or outcome.holds:
        return outcome
    # By its unit alone a figure may be meant of something that the record does not have.
    concepts = statement.concepts(mentions)
    if all(column.is_named(concepts) and _is_of_unit(figure, column) for column in columns):
        return outcome
    is_sole = measures(figure.amount.unit) if outcome.rule == "rounded" else _is_sole_measure(grid, figure)
    is_sole = is_sole and all(_is_of_unit(figure, column) for column in columns)
    return outcome if is_sole and _says_little(statement, grid, mentions, figure) else None


def time_between(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """The time between two moments of a record: "the flight takes 2 hours 35", also over midnight."""
    record = _record(grid, mentions)
    if record is None or statement.is_negated:
        return None
    figure = compound_duration(statement)
    if figure is None:
        free = statement.free_figures(mentions) or one_of_article(statement)
        if len(free) != 1 or not any(dimension == "time" for dimension, _ in free[0].amount.unit):
            return None
        figure = free[0]
    concepts = statement.concepts(mentions)
    if any(column.kind is ValueKind.NUMBER and column_score(column, concepts, figure) > 0 for column in grid.columns):
        return None
    spans = [
        (opening, closing)
        for first, last in _SPANS
        for opening in _having(grid, first)
        for closing in _having(grid, last)
    ]
    spans = [
        (opening, closing) for opening, closing in spans if opening.kind is closing.kind and opening is not closing
    ]
    if len(spans) != 1 or not ("duration" in concepts or spans[0][0].kind is ValueKind.DAY):
        return None
    return _between(grid, *spans[0], record, figure, hedged=statement.is_hedged)


def weekday_of_date(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """The weekday of a date of one record: "the appointment is on a Friday"."""
    record = _record(grid, mentions)
    days = [fact for fact in statement.claim.facts if fact.kind is FactKind.WEEKDAY and fact.keys]
    if record is None or len(days) != 1 or statement.is_negated or statement.claim.unspaced:
        return None
    columns = likely_columns(grid, statement.concepts(mentions), lambda column: column.kind is ValueKind.DAY)
    if not columns:
        columns = [column for column in grid.columns if column.kind is ValueKind.DAY]
    outcome = agreed(_weekday(grid, column, record, days[0].keys[0]) for column in columns)
    # The one date of an envelope, when something was issued, is not what a sentence without its name is about.
    return outcome if outcome is None or outcome.holds or mentions else None


def compound_duration(statement: Statement) -> StatedFigure | None:
    """A time in two or three units: "2 hours and 4 minutes", "an hour and 5 minutes", "1 h 5"."""
    for figure in statement.figures:
        if figure.amount.unit[:1] and figure.amount.unit[0][0] == "time":
            text = statement.text[figure.start : figure.end]
            units = sum(_is_of_time(word) for word in find_words(text))
            if units > 1 or len(_FIGURES.findall(text)) > 1 or (units == 0 and not text.isascii()):
                return figure
    for fact in statement.claim.facts:  # which may be a time of day as well: 1 h 35
        if fact.kind is FactKind.TIME and (parts := _HOURS.fullmatch(statement.text, fact.start, fact.end)):
            minutes = int(parts[1]) * 60.0 + int(parts[2])
            return StatedFigure(fact.start, fact.end, Amount((minutes,), 1.0, _MINUTES))
    return None


def _is_of_time(word: str) -> bool:
    return any(dimension == "time" for dimension, _factor in unit_of(word))


def _record(grid: Grid, mentions: tuple[Mention, ...]) -> int | None:
    records = {mention.record for mention in mentions}
    if len(records) == 1:
        return next(iter(records))
    return 0 if not records and grid.size == 1 and len(grid.table.records) == 1 else None


def _having(grid: Grid, concept: str) -> list[Column]:
    return [column for column in grid.columns if column.is_moment and concept in column.concepts]


def _is_converted(figure: StatedFigure, column: Column) -> bool:
    """Whether a figure is in another unit than its column, a mile of kilometres or a gram of kilos."""
    if not measures(figure.amount.unit) or not measures(column.unit):
        return False
    factor = factor_between(figure.amount.unit, column.unit)
    return factor is None or not math.isclose(factor, 1.0)


def _is_sole_measure(grid: Grid, figure: StatedFigure) -> bool:
    """Whether only one column can be meant by a unit: of time and money there is too much in the world."""
    unit = figure.amount.unit
    if not unit or unit[0][0].startswith(("time", "money", "percent")):
        return False
    dimensions = {name.split()[0] for name, _ in unit}
    return sum(any(name.split()[0] in dimensions for name, _ in column.unit) for column in grid.columns) == 1


def _is_of_unit(figure: StatedFigure, column: Column) -> bool:
    """Whether a figure and a column are in units of one kind, or both in none; what "m" is, nobody knows."""
    if len({name.split()[0] for name, _ in column.unit}) > 1:
        return False
    return measures(figure.amount.unit) == measures(column.unit)


def _says_little(statement: Statement, grid: Grid, mentions: tuple[Mention, ...], figure: StatedFigure) -> bool:
    """Whether hardly a word is neither a name, nor a figure, nor of a key, and none of these has the figure."""
    known = grid.nouns.union(CONCEPTS, *(column.concepts for column in grid.columns))
    spans = [(mention.start, mention.end) for mention in mentions]
    spans += [(figure.start, figure.end) for figure in statement.figures]
    words = [
        each
        for each in statement.words
        if each[0] not in HEDGED and not any(begin <= each[1] < end for begin, end in spans)
    ]
    after = next((word for word, start, _end in words if start > figure.end - 1), "")  # a 32-inch screen
    others = concepts_in_words([word for word, _start, _end in words]) - known
    return len(others) <= _MAX_OTHERS and concepts_in_words([after]).isdisjoint(others)


def _converted(grid: Grid, column: Column, record: int, figure: StatedFigure, *, hedged: bool) -> Outcome | None:
    number = column.numbers[record]
    holds = agrees(figure, number, column.unit) if number is not None else None
    if number is None or holds is None:
        return None
    if hedged and not holds:
        holds = _is_within(figure, number, column, _ROUNDED_BY / 4)
        if not holds and _is_within(figure, number, column, _WRONG_BY):
            return None
    elif holds and not figure.bound:  # two hours are no 95 minutes, and 45 minutes hardly "almost an hour"
        near = _WRONG_BY if hedged else _ROUNDED_BY / 2
        if not _is_within(figure, number, column, near):
            if _is_within(figure, number, column, 2 * near):
                return None
            holds = False
    if not holds and any(dimension == "time" and factor >= _WEEK_SECONDS for dimension, factor in figure.amount.unit):
        return None  # a week may have five days
    written = f"{column.key} {grid.written(record, column)}"
    reason = f"{grid.called(record)}: {written} {'is' if holds else 'is not'} {_shown(figure)}"
    return Outcome(holds, "conversion", reason, (record,))


def _shown(figure: StatedFigure) -> str:
    """A figure for a reason, a time with its unit."""
    factor = next((factor for dimension, factor in figure.amount.unit if dimension == "time"), 0.0)
    return f"{shown(figure.amount.values[0])} {_TIMES.get(factor, '')}".rstrip()


def _is_within(figure: StatedFigure, number: float, column: Column, share: float) -> bool:
    """Whether a figure is a value but for a share of it."""
    wide = Amount(figure.amount.values, 2 * share * max(map(abs, figure.amount.values)), figure.amount.unit)
    return agrees(StatedFigure(figure.start, figure.end, wide), number, column.unit) is True


def _about(grid: Grid, column: Column, record: int, figure: StatedFigure) -> Outcome | None:
    number = column.numbers[record]
    if not number:
        return None
    exact = agrees(figure, number, column.unit)
    if exact is None:
        return None
    off = min(abs(value - number) for value in figure.amount.values) / abs(number)
    reason = f"{grid.called(record)}: {column.key} is {grid.written(record, column)}"
    if exact or off <= _ROUNDED_BY / 2:
        return Outcome(holds=True, rule="rounded", reason=reason, records=(record,))
    if off <= _WRONG_BY or any(abs(value - number) <= _round_step(value) / 2 for value in figure.amount.values):
        return None
    return Outcome(holds=False, rule="rounded", reason=reason, records=(record,))


def _round_step(value: float) -> float:
    """What a number seems to be rounded to: ten of 40, a hundred of 1,200."""
    step = 1.0
    while value and value % (step * 10) == 0:
        step *= 10
    return step


def _between(
    grid: Grid, first: Column, last: Column, record: int, figure: StatedFigure, *, hedged: bool
) -> Outcome | None:
    begin, end = first.numbers[record], last.numbers[record]
    if begin is None or end is None:
        return None
    if _offset(first.texts[record]) != _offset(last.texts[record]):
        return None  # a flight over zones of time
    minutes = end - begin
    if minutes < 0 and first.kind is ValueKind.CLOCK:
        minutes += _DAY_MINUTES
    holds = agrees(figure, minutes, _MINUTES)
    if holds is None or minutes < 0:
        return None
    if holds and not (hedged or figure.bound):
        wide = Amount(figure.amount.values, 2 * _WRONG_BY * max(figure.amount.values), figure.amount.unit)
        holds = agrees(StatedFigure(figure.start, figure.end, wide), minutes, _MINUTES) is True
    reason = (
        f"{grid.called(record)}: from {first.key} {grid.written(record, first)} to {last.key}"
        f" {grid.written(record, last)} are {shown(minutes)} minutes"
    )
    return Outcome(holds, "time between", reason, (record,))


def _offset(text: str) -> str:
    """How far from UTC a moment is written, "" where it does not say."""
    match = _OFFSET.search(text)
    return match[1] if match else ""


def _weekday(grid: Grid, column: Column, record: int, key: str) -> Outcome | None:
    number = column.numbers[record]
    if number is None:
        return None
    day = (int(number // _DAY_MINUTES) - 1) % 7
    name = next(word for word, index in WEEKDAYS.items() if index == day)
    reason = f"{grid.called(record)}: {column.key} {grid.written(record, column)} is a {name.capitalize()}"
    return Outcome(key == f"weekday:{day}", "weekday", reason, (record,))
