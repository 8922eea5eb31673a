"""A case and a trace as rows of paired turns, by our rules or by another system's."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import zip_longest

from trace_inspector.core.alignment.turn_alignment import TurnPair, align_turns
from trace_inspector.core.golden.golden import Case, with_rubrics
from trace_inspector.core.trace.trace import Trace, kept_by_adk
from trace_inspector.engine.criteria.rules import rules_named
from trace_inspector.engine.scoring.metric import PairedTurn


def pair_rows(case: Case | None, trace: Trace, rules: str) -> tuple[PairedTurn, ...]:
    """Golden and observed turns side by side. A scenario has no golden turns; ADK pairs by position."""
    golden = case.turns if case is not None and case.scenario is None else ()
    observed = trace.turns
    if rules == "adk":
        golden, observed = tuple(map(kept_by_adk, golden)), tuple(map(kept_by_adk, observed))
    if rules_named(rules).by_position:
        return tuple(PairedTurn(left, right) for left, right in zip_longest(golden, observed))
    pairs = align_turns(golden, observed) if golden else [TurnPair(None, at) for at in range(len(observed))]
    return tuple(
        PairedTurn(
            None if pair.golden is None else golden[pair.golden],
            None if pair.observed is None else observed[pair.observed],
        )
        for pair in pairs
    )


def with_case_rubrics(case: Case | None, rows: tuple[PairedTurn, ...]) -> tuple[PairedTurn, ...]:
    """Rows whose observed turns carry their own rubrics, then those of the case, then those of the golden turn."""
    if case is None or not (case.rubrics or any(row.golden and row.golden.rubrics for row in rows)):
        return rows
    return tuple(
        row if row.observed is None else replace(row, observed=with_rubrics(row.observed, case, row.golden))
        for row in rows
    )


def adk_refusal(case: Case | None, rows: tuple[PairedTurn, ...]) -> str:
    """Why ADK would not judge this case at all, "" when it would."""
    for row in with_case_rubrics(case, rows):
        ids = Counter(rubric.id for rubric in (row.observed.rubrics if row.observed else ()))
        repeated = next((name for name, count in ids.items() if count > 1), None)
        if repeated is not None:
            return f"the rubric id “{repeated}” is used twice; ADK does not judge such a case"
    return ""
