"""An HTTP client for untrusted endpoints: replies have a size limit, and redirects are not followed."""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING, Any

import httpx2

from trace_inspector.engine.judges.backends.backend import CallFailed

if TYPE_CHECKING:
    import ssl

MOST_BYTES = 1 << 22  # a reply of a million tokens
_ASKED_FOR = "gzip, deflate"
_EITHER = 32 + zlib.MAX_WBITS  # zlib detects which of the two it is


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Loaded once in a process: it takes longer than many a call."""
    return httpx2.create_ssl_context()


class BoundedClient(httpx2.AsyncClient):
    """Follows no redirect, which would receive the key, and rejects replies that are too large, compressed or not."""

    def __init__(self, timeout_s: float, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        super().__init__(
            timeout=timeout_s,
            verify=trusted_certificates(),
            follow_redirects=False,
            headers={"Accept-Encoding": _ASKED_FOR},
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
        )

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        """The whole reply, unpacked."""
        del stream  # no caller streams
        response = await super().send(request, stream=True, **options)
        try:
            content = await _content(response, self._most_bytes)
        finally:
            await response.aclose()
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in _OF_THE_WAY]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)


_OF_THE_WAY = frozenset({"content-encoding", "content-length", "transfer-encoding"})


async def _content(response: httpx2.Response, most_bytes: int) -> bytes:
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip", "deflate"):
        raise CallFailed("the reply is compressed in a way that was not asked for", again=False)
    unpacker = zlib.decompressobj(_EITHER) if packing in ("gzip", "deflate") else None
    content = bytearray()
    async for chunk in response.aiter_raw():
        content += _unpacked(unpacker, chunk, most_bytes + 1 - len(content)) if unpacker else chunk
        if len(content) > most_bytes:
            raise CallFailed(f"the reply is larger than {most_bytes >> 20} MiB", again=False)
    if unpacker and not unpacker.eof:
        raise CallFailed("the reply is cut off", again=True)
    return bytes(content)


def _unpacked(unpacker: zlib._Decompress, chunk: bytes, most: int) -> bytes:
    try:
        return unpacker.decompress(chunk, most)
    except zlib.error as problem:
        raise CallFailed("the reply cannot be decompressed", again=True) from problem
