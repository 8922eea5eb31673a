"""How many records there are, how many are in a state or beyond a limit, and what share of all that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, State, ValueKind
from trace_inspector.engine.grounding.calculations.outcome import (
    Outcome,
    agreed,
    has_word,
    likely_columns,
    list_of,
    matching_states,
    shown,
)
from trace_inspector.engine.grounding.calculations.statement import (
    Mention,
    StatedFigure,
    Statement,
    factor_between,
    is_rounded,
)
from trace_inspector.engine.grounding.facts.fact import Amount
from trace_inspector.engine.grounding.lexicon.calculation_words import (
    FOUND,
    JOINED_PARTS,
    NOUGHT,
    PARTS,
    SINGLE,
    STRONG_TOTAL,
)
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS, concepts_in_words
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.units import COUNT, NUMBER_WORDS, Unit, measures
from trace_inspector.engine.grounding.text.words import whole_stem

_OF: Final = re.compile(
    r"(?:\b(?:out of|of|von|von den|der|des|of these|of those|sur|parmi|de|dos|das|entre)(?: the| den| les| los| os|"
    r" as| insgesamt| un total de| um total de| all| a total of)? ?)$"
)
_AMONG: Final = re.compile("[^\\d\\s]{0,2}(?:中|のうち|の内)| ?में से")
_OF_THEM: Final = re.compile(r"\W{0,2}(?:of|von|der|des|de|dos|das|del|dell\w*|degli|delle|sur|the|my|your|all)\b")
_MAX_OTHER_WORDS: Final = 1
_BEFORE_CHARS: Final = 40  # what stands before a figure and belongs to it
_TOTALS: Final = frozenset(
    {"total", "total_count", "totalCount", "total_results", "totalResults", "count", "total_items"}
)
_FOUND_STEMS: Final = frozenset(whole_stem(word) for word in FOUND) | FOUND
# Concepts of words that say nothing of a state in "the list has seven rooms".
_COMMON: Final = frozenset({"quantity", "available"})
# "The search returned seven" says nothing of goods sent back.
_SEARCHED: Final = folded_words("search query lookup call tool request suche recherche búsqueda consulta busca")
_ONE_OF: Final = re.compile(r"\b(?:one|eine?[rs]?|une?|un[oa]|uma?) (?:of|out of|von|der|des|de|dos|das|sur|entre)\b")
# What has a number and is not counted by it: build 7, attempt 52.
_LABEL: Final = re.compile(
    r"\b(?:build|attempt|version|segment|line|room|step|gate|platform|node|user|id|no|number|page|chapter|level|stage|phase|"
    r"ticket|issue|order|case|flight|item|port|code|zimmer|gleis|seite|versuch|chambre|quai|numero|pagina|puerta) #?$"
)
_PERCENT: Final[Unit] = (("percent", 1.0),)


def count_states(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """A number of records in a state: "two of the five are cancelled"."""
    if mentions or not grid.is_whole or not grid.states:
        return None
    total, counted = total_and_count(statement)
    if (
        counted is None
        or _counts_within(statement, grid, counted)
        or (total is not None and grid.size not in total.amount.values)
    ):
        return None
    states = _states(statement, grid)
    if not states:  # as for most sentences
        return None
    lines = _lines_of_services(statement, grid)
    outcome = agreed(_counted(grid, state, counted, lines) for state in states)
    return outcome if outcome is None or outcome.holds or not _says_more(statement, grid, states) else None


def _says_more(statement: Statement, grid: Grid, states: Sequence[State]) -> bool:
    """Whether a sentence may count something else: those in two states, or a date that is called as a state is."""
    known = statement.concepts() & CONCEPTS
    named = frozenset[str]().union(*(state.concepts | state.column.concepts for state in states))
    own = {state.column.key for state in states}
    dates = [column for column in grid.columns if column.is_moment and column.key not in own]
    is_of_key = any(known & state.concepts <= column.concepts for column in dates for state in states)
    return is_of_key or bool(known - named - grid.nouns - {"quantity"})


def count_records(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """A number of records found: "the search returned seven orders"."""
    if mentions or not grid.is_whole or grid.size < 2 or not statement.has(FOUND, ("件", "全部")):
        return None
    figures = statement.free_figures(mentions)
    if len(figures) != 1 or measures(figures[0].amount.unit) or statement.is_negated or figures[0].bound:
        return None
    known, others = _concepts_beside(statement)
    if known - grid.nouns or (len(others - grid.nouns) > _MAX_OTHER_WORDS and not statement.claim.unspaced):
        return None
    if statement.claim.unspaced and not any(mark in statement.text for mark in ("全部で", "見つかり", "ヒット")):
        return None
    holds = is_rounded(figures[0], grid.size)
    return Outcome(holds, "count of records", f"The result has {grid.size} records.", tuple(range(grid.size)))


@lru_cache(maxsize=4)  # the same for all tables that a sentence is held against
def _concepts_beside(statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
    """The concepts of the words that are neither the figure, nor what it counts, nor say that something was found.

    First those that are listed, of a state or an attribute, then those of other words.
    """
    noun = _word_after(statement, statement.figures[0])
    words = [
        word for word, _start, _end in statement.words if word not in ({noun} | FOUND) and word not in NUMBER_WORDS
    ]
    concepts = concepts_in_words(words, statement.plain)
    others = frozenset(concept for concept in concepts if concept.removeprefix("=") not in _FOUND_STEMS)
    return (concepts & CONCEPTS) - _COMMON, others - CONCEPTS


def reported_total(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """The number of records that a result says it has: "there are 48 of them in total"."""
    if grid.size != 1:
        return None
    column = next(
        (column for column in grid.columns if column.key in _TOTALS and column.kind is ValueKind.NUMBER), None
    )
    if column is None:  # as in most tables, for each of which this is asked
        return None
    figures = statement.free_figures(mentions)
    if len(figures) != 1 or figures[0].bound or not statement.has(FOUND, ("件", "全部")):
        return None
    total = column.numbers[0]
    if total is None or statement.is_negated or measures(figures[0].amount.unit):
        return None
    holds = is_rounded(figures[0], total)
    if not holds and statement.vocabulary.isdisjoint(STRONG_TOTAL):
        return None
    return Outcome(holds, "reported total", f"The result says {column.key}: {shown(total)}.", (0,))


def share_of_records(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """A share of the records that is in a state: "two thirds of them are late", "40 % are refundable"."""
    if mentions or not grid.is_whole or grid.size < 2 or grid.is_log:
        return None
    figure = stated_share(statement)
    if figure is None:
        return None
    outcome = agreed(_shared(grid, state, figure) for state in _states(statement, grid))
    is_of = _OF_THEM.match(statement.plain[figure.end :] if len(statement.plain) == len(statement.text) else " of ")
    return outcome if outcome is None or outcome.holds or is_of else None  # "up 60%" is a share of something else


def count_beyond(statement: Statement, grid: Grid, mentions: tuple[Mention, ...]) -> Outcome | None:
    """A number of records above or below a limit: "three of them cost more than 500 dollars"."""
    if mentions or not grid.is_whole:
        return None
    figures = statement.free_figures(mentions)
    limits = [figure for figure in figures if figure.bound]
    counted = [figure for figure in figures if not figure.bound and not measures(figure.amount.unit)]
    if len(limits) != 1 or len(counted) != 1:
        return None
    limit = limits[0]
    columns = likely_columns(grid, statement.concepts(), lambda column: column.kind is ValueKind.NUMBER, limit)
    return agreed(_beyond(grid, column, limit, counted[0]) for column in columns)


def _states(statement: Statement, grid: Grid) -> list[State]:
    """The states that a sentence without names is about; none of a sentence that denies."""
    if statement.is_negated and statement.vocabulary.isdisjoint(NOUGHT):
        return []
    states = matching_states(grid, statement.concepts(), statement.plain)
    if statement.vocabulary & _SEARCHED:
        states = [state for state in states if state.value != "returned"]
    return states


def _counts_within(statement: Statement, grid: Grid, figure: StatedFigure) -> bool:
    """Whether what is counted is an attribute, three rooms of a hotel, and no records."""
    return bool(grid.counted and figure.end) and not _concepts_counted(statement, figure.end).isdisjoint(grid.counted)


@lru_cache(maxsize=1 << 10)
def _concepts_of_word(word: str) -> frozenset[str]:
    return concepts_in_words([word]) & CONCEPTS


@lru_cache(maxsize=4)  # the same for all tables that a sentence is held against
def _concepts_counted(statement: Statement, end: int) -> frozenset[str]:
    word = next((word for word, start, _end in statement.words if start >= end), "")
    return _concepts_of_word(word)


def _word_after(statement: Statement, figure: StatedFigure) -> str:
    """What is counted: the word behind a number."""
    return next((word for word, start, _end in statement.words if start >= figure.end), "")


@lru_cache(maxsize=4)  # the same for all tables that a sentence is held against
def total_and_count(statement: Statement) -> tuple[StatedFigure | None, StatedFigure | None]:
    """Of "two of the five" the second and the first."""
    figures = [figure for figure in statement.figures if not measures(figure.amount.unit)]
    if not figures:
        if not statement.vocabulary.isdisjoint(SINGLE):
            return None, StatedFigure(0, 0, Amount((1.0,), 1.0, COUNT))
        nought = not statement.vocabulary.isdisjoint(NOUGHT)
        return None, StatedFigure(0, 0, Amount((0.0,), 1.0, COUNT)) if nought else None
    if len(figures) == 1:
        if figures[0].bound or _LABEL.search(
            statement.plain, max(0, figures[0].start - _BEFORE_CHARS), figures[0].start
        ):
            return None, None
        if not _is_total(statement, figures[0]):
            return None, figures[0]
        return figures[0], StatedFigure(0, 0, Amount((1.0,), 1.0, COUNT)) if _ONE_OF.search(statement.plain) else None
    if len(figures) == 3:  # "dois dos quatro": the second is an article
        figures = [figure for figure in figures if statement.folded[figure.start : figure.end] != "dos"]
    if len(figures) != 2:
        return None, None
    totals = [figure for figure in figures if _is_total(statement, figure)]
    if len(totals) != 1:
        return None, None
    return totals[0], next(figure for figure in figures if figure is not totals[0])


def _is_total(statement: Statement, figure: StatedFigure) -> bool:
    """Whether a figure is the five of "two of the five"."""
    return bool(
        _OF.search(statement.plain, max(0, figure.start - _BEFORE_CHARS), figure.start)
        or _AMONG.match(statement.text[figure.end : figure.end + 8])
    )


def _lines_of_services(statement: Statement, grid: Grid) -> frozenset[int]:
    """The lines of a log by the services that a sentence names, all of them when it names none."""
    every = frozenset(range(grid.size))
    service = next((column for column in grid.columns if column.key == "service"), None) if grid.is_log else None
    if service is None:
        return every
    named = {text for text in set(service.texts) if text and has_word(statement.plain, text)}
    return frozenset(line for line in every if service.texts[line] in named) if named else every


def _counted(grid: Grid, whole: State, counted: StatedFigure, lines: frozenset[int]) -> Outcome:
    state = State(whole.column, whole.value, whole.concepts, whole.records & lines)
    count = len(state.records)
    return Outcome(is_rounded(counted, count), "count of states", _reason(grid, state), tuple(sorted(state.records)))


def _shared(grid: Grid, state: State, figure: StatedFigure) -> Outcome:
    share = 100 * len(state.records) / grid.size
    reason = f"{_reason(grid, state)[:-1]}, which is {shown(round(share, 1))} %."
    return Outcome(is_rounded(figure, share), "share of records", reason, tuple(sorted(state.records)))


def _reason(grid: Grid, state: State) -> str:
    count = len(state.records)
    names = list_of([grid.called(record) for record in sorted(state.records)])
    what = state.column.key if state.value == "true" else f"{state.column.key} {state.value}"
    return f"{count} of {grid.size} records have {what}{': ' if names else ''}{names}."


@lru_cache(maxsize=4)
def stated_share(statement: Statement) -> StatedFigure | None:
    """The share that a sentence states, in percent: "a third", "40 %"."""
    figures = statement.figures
    percents = [figure for figure in figures if figure.amount.unit and figure.amount.unit[0][0] == "percent"]
    if len(percents) == 1 and len(figures) == 1:
        return percents[0]
    for word, start, end in statement.words if not statement.vocabulary.isdisjoint(PARTS) else ():
        if part := PARTS.get(word):
            times = [figure for figure in figures if 0 <= start - figure.end <= 1]
            if len(times) != len(figures):
                return None
            value = part * (times[0].amount.values[0] if times else 1.0)
            return StatedFigure(start, end, Amount((value,), 0.2 if value == 50 else 1.0, _PERCENT))
    if figures:
        return None
    joined = next((value for mark, value in JOINED_PARTS.items() if mark in statement.text), None)
    return StatedFigure(0, 0, Amount((joined,), 0.2, _PERCENT)) if joined else None


def _beyond(grid: Grid, column: Column, limit: StatedFigure, counted: StatedFigure) -> Outcome | None:
    factor = 1.0
    if measures(limit.amount.unit) and measures(column.unit):
        factor = factor_between(limit.amount.unit, column.unit) or 0.0
    if not factor or any(number is None for number in column.numbers):
        return None
    stated = limit.amount.values[0]
    records = tuple(
        index
        for index, number in enumerate(column.numbers)
        if number is not None and limit.bound * (number * factor - stated) > 0
    )
    word = "above" if limit.bound > 0 else "below"
    names = list_of([grid.called(record) for record in records])
    reason = f"{len(records)} of {grid.size} records have {column.key} {word} {shown(stated)}: {names}."
    return Outcome(is_rounded(counted, len(records)), "count beyond a limit", reason, records)
