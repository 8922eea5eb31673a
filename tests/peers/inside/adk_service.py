"""google-adk's own evaluation of whole cases, and its result files."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from google.adk.cli.utils.evals import convert_session_to_eval_invocations
from google.adk.evaluation.base_eval_service import EvaluateConfig, InferenceResult, InferenceStatus
from google.adk.evaluation.eval_case import Invocation
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation.eval_result import EvalSetResult
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.in_memory_eval_sets_manager import InMemoryEvalSetsManager
from google.adk.evaluation.local_eval_service import LocalEvalService
from google.adk.sessions.session import Session

from tests.peers.inside.adk_judge import Script
from tests.peers.inside.plain import plain_result
from tests.peers.inside.serving import read


def evaluated(case: Any) -> Any:
    """The result file of one case, in short."""
    return plain_result(json.loads(result_text(case)))


def result_text(case: Any) -> str:
    """The result file as google-adk writes it."""
    Script.begin(case.get("replies") or [])
    found = asyncio.run(_case_result(case))
    result = EvalSetResult(eval_set_result_id="r", eval_set_id="set", eval_case_results=[found])
    return str(result.model_dump_json(indent=2))


async def _case_result(case: Any) -> Any:
    eval_set = read(EvalSet, case["golden"])
    manager = InMemoryEvalSetsManager()
    manager.create_eval_set("app", eval_set.eval_set_id)
    manager.add_eval_case("app", eval_set.eval_set_id, eval_set.eval_cases[0])
    inferred = InferenceResult(
        app_name="app",
        eval_set_id=eval_set.eval_set_id,
        eval_case_id=eval_set.eval_cases[0].eval_id,
        inferences=actual(case),
        session_id="s1",
        status=InferenceStatus.SUCCESS,
    )
    metrics = get_eval_metrics_from_config(read(EvalConfig, {"criteria": case["criteria"]}))
    service = LocalEvalService(root_agent=None, eval_sets_manager=manager)
    _inferred, found = await service._evaluate_single_inference_result(
        inference_result=inferred, evaluate_config=EvaluateConfig(eval_metrics=metrics)
    )
    return found


def actual(case: Any) -> list[Any]:
    """What happened: the invocations of a session, or those that are given."""
    if case.get("session") is not None:
        return list(convert_session_to_eval_invocations(read(Session, case["session"])))
    return [read(Invocation, raw) for raw in case["actual"]]


def reread(text: Any) -> Any:
    """What google-adk reads in a result file that somebody else wrote."""
    return plain_result(json.loads(read(EvalSetResult, json.loads(text)).model_dump_json()))
