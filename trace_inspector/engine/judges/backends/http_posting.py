"""Posts JSON to judges over HTTP; every failure becomes a failed call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trace_inspector.core.values.values import Json
from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.engine.judges.backends.http_failures import connection_failure, failure_of

if TYPE_CHECKING:
    from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

_MOST_WORDS = 1000
_PROOF = "authorization"


class Poster:
    """Connections to judges. They belong to the event loop on which they are used.

    Each call uses a client of its own: a shared one would search all open connections for every call.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._idle: list[BoundedClient] = []

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Json:
        """Post a body and return the JSON of the reply."""
        import httpx2

        client = self._idle.pop() if self._idle else self._new()
        try:
            sent = {**headers, "Content-Type": "application/json"}
            response = await client.post(url, content=body, headers=sent)
        except httpx2.InvalidURL as problem:
            raise CallFailed(f"the judge’s URL cannot be used: {problem}", again=False) from problem
        except (OSError, httpx2.HTTPError) as problem:
            raise connection_failure(problem) from problem
        finally:
            self._idle.append(client)
        if response.status_code >= 300:
            secrets = [text.removeprefix("Bearer ") for name, text in headers.items() if name.lower() == _PROOF]
            raise failure_of(response.status_code, response.headers, _body(response.content), secrets)
        return _value(response.content)

    async def close(self) -> None:
        """Close the connections."""
        while self._idle:
            await self._idle.pop().aclose()

    def _new(self) -> BoundedClient:
        from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

        return BoundedClient(self._timeout_s)


def json_bytes(value: Json) -> bytes:
    """A body that any server reads: plain ASCII."""
    return json.dumps(value).encode("ascii")


def _value(content: bytes) -> Json:
    try:
        value: Json = json.loads(content)
    except RecursionError as problem:
        raise CallFailed("the reply is nested too deeply", again=False) from problem
    except ValueError as problem:
        raise CallFailed("the reply is not JSON", again=True) from problem
    return value


def _body(content: bytes) -> Json:
    """The content of an error: JSON, or text of a proxy."""
    try:
        return _value(content)
    except CallFailed:
        return content[:_MOST_WORDS].decode("utf-8", "replace")
