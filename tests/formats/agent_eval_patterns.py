"""Every field that agent-eval's files have, in patterns whose leaves say something of their own.

The sections named are those of the reference on CES, Vertex AI and agent-eval; "wild" is its list of files seen.
"""

from __future__ import annotations

import json
from typing import Any

from tests.formats import agent_eval_files as files

USAGE: dict[str, Any] = {
    "promptTokenCount": 0,
    "candidatesTokenCount": 0,
    "cachedContentTokenCount": 0,
    "thoughtsTokenCount": 0,
    "toolUsePromptTokenCount": 0,
}
CALL: dict[str, Any] = {"tool_name": "?", "input_arguments": {"a": "?"}, "call_id": "?"}
WORDS: dict[str, Any] = {"parts": [{"text": "?"}]}
RESULTS: dict[str, Any] = {
    "tone": {
        "score": 0,
        "explanation": "?",
        "rubric_verdicts": [
            {
                "evaluatedRubric": {"rubricId": "?", "content": {"property": {"description": "?"}}, "type": "?"},
                "verdict": True,
                "reasoning": "?",
            }
        ],
        "input": {"prompt": "?"},
    },
    "depth": {"score": 0, "details": {"figure": 0, "words": "?", "by_tool": {"t": "?"}}},
    "failed": {"score": None, "error": "?"},
    "alone": 0,
}
REFERENCE: dict[str, Any] = {
    "reference_tool_interactions": [{**CALL, "output_result": {"r": "?"}}],
    "reference_trajectory": ["agent:?", "tool:?", "?"],
    "expected_response_contains": "?",
    "reference_response": "?",
    "own": "?",
}
EXTRACTED: dict[str, Any] = {
    "state_variables": {"s": "?"},
    "tool_interactions": [{**CALL, "output_result": {"r": "?"}}, {**CALL, "status": "no_response"}],
    "sub_agent_trace": [{"agent_name": "?", "text_response": "?", "timestamp": "?"}],
    "tool_declarations": [{"function_declarations": [{"name": "?", "description": "?"}]}],
    "system_instruction": "?",
    "thinking_trace": ["?"],
    "grounding_chunks": [{"web": {"uri": "?"}}],
    "per_turn_tokens": [{"prompt_token_count": 0, "candidates_token_count": 0, "total_token_count": 0}],
    "stop_reasons": ["?", None],
    "conversation_history": [{"role": "user", **WORDS}],
    "own_state": "?",
}
EVENTS: list[dict[str, Any]] = [
    {"author": "user", "content": {"role": "user", **WORDS}, "invocationId": "e-1"},
    {
        "author": "?",
        "invocationId": "e-1",
        "content": {
            "role": "model",
            "parts": [
                {"text": "?", "thought": True},
                {"functionCall": {"id": "?", "name": "?", "args": {"a": "?"}}},
                {"functionResponse": {"id": "?", "name": "?", "response": {"r": "?"}}},
            ],
        },
        "actions": {"stateDelta": {"d": "?"}},
        "timestamp": 0,
        "usageMetadata": USAGE,
        "modelVersion": "?",
        "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "?"}}]},
        "id": "?",
        "branch": "?",
    },
]
HEAD: dict[str, Any] = {
    **dict.fromkeys(("question_id", "session_id", "app_name", "ADK_USER_ID", "base_url", "run_id", "USER"), "?"),
    "status": {"boolean": "?"},
    "agents_evaluated": ["?"],
    "user_inputs": ["?"],
    "question_metadata": {"m": "?"},
    "interaction_datetime": "?",
    "missing_information": {"boolean": False, "details": ["?"]},
    "reference_data": REFERENCE,
    "eval_results": RESULTS,
    "adk_score.safety_v1": 0,
    "adk_score.not_computed": None,
    "anything": {"deep": "?"},
}
SPANS: list[dict[str, Any]] = [
    {
        "name": "call_llm ?",
        "span_id": "?",
        "trace_id": "?",
        "parent_span_id": "?",
        "start_time": "?t",
        "end_time": "2099-01-01T00:00:00Z",
        "attributes": {"gen_ai.request.model": "?"},
    }
]
# The attributes of C2, on a turn that calls a model, then a tool.
ATTRIBUTES: list[dict[str, Any]] = [
    {"gcp.vertex.agent.invocation_id": "?"},
    {
        "gen_ai.system": "?",
        "gen_ai.request.model": "?",
        "gcp.vertex.agent.llm_request": json.dumps({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}),
        "gcp.vertex.agent.llm_response": "{}",
        "gen_ai.usage.input_tokens": 0,
        "gen_ai.usage.output_tokens": 0,
        "gen_ai.response.finish_reason": "?",
    },
    {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "?",
        "gcp.vertex.agent.tool_call_args": json.dumps({"a": "told"}),
        "gcp.vertex.agent.tool_response": json.dumps({"r": "told"}),
    },
]
TELLING_SPANS: list[dict[str, Any]] = [
    {
        "name": name,
        "span_id": f"s{at}",
        "trace_id": "t",
        "parent_span_id": None if at == 0 else "s0",
        "start_time": files.NANOS * (1_760_000_000 + at),
        "end_time": files.NANOS * (1_760_000_003 + at),
        "attributes": ATTRIBUTES[at],
    }
    for at, name in enumerate(("invocation", "call_llm", "execute_tool x"))
]
SPOKEN: dict[str, Any] = {
    "request": {"contents": [{"role": "user", **WORDS}]},
    "response": {"candidates": [{"content": {"role": "model", **WORDS}}]},
}
SESSION: dict[str, Any] = {
    "id": "?",
    "appName": "?",
    "userId": "?",
    "state": {"s": "?"},
    "events": EVENTS,
    "lastUpdateTime": 0,
}
LATENCIES: list[dict[str, Any]] = [
    {
        "name": "invocation",
        "type": "invocation",
        "duration_seconds": 0,
        "children": [
            {
                "name": "invoke_agent",
                "type": "agent",
                "duration_seconds": 0,
                "children": [
                    {"name": "call_llm", "type": "llm", "duration_seconds": 0},
                    {"name": "execute_tool", "type": "tool", "duration_seconds": 0},
                ],
            }
        ],
    }
]
SUMMARY: dict[str, Any] = {
    **dict.fromkeys(("experiment_id", "run_type", "test_description", "interaction_datetime"), "?"),
    "overall_summary": {
        "deterministic_metrics": {"token_usage.total_tokens": 0},
        "llm_based_metrics": {"other": {"average": 0, "score_range": {"min": 0, "max": 0, "description": "?"}}},
    },
    "per_question_summary": [
        {
            "question_id": "?",
            "runs": 0,
            "deterministic_metrics": {"token_usage": {"total_tokens": 0, "by_model": {"m": "?"}}, "x": {"n": 0}},
            "llm_metrics": RESULTS,
            "level": "?",
        }
    ],
}
METRICS: dict[str, Any] = {
    "metrics": {
        "asked": {
            "metric_type": "?",
            "agents": ["?"],
            "score_range": {"min": 0, "max": 0, "description": "?"},
            "template": "?: {way} {both}",
            "dataset_mapping": {
                "way": {"source_column": "trace_summary"},
                "both": {"template": "and {response}", "source_columns": ["response"]},
            },
        },
        "managed": {"is_managed": True, "managed_metric_name": "?", "use_gemini_format": True, "agents": ["?"]},
    }
}
# The row of each path, and what it is told by when that is not there.
PATTERNS: dict[str, Any] = {
    "C1 row told by its session": {**HEAD, **SPOKEN, "final_session_state": SESSION, "session_trace": SPANS},
    "C1 durations without spans": {**HEAD, "final_session_state": SESSION, "latency_data": LATENCIES},
    "C1 extracted beside a session": {
        "question_id": "q",
        "final_session_state": SESSION,
        "extracted_data": EXTRACTED,
    },
    "C2 row told by its spans": {**HEAD, "session_trace": TELLING_SPANS},
    "C1 row told by extracted data": {**HEAD, **SPOKEN, "extracted_data": EXTRACTED, "trace_summary": ["agent:?"]},
    "C1 inputs that only the request states": {"question_id": "?", **SPOKEN, "extracted_data": {}},
    "C1 latencies of another number of turns": {
        "question_id": "?",
        "final_session_state": SESSION,
        "latency_data": [*LATENCIES, *LATENCIES],
    },
    "C1 golden questions": {
        "golden_questions": [
            {
                "id": "?",
                "user_inputs": inputs,
                "agents_evaluated": ["?"],
                "metadata": {"m": "?"},
                "reference_data": REFERENCE,
                "updated_datetime": "?",
                "own": "?",
            }
            for inputs in (["?"], ["?", "?"], "?")
        ],
        "own": "?",
    },
    "C1 summary": SUMMARY,
    "C1 metric file": METRICS,
    "wild final response that is an object": {
        "question_id": "?",
        "extracted_data": {},
        "final_response": {"role": "model", **WORDS},
    },
}
