"""By how many percent an attribute of one record is more or less than that of another: growth, decline, mark-ups."""

from __future__ import annotations

import re
from typing import Final

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, ValueKind
from trace_inspector.engine.grounding.calculations.ordering import compared_pair
from trace_inspector.engine.grounding.calculations.outcome import Outcome, agreed, likely_columns, shown
from trace_inspector.engine.grounding.calculations.statement import Mention, StatedFigure, Statement, is_rounded
from trace_inspector.engine.grounding.text.folding import folded_words

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
