"""The first wrong call of a run: what a finding tells, or what was called in place of what is skipped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.helpers.many_runs import Made, attempt
from trace_inspector.engine.braid.features import FeatureKind
from trace_inspector.engine.braid.findings import Finding, explain
from trace_inspector.engine.braid.first_wrong import wrong_calls

RIGHT: Made = [("find", {}), ("check", {}), ("quote", {"amount": 3, "currency": "USD"}), ("book", {})]


def explained(wrong: Made, right: Made = RIGHT) -> tuple[list[Finding], Callable[[Finding], list[tuple[int, int]]]]:
    attempts = [attempt(wrong if number < 10 else right, number < 10, f"run {number:02}") for number in range(20)]
    found = explain(attempts)
    findings = [one for lead in found.findings for one in (lead, *lead.same, *lead.follows)]
    return findings, lambda one: [(each.turn, each.call) for each in wrong_calls(one, found.attempts, found.braid)]


@pytest.mark.parametrize(
    ("wrong", "kind", "name", "absent", "call"),
    [
        ([RIGHT[0], *RIGHT[2:]], FeatureKind.STEP, "check", True, 1),
        ([*RIGHT[:3], ("cancel", {}), RIGHT[3]], FeatureKind.STEP, "cancel", False, 3),
        ([*RIGHT[:2], ("quote", {"amount": 3, "currency": "EUR"}), RIGHT[3]], FeatureKind.VALUE, "quote", False, 2),
        ([*RIGHT[:2], ("quote", {"amount": 900, "currency": "USD"}), RIGHT[3]], FeatureKind.RANGE, "quote", False, 2),
        ([*RIGHT[:2], ("quote", {"amount": 3}), RIGHT[3]], FeatureKind.ARGUMENT, "quote", True, 2),
        ([*RIGHT[:2], RIGHT[1], RIGHT[1], *RIGHT[2:]], FeatureKind.REPEATS, "check", False, 2),
        ([RIGHT[0], RIGHT[2], RIGHT[1], RIGHT[3]], FeatureKind.ORDER, "", None, 1),
    ],
)
def test_the_first_wrong_call(wrong: Made, kind: FeatureKind, name: str, absent: bool | None, call: int) -> None:
    findings, calls_of = explained(wrong)
    own = [
        one
        for one in findings
        if one.feature.kind is kind and name in ("", one.feature.label[1]) and absent in (None, one.absent)
    ]
    assert (0, call) in [calls_of(one)[0] for one in own if calls_of(one)]
    assert all(len(calls_of(one)) == 10 for one in own[:1])


def test_what_stops_early_has_no_wrong_call() -> None:
    findings, calls_of = explained(RIGHT[:1])
    assert all(calls_of(one) == [] for one in findings if one.feature.kind in (FeatureKind.STOP, FeatureKind.COUNT))
    skipped = [one for one in findings if one.absent and one.feature.kind is FeatureKind.STEP]
    assert skipped
    assert all(calls_of(one) == [] for one in skipped)
