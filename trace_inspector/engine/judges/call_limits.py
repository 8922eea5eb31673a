"""How a judge is used: how many calls at once, how patiently, until when, and which questions are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from trace_inspector.core.errors import Stopped
from trace_inspector.engine.scoring.metric import MODEL, Ask

if TYPE_CHECKING:
    from trace_inspector.core.trace.judge_call import CallKey, JudgeCall
    from trace_inspector.engine.judges.backends.backend import Backend

IN_FLIGHT = 16


class QuotaUsedUp(Stopped):
    """The model takes no more calls for now; what is done is kept, and the same run goes on from there later."""


class Patience(Struct, frozen=True):
    """As google-adk waits: seven tries, from five seconds on twice as long each time, two minutes at most."""

    tries: int = 7
    first_s: float = 5.0
    factor: float = 2.0
    longest_s: float = 120.0
    call_s: float = 300.0  # one try takes no longer than this

    def wait_s(self, failed: int, asked_s: float | None) -> float:
        """How long to wait after failed tries; a server's own delay is used, within bounds."""
        import random

        longest = min(self.first_s * self.factor ** (failed - 1), self.longest_s)
        if asked_s is not None:
            # A little longer each time, or calls that were refused together come back together, again and again.
            return min(max(asked_s, 0.0) + random.uniform(0, longest / 20), self.longest_s)
        return random.uniform(longest / 2, longest)


class Use(Struct, frozen=True):
    """How a judge is used. `fresh` ignores cached replies, `model` overrides those of criteria.

    With `fresh_turn` only questions about that turn are asked again. Replies since `since_s` are those of this run,
    which goes on with another one.
    """

    model: str = ""
    in_flight: int = IN_FLIGHT
    fresh: bool = False
    patience: Patience = field(default_factory=Patience)
    fresh_turn: int | None = None
    since_s: float | None = None

    def asks_again(self, question: Ask) -> bool:
        """Whether a cached reply to this question is ignored."""
        return self.fresh and self.fresh_turn in (None, question.turn)

    def is_of_this_run(self, call: JudgeCall) -> bool:
        """Whether a stored reply was asked for by the run that this one goes on with."""
        return self.since_s is not None and call.started_s >= self.since_s

    def key(self, backend: Backend, question: Ask, nth: int) -> CallKey:
        """What makes a question the same as another one."""
        from trace_inspector.core.trace.judge_call import CallKey

        model = (question.of == MODEL and self.model) or question.model
        return CallKey(backend.endpoint, model, question.parameters, question.prompt, question.sample, nth)
