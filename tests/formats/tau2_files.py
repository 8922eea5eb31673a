"""Files of tau2-bench: tasks, results with simulations, a run of tau-bench before it."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def task(**more: Json) -> JsonObject:
    """A task with every criterion, of which one call is compared by one argument alone."""
    actions: list[Json] = [
        {"action_id": "a1", "name": "find", "arguments": {"what": "garage", "near": "me"}, "compare_args": ["what"]},
        {"action_id": "a2", "requestor": "user", "name": "look", "arguments": {}, "info": "The user looks."},
    ]
    return {
        "id": "parking",
        "description": {"purpose": "Find a garage."},
        "user_scenario": {
            "persona": "In a hurry.",
            "instructions": {
                "domain": "city", "reason_for_call": "You want to park.", "known_info": "You are in Lima.",
                "unknown_info": "The address.", "task_instructions": "Ask once.",
            },
        },
        "initial_state": {
            "message_history": [
                {"role": "user", "content": "Hello."},
                {"role": "assistant", "tool_calls": [{"id": "c0", "name": "open", "arguments": {}}]},
                {"role": "tool", "id": "c0", "content": "ok"},
            ],
            "initialization_actions": [{"func_name": "set_city"}],
        },
        "evaluation_criteria": {
            "actions": actions,
            "nl_assertions": ["The agent names a garage."],
            "communicate_info": ["Pier 4"],
            "env_assertions": [{"env_type": "assistant", "func_name": "is_open", "arguments": {}}],
            "reward_basis": ["DB", "ACTION"],
        },
        **more,
    }  # fmt: skip


def simulation(trial: int = 0) -> JsonObject:
    """A conversation with calls of both sides, one of which failed, and what each check gave."""
    usage: JsonObject = {"prompt_tokens": 30, "completion_tokens": 5}

    def said(role: str, words: str | None, at: int, **more: Json) -> JsonObject:
        return {"role": role, "content": words, "turn_idx": at, "timestamp": f"2026-05-01T10:00:0{at}", **more}

    find: JsonObject = {"id": "c1", "name": "find", "arguments": {"what": "garage"}, "requestor": "assistant"}
    look: JsonObject = {"id": "c2", "name": "look", "arguments": {}, "requestor": "user"}
    answers: list[Json] = [
        {"id": "c1", "role": "tool", "content": "no map", "requestor": "assistant", "error": True},
    ]
    return {
        "id": f"s{trial}",
        "task_id": "parking",
        "trial": trial,
        "duration": 6.0,
        "termination_reason": "user_stop",
        "agent_cost": 0.25,
        "messages": [
            said("assistant", "Hi! How can I help?", 0),
            said("user", "Where may I park?", 1, usage=usage),
            said("assistant", None, 2, tool_calls=[find], usage=usage, cost=0.1),
            {"role": "tool", "tool_messages": answers},
            said("user", None, 3, tool_calls=[look]),
            said("tool", "a sign", 4, id="c2", requestor="user", error=False),
            said("assistant", "At Pier 4.", 5, usage=usage),
        ],
        "reward_info": {
            "reward": 0.0,
            "db_check": {"db_match": True, "db_reward": 1.0},
            "action_checks": [
                {"action": {"name": "find"}, "action_match": True, "action_reward": 1.0},
                {"action": {"name": "look"}, "action_match": False, "action_reward": 0.0},
            ],
            "nl_assertions": [{"nl_assertion": "Names a garage.", "met": False, "justification": "It does not."}],
            "communicate_checks": [{"info": "Pier 4", "met": True, "justification": ""}],
            "reward_basis": ["DB", "ACTION"],
            "reward_breakdown": {"DB": 1.0, "ACTION": 0.0},
        },
    }


def results() -> JsonObject:
    """A run of two trials."""
    return {
        "timestamp": "2026-05-01T10:00:00",
        "info": {
            "num_trials": 2,
            "agent_info": {"llm": "small"},
            "environment_info": {"domain_name": "city", "policy": "Be short.", "tool_defs": None},
        },
        "tasks": [task()],
        "simulations": [simulation(0), simulation(1)],
    }


def before() -> list[Json]:
    """A run of tau-bench, whose tasks are numbers."""
    messages: list[Json] = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Where?"}]
    return [{"task_id": 3, "trial": 0, "reward": 1.0, "info": {"user_cost": 0.1}, "traj": messages}]
