"""Of cases that are the same on both sides ids are read only where their order has to be shown."""

from __future__ import annotations

from tests.flows.merges import BASE, cases_of, of, suite
from trace_inspector.core.golden.three_way import ChangedBy


def test_where_the_order_differs_every_case_has_its_id_on_both_sides() -> None:
    mine = suite(*reversed(cases_of(BASE)), name="Shop")
    theirs = suite(*(cases_of(BASE)[at] for at in (1, 0, 2, 3)), name="Shop")
    merge = of(BASE, mine, theirs)
    assert merge.order is ChangedBy.CONFLICT
    assert [case.id for case in merge.in_order(mine_leads=True)] == ["c3", "c2", "c1", "c0"]
    assert [case.id for case in merge.in_order(mine_leads=False)] == ["c1", "c0", "c2", "c3"]


def test_in_the_same_order_only_what_changed_is_read() -> None:
    merge = of(BASE, BASE, suite(*cases_of(BASE)[:3], name="Shop"))
    assert [case.id for case in merge.in_order(mine_leads=False) if case.id] == ["c3"]
