"""Sentences that follow from records by a calculation: counts, sums, extremes, differences, conversions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.calculations.arithmetic import (
    average_of_records,
    product_of_attribute,
    sum_of_records,
)
from trace_inspector.engine.grounding.calculations.changes import change_in_percent
from trace_inspector.engine.grounding.calculations.columns import Grid, grid_of
from trace_inspector.engine.grounding.calculations.counting import (
    count_beyond,
    count_records,
    count_states,
    reported_total,
    share_of_records,
)
from trace_inspector.engine.grounding.calculations.durations import (
    attribute_in_other_words,
    time_between,
    weekday_of_date,
)
from trace_inspector.engine.grounding.calculations.limits import is_of_a_part
from trace_inspector.engine.grounding.calculations.log_lines import log_line, order_of_lines
from trace_inspector.engine.grounding.calculations.ordering import (
    compared_records,
    difference_of_records,
    extreme_record,
    ratio_of_records,
)
from trace_inspector.engine.grounding.calculations.outcome import Outcome
from trace_inspector.engine.grounding.calculations.statement import Mention, Statement
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.tables.record import RecordFinding, Table

Rule: TypeAlias = Callable[[Statement, Grid, tuple[Mention, ...]], Outcome | None]

_RULES: Final[tuple[Rule, ...]] = (
    order_of_lines,
    log_line,
    change_in_percent,
    difference_of_records,
    ratio_of_records,
    compared_records,
    average_of_records,
    sum_of_records,
    share_of_records,
    count_beyond,
    count_states,
    reported_total,
    count_records,
    attribute_in_other_words,
    time_between,
    weekday_of_date,
    product_of_attribute,
    extreme_record,
)
_MAX_TABLES: Final = 12
_MAX_EXCERPT_RECORDS: Final = 4
_MAX_EXCERPT_CHARS: Final = 600


def check_calculation(claim: Claim, tables: Sequence[Table]) -> RecordFinding | None:
    """What a calculation over the newest tables says of a sentence, when it surely states this calculation."""
    if claim.question or claim.introduces or not tables:
        return None
    statement = Statement(claim)
    found: list[tuple[Grid, Outcome]] = []
    for table in tables[-_MAX_TABLES:]:
        grid = grid_of(table)
        mentions = statement.mentions(grid)
        for rule in _RULES:
            outcome = rule(statement, grid, mentions)
            if outcome is not None:
                if not is_of_a_part(statement, grid, mentions, outcome):
                    found.append((grid, outcome))
                break
    if not found:
        return None
    if any(not table.is_complete for table in tables):
        found = [pair for pair in found if pair[1].holds or pair[1].rule != "count of records"]
    holding = [pair for pair in found if pair[1].holds]
    return _finding(*(holding or found)[-1]) if found else None


def _finding(grid: Grid, outcome: Outcome) -> RecordFinding:
    texts = (grid.table.records[record].text for record in outcome.records[:_MAX_EXCERPT_RECORDS])
    return RecordFinding(
        SentenceSupport.SUPPORTED if outcome.holds else SentenceSupport.CONTRADICTORY,
        outcome.rule,
        outcome.reason,
        " | ".join(texts)[:_MAX_EXCERPT_CHARS],
        grid.table.source,
    )
