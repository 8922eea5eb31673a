"""What one record says, said in other units, rounded, or as the time between two of its moments."""

from __future__ import annotations

import math
import re
from functools import lru_cache
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

_DAY_MINUTES: Final = 1440.0
_WEEK_SECONDS: Final = 604_800.0
_MINUTES: Final[Unit] = (("time", 60.0),)
_SECONDS: Final[Unit] = (("time", 1.0),)
_OFFSET: Final = re.compile(r"\d:\d\d(?::[\d.]+)?([+-]\d\d:?\d\d)$")
_PIECE: Final = re.compile(r"(\d{1,4})[ \u00a0]?([^\W\d_]{1,10})(?:,? ?(?:and|und|et|y|e|और)? )?")
_BARE_MINUTES: Final = re.compile(r"[0-5]?\d(?!\d|[.,:]\d|[ \u00a0]?[^\W\d_])")
_MAX_OTHERS: Final = 3
_MAX_PIECES: Final = 6
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
    compound = compound_duration(statement.text)
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
    figure = compound_duration(statement.text)
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
    return _between(grid, *spans[0], record, figure)


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


@lru_cache(maxsize=4)  # the same for all tables that a sentence is held against
def compound_duration(text: str) -> StatedFigure | None:
    """A time in two or three units: "2 hours and 4 minutes", "1 h 5", "20 min 30 s"."""
    found = [piece for piece in _PIECE.finditer(text) if _seconds(piece[2])][:_MAX_PIECES]
    for index, first in enumerate(found):
        pieces = [first]
        for following in found[index + 1 :]:
            if following.start() != pieces[-1].end() or _seconds(following[2]) >= _seconds(pieces[-1][2]):
                break
            pieces.append(following)
        seconds, step, end = (
            sum(int(match[1]) * _seconds(match[2]) for match in pieces),
            _seconds(pieces[-1][2]),
            pieces[-1].end(),
        )
        bare = _BARE_MINUTES.match(text, end) if step == 3600.0 else None
        if bare:
            seconds, step, end = seconds + int(bare[0]) * 60, 60.0, bare.end()
        if bare or len(pieces) > 1:
            return StatedFigure(first.start(), end, Amount((seconds,), step, _SECONDS))
    return None


def _seconds(word: str) -> float:
    """The seconds of a unit of time, an hour at most; 0 for other words."""
    for length in range(len(word), 0, -1):
        factors = [factor for dimension, factor in unit_of(word[:length]) if dimension == "time"]
        if factors:
            return factors[0] if factors[0] <= 604800 else 0.0
        if word.isascii():
            return 0.0
    return 0.0


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
    if not holds and any(dimension == "time" and factor >= _WEEK_SECONDS for dimension, factor in figure.amount.unit):
        return None  # a week may have five days
    stated = shown(figure.amount.values[0])
    unit = "s" if figure.amount.unit == _SECONDS else ""
    written = f"{column.key} {grid.written(record, column)}"
    reason = f"{grid.called(record)}: {written} {'is' if holds else 'is not'} {stated} {unit}"
    return Outcome(holds, "conversion", reason.rstrip(), (record,))


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


def _between(grid: Grid, first: Column, last: Column, record: int, figure: StatedFigure) -> Outcome | None:
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
