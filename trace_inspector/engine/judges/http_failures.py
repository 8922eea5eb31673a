"""HTTP's ways to fail, as failed calls: which may be tried again, and when."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping

from trace_inspector.core.summary import one_line
from trace_inspector.engine.judges.backend import CallFailed

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_QUOTA_WORDS = ("per day", "perday", "insufficient_quota", "billing", "quota exceeded for quota metric")


def failure_of(code: int, headers: Mapping[str, str], message: str) -> CallFailed:
    """A reply with an error code."""
    said = one_line(message, 160)
    quota = code == 429 and any(word in message.lower() for word in _QUOTA_WORDS)
    return CallFailed(
        f"HTTP {code}{f': {said}' if said else ''}",
        again=code in _AGAIN and not quota,
        after_s=_after_s(headers),
        quota=quota,
    )


def reset(problem: Exception) -> CallFailed:
    """No reply at all: a connection that was refused, reset or cut off."""
    return CallFailed(one_line(f"no connection ({type(problem).__name__}: {problem})", 160), again=True)


def _after_s(headers: Mapping[str, str]) -> float | None:
    """Retry-After, in seconds or as a date."""
    stated = headers.get("retry-after")
    if stated is None:
        return None
    try:
        return max(float(stated), 0.0)
    except ValueError:
        pass
    try:
        return max(email.utils.parsedate_to_datetime(stated).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return None
