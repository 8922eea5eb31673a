"""An invocation as far as anything judges by it, from its JSON in snake_case: for both sides of a comparison."""

from __future__ import annotations

import re
from typing import Any

_COUNTS = ("prompt", "candidates", "cached_content", "thoughts", "tool_use_prompt")


def plain_invocation(raw: Any) -> Any:
    """Who said, called and answered what; bytes and what says more about a part are left out."""
    data = raw.get("intermediate_data") or {}
    return {
        "id": raw.get("invocation_id") or "",
        "user": _content(raw["user_content"]),
        "final": _content(raw.get("final_response")),
        "events": [_event(event) for event in data.get("invocation_events") or []],
        "started": raw.get("creation_timestamp") or 0.0,
    }


def _event(raw: Any) -> Any:
    usage = raw.get("usage_metadata")
    return {
        "author": raw["author"],
        "content": _content(raw.get("content")),
        "usage": None if usage is None else {kind: usage.get(f"{kind}_token_count") for kind in _COUNTS},
        "model": raw.get("model_version"),
        "grounding": _snake(raw.get("grounding_metadata")),
    }


def _snake(raw: Any) -> Any:
    if isinstance(raw, list):
        return [_snake(item) for item in raw]
    if not isinstance(raw, dict):
        return raw
    spelled = {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), key): item for key, item in raw.items()}
    return {key: _snake(item) for key, item in spelled.items() if item is not None}


def _content(raw: Any) -> Any:
    parts = [_part(part) for part in (raw or {}).get("parts") or []]
    return [part for part in parts if part] or None


def _part(raw: Any) -> Any:
    if raw.get("function_call") is not None:
        return {"call": {key: raw["function_call"].get(key) for key in ("name", "args", "id")}}
    if raw.get("function_response") is not None:
        return {"response": {key: raw["function_response"].get(key) for key in ("name", "response", "id")}}
    if raw.get("text") is not None:
        return {"text": raw["text"], "thought": bool(raw.get("thought"))}
    return {key: raw[key] for key in ("executable_code", "code_execution_result", "file_data") if raw.get(key)}


def plain_result(raw: Any) -> Any:
    """The verdicts of a result file in short, with what they are about."""
    return [_case(one) for one in raw["eval_case_results"]]


def _case(raw: Any) -> Any:
    return {
        "status": raw["final_eval_status"],
        "overall": [_metric(one) for one in raw["overall_eval_metric_results"]],
        "turns": [_row(one) for one in raw["eval_metric_result_per_invocation"]],
    }


def _row(raw: Any) -> Any:
    expected = raw.get("expected_invocation")
    actual = raw["actual_invocation"]
    return {
        "actual": plain_invocation(actual),
        "rubrics": [one["rubric_id"] for one in actual.get("rubrics") or []],
        "expected": plain_invocation(expected) if expected else None,
        "metrics": [_metric(one) for one in raw["eval_metric_results"]],
    }


def _metric(raw: Any) -> Any:
    details = raw.get("details") or {}
    scores = details.get("rubric_scores")
    figures = details.get("token_usage_details") or details.get("duration_details")
    return {
        "name": raw["metric_name"],
        "score": _number(raw["score"]),
        "status": raw["eval_status"],
        "threshold": _number(raw["threshold"]),
        "criterion": raw["criterion"] is not None,
        "rubrics": None if scores is None else [[one["rubric_id"], _number(one["score"])] for one in scores],
        "figures": None if figures is None else {key: _number(value) for key, value in figures.items()},
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
