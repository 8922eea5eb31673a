"""Files of agent-eval as its tools lay them out: rows of both paths, tables, golden questions, metrics, summaries.

The simulated row is a travel desk's conversation of two turns, told as the converter tells it: one span of exactly
one second for each event, tools twice (call and response), arguments in camelCase.
"""

from __future__ import annotations

import copy
import csv
import io
import json
from typing import Any

START_S = 1_760_000_000.0
NANOS = 1_000_000_000


def event(author: str, *parts: Any, at: float, invocation: str, **more: Any) -> dict[str, Any]:
    """One event of a camelCase session."""
    role = "user" if author == "user" or any("functionResponse" in part for part in parts) else "model"
    return {
        "content": {"parts": list(parts), "role": role},
        "invocationId": invocation,
        "author": author,
        "actions": {"stateDelta": {}},
        "id": f"{invocation}-{at:g}",
        "timestamp": START_S + at,
        **more,
    }


def call(name: str, args: dict[str, Any], call_id: str) -> dict[str, Any]:
    """A part that calls."""
    return {"functionCall": {"id": call_id, "name": name, "args": args}}


def result(name: str, response: Any, call_id: str) -> dict[str, Any]:
    """A part that answers."""
    return {"functionResponse": {"id": call_id, "name": name, "response": response}}


def usage(prompt: int, candidates: int, **more: int) -> dict[str, Any]:
    """Usage metadata, with the model that was asked."""
    counts = {"promptTokenCount": prompt, "candidatesTokenCount": candidates, **more}
    return {"usageMetadata": counts, "modelVersion": "gemini-2.5-flash-lite"}


EVENTS = [
    event("user", {"text": "Two seats to Rome?"}, at=0, invocation="e-1"),
    event(
        "desk",
        call("find_seats", {"cityName": "Rome", "seatCount": 2}, "c1"),
        at=1,
        invocation="e-1",
        **usage(1000, 40, cachedContentTokenCount=400, thoughtsTokenCount=60, toolUsePromptTokenCount=100),
    ),
    event("desk", result("find_seats", {"seats": 4}, "c1"), at=2, invocation="e-1"),
    event("desk", {"text": "There are 4."}, at=3, invocation="e-1", **usage(1200, 10)),
    event("user", {"text": "Book them."}, at=10, invocation="e-2"),
    event(
        "desk",
        call("transfer_to_agent", {"agentName": "booker"}, "c2"),
        at=11,
        invocation="e-2",
        **usage(1300, 20),
    ),
    event("desk", result("transfer_to_agent", {"result": None}, "c2"), at=12, invocation="e-2"),
    event("booker", call("write_file", {"fileName": "order"}, "c3"), at=13, invocation="e-2", **usage(900, 30)),
    event("booker", result("write_file", {"status": "error"}, "c3"), at=14, invocation="e-2"),
    event(
        "booker",
        {"text": "Done, see the list."},
        at=15,
        invocation="e-2",
        groundingMetadata={"groundingChunks": [{"web": {"uri": "a"}}, {"web": {"uri": "b"}}]},
        finishReason="STOP",
        **usage(1500, 50),
    ),
]


def span(name: str, number: int, parent: int | None, start_s: float, seconds: float, **attributes: Any) -> Any:
    """A span of the dump; ids are texts in simulated rows."""
    start = int((START_S + start_s) * NANOS)
    return {
        "name": name,
        "span_id": f"s{number}",
        "trace_id": "t1",
        "parent_span_id": None if parent is None else f"s{parent}",
        "start_time": start,
        "end_time": start + int(seconds * NANOS),
        "attributes": {key.replace("__", "."): value for key, value in attributes.items()},
    }


def made_up_spans() -> list[Any]:
    """What the converter makes of the events: a tool span for each call and for each response."""
    return [
        span("invocation", 1, None, 0, 4),
        span("invoke_agent desk", 2, 1, 0, 4),
        span("execute_tool find_seats", 3, 2, 1, 1),
        span("execute_tool find_seats", 4, 2, 2, 1),
        span("call_llm", 5, 2, 3, 1),
        span("invocation", 6, None, 10, 6),
        span("invoke_agent desk", 7, 6, 10, 6),
        span("execute_tool transfer_to_agent", 8, 7, 11, 1),
        span("execute_tool transfer_to_agent", 9, 7, 12, 1),
        span("execute_tool write_file", 10, 7, 13, 1),
        span("execute_tool write_file", 11, 7, 14, 1),
        span("call_llm", 12, 7, 15, 1),
    ]


def measured_spans() -> list[Any]:
    """What a live run records: a model call before each call of a tool, ids as long integers."""
    spans = [
        span("invocation", 1, None, 0, 3.5),
        span("invoke_agent desk", 2, 1, 0.1, 3.25),
        span("call_llm", 3, 2, 0.25, 0.75),
        span("execute_tool find_seats", 4, 2, 1.5, 0.25),
        span("call_llm", 5, 2, 2, 1.25),
        span("invocation", 6, None, 10, 5.5),
        span("invoke_agent desk", 7, 6, 10, 5.25),
        span("call_llm", 8, 7, 10.25, 0.75),
        span("execute_tool transfer_to_agent", 9, 7, 11.25, 0.125),
        span("invoke_agent booker", 10, 7, 11.5, 3.5),
        span("call_llm", 11, 10, 12, 0.5),
        span("execute_tool write_file", 12, 10, 13, 0.125),
        span("call_llm", 13, 10, 14, 1.5),
    ]
    for one in spans:
        one["span_id"] = 2**63 + int(one["span_id"][1:])
        one["trace_id"] = 2**127 + 1
        if one["parent_span_id"]:
            one["parent_span_id"] = 2**63 + int(one["parent_span_id"][1:])
    return spans


def simulated(**more: Any) -> dict[str, Any]:
    """A row of `processed_interaction_sim.jsonl`."""
    state = {"cityName": "Rome", "stop_reasons": "none"}
    return {
        "request": {"contents": [{"role": "user", "parts": [{"text": "Two seats to Rome?"}]}]},
        "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "Done, see the list."}]}}]},
        "question_id": "rome",
        "session_id": "session-1",
        "app_name": "desk",
        "ADK_USER_ID": "eval-user",
        "base_url": "simulation",
        "status": {"boolean": "success"},
        "run_id": "4a2f",
        "agents_evaluated": ["desk"],
        "user_inputs": ["Two seats to Rome?", "Book them."],
        "question_metadata": {"level": "easy"},
        "reference_data": {
            "reference_tool_interactions": [
                {"tool_name": "find_seats", "input_arguments": {"city_name": "Rome", "seat_count": 2}}
            ],
            "reference_trajectory": ["agent:desk", "tool:find_seats", "write_file"],
            "expected_response_contains": "list",
        },
        "interaction_datetime": "2025-10-09T10:00:00",
        "USER": "ada",
        "missing_information": {"boolean": False},
        "final_session_state": {
            "id": "session-1",
            "appName": "desk",
            "userId": "eval-user",
            "state": state,
            "events": copy.deepcopy(EVENTS),
            "lastUpdateTime": START_S + 15,
        },
        "session_trace": made_up_spans(),
        "latency_data": [{"name": "invocation", "type": "invocation", "duration_seconds": 4.0}],
        "trace_summary": ["agent:desk", "tool:find_seats", "sub-agent:booker"],
        "extracted_data": {
            "state_variables": state,
            "tool_interactions": [
                {
                    "tool_name": "find_seats",
                    "input_arguments": {"cityName": "Rome", "seatCount": 2},
                    "call_id": "c1",
                    "output_result": {"seats": 4},
                },
                {"tool_name": "write_file", "input_arguments": {}, "call_id": "c3", "status": "no_response"},
            ],
            "tool_declarations": [
                {"function_declarations": [{"name": "find_seats", "description": "Tool: find_seats"}]}
            ],
            "system_instruction": "Not available.",
            "cityName": "Rome",
            "own_note": {"kept": True},
        },
        "final_response": "Done, see the list.",
        "adk_score.tool_trajectory_avg_score": 0.5,
        "adk_score.safety_v1": None,
        **more,
    }


def live(**more: Any) -> dict[str, Any]:
    """A row of a live run: real spans, the address of the agent, argument names as the agent has them."""
    row = simulated(base_url="http://127.0.0.1:8501", session_trace=measured_spans(), run_id=7)
    for one in row["final_session_state"]["events"]:
        for part in one["content"]["parts"]:
            if part.get("functionCall", {}).get("name") == "find_seats":
                part["functionCall"]["args"] = {"city_name": "Rome", "seat_count": 2}
    row["missing_information"] = {"boolean": False, "details": []}
    row["extracted_data"]["system_instruction"] = "You sell seats."
    return {**row, **more}


def results() -> dict[str, Any]:
    """The cell of an evaluation."""
    return {
        "tool_utilization": {"score": 6, "explanation": "6 calls", "details": {"total_tool_calls": 6, "unique": 3}},
        "trajectory_accuracy": {"score": 3.5, "explanation": "One step too many."},
        "general_quality": {
            "score": 0.5,
            "rubric_verdicts": [
                {"evaluatedRubric": {"rubricId": "r1"}, "verdict": True, "reasoning": "It says so."},
                {"evaluatedRubric": {"rubricId": "r2"}, "reasoning": "It does not."},
            ],
        },
        "broken": {"score": None, "error": "quota exceeded"},
    }


def table(*rows: dict[str, Any]) -> str:
    """Rows as a table whose cells hold JSON."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow(names)
    for row in rows:
        cells = (row.get(name) for name in names)
        writer.writerow([json.dumps(one) if isinstance(one, dict | list) else one for one in cells])
    return made.getvalue()


def golden(key: str = "golden_questions") -> dict[str, Any]:
    """A file of golden questions."""
    return {
        key: [
            {
                "id": "rome",
                "user_inputs": ["Two seats to Rome?"],
                "agents_evaluated": ["desk"],
                "metadata": {"level": "easy"},
                "reference_data": {
                    "reference_tool_interactions": [
                        {
                            "tool_name": "find_seats",
                            "input_arguments": {"city_name": "Rome", "seat_count": 2},
                            "output_result": 0,
                        }
                    ],
                    "reference_trajectory": ["agent:desk", "tool:find_seats"],
                    "source": "handbook",
                },
                "updated_datetime": "2025-10-01",
            },
            {"id": "hello", "user_inputs": ["Hello", "Bye"], "reference_data": {}},
        ]
    }


def metrics() -> dict[str, Any]:
    """A file of metrics: a template of one's own, a managed metric, and one that only counts."""
    return {
        "metrics": {
            "trajectory_accuracy": {
                "metric_type": "llm",
                "agents": ["desk"],
                "score_range": {"min": 0, "max": 5, "description": "5 is best"},
                "template": 'Was the way {way} right for {prompt}? Use {"braces"} freely. Expected: {expected}',
                "dataset_mapping": {
                    "way": {"source_column": "trace_summary"},
                    "expected": {
                        "template": "calls {reference_data:reference_tool_interactions}",
                        "source_columns": ["reference_data:reference_tool_interactions"],
                    },
                },
            },
            "state_fidelity": {
                "metric_type": "llm",
                "score_range": [1, 5],
                "template": 'Is {state} kept? "score"',
                "dataset_mapping": {"state": {"source_column": "extracted_data:cityName"}},
            },
            "quality": {"is_managed": True, "managed_metric_name": "general_quality_v1", "use_gemini_format": True},
            "token_usage": {"metric_type": "deterministic"},
        }
    }


def summary() -> dict[str, Any]:
    """An `eval_summary.json`."""
    return {
        "experiment_id": "e7",
        "run_type": "baseline",
        "test_description": "first",
        "interaction_datetime": "2025-10-09T10:00:00",
        "overall_summary": {
            "deterministic_metrics": {"token_usage.total_tokens": 6320.0},
            "llm_based_metrics": {
                "trajectory_accuracy": {
                    "average": 3.0,
                    "score_range": {"min": 0, "max": 5, "description": "5 is best"},
                }
            },
        },
        "per_question_summary": [
            {
                "question_id": "rome",
                "runs": 2,
                "deterministic_metrics": {"token_usage": {"total_tokens": 6320, "llm_calls": 5}},
                "llm_metrics": {"trajectory_accuracy": {"score": 4, "explanation": "Fine."}},
                "level": "easy",
            },
            {
                "question_id": "hello",
                "runs": 1,
                "deterministic_metrics": {},
                "llm_metrics": {"trajectory_accuracy": {"score": 2, "error": ""}, "broken": {"error": "timed out"}},
            },
        ],
    }


def values() -> dict[str, Any]:
    """One of each kind that is no table."""
    evaluated = simulated(eval_results=results())
    return {"rows": [evaluated, live(question_id="live")], "golden": golden(), "metrics": metrics()}
