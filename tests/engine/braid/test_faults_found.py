"""Seeded faults are found, shuffled outcomes name nothing: the short form of benchmarks/explain_causes.py."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.explain_causes import TOP, falsely_named
from tests.helpers.many_runs import FAULTS, faulty_runs, is_told
from trace_inspector.engine.braid.findings import explain


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_among_the_first(name: str) -> None:
    told = named = 0
    for trial in range(8):
        findings = explain(faulty_runs(FAULTS[name], Random(f"short {name} {trial}"))).findings[:TOP]
        hits = [finding for finding in findings if is_told(finding, FAULTS[name])]
        told += bool(hits)
        named += any(finding.is_significant for finding in hits)
    assert told >= 7
    assert named >= 7


def test_shuffled_outcomes_name_hardly_anything() -> None:
    assert falsely_named(40, 29, 10, 10) <= 4


def test_few_runs_cannot_tell() -> None:
    explanation = explain(faulty_runs(FAULTS["skipped call"], Random(1), 2, 2))
    assert explanation.findings
    assert explanation.named == ()
