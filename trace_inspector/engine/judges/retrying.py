"""Calling again: how often, how long to wait, and when to stop asking altogether."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.engine.judges.use import Patience

Result = TypeVar("Result")


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
