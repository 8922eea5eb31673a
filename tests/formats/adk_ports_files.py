"""Small files of tools around google-adk: tRPC-Agent and agentevals."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def go_metrics() -> list[Json]:
    """One metric of each kind that tRPC-Agent has, as its Go writes them."""
    exact: JsonObject = {"name": {"matchStrategy": "exact"}, "arguments": {"matchStrategy": "exact"}}
    trajectory: JsonObject = {"orderSensitive": True, "subsetMatching": True, "defaultStrategy": exact}
    rouge: JsonObject = {"rougeType": "rouge1", "measure": "f1", "threshold": {"f1": 0.5}}
    rubric: JsonObject = {"id": "r1", "content": {"text": "Is it polite?"}, "type": "FINAL_RESPONSE_QUALITY"}
    bindings: list[Json] = [
        {"templateVariable": "question", "source": {"scope": "actual", "field": "userContent"}},
        {"templateVariable": "answer", "source": {"scope": "actual", "field": "finalResponse"}},
    ]
    template: JsonObject = {
        "prompt": 'Is {{answer}} right for {{question}}? Reply with {"score": 0 or 1}.',
        "variableBindings": bindings,
        "responseScorerName": "single_score",
    }
    return [
        {"metricName": "tool_trajectory_avg_score", "threshold": 1, "criterion": {"toolTrajectory": trajectory}},
        {
            "metricName": "final_response_avg_score",
            "threshold": 0.5,
            "criterion": {"finalResponse": {"rouge": rouge}},
        },
        {"metricName": "llm_rubric_response", "threshold": 0.7, "criterion": {"llmJudge": {"rubrics": [rubric]}}},
        {"metricName": "right", "threshold": 1, "criterion": {"llmJudge": {"template": template}}},
        {"metricName": "llm_rubric_knowledge_recall", "threshold": 1, "criterion": {"llmJudge": {}}},
    ]


def python_metrics() -> JsonObject:
    """The same idea as its Python writes it."""
    strategy: JsonObject = {"name": {"match": "exact"}, "arguments": {"match": "contains"}}
    trajectory: JsonObject = {"default": strategy, "order_sensitive": False, "subset_matching": False}
    metric: JsonObject = {
        "metric_name": "tool_trajectory_avg_score",
        "threshold": 0.8,
        "criterion": {"tool_trajectory": trajectory},
    }
    return {"metrics": [metric], "num_runs": 2}


def agentevals_config() -> JsonObject:
    """A builtin metric and a program."""
    return {
        "trajectory_match_type": "IN_ORDER",
        "threshold": 0.5,
        "evaluators": [
            {"name": "tool_trajectory_avg_score", "type": "builtin", "threshold": 0.9},
            {"name": "response_match_score", "type": "builtin"},
            {"name": "mine", "type": "code", "path": "./mine.py", "threshold": 0.7},
        ],
    }


def agentevals_metrics() -> list[Json]:
    """One that failed, one that passed, and one that could not run."""
    return [
        {
            "metric_name": "tool_trajectory_avg_score",
            "score": 0.5,
            "eval_status": "FAILED",
            "per_invocation_scores": [1.0, 0.0],
            "duration_ms": 12.5,
            "error": None,
            "details": {"comparisons": []},
        },
        {"metric_name": "mine", "score": 1.0, "eval_status": "PASSED", "per_invocation_scores": [], "error": None},
        {"metric_name": "gone", "score": None, "eval_status": "NOT_EVALUATED", "error": "no such file"},
    ]


def agentevals_results() -> JsonObject:
    """One trace with them."""
    metrics = agentevals_metrics()
    return {
        "traces": [{"trace_id": "t1", "num_invocations": 2, "conversion_warnings": [], "metrics": metrics}],
        "errors": ["one trace could not be read"],
    }


def declared_tools() -> list[Json]:
    """Tools as Gemini, OpenAI, Anthropic and MCP declare them."""
    schema: JsonObject = {"type": "object", "properties": {"what": {"type": "string"}}}
    return [
        {"functionDeclarations": [
            {"name": "find", "description": "Finds it.", "parameters": schema},
            {"name": "book", "description": "Books it.", "parametersJsonSchema": schema},
        ]},
        {"type": "function", "function": {"name": "pay", "description": "Pays.", "parameters": schema}},
        {"name": "leave", "description": "Leaves.", "input_schema": schema},
        {"name": "wait", "inputSchema": schema},
    ]  # fmt: skip


def metric_infos() -> JsonObject:
    """Metrics as google-adk's server lists them."""
    interval: JsonObject = {"minValue": 0.0, "openAtMin": False, "maxValue": 1.0, "openAtMax": False}
    return {
        "metricsInfo": [
            {"metricName": "response_match_score", "description": "How alike.",
             "metricValueInfo": {"interval": interval}},
            {"metricName": "safety_v1", "description": "How safe.", "metricValueInfo": {"interval": interval}},
        ]
    }  # fmt: skip
