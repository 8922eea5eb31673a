"""The table of two compared runs, and their words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelection, QModelIndex, QObject, Qt
from PySide6.QtWidgets import QApplication

from tests.models.conftest import HoldToRules
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.runs import run_pair_words as words
from trace_inspector.models.runs.run_pair import RunPair
from trace_inspector.models.runs.run_pair_table import RunPairTable
from trace_inspector.models.runs.run_writer import RunWriter
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.runs.comparison_messages import (
    CaseLine,
    CaseLines,
    CaseSide,
    CriterionChange,
    PairHead,
    RunSide,
    Tally,
)
from trace_inspector.work.runs.comparison_requests import orders_of
from trace_inspector.work.runs.run_store import RenameRun

P, F = CaseSide(Status.PASSED), CaseSide(Status.FAILED)
NO = (None, None)


def line(name: str, group: Group, score: tuple[float | None, float | None] = NO) -> CaseLine:
    return CaseLine(name, group, F, P, f"about {name}", (score,), NO)


def head(*counts: tuple[Group, int], chance: float | None = None, lines: Sequence[CaseLine] = ()) -> PairHead:
    told, orders = dict.fromkeys(Group, 0) | dict(counts), orders_of(lines, 1)
    return PairHead(
        tuple(told.items()), 0, Tally(40, 37, 28), Tally(40, 40, 30), chance, (), (), (), (), ("m",), orders
    )


@pytest.fixture
def pair(qapp: QApplication) -> RunPair:  # noqa: ARG001 - signals need one
    jobs, owner = Jobs(), QObject()
    made = RunPair(jobs, RunWriter(jobs, owner), Messages(owner))
    made.setProperty("owner", owner)
    lines = (
        line("b", Group.REGRESSED, (1.0, 0.9)),
        line("c", Group.REGRESSED),
        line("a", Group.REGRESSED, (1.0, 0.2)),
        line("d", Group.UNCHANGED, (0.5, 0.5)),
    )
    made.compared.take(head(lines=lines))
    made.compared.take(CaseLines(lines))
    return made


def names(table: RunPairTable) -> list[list[str]]:
    groups = [table.index(row, 0) for row in range(table.rowCount())]
    return [[table.index(row, 0, group).data() for row in range(table.rowCount(group))] for group in groups]


def test_sorting_stays_within_groups_and_what_is_not_known_is_last(pair: RunPair, hold_to_rules: HoldToRules) -> None:
    table = RunPairTable(pair)
    hold_to_rules(table)
    pair.changed.emit()
    assert names(table) == [["b", "c", "a"], ["d"]]
    table.sort(3, Qt.SortOrder.AscendingOrder)
    assert names(table) == [["a", "b", "c"], ["d"]]
    table.sort(3, Qt.SortOrder.DescendingOrder)
    assert names(table) == [["b", "a", "c"], ["d"]]
    table.sort(-1)
    assert names(table) == [["b", "c", "a"], ["d"]]
    assert [table.index_of("a").siblingAtColumn(at).data() for at in (3, 4)] == ["−0.80", "–"]
    assert table.index_of("d").siblingAtColumn(3).data() == "0.00"


def test_words_and_group_filter_together(pair: RunPair) -> None:
    table = RunPairTable(pair)
    pair.changed.emit()
    table.filter(words="ABOUT failed")
    assert table.shown == 4
    table.filter(words="unchanged")
    assert names(table) == [["d"]]
    table.filter(only=Group.REGRESSED)
    assert names(table) == []
    table.filter(words="", every=True)
    assert table.shown == 4
    assert not table.index_of("nobody").isValid()


def test_words_and_order_together(pair: RunPair) -> None:
    table = RunPairTable(pair)
    pair.changed.emit()
    table.sort(0, Qt.SortOrder.DescendingOrder)
    assert names(table) == [["c", "b", "a"], ["d"]]
    table.filter(words="about regressed failed")
    assert names(table) == [["c", "b", "a"]]
    table.filter(words="a a")
    assert table.line(table.index_of("a")) is pair.compared.lines[2]
    assert table.group(table.index_of("d")) is Group.UNCHANGED


def test_rows_are_laid_out_without_python() -> None:
    asked = {"index", "parent", "flags", "rowCount", "columnCount", "hasChildren"}
    assert not asked & vars(RunPairTable).keys(), "Qt asks these of each of 10,000 rows at each key"


def test_typed_letters_go_to_the_next_name_and_round(pair: RunPair) -> None:
    table = RunPairTable(pair)
    pair.changed.emit()
    at = table.next_named("C", table.index_of("b"), further=True)
    assert at.data() == "c"
    assert table.next_named("c", at, further=False) == at
    assert table.next_named("c", at, further=True) == at, "round to itself"
    assert table.next_named("b", at, further=True).data() == "b", "round from the top"
    assert table.next_named("d", table.index(0, 0), further=True).data() == "d"
    assert table.next_named("b", table.index(0, 0), further=False).data() == "b", "from a group its first case on"
    assert table.next_named("a", QModelIndex(), further=False).data() == "a"
    assert not table.next_named("about", at, further=True).isValid(), "names alone count"


def test_copied_rows_stand_in_their_order(pair: RunPair) -> None:
    table = RunPairTable(pair)
    pair.changed.emit()
    chosen, rows = QItemSelection(), (table.index_of("d"), table.index_of("a"), table.index(1, 0))
    for row in rows:
        chosen.select(row, row.siblingAtColumn(table.columnCount() - 1))
    assert table.rows_text(chosen).split("\n") == [
        "a\tfailed → passed\tabout a\t−0.80\t–",
        "Unchanged 1",
        "d\tfailed → passed\tabout d\t0.00\t–",
    ]


@pytest.mark.parametrize(("is_score", "scores"), [(True, [3]), (False, [])], ids=["score", "count"])
def test_of_a_count_nobody_says_what_is_better(pair: RunPair, scores: list[int], *, is_score: bool) -> None:
    found, table = pair.head, RunPairTable(pair)
    assert found is not None
    pair.compared.take(replace(found, criteria=(CriterionChange("m", 3, 1.0, 2.0, is_score=is_score),)))
    pair.changed.emit()
    assert [column for column in range(table.columnCount()) if table.is_score(column)] == scores


def test_of_repeats_the_groups_speak_of_shares(pair: RunPair) -> None:
    table = RunPairTable(pair)
    pair.changed.emit()
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert table.index(0, 0).data(spoken) == "Regressed 3, passed before, fail now"
    before, after = CaseSide(Status.FAILED, "4 of 5"), CaseSide(Status.FAILED, "1 of 5")
    lines = (replace(line("e", Group.REGRESSED), base=before, new=after),)
    pair.compared.lines[:] = []
    pair.compared.take(head(lines=lines))
    pair.compared.take(CaseLines(lines))
    pair.changed.emit()
    told = "Regressed 1, fewer of the repeats pass than before"
    assert [table.index(0, 0).data(role) for role in (spoken, Qt.ItemDataRole.ToolTipRole)] == [told, told]
    assert table.shares == {("4 of 5", "1 of 5")}
    assert table.index_of("e").siblingAtColumn(1).data() == "failed (4 of 5) → failed (1 of 5)"


def test_the_headline_hides_nothing() -> None:
    found = head(
        (Group.IMPROVED, 5), (Group.WORSE, 1), (Group.UNCHANGED, 29), (Group.GONE, 1), (Group.NOT_COMPARABLE, 3)
    )
    told = "5 improved, 0 regressed, 30 unchanged (1 with a worse score), 1 missing, 3 not comparable"
    assert words.headline(found) == told
    assert words.undecided(found) == "Not decided: 3 of 40 before."


def test_chance_is_told_of_the_cases_that_it_is_about() -> None:
    # Three got worse and one better of ten: 2 · (1 + 4) / 16.
    groups = ((Group.REGRESSED, 3), (Group.IMPROVED, 1), (Group.UNCHANGED, 5), (Group.WORSE, 1), (Group.NEW, 7))
    found = replace(head(*groups, chance=0.625), shares=(0.7, 0.5))
    assert words.certainty(found) == (
        "Of 10 cases that both decided 3 got worse and 1 better (p = 0.62 by chance: within noise); "
        "70.0 % of them passed before, 50.0 % now."
    )
    assert "unlikely to be chance" in words.certainty(replace(found, chance=0.01))
    steady = replace(head((Group.UNCHANGED, 1)), shares=(1.0, 1.0))
    assert (
        words.certainty(steady)
        == "Of 1 case that both decided none changed; 100.0 % of them passed before, 100.0 % now."
    )
    assert words.certainty(head((Group.NEW, 3))) == ""


def test_a_run_is_called_by_its_new_name(pair: RunPair) -> None:
    pair.base, pair.new = RunSide("one", "2026-04-05"), RunSide("two", "2026-04-12")
    pair._follow(RenameRun("two", "prompt v15"))
    assert (pair.base.title, pair.new.title) == ("2026-04-05", "prompt v15")
