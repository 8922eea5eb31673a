"""google-adk: what it makes of sessions, and what its evaluators say of invocations."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any

from google.adk.cli.utils.evals import convert_session_to_eval_invocations
from google.adk.evaluation.eval_case import ConversationScenario, Invocation
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation.metric_evaluator_registry import DEFAULT_METRIC_EVALUATOR_REGISTRY
from google.adk.sessions.session import Session

from tests.peers.inside.adk_judge import Script, install, note_prompts
from tests.peers.inside.adk_service import evaluated, reread, result_text
from tests.peers.inside.plain import plain_invocation
from tests.peers.inside.serving import read, serve


def scored(case: Any) -> Any:
    """One metric, with a criterion as a file of criteria states it, on invocations of both sides."""
    metric = criterion(case["metric"], case["criterion"])
    Script.begin(case.get("replies") or [])
    evaluator = DEFAULT_METRIC_EVALUATOR_REGISTRY.get_evaluator(metric)
    note_prompts(evaluator)
    found = evaluator.evaluate_invocations(
        actual_invocations=invocations(case["actual"]),
        expected_invocations=None if case["expected"] is None else invocations(case["expected"]),
        conversation_scenario=scenario(case.get("scenario")),
    )
    result = told(asyncio.run(_awaited(found)) if inspect.isawaitable(found) else found)
    return {**result, "asked": [dict(values) for values in Script.asked]}


async def _awaited(found: Any) -> Any:
    return await found


def criterion(name: str, stated: Any) -> Any:
    """The metric as google-adk makes it of its configuration; the informational ones are in no configuration."""
    config = read(EvalConfig, {"criteria": {} if stated is None else {name: stated}})
    return next(metric for metric in get_eval_metrics_from_config(config) if metric.metric_name == name)


def invocations(raws: Any) -> list[Any]:
    return [read(Invocation, raw) for raw in raws]


def scenario(raw: Any) -> Any:
    return None if raw is None else read(ConversationScenario, raw)


def told(result: Any) -> Any:
    """Scores, statuses and details of a result."""
    return {
        "overall": _figures(
            result.overall_score,
            result.overall_eval_status,
            [one.model_copy(update={"rationale": None}) for one in result.overall_rubric_scores or []],
            result.overall_token_usage_details or result.overall_duration_details,
        ),
        "turns": [
            _figures(one.score, one.eval_status, one.rubric_scores, one.token_usage_details or one.duration_details)
            for one in result.per_invocation_results
        ],
    }


def _figures(score: Any, status: Any, rubrics: Any, details: Any) -> Any:
    return {
        "score": number(score),
        "status": status.name,
        "rubrics": [[one.rubric_id, one.score, one.rationale or None] for one in rubrics or []],
        "figures": None if details is None else {name: number(value) for name, value in details.model_dump().items()},
    }


def number(value: Any) -> Any:
    """A score as a file holds it: of sums of whole numbers google-adk makes no floats before it writes them."""
    return None if value is None else float(value)


def converted(raw: Any) -> Any:
    """The invocations of a session."""
    made = convert_session_to_eval_invocations(read(Session, raw))
    return [plain_invocation(json.loads(one.model_dump_json(exclude_none=True))) for one in made]


if __name__ == "__main__":
    install()
    serve({"score": scored, "convert": converted, "evaluate": evaluated, "reread": reread, "result": result_text})
