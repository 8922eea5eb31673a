"""Trajectories of SWE-agent and of mini-SWE-agent, and how they are told from other lists of messages."""

from __future__ import annotations

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, objects_in
from trace_inspector.formats.common.recogniser import LOOKED_AT, All, Holds, Keys, OneObject, Within, first

MINI_FORMAT = "mini-swe-agent"
COMMAND_BLOCK = "```mswea_bash_command"
RETURNED = "<returncode>"

_STEP = Keys("action", "observation")


def _states_mini(fields: Fields) -> bool:
    return (fields.text("trajectory_format") or "").startswith(MINI_FORMAT)


_trajectory = OneObject(
    (96, All(first("trajectory", _STEP), Holds("history", list))),
    (90, All(first("trajectory", _STEP), Within("info", Keys("exit_status")))),
    (96, All(_states_mini, Holds("messages", list))),
    (90, All(Holds("messages", list), Within("info", All(Keys("exit_status"), Holds("model_stats", dict))))),
)


def trajectory(value: Json) -> int:
    """A trajectory with its history, or the messages of mini-SWE-agent, in an object or bare."""
    if isinstance(value, list):
        return 90 if is_bare_mini(objects_in(value[:LOOKED_AT], "")) else 0
    return _trajectory(value)


def is_bare_mini(messages: list[Fields]) -> bool:
    """Whether messages are those of a shell that answers each command with its return code."""
    asked = any(COMMAND_BLOCK in (message.text("content") or "") for message in messages)
    answered = any(
        message.text("role") == "user" and (message.text("content") or "").startswith(RETURNED)
        for message in messages
    )
    return all(message.text("role") for message in messages) and (asked or answered)
