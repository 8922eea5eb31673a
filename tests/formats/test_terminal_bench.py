"""Results of Terminal-Bench: trials with their verdicts, tokens and times; tasks as cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.opened import codes, opened, spoken
from tests.formats.terminal_bench_files import results, trial
from trace_inspector.core.trace.trace import Usage, turn_usage
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Status


def test_each_trial_is_a_conversation_with_its_verdict(tmp_path: Path) -> None:
    contents = opened(tmp_path, results(), "terminal-bench")
    assert [(trace.id, trace.case_id, trace.case_runs) for trace in contents.traces] == [
        ("price.1-of-2.run", "price", 2),
        ("price.2-of-2.run", "price", 2),
        ("rule.1-of-2.run", "rule", 1),
    ]
    assert [(case.status, case.repeat, case.reason) for case in contents.reported] == [
        (Status.PASSED, 0, ""),
        (Status.FAILED, 1, "agent timeout"),
        (Status.NOT_EVALUATED, 0, "parse error"),
    ]
    first = contents.traces[0].turns[0]
    assert (spoken(contents.traces[0]), turn_usage(first)) == (
        [("Mend price.", "")],
        Usage(prompt=100, candidates=20),
    )
    assert first.duration_s == 90.0
    assert turn_usage(contents.traces[1].turns[0]) == Usage()
    assert codes(contents) == {"records-understood": "3 of 3 records are understood."}


def test_tests_are_expectations_of_one_metric(tmp_path: Path) -> None:
    (metric,) = opened(tmp_path, results(), "terminal-bench").reported[1].metrics
    assert (metric.metric, metric.score, metric.reason) == ("tests", 0.5, "1 of 2 tests passed")
    assert [(one.what, one.status, one.place) for one in metric.expectations] == [
        ("test_price", Status.PASSED, "/results/1/parser_results/test_price"),
        ("test_rule/limit", Status.FAILED, "/results/1/parser_results/test_rule~1limit"),
    ]


def test_tasks_are_cases(tmp_path: Path) -> None:
    (suite,) = opened(tmp_path, results(), "terminal-bench").suites
    assert [case.id for case in suite.cases] == ["price", "rule"]
    assert {extra.name for extra in suite.extras} == {"id", "pass_at_k", "n_resolved", "n_unresolved", "accuracy"}


def test_a_count_that_the_trials_do_not_bear_out_is_told(tmp_path: Path) -> None:
    found = codes(opened(tmp_path, results(stated=3), "terminal-bench"))
    assert found["counts-differ"] == "The file states 3 resolved trials; of those in it 1 are."


def test_one_trial_alone_is_read_as_well(tmp_path: Path) -> None:
    contents = opened(tmp_path, trial("price", 1, resolved=True), "terminal-bench")
    assert [case.status for case in contents.reported] == [Status.PASSED]


@pytest.mark.parametrize(
    "trials",
    [
        [trial("price", 1, resolved=True), {}, 7, {"task_id": 5}, trial("price", 1, resolved=False)],
        [trial("price", 1, resolved=True, parser_results={"": 5, "a": None}, instruction=5, agent_started_at="soon")],
    ],
)
def test_odd_results_are_read_as_far_as_they_go(tmp_path: Path, trials: list[Json]) -> None:
    assert "records-understood" in codes(opened(tmp_path, {"results": trials}, "terminal-bench"))
