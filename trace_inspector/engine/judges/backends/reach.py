"""Whether an endpoint is reachable: no key is sent, and nothing is generated."""

from __future__ import annotations

import asyncio

from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.engine.judges.backends.daemon_threads import DaemonThreads
from trace_inspector.engine.judges.backends.http_failures import connection_failure

LONGEST_S = 2.0


def unreachable(url: str, longest_s: float = LONGEST_S) -> str:
    """Why a URL does not answer; "" when it does, with any status."""

    async def ask() -> str:
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        try:
            async with asyncio.timeout(longest_s):
                return await _asked(url, longest_s)
        except TimeoutError:
            return f"no answer within {longest_s:g} s"

    return asyncio.run(ask())


async def _asked(url: str, longest_s: float) -> str:
    import httpx2

    from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

    async with BoundedClient(longest_s) as client:
        try:
            await client.get(url)
        except (OSError, httpx2.HTTPError, httpx2.InvalidURL) as problem:
            return connection_failure(problem).sentence
        except CallFailed:  # even an odd answer is an answer
            return ""
    return ""
