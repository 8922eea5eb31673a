"""What is done with judges and their keys in a child, so that no keyring and no network holds the window up.

A key travels over the pipe to the child alone: it is in no argument list, no environment and no log.
"""

from __future__ import annotations

import os

from msgspec import Struct

from trace_inspector.flows.judges.selection import JudgeChoice
from trace_inspector.work.processes.child import Channel


class Tried(Struct, frozen=True):
    """What came of asking a judge once."""

    answered: bool
    sentence: str


class KeyState(Struct, frozen=True):
    """Whether a key is stored, where it comes from, and why the keyring cannot be used; never the key."""

    kept: bool = False
    variable: str = ""  # that holds one, with priority over the keyring
    problem: str = ""


def ask_once(channel: Channel, choice: JudgeChoice) -> None:
    """In the child: one tiny question."""
    from trace_inspector.flows.judges.judge_trial import try_judge

    trial = try_judge(choice)
    channel.send(Tried(trial.answered, trial.sentence))


def find_key(channel: Channel, choice: JudgeChoice) -> None:
    """In the child: is there a key?"""
    channel.send(_state(choice))


def put_key(channel: Channel, choice: JudgeChoice) -> None:
    """In the child: store the key in the payload; without one, delete the stored key."""
    from trace_inspector.flows.judges.key_ring import delete_key, store_key

    key = next(channel.incoming(), b"").decode()
    problem = store_key(choice.account, key) if key else delete_key(choice.account)
    state = _state(choice)
    channel.send(KeyState(state.kept, state.variable, problem or state.problem))


def _state(choice: JudgeChoice) -> KeyState:
    from trace_inspector.flows.judges.key_ring import stored_key
    from trace_inspector.flows.judges.selection import key_variable

    stored = stored_key(choice.account)
    return KeyState(bool(stored.key), key_variable(choice, os.environ), stored.problem)
