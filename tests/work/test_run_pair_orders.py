"""In which orders compared cases may be listed: within their groups, what is not known last either way."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseSide
from trace_inspector.work.runs.comparison_requests import in_groups, orders_of

NO = (None, None)
PASSED, FAILED, UNKNOWN = CaseSide(Status.PASSED), CaseSide(Status.FAILED), CaseSide(Status.NOT_EVALUATED)


def line(name: str, group: Group, new: CaseSide = PASSED, words: str = "", score: float | None = None) -> CaseLine:
    return CaseLine(name, group, PASSED, new, words, ((0.5, score),), (None if score is None else 1.0, score))


LINES = in_groups(
    [
        line("u", Group.UNCHANGED, score=0.25),
        line("B", Group.REGRESSED, FAILED, "Turn 2", 0.5),
        line("n", Group.NEW, CaseSide()),
        line("a", Group.REGRESSED, UNKNOWN, "turn 1", 0.75),
        line("c", Group.REGRESSED, FAILED),
        line("d", Group.REGRESSED, CaseSide(Status.FAILED, "1 of 2"), "Turn 2", 0.5),
    ]
)


def names(column: int, *, turned: bool = False) -> str:
    return "".join(LINES[at].name for at in orders_of(LINES, 1)[column][turned])


def test_groups_stand_together_in_their_own_order() -> None:
    assert "".join(line.name for line in LINES) == "Bacdnu"


def test_each_column_up_and_down_within_groups() -> None:
    assert (names(0), names(0, turned=True)) == ("aBcdnu", "dcBanu")  # names, whatever their case
    assert (names(1), names(1, turned=True)) == ("Bcdanu", "adBcnu")  # the worst verdict first
    assert (names(2), names(2, turned=True)) == ("aBdcnu", "Bdacnu")  # words; without any last
    assert (names(3), names(3, turned=True)) == ("Bdacnu", "aBdcnu")  # a score that is not known last
    assert names(4) == names(3)
    assert len(orders_of(LINES, 1)) == 5
