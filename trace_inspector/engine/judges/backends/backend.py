"""What a model is to the engine: one call at a time, answered or failed, never retried here."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct, field

from trace_inspector.core.values.values import JsonObject


class Prompted(Struct, frozen=True):
    """One call to a model. `parameters` are the model's own, as the criterion states them; `digest` is of its key."""

    model: str
    prompt: str
    parameters: JsonObject = field(default_factory=dict)
    digest: str = ""


class ModelAnswer(Struct, frozen=True):
    """A model's answer. `text` None is an answer without content; `note` is the model's reason, if it gave one."""

    text: str | None
    input_tokens: int | None = None
    output_tokens: int | None = None
    note: str = ""


class CallFailed(Exception):
    """A failed call. `again`: another try may help. `quota`: no try will help today.

    `limited`: a rate limit, which the next call will hit as well.
    """

    def __init__(
        self,
        sentence: str,
        *,
        again: bool,
        after_s: float | None = None,
        quota: bool = False,
        limited: bool = False,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.again = again
        self.after_s = after_s
        self.quota = quota
        self.limited = limited


class Backend(Protocol):
    """A kind of judge. `name` is what people read; `endpoint` where calls go, without any secret."""

    @property
    def name(self) -> str: ...

    @property
    def endpoint(self) -> str: ...

    async def call(self, prompted: Prompted) -> ModelAnswer: ...

    async def close(self) -> None: ...
