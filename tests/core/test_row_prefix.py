from __future__ import annotations

import pickle

from msgspec.structs import replace

from tests.core.test_row_writer import turn, written
from tests.helpers.tables import each
from trace_inspector.core.rows.early_rows import RowsAfterEarly, rows_after_early
from trace_inspector.core.trace.trace import Agent, Trace, Turn

FIRST, SECOND = turn(0), turn(1)


def nothing_new(found: RowsAfterEarly | None) -> bool:
    return found is not None and not len(found.batch) and not found.batch.bodies and not found.bodies


def test_what_follows_on_rows_that_stay() -> None:
    whole = written(Trace("t"), FIRST, SECOND)
    early = written(Trace("t"), FIRST)
    found = rows_after_early(early, whole)
    assert found is not None
    assert found.bodies == {}
    assert (len(early) + len(found.batch), early.bodies + found.batch.bodies) == (len(whole), whole.bodies)
    assert (early.authors + found.batch.authors, len(early.authors)) == (whole.authors, 2)
    for name in ("kind", "parent", "place", "body", "label"):
        assert list(getattr(early, name)) + list(getattr(found.batch, name)) == list(getattr(whole, name))


def test_nothing_follows_on_the_same() -> None:
    assert nothing_new(rows_after_early(written(Trace("t"), FIRST), written(Trace("t"), FIRST)))


def test_more_may_be_known_of_a_trace() -> None:
    found = rows_after_early(written(Trace("t", span_count=4), FIRST), written(Trace("t", span_count=9), FIRST))
    assert found is not None
    assert {number: pickle.loads(body) for number, body in found.bodies.items()} == {0: Trace("t", span_count=9)}


def test_equal_turns_may_be_pickled_in_another_way() -> None:
    shared, alone = replace(FIRST, id="looked"), replace(FIRST, id="".join(["look", "ed"]))
    early = written(Trace("t"), replace(shared, final_author=shared.id or ""))
    whole = written(Trace("t"), replace(alone, final_author="looked"))
    assert early.bodies != whole.bodies
    assert nothing_new(rows_after_early(early, whole))


@each(
    "whole",
    [
        (Trace("t"), replace(FIRST, id="other")),
        (Trace("t"), replace(FIRST, place="/elsewhere")),
        (Trace("t"), SECOND),
        (Trace("t"),),
        (),
        (Trace("t", agents=(Agent("cook"),)), FIRST),
        (Trace("t"), replace(FIRST, final_author="somebody")),
        (Trace("t"), replace(FIRST, start_s=None)),
    ],
)
def test_rows_that_were_others(whole: tuple[Trace | Turn, ...]) -> None:
    assert rows_after_early(written(Trace("t"), FIRST), written(*whole)) is None
