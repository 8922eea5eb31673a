"""What becomes of cases from run to run."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.compared_runs import compare_runs


def case(name: str, status: Status, score: float | None = 1.0, metric: str = "m", needs: float = 0.5) -> CaseVerdict:
    return CaseVerdict(name, "s", "t", status, (MetricVerdict(metric, score, status, needs),))


P, F = Status.PASSED, Status.FAILED
PASSED = case("a", Status.PASSED)
FAILED = case("a", Status.FAILED, 0.0)


@each(
    ("base", "new", "change", "why"),
    [
        ([PASSED], [PASSED], Change.UNCHANGED, ""),
        ([FAILED], [FAILED], Change.UNCHANGED, ""),
        ([PASSED], [FAILED], Change.REGRESSED, ""),
        ([FAILED], [PASSED], Change.IMPROVED, ""),
        ([PASSED], [], Change.GONE, ""),
        ([], [PASSED], Change.NEW, ""),
        ([PASSED, FAILED], [FAILED, FAILED], Change.REGRESSED, ""),
        ([PASSED, FAILED], [PASSED, PASSED, FAILED], Change.IMPROVED, ""),
        ([PASSED], [case("a", Status.PASSED, needs=0.7)], Change.NOT_COMPARABLE,
         "different thresholds of m: 0.5 and 0.7"),
        ([case("a", P, needs=0.1 + 0.2)], [case("a", P, needs=0.3)], Change.UNCHANGED, ""),
        ([PASSED], [case("a", Status.PASSED, metric="n")], Change.NOT_COMPARABLE,
         "other criteria: m only in the baseline and 1 more"),
        ([PASSED], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE, "in the candidate it is error"),
        ([case("a", Status.NOT_EVALUATED, None)], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE,
         "in the baseline it is not evaluated, in the candidate it is error"),
        ([case("a", Status.ERROR, None)], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE,
         "in the baseline and the candidate it is error"),
        ([case("a", Status.INFORMATIONAL)], [case("a", Status.ERROR, None)], Change.NOT_COMPARABLE,
         "in the candidate it is error"),
        ([case("a", Status.INFORMATIONAL)], [PASSED], Change.NOT_COMPARABLE,
         "in the baseline nothing passes or fails; only scores are compared"),
    ],
)  # fmt: skip
def test_one_case(base: list[CaseVerdict], new: list[CaseVerdict], change: Change, why: str) -> None:
    (found,) = compare_runs(base, new).cases
    assert (found.change, found.why, found.name) == (change, why, "a")


def test_criteria_over_the_cases_that_both_scored() -> None:
    base = [case("a", Status.PASSED, 1.0), case("b", Status.FAILED, 0.2), case("gone", Status.PASSED, 1.0)]
    new = [case("a", Status.PASSED, 0.8), case("b", Status.PASSED, 0.6), case("b", Status.PASSED, 1.0)]
    found = compare_runs(base, new)
    (criterion,) = found.criteria
    assert (criterion.metric, criterion.cases, criterion.base) == ("m", 2, 0.6)
    assert criterion.new == pytest.approx(0.8)
    assert criterion.interval is not None
    assert criterion.interval.low < criterion.change < criterion.interval.high
    assert dict(found.counts) == {Change.UNCHANGED: 1, Change.IMPROVED: 1, Change.GONE: 1}
    assert (found.is_comparable, found.chance) == (True, 1.0)
    assert compare_runs(base[2:], []).is_comparable is False
    assert compare_runs([], []).chance is None


def golden(path: str, status: Status) -> CaseVerdict:
    return replace(case("a", status), golden_path=path)


@each(
    ("base", "new", "told"),
    [
        # Two files in both runs; the second run was made in another folder.
        (
            [("/x/g1/s.json", P), ("/x/g2/s.json", F)],
            [("y/g1/s.json", F), ("y/g2/s.json", P)],
            [("a (g1/s.json)", Change.REGRESSED), ("a (g2/s.json)", Change.IMPROVED)],
        ),
        # Two files in one run alone.
        (
            [("/x/g1/s.json", P), ("/x/g2/s.json", F)],
            [("/y/g1/s.json", F)],
            [("a (g1/s.json)", Change.REGRESSED), ("a (g2/s.json)", Change.GONE)],
        ),
        ([("g1.json", P)], [("g1.json", F), ("g2.json", P)],
         [("a (g1.json)", Change.REGRESSED), ("a (g2.json)", Change.NEW)]),
        # What tells them apart in one run does not in the other.
        (
            [("/x/g1/s.json", P), ("/x/g2/s.json", P)],
            [("/x/g1/s.json", F), ("/z/g1/s.json", P)],
            [("a (x/g1/s.json)", Change.REGRESSED), ("a (x/g2/s.json)", Change.GONE),
             ("a (z/g1/s.json)", Change.NEW)],
        ),
        # One file in each run, moved; and one file under two spellings.
        ([("/x/g1.json", P)], [("/y/g2.json", F)], [("a", Change.REGRESSED)]),
        ([("/x/s.json", P), ("/x/./s.json", P)], [("/x/s.json", F)], [("a", Change.REGRESSED)]),
        # What has no golden is not one of theirs.
        ([("/x/s.json", P), ("", P)], [("/x/s.json", P)], [("a", Change.UNCHANGED)]),
        ([("/g1", P), ("/g2", P), ("", P)], [("/g1", P), ("/g2", P), ("", F)],
         [("a (g1)", Change.UNCHANGED), ("a (g2)", Change.UNCHANGED), ("a", Change.REGRESSED)]),
    ],
    ids=["moved", "one-run", "other-run", "more-parts", "renamed", "one-file", "no-golden", "no-golden-beside-two"],
)  # fmt: skip
def test_goldens_of_several_files_that_are_named_alike(
    base: list[tuple[str, Status]], new: list[tuple[str, Status]], told: list[tuple[str, Change]]
) -> None:
    found = compare_runs([golden(*one) for one in base], [golden(*one) for one in new])
    assert [(one.name, one.change) for one in found.cases] == told


REPEATS = st.lists(st.sampled_from([P, F, Status.NOT_EVALUATED, Status.ERROR]), min_size=1, max_size=4).filter(
    lambda found: P in found or F in found
)


def _may_be(found: Sequence[Status]) -> set[Fraction]:
    """The shares that may have passed, by trying all that repeats that nobody decided may have come to."""
    each = [(one,) if one in (P, F) else (P, F) for one in found]
    return {Fraction(chosen.count(P), len(found)) for chosen in itertools.product(*each)}


@given(base=REPEATS, new=REPEATS)
def test_a_case_changed_only_if_it_did_whatever_became_of_each_repeat(base: list[Status], new: list[Status]) -> None:
    before, after = ([case("a", status) for status in side] for side in (base, new))
    (found,) = compare_runs(before, after).cases
    changes = {(late > early) - (late < early) for early in _may_be(base) for late in _may_be(new)}
    wanted = {1: Change.IMPROVED, -1: Change.REGRESSED, 0: Change.UNCHANGED}
    assert found.change is (wanted[changes.pop()] if len(changes) == 1 else Change.NOT_COMPARABLE)
    assert bool(found.why) is (found.change is Change.NOT_COMPARABLE)


ANY = st.lists(st.sampled_from([*Status]), min_size=1, max_size=3)
TURNED = {Change.IMPROVED: Change.REGRESSED, Change.REGRESSED: Change.IMPROVED}


@given(base=ANY, new=ANY)
def test_the_other_way_round_the_same_is_said_of_the_other_side(base: list[Status], new: list[Status]) -> None:
    before, after = ([case("a", status) for status in side] for side in (base, new))
    (there,), (back,) = (compare_runs(*sides).cases for sides in ((before, after), (after, before)))
    assert back.change is TURNED.get(there.change, there.change)
    assert back.has_scores is there.has_scores
    for status in ("error", "not evaluated", "pending", "skipped", "nothing passes"):
        assert (status in back.why) is (status in there.why)
    if Status.ERROR in (*base, *new) and not there.has_scores:
        told = [side for side in (base, new) if not {P, F, Status.INFORMATIONAL} & {*side} and Status.ERROR in side]
        assert ("error" in there.why) is bool(told)


def in_file(path: str, verdict: CaseVerdict) -> CaseVerdict:
    return replace(verdict, trace_path=path)


def test_two_files_of_a_case_are_compared_each_with_itself_unless_they_are_repeats() -> None:
    base = [in_file("/a/old.json", PASSED), in_file("/a/new.json", FAILED)]
    new = [in_file("/b/old.json", FAILED), in_file("/b/new.json", PASSED)]
    (repeated,) = compare_runs(base, new).cases
    assert (repeated.name, repeated.change) == ("a", Change.UNCHANGED)
    cases = compare_runs(base, new, files_apart=True).cases
    assert [(found.name, found.change) for found in cases] == [
        ("a (old.json)", Change.REGRESSED),
        ("a (new.json)", Change.IMPROVED),
    ]


def test_runs_without_a_file_in_common_are_compared_by_case() -> None:
    base, new = [in_file("/a/x.json", PASSED)], [in_file("/a/y.json", FAILED), in_file("/a/z.json", FAILED)]
    (found,) = compare_runs(base, new, files_apart=True).cases
    assert (found.name, found.change) == ("a", Change.REGRESSED)
