"""Calling again: how often, how long to wait, and when to stop asking altogether."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from trace_inspector.engine.judges.backend import CallFailed

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Patience:
    """As google-adk waits: seven tries, from five seconds on twice as long each time, two minutes at most."""

    tries: int = 7
    first_s: float = 5.0
    factor: float = 2.0
    longest_s: float = 120.0
    call_s: float = 300.0  # one try takes no longer than this

    def wait_s(self, failed: int, asked_s: float | None) -> float:
        """How long to wait after so many failed tries; a server that says how long is believed, within bounds."""
        longest = min(self.first_s * self.factor ** (failed - 1), self.longest_s)
        if asked_s is not None:
            # A little longer each time, or calls that were refused together come back together, again and again.
            return min(max(asked_s, 0.0) + random.uniform(0, longest / 20), self.longest_s)
        return random.uniform(longest / 2, longest)


async def patiently(
    attempt: Callable[[], Awaitable[Result]], patience: Patience, waits: Callable[[float], Awaitable[None]]
) -> tuple[Result, int]:
    """What an attempt brings and the number of tries; CallFailed when no further try makes sense."""
    tries = 0
    while True:
        tries += 1
        try:
            return await asyncio.wait_for(attempt(), patience.call_s), tries
        except TimeoutError:
            problem = CallFailed(f"no answer within {patience.call_s:.0f} s", again=True)
        except CallFailed as failed:
            problem = failed
        if not problem.again or tries >= patience.tries:
            more = f" (after {tries} tries)" if tries > 1 else ""
            # Who is refused until patience ends will be with every other call, too: that is a quota used up.
            raise CallFailed(f"{problem.sentence}{more}", again=False, quota=problem.quota or problem.limited)
        await waits(patience.wait_s(tries, problem.after_s))
