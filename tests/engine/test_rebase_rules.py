"""What a decision decides: a conflict by its case alone, and what the golden no longer has not at all."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from trace_inspector.engine.rebasing.difference import ChangeKind, Difference
from trace_inspector.engine.rebasing.rule import Decided, RebaseDecision, Rule, settled

CASE = "refund"
EDITED = Difference(ChangeKind.TOOL_REPLACED, 0, "find", to="look", call=2, made=2, conflict="this call was edited")
ADDED = Difference(ChangeKind.CALL_ADDED, 0, "find", made=2)


@pytest.mark.parametrize(
    ("difference", "of_all", "of_case", "then"),
    [
        (EDITED, RebaseDecision.ACCEPT, None, RebaseDecision.LATER),
        (EDITED, None, RebaseDecision.ACCEPT, RebaseDecision.ACCEPT),
        (replace(EDITED, call=None), None, RebaseDecision.ACCEPT, RebaseDecision.LATER),
        (replace(EDITED, call=None), None, RebaseDecision.LOOSEN, RebaseDecision.LATER),
        (replace(EDITED, call=None), RebaseDecision.REJECT, None, RebaseDecision.REJECT),
        (ADDED, RebaseDecision.ACCEPT, None, RebaseDecision.ACCEPT),
    ],
)
def test_what_decides_a_conflict(
    difference: Difference, of_all: RebaseDecision | None, of_case: RebaseDecision | None, then: RebaseDecision
) -> None:
    rule = Rule(difference.kind, ("find",), to=difference.to)
    exceptions = () if of_case is None else ((CASE, of_case),)
    assert settled(difference, CASE, (Decided(rule, of_all, exceptions=exceptions),)).decision is then


def test_of_two_rules_that_say_equally_much_the_more_cautious_decides_in_any_order() -> None:
    difference = Difference(ChangeKind.ARGUMENT_VALUE, 0, "search", "/limit", old=40, new=80)
    rows = (
        Decided(Rule(difference.kind, ("search",), "/limit", relation="times 2"), RebaseDecision.ACCEPT),
        Decided(Rule(difference.kind, ("search",), "/limit", relation="plus 40"), RebaseDecision.REJECT),
    )
    for order in (rows, rows[::-1]):
        assert settled(difference, CASE, order).decision is RebaseDecision.REJECT
