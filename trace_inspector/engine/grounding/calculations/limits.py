"""Whether a sentence speaks of a part of the records only: a figure over all of them says nothing against it then."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Grid, ValueKind
from trace_inspector.engine.grounding.calculations.outcome import Outcome
from trace_inspector.engine.grounding.calculations.statement import Mention, Statement
from trace_inspector.engine.grounding.lexicon.calculation_words import AFTER, BEFORE, DIFFERENCE, JOINED_COMPARATIVE
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.units import measures
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import find_words

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
