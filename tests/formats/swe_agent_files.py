"""Trajectories of SWE-agent and mini-SWE-agent."""

from __future__ import annotations

from trace_inspector.core.values.values import Json, JsonObject


def trajectory() -> JsonObject:
    """A task with two commands and what was handed in."""
    return {
        "environment": "main",
        "trajectory": [
            {
                "action": "open main.py\n",
                "observation": "1: x = 1",
                "response": "I look.\n```\nopen main.py\n```",
                "thought": "I look.",
                "state": '{"open_file": "main.py"}',
                "execution_time": 0.25,
            },
            {"action": "submit", "observation": "done", "response": "Done.", "thought": "Done.", "state": {}},
        ],
        "history": [
            {"role": "system", "content": "You fix code.", "agent": "primary", "message_type": "system_prompt"},
            {"role": "user", "content": "An example.", "agent": "primary", "is_demo": True},
            {"role": "user", "content": "Fix main.py.", "agent": "primary", "message_type": "observation"},
            {"role": "assistant", "content": "I look.", "agent": "primary", "message_type": "action"},
        ],
        "info": {
            "exit_status": "submitted",
            "submission": "+ x = 2",
            "model_stats": {"tokens_sent": 300, "tokens_received": 40, "api_calls": 2},
        },
    }


def mini() -> list[Json]:
    """Messages of mini-SWE-agent: one command fails."""
    return [
        {"role": "system", "content": "You use a shell."},
        {"role": "user", "content": "Fix main.py."},
        {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\ncat main.py\n```"},
        {"role": "user", "content": "<returncode>1</returncode>\n<output>\nno such file\n</output>"},
        {"role": "assistant", "content": "THOUGHT: list\n\n```mswea_bash_command\nls -a\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\nmain.py\n</output>"},
    ]
