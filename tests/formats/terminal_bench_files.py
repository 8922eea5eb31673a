"""Results of Terminal-Bench, made by hand."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def trial(task: str, number: int, *, resolved: bool | None, **more: Json) -> JsonObject:
    """One trial of a task, of which one test failed unless it is resolved."""
    tests: JsonObject = {"test_price": "passed", "test_rule/limit": "passed" if resolved else "failed"}
    return {
        "id": f"{task}-{number}",
        "trial_name": f"{task}.{number}-of-2.run",
        "task_id": task,
        "instruction": f"Mend {task}.",
        "is_resolved": resolved,
        "failure_mode": "unset",
        "parser_results": tests,
        "total_input_tokens": 100,
        "total_output_tokens": 20,
        "agent_started_at": "2026-05-01T10:00:00+00:00",
        "agent_ended_at": "2026-05-01T10:01:30+00:00",
        "recording_path": "sessions/agent.cast",
        **more,
    }


def results(stated: int = 1) -> JsonObject:
    """Two trials of one task, and one of another that broke off."""
    return {
        "id": "run-1",
        "results": [
            trial("price", 1, resolved=True),
            trial(
                "price", 2, resolved=False, failure_mode="agent_timeout", total_input_tokens=0, total_output_tokens=0
            ),
            trial("rule", 1, resolved=None, parser_results=None, failure_mode="parse_error"),
        ],
        "pass_at_k": {"2": 0.5},
        "n_resolved": stated,
        "n_unresolved": 2,
        "resolved_ids": ["price"],
        "unresolved_ids": ["rule"],
        "accuracy": 0.33,
    }
