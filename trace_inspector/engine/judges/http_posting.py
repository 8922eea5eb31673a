"""JSON over HTTP to judges: one connection pool, and every way to fail as a failed call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trace_inspector.core.values import Json
from trace_inspector.engine.judges.backend import CallFailed
from trace_inspector.engine.judges.http_failures import failure_of, reset

if TYPE_CHECKING:
    import ssl

    import httpx2

_MOST_BYTES = 1 << 24


class Poster:
    """Connections to judges. They belong to the event loop on which they are used.

    Each call has a client to itself while it lasts: a client for all would look through every open connection for
    every call.
    """

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._trusted: ssl.SSLContext | None = None
        self._idle: list[httpx2.AsyncClient] = []

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Json:
        """The JSON that comes back."""
        import httpx2

        client = self._idle.pop() if self._idle else self._new()
        try:
            sent = {**headers, "Content-Type": "application/json"}
            response = await client.post(url, content=body, headers=sent)
        except httpx2.HTTPError as problem:
            raise reset(problem) from problem
        finally:
            self._idle.append(client)
        if response.status_code >= 400:
            raise failure_of(response.status_code, response.headers, _message(response))
        if len(response.content) > _MOST_BYTES:
            raise CallFailed("the reply is larger than 16 MiB", again=False)
        try:
            value: Json = response.json()
        except ValueError as problem:
            raise CallFailed("the reply is no JSON", again=True) from problem
        return value

    async def close(self) -> None:
        """Close the connections."""
        while self._idle:
            await self._idle.pop().aclose()

    def _new(self) -> httpx2.AsyncClient:
        import httpx2

        if self._trusted is None:
            self._trusted = httpx2.create_ssl_context()
        return httpx2.AsyncClient(timeout=self._timeout_s, verify=self._trusted)


def json_bytes(value: Json) -> bytes:
    """A body that any server reads: plain ASCII."""
    return json.dumps(value).encode("ascii")


def _message(response: httpx2.Response) -> str:
    try:
        value = response.json()
    except ValueError:
        return response.text[:200]
    error = value.get("error") if isinstance(value, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return str(said)[:200] if said else ""
