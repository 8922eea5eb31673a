"""Which endpoints a key may be sent to. They come from the environment or the person, never from a file."""

from __future__ import annotations

from urllib.parse import urlsplit

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def checked_endpoint(url: str, *, has_key: bool) -> str:
    """The endpoint without a closing slash; plain http beyond this machine is refused when a key would go with it."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as problem:
        raise UsageError(f"“{one_line(url, 80)}” is not a URL. Write one like https://host/v1.") from problem
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"“{one_line(url, 80)}” is not a URL. Write one like https://host/v1.")
    if parts.username or parts.password:
        raise UsageError(
            "The judge’s URL contains a user name or a password. Put the key into the environment instead."
        )
    if parts.query or parts.fragment:
        raise UsageError(
            "The judge’s URL contains “?” or “#”. Remove that part, and put the key into the environment instead."
        )
    if parts.scheme == "http" and has_key and host not in _LOOPBACK:
        raise UsageError(f"A key would go to {host} unencrypted. Use https, or unset the key.")
    return url.rstrip("/")
