"""Goldens of turns that went wrong at a call: they expect what was called before, and fail those turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.models.stories import call, trace, turn
from trace_inspector.cli import main
from trace_inspector.core.golden.promoting import PromotionChoice, promoted
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.flows.goldens.golden_files import new_suite
from trace_inspector.flows.opening.convert_file import save_converted
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.resources import folder

RUN = folder("samples") / "run-0412.json"
METRIC = "tool_trajectory_avg_score"


def test_what_comes_before_the_wrong_call_stays() -> None:
    recorded = trace("case", turn(0, "Book it.", call("find", day=1), call("book", day=2), call("pay")))
    expected = []
    for number in range(4):
        case = promoted(recorded, PromotionChoice((0,), faults={0: number}))
        expected.append([each.name for each in calls_of(case.turns[0])])
        assert (case.turns[0].final_response is None) is (number < 3)
    assert expected == [[], ["find"], ["find", "book"], ["find", "book", "pay"]]


def test_an_exact_criterion_fails_the_turns_of_the_mode(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = next(
        each.trace
        for file in open_given([RUN])
        for each in recorded_in(file)
        if len(calls_of(each.trace.turns[0])) > 1
    )
    wants = frozenset({"calls", "transfers"})
    for faults, status in (({}, "PASSED"), ({0: 0}, "FAILED"), ({0: 1}, "FAILED")):
        suite = tmp_path / f"{len(faults)}-{faults.get(0)}.evalset.json"
        case = promoted(recorded, PromotionChoice(None, wants, faults))
        save_converted(new_suite((case,)), suite)
        main(["evaluate", str(RUN), "--golden", str(suite), "--only", METRIC, "--json"])
        found = json.loads(capsys.readouterr().out)
        decided = [each["status"] for each in found["cases"] if each["status"] != "NOT_EVALUATED"]
        assert decided == [status], faults  # the other conversations have no golden
