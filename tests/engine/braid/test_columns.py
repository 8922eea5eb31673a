"""Runs aligned into columns: a longest common subsequence, and an order that holds for every run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.engine.braid.attempts import Attempt, AttemptStep, Label, StepKind
from trace_inspector.engine.braid.columns import MOST_COLUMNS, Braid, braid_of, longest_common
from trace_inspector.engine.braid.findings import explain

LABELS = st.sampled_from([(StepKind.CALL, name) for name in "abcde"])
WAYS = st.lists(LABELS, max_size=12)


def attempt(labels: Sequence[Label], failed: bool = False, number: int = 0) -> Attempt:
    steps = tuple(AttemptStep(label, 0) for label in labels)
    return Attempt(("suite", "case", "", ""), failed, steps, trace_id=f"run-{number}")


def attempts_of(ways: Sequence[Sequence[Label]]) -> list[Attempt]:
    return [attempt(way, number % 3 == 0, number) for number, way in enumerate(ways)]


def length_by_table(left: Sequence[Label], right: Sequence[Label]) -> int:
    above = [0] * (len(left) + 1)
    for label in right:
        row = [0]
        for index, other in enumerate(left):
            row.append(above[index] + 1 if label == other else max(row[-1], above[index + 1]))
        above = row
    return above[-1]


@given(WAYS, WAYS)
@examples(200, 5_000)
def test_the_pairs_are_a_longest_common_subsequence(left: list[Label], right: list[Label]) -> None:
    pairs = longest_common(left, right)
    assert all(right[i] == left[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    assert len(pairs) == length_by_table(left, right)


@given(st.lists(WAYS, min_size=1, max_size=8))
@examples(100, 2_000)
def test_every_run_goes_through_its_columns_in_order(ways: list[list[Label]]) -> None:
    attempts = attempts_of(ways)
    braid = braid_of(attempts)
    for index, own in enumerate(attempts):
        columns = [column for column in braid.visits[index] if column is not None]
        assert columns == sorted(set(columns))
        assert len(columns) == len(own.steps)
        for step, column in zip(own.steps, columns, strict=True):
            branch = next(each for each in braid.columns[column].branches if each.label == step.label)
            assert branch.runs >> index & 1
    assert sum(branch.runs.bit_count() for column in braid.columns for branch in column.branches) == sum(
        map(len, ways)
    )


@given(st.lists(WAYS, min_size=1, max_size=8), st.randoms(use_true_random=False))
@examples(60, 1_000)
def test_the_order_of_the_runs_changes_nothing(ways: list[list[Label]], random: Random) -> None:
    attempts = attempts_of(ways)
    mixed = list(attempts)
    random.shuffle(mixed)
    assert explain(mixed) == explain(attempts)


def titles(braid: Braid) -> list[list[str]]:
    return [[branch.label[1] for branch in column.branches] for column in braid.columns]


def test_what_takes_another_way_stands_beside_it() -> None:
    usual = [(StepKind.CALL, name) for name in ("find", "book", "pay")]
    other = [(StepKind.CALL, name) for name in ("find", "ask", "pay")]
    braid = braid_of([attempt(usual), attempt(usual, number=1), attempt(other, number=2)])
    assert titles(braid) == [["find"], ["book", "ask"], ["pay"]]


def test_an_optional_step_at_two_places_leaves_the_others_together() -> None:
    early = [(StepKind.CALL, name) for name in ("news", "find", "pay")]
    late = [(StepKind.CALL, name) for name in ("find", "news", "pay")]
    plain = [(StepKind.CALL, name) for name in ("find", "pay")]
    braid = braid_of([attempt(way, number=number) for number, way in enumerate([plain] * 5 + [early, late] * 2)])
    counts = {branch.label[1]: branch.runs.bit_count() for column in braid.columns for branch in column.branches}
    assert counts["find"] == counts["pay"] == 9


def test_more_steps_than_columns_are_counted() -> None:
    ways = [[(StepKind.CALL, f"{run}-{number}") for number in range(1_000)] for run in range(4)]
    braid = braid_of([attempt(way, number=number) for number, way in enumerate(ways)])
    assert len(braid.columns) <= MOST_COLUMNS
    assert braid.unplaced == 1_000
