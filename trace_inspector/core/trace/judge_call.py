"""A call of a judge as it is kept: what was asked, what came, and what it took."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from trace_inspector.core.values.values import JsonObject

# Replies are kept as they came, but what is read from them may change: then nothing kept is used.
PARSER_VERSION = 1


class CallKey(Struct, frozen=True, dict=True):  # a dict for the cached property
    """What makes two calls the same: only then may the reply of one stand for the other; in short, `digest`."""

    endpoint: str
    model: str
    parameters: JsonObject
    prompt: str
    sample: int
    nth: int = 0  # of equal questions in one case, which one

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all of it, and of the version of what reads the reply."""
        listed = [self.endpoint, self.model, self.parameters, self.prompt, self.sample, self.nth, PARSER_VERSION]
        return hashlib.sha256(json.dumps(listed, sort_keys=True).encode("ascii")).hexdigest()


class JudgeCall(Struct, frozen=True):
    """One call and its reply. `reply` None is an answer without content; a failed call is never kept for later."""

    key: CallKey
    reply: str | None
    started_s: float
    duration_s: float
    attempts: int = 1
    input_tokens: int | None = None
    output_tokens: int | None = None
    note: str = ""


class NotKept(Exception):
    """A reply could not be stored; the reason."""


class CallCache(Protocol):
    """Where replies are looked up and kept."""

    def get(self, digest: str) -> JudgeCall | None: ...

    def put(self, call: JudgeCall, *, paid: bool = True) -> None:
        """Keep a reply, so that it survives a power cut when it was paid for. NotKept when that cannot be."""
        ...


class OpenQuestions(Protocol):
    """Notes which questions are on their way, so that a run that goes on can tell how many are asked again."""

    def opened(self, digest: str) -> None: ...

    def settled(self, digest: str) -> None: ...
