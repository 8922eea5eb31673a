"""What a calculation says of a sentence, and which columns and states of a table a sentence is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, State, ValueKind
from trace_inspector.engine.grounding.calculations.statement import StatedFigure, factor_between
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS
from trace_inspector.engine.grounding.text.units import measures

_UNMATCHED: Final = 0.4
_SAME_UNIT: Final = 2.0
_MAX_NAMED: Final = 6


@dataclass(frozen=True, slots=True)
class Outcome:
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
    return sum(2.0 if concept in CONCEPTS else 1.0 for concept in own & concepts)


def matching_states(grid: Grid, concepts: frozenset[str], text: str = "") -> list[State]:
    """The states that a sentence names, those with most in common only."""
    scored: list[tuple[float, State]] = []
    for state in grid.states:
        score = concept_score(state.concepts, concepts)
        if not score and state.column.kind is ValueKind.TEXT and text and has_word(text, state.value):
            score = 2.0
        if score > 0 and state.column.kind is ValueKind.TEXT:
            score += 0.5 * concept_score(state.column.concepts, concepts)
        if score > 0:
            scored.append((score, state))
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
