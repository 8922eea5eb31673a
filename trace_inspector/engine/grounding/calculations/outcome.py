"""What a calculation says of a sentence, and which columns and states of a table a sentence is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, State, ValueKind
from trace_inspector.engine.grounding.calculations.statement import Mention, StatedFigure, Statement, factor_between
from trace_inspector.engine.grounding.lexicon.calculation_words import AFTER, BEFORE, DIFFERENCE, JOINED_COMPARATIVE
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.units import measures
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import find_words

_UNMATCHED: Final = 0.4
_SAME_UNIT: Final = 2.0
_MAX_NAMED: Final = 6


class Outcome(NamedTuple):
    """Whether a calculation holds, how it goes in plain words, and the records it is about."""

    holds: bool
    rule: str
    reason: str
    records: tuple[int, ...]


def agreed(outcomes: Iterable[Outcome | None]) -> Outcome | None:
    """The first of some outcomes when all are there and say the same."""
    listed = list(outcomes)
    first = listed[0] if listed else None
    if first is None or any(outcome is None or outcome.holds != first.holds for outcome in listed):
        return None
    return first


def likely_columns(
    grid: Grid,
    concepts: frozenset[str],
    fits: Callable[[Column], bool],
    figure: StatedFigure | None = None,
) -> list[Column]:
    """The columns that a sentence with these concepts is most likely about; several when equally likely."""
    scores: list[tuple[float, Column]] = []
    for column in grid.columns:
        if not fits(column):
            continue
        score = column_score(column, concepts, figure)
        if score > 0:
            scores.append((score, column))
    best = max((score for score, _column in scores), default=0.0)
    columns = [column for score, column in scores if score == best]
    if best == _SAME_UNIT and len(columns) > 1:
        # Money that is not said to be of anything is the amount, and no fee.
        plain = [
            column for column in columns if "price" in column.concepts and not column.concepts & CONCEPTS - {"price"}
        ]
        return plain if len(plain) == 1 else columns
    return columns


def column_score(column: Column, concepts: frozenset[str], figure: StatedFigure | None = None) -> float:
    """How well a column goes with the concepts of a sentence and the unit of its figure; 0 for not at all."""
    score = concept_score(column.concepts, concepts)
    if figure is not None and measures(figure.amount.unit):
        if measures(column.unit):
            if factor_between(figure.amount.unit, column.unit) is None and not _are_temperatures(figure, column):
                return 0.0
            score += _SAME_UNIT
        elif column.kind is ValueKind.NUMBER and figure.amount.unit[0][0] == "percent":
            score -= 1.0
    if score <= 0 or score == _SAME_UNIT:
        return max(score, 0.0)  # by the unit alone, all columns of this unit are alike
    unmatched = sum(concept in CONCEPTS for concept in column.concepts - concepts)
    return max(0.1, score - _UNMATCHED * min(unmatched, 2))


def concept_score(own: frozenset[str], concepts: frozenset[str]) -> float:
    """How much two sets of concepts have in common; words that are merely equal weigh half."""
    if own.isdisjoint(concepts):
        return 0
    return sum([2.0 if concept in CONCEPTS else 1.0 for concept in own & concepts])


def matching_states(grid: Grid, concepts: frozenset[str], text: str = "") -> list[State]:
    """The states that a sentence names, those with most in common only."""
    scored: list[tuple[float, State]] = []
    is_named = not grid.of_states.isdisjoint(concepts)
    for state in grid.states:
        is_text = state.column.kind is ValueKind.TEXT
        score = concept_score(state.concepts, concepts) if is_named else 0
        if not score:
            if not (is_text and state.value in text and has_word(text, state.value)):
                continue
            score = 2.0
        if is_text:
            score += 0.5 * concept_score(state.column.concepts, concepts)
        scored.append((score, state))
    if not scored:
        return []
    best = max((score for score, _state in scored), default=0.0)
    return [state for score, state in scored if score == best]


def has_word(text: str, word: str) -> bool:
    """Whether a folded text has a word, or a name of several, that is no part of a longer one."""
    start = text.find(word)
    while start >= 0:
        before, after = text[start - 1 : start] if start else "", text[start + len(word) : start + len(word) + 1]
        if not (before.isalnum() or before == "-") and not (after.isalnum() or after == "-"):
            return True
        start = text.find(word, start + 1)
    return False


def list_of(names: Sequence[str]) -> str:
    """Names for a reason, the first few."""
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def shown(value: float) -> str:
    """A number for a reason."""
    return f"{value:.12g}" if value == round(value, 2) else f"{value:.2f}"


def _are_temperatures(figure: StatedFigure, column: Column) -> bool:
    return figure.amount.unit[0][0].startswith("temperature") and column.unit[0][0].startswith("temperature")


# "The two", "both of these": not all, unless there are no more.
_TWO: Final = re.compile(
    r"\b(?:the two|both|these two|those two|die beiden|beide|les deux|los dos|las dos|ambos|ambas|os dois|as duas)\b"
    r"|両方|दोनों"
)
_LIMITING: Final = folded_words("""
    without which who whose except excepting apart excluding besides other others rest remaining under among near
    ohne außer übrigen anderen deren dessen sans sauf hormis autres dont sin excepto salvo demás otros otras sem
    exceto outros outras only within
""")
_LIMITING_AFTER: Final = folded_words("with that for mit für avec pour con para com que qui where wo où donde onde")
_NTH: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|next|zweit\w*|dritt\w*|nachst\w*|deuxieme|second|troisieme|segund[oa]|tercer[oa]?|"
    r"terceir[oa])\b|番目|दूसर|तीसर"
)
_THAN: Final = folded_words("than als que qu")
_OF_TWO: Final = frozenset({"comparison", "difference"})
# What puts one of two things beside the other.
_LINKS: Final = (
    BEFORE
    | AFTER
    | DIFFERENCE
    | folded_words("""
    than als que qu do instead rather compared unlike exceeds exceed beats between statt gegenüber vergleich zwischen
    comparé comparée rapport lieu comparado comparada comparación vez entre से तुलना outlasts outnumbers
""")
)
AGGREGATES: Final = frozenset({"sum of records", "average of records"})
_OF_SETS: Final = frozenset(
    {
        "sum of records", "average of records", "count of states", "count of records", "share of records", "extreme",
        "count beyond a limit",
    }
)  # fmt: skip


def is_of_a_part(statement: Statement, grid: Grid, mentions: Sequence[Mention], outcome: Outcome) -> bool:
    """Whether the sentence may be about fewer records than the calculation, or about another rank."""
    if outcome.rule == "time between":
        return not outcome.holds and not mentions  # other moments of the result may be meant
    if outcome.rule in _OF_TWO:
        return not outcome.holds and not statement.has(_LINKS, JOINED_COMPARATIVE)
    if outcome.rule not in _OF_SETS:
        return False
    if outcome.rule == "extreme" and (_NTH.search(statement.plain) or _compares(statement)):
        return True
    if outcome.holds:
        return False
    if outcome.rule.startswith("count") and _states_a_value(statement, grid):
        return True
    if not mentions and grid.size != 2 and _TWO.search(statement.plain):
        return True
    if outcome.rule in AGGREGATES and not mentions and _names_a_part(statement, grid):
        return True
    if not statement.vocabulary.isdisjoint(_LIMITING) or _limits_behind(statement):
        return True
    if outcome.rule == "count of states" and any(measures(figure.amount.unit) for figure in statement.figures):
        return True
    return _has_unknown_name(statement, grid, mentions)


def _states_a_value(statement: Statement, grid: Grid) -> bool:
    """Whether a figure is more than there are records, and stands in one: 18,400 visitors are no count of records."""
    values = {number for column in grid.columns for number in column.numbers if number is not None}
    stated = {value for figure in statement.figures for value in figure.amount.values if value > grid.size}
    return not stated.isdisjoint(values)


def _compares(statement: Statement) -> bool:
    """Whether a word such as "than" follows a word of degree: one of the two things is then not found."""
    first = min((grade.start for grade in statement.grades), default=0)
    return any(word in _THAN and start > first for word, start, _end in statement.words)


def _limits_behind(statement: Statement) -> bool:
    """Whether the best is only the best with something, or that does something."""
    first = min((grade.end for grade in statement.grades), default=len(statement.text))
    return any(word in _LIMITING_AFTER and start >= first for word, start, _end in statement.words)


def _names_a_part(statement: Statement, grid: Grid) -> bool:
    """Whether a word of the sentence is in values of some records only: the curry of several dishes."""
    for column in grid.columns if grid.size > 1 else ():
        if column.kind is not ValueKind.TEXT:
            continue
        counts = Counter(word for text in column.texts for word in set(find_words(text)))
        if any(counts[word] < grid.size for word in statement.vocabulary & counts.keys() - STOP_WORDS):
            return True
    return False


def names_something(statement: Statement, grid: Grid) -> bool:
    """Whether a word of the sentence is in the name of a record."""
    names = (name for name in grid.names if not name.is_part)
    return any(not statement.vocabulary.isdisjoint(set(find_words(name.folded)) - STOP_WORDS) for name in names)


def _has_unknown_name(statement: Statement, grid: Grid, mentions: Sequence[Mention]) -> bool:
    """Whether the sentence names something that is no record found in it."""
    if statement.claim.unspaced:
        return False
    known = {fold(word) for mention in mentions for word in find_words(statement.text[mention.start : mention.end])}
    known |= {fold(word) for column in grid.columns for word in find_words(column.key.replace("_", " "))}
    return any(not known.issuperset(map(fold, find_words(name.text))) for name in statement.claim.names)
