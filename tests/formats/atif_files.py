"""ATIF trajectories with everything that a step, its metrics and its observation may hold."""

from __future__ import annotations

from trace_inspector.core.values.values import JsonObject


def trajectory() -> JsonObject:
    """A conversation of two turns: a system prompt, calls with results, a sub-agent, images, tokens."""
    return {
        "schema_version": "ATIF-v1.9",
        "session_id": "run-1",
        "trajectory_id": "tour",
        "agent": {
            "name": "guide",
            "version": "2.1",
            "model_name": "small",
            "tool_definitions": [{"type": "function", "function": {"name": "find_place"}}],
        },
        "steps": [
            {"step_id": 1, "source": "system", "message": "Be short."},
            {"step_id": 2, "timestamp": "2026-05-01T10:00:00Z", "source": "user", "message": "Where may I park?"},
            {
                "step_id": 3,
                "timestamp": "2026-05-01T10:00:02.5Z",
                "source": "agent",
                "model_name": "small",
                "message": "I look.",
                "reasoning_content": "A map helps.",
                "tool_calls": [
                    {"tool_call_id": "c1", "function_name": "find_place", "arguments": {"what": "garage"}},
                    {"tool_call_id": "c2", "function_name": "ask_helper", "arguments": {}},
                ],
                "observation": {
                    "results": [
                        {
                            "source_call_id": "c2",
                            "content": None,
                            "subagent_trajectory_ref": [{"trajectory_id": "sub"}],
                        },
                        {"source_call_id": "c1", "content": "Pier 4"},
                    ]
                },
                "metrics": {"prompt_tokens": 100, "completion_tokens": 20, "cached_tokens": 60, "cost_usd": 0.01},
                "llm_call_count": 1,
            },
            {"step_id": 4, "timestamp": "2026-05-01T10:00:04Z", "source": "agent", "message": "At Pier 4."},
            {
                "step_id": 5,
                "source": "user",
                "message": [
                    {"type": "text", "text": "And this?"},
                    {"type": "image", "source": {"media_type": "image/png", "path": "pictures/1.png"}},
                ],
            },
            {"step_id": 6, "source": "system", "message": "The history was shortened."},
            {"step_id": 7, "source": "agent", "message": "A bridge."},
        ],
        "final_metrics": {"total_prompt_tokens": 100, "total_steps": 7},
        "notes": "made by hand",
        "subagent_trajectories": [
            {
                "schema_version": "ATIF-v1.9",
                "trajectory_id": "sub",
                "session_id": "run-1",
                "agent": {"name": "helper", "version": "1"},
                "steps": [
                    {"step_id": 1, "source": "user", "message": "Which piers are there?"},
                    {
                        "step_id": 2,
                        "source": "agent",
                        "message": "Four.",
                        "metrics": {"prompt_tokens": 7, "completion_tokens": 1},
                    },
                ],
            }
        ],
    }
