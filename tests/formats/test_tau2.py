"""tau2-bench: tasks as cases, simulations as conversations, rewards with what they are based on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import tau2_files
from tests.helpers.tables import each
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.expectation import Expects
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Provenance, Status
from trace_inspector.flows.opening.open_file import open_file


def contents_of(folder: Path, value: Json) -> Contents:
    """What is read of a file of tau2-bench."""
    path = folder / "tasks.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == "tau2"
    return contents


TASKS: dict[str, Json] = {
    "a list": [tau2_files.task()],
    "one alone": tau2_files.task(),
    "results": tau2_files.results(),
}


@each("kind", TASKS)
def test_tasks_are_cases(tmp_path: Path, kind: str) -> None:
    (case,) = contents_of(tmp_path, TASKS[kind]).suites[0].cases
    assert case.scenario is not None
    assert case.scenario.persona is not None
    assert (case.id, case.scenario.plan) == ("parking", "You want to park.\nAsk once.")
    assert case.scenario.persona.description == "In a hurry."
    assert case.scenario.facts == (("known_info", "You are in Lima."), ("unknown_info", "The address."))
    kinds = [(one.kind, one.text or one.compared_by) for one in case.expectations]
    assert kinds == [
        (Expects.CALL, ""),
        (Expects.CALL, ""),
        (Expects.CRITERION, "The agent names a garage."),
        (Expects.ANSWER, "CONTAINS"),
    ]
    calls = [part for one in case.expectations for part in one.parts if isinstance(part, ToolCall)]
    assert [(call.name, call.agent) for call in calls] == [("find", ""), ("look", "user")]
    (matcher,) = case.matchers
    assert matcher.match is Match.IGNORE
    assert matcher.place.endswith("/arguments/near")
    assert [event.role for event in case.context] == ["user", "model", "tool"]
    assert "initialization_actions" in {extra.name for extra in case.extras}


def test_simulations_are_conversations(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, tau2_files.results())
    first, second = contents.traces
    assert [first.id, second.id, first.suite_id] == ["parking (trial 0)", "parking (trial 1)", "city"]
    assert (first.case_runs, first.agents[0].instruction) == (2, "Be short.")
    hello, turn = first.turns
    assert (answer_text(hello), user_text(hello)) == ("Hi! How can I help?", "")
    assert (user_text(turn), answer_text(turn)) == ("Where may I park?", "At Pier 4.")
    told = [(pair.call.name, pair.result.value, pair.result.is_error) for pair in paired_calls(turn) if pair.result]
    assert told == [("find", "no map", True), ("look", "a sign", False)]
    assert [event.author for event in turn.events][2] == "user"
    assert turn_usage(turn) == Usage(prompt=60, candidates=10)
    assert "usage of the simulated user" in {extra.name for extra in turn.extras}


def test_a_reward_is_reported_with_what_decides_it(tmp_path: Path) -> None:
    first, second = contents_of(tmp_path, tau2_files.results()).reported
    assert [(one.metric, one.score, one.status) for one in first.metrics] == [
        ("reward", 0.0, Status.INFORMATIONAL),
        ("DB", 1.0, Status.PASSED),
        ("ACTION", 0.5, Status.FAILED),
        ("NL_ASSERTION", 0.0, Status.INFORMATIONAL),
        ("COMMUNICATE", 1.0, Status.INFORMATIONAL),
    ]
    assert {one.provenance for one in first.metrics} == {Provenance.REPORTED}
    assert [one.what for one in first.metrics[2].expectations] == ["action find", "action look"]
    assert (first.status, first.provenance, first.reason) == (Status.FAILED, Provenance.DERIVED, "user_stop")
    assert second.repeat == 1


def test_runs_of_tau_bench(tmp_path: Path) -> None:
    contents = contents_of(tmp_path, tau2_files.before())
    (trace,) = contents.traces
    (verdict,) = contents.reported
    assert (trace.id, user_text(trace.turns[0])) == ("3", "Where?")
    assert (verdict.metrics[0].score, verdict.status) == (1.0, Status.NOT_EVALUATED)


def test_results_whose_simulations_are_files_of_their_own_say_so(tmp_path: Path) -> None:
    run = tau2_files.results()
    del run["simulations"]
    contents = contents_of(tmp_path, run)
    assert [case.id for case in contents.suites[0].cases] == ["parking"]
    assert "no-simulations" in {finding.code for finding in contents.findings}
    assert [trace.id for trace in contents_of(tmp_path, tau2_files.simulation()).traces] == ["parking"]


ODD: dict[str, Json] = {
    "tasks of no kind": [{"id": [], "user_scenario": 3, "evaluation_criteria": {"actions": [1, {}]}}],
    "simulations of no kind": {
        "tasks": [1],
        "simulations": [{}, {"messages": [{}, 3], "reward_info": {"reward": {}}}],
    },
}


@each("kind", ODD)
def test_odd_files_are_read_as_far_as_they_go(tmp_path: Path, kind: str) -> None:
    assert contents_of(tmp_path, ODD[kind]).format == "tau2"


@pytest.mark.corpus
def test_real_tasks_hold_what_a_plain_count_finds(corpus: Path) -> None:
    paths = sorted((corpus / "other-tau2-bench").iterdir())
    assert paths
    for path in paths:
        value, contents = json.loads(path.read_bytes()), open_file(path).contents
        assert contents.format == "tau2", path
        cases = contents.suites[0].cases
        assert [case.id for case in cases] == [task["id"] for task in value]
        for task, case in zip(value, cases, strict=True):
            wanted = task.get("evaluation_criteria") or {}
            kinds = [one.kind for one in case.expectations]
            assert kinds.count(Expects.CALL) == len(wanted.get("actions") or [])
            assert kinds.count(Expects.CRITERION) == len(wanted.get("nl_assertions") or [])
            assert len(case.context) == len((task.get("initial_state") or {}).get("message_history") or [])
