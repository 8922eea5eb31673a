"""Result files of several systems made of the same runs: what `explain` reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.formats.ces_result_files import EVALUATION
from tests.formats.ces_result_files import result as ces_result
from tests.formats.vertex_files import eval_case, scored
from tests.helpers.many_runs import FAULTS, HAND_OFF, Made, usual_run
from trace_inspector.core.values.values import Json, JsonObject

TRAJECTORY = "tool_trajectory_avg_score"
ANSWER = "response_match_score"


class FileRun(Struct, frozen=True):
    """One run as a file tells it: what it did, whether it failed, and by which criteria."""

    made: Made
    failed: bool
    case: str = "refund"
    criteria: tuple[str, ...] = (ANSWER,)
    expected: Made = []


def skipping_runs(criteria: tuple[str, ...] = (ANSWER,), expected: Made | None = None) -> list[FileRun]:
    """Forty runs, of which 11 of 12 failing ones skip a step."""
    random = Random(29)
    runs = []
    for number in range(40):
        made = usual_run(random)
        if number < 11:
            made = FAULTS["skipped call"].make(made, random)
        runs.append(FileRun(made, number < 12, "refund", criteria, expected or []))
    return runs


def adk_file(path: Path, runs: Sequence[FileRun], suite: str = "orders") -> Path:
    """A result file of google-adk, one of its results a run."""
    results: list[Json] = [_adk_result(run, suite, f"{path.stem}-{number}") for number, run in enumerate(runs)]
    return _written(path, {"eval_set_result_id": path.stem, "eval_set_id": suite, "eval_case_results": results})


def _adk_result(run: FileRun, suite: str, session: str) -> JsonObject:
    status = 2 if run.failed else 1
    names = (ANSWER, TRAJECTORY)
    metrics: list[Json] = [
        {
            "metric_name": name,
            "threshold": 0.8,
            "score": 0.0 if run.failed and name in run.criteria else 1.0,
            "eval_status": 2 if run.failed and name in run.criteria else 1,
        }
        for name in names
    ]
    invocation: JsonObject = {
        "actual_invocation": _invocation(run.made),
        "expected_invocation": _invocation(run.expected),
        "eval_metric_results": metrics,
    }
    return {
        "eval_set_id": suite, "eval_id": run.case, "final_eval_status": status, "session_id": session,
        "overall_eval_metric_results": metrics, "eval_metric_result_per_invocation": [invocation],
    }  # fmt: skip


def _invocation(made: Made) -> JsonObject:
    uses: list[Json] = [{"name": name, "args": args} for name, args in map(_adk_call, made)]
    return {
        "user_content": {"role": "user", "parts": [{"text": "Refund me."}]},
        "intermediate_data": {"tool_uses": uses},
        "final_response": {"role": "model", "parts": [{"text": "Done."}]},
    }


def _adk_call(step: tuple[str, JsonObject]) -> tuple[str, JsonObject]:
    name, args = step
    return ("transfer_to_agent", {"agent_name": args["agent"]}) if name == HAND_OFF else (name, args)


def ces_file(path: Path, runs: Sequence[FileRun]) -> Path:
    """A list of results of CES, each of one replayed turn."""
    results: list[Json] = [_ces_result(run, number) for number, run in enumerate(runs)]
    return _written(path, {"evaluationResults": results})


def _ces_result(run: FileRun, number: int) -> JsonObject:
    outcomes: list[Json] = [
        {"observedToolCall": {"tool": name, "displayName": name, "args": args}, "outcome": "PASS"}
        for name, args in run.made
        if name != HAND_OFF
    ]
    turn: JsonObject = {
        "conversation": f"talk-{number}",
        "expectationOutcome": outcomes,
        "semanticSimilarityResult": {"score": 0 if run.failed else 4, "outcome": "FAIL" if run.failed else "PASS"},
    }
    return ces_result(
        turn,
        name=f"{EVALUATION}/results/r{number}",
        evaluationStatus="FAIL" if run.failed else "PASS",
    )


def vertex_file(path: Path, runs: Sequence[FileRun], low: float = 0.0, high: float = 1.0) -> Path:
    """A result of Vertex AI's SDK: scores without verdicts."""
    cases: list[Json] = [_vertex_case(run) for run in runs]
    results: list[Json] = [
        {
            "eval_case_index": number,
            "response_candidate_results": [scored(task_success=low if run.failed else high)],
        }
        for number, run in enumerate(runs)
    ]
    return _written(path, {"eval_case_results": results, "evaluation_dataset": [{"eval_cases": cases}]})


def _vertex_case(run: FileRun) -> JsonObject:
    events: list[Json] = [
        {"author": "clerk", "content": {"role": "model", "parts": [{"function_call": {"name": name, "args": args}}]}}
        for name, args in map(_adk_call, run.made)
    ]
    return eval_case(run.case, intermediate_events=events)


def _written(path: Path, value: JsonObject) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path
