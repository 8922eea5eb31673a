"""Whether a model takes calls at all, or no more for now."""

from __future__ import annotations

import asyncio
import contextlib

from trace_inspector.engine.judges.use import QuotaUsedUp


class Quota:
    """The quota of one model. Once it is used up, whoever waits to try again learns it at once."""

    def __init__(self) -> None:
        self._reason = ""
        self._ended = asyncio.Event()

    def end(self, reason: str) -> None:
        """No more calls, and why; the first reason stays."""
        self._reason = self._reason or reason
        self._ended.set()

    def check(self) -> None:
        """Raises QuotaUsedUp once no more calls are taken."""
        if self._reason:
            raise QuotaUsedUp(self._reason)

    async def pause(self, seconds: float) -> None:
        """Wait before another try."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)
        self.check()
