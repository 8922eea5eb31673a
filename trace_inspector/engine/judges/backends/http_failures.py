"""HTTP errors as failed calls: which may be retried, when, and what the user can do about others."""

from __future__ import annotations

import email.utils
import math
import re
import time
from collections.abc import Mapping, Sequence

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_LIMIT = 429
_LIMIT_FOR_LONG_S = 600.0
_NEXT_STEP: Mapping[int, str] = {
    400: "check the key, the model’s name and judge_model_config",
    401: "check the key in the environment",
    403: "check that the key may use this model",
    404: "check the model’s name and the base URL",
}
# Daily or paid quotas. Messages about a limit per minute mention plans and billing, too.
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached")
_QUOTA_WORDS = ("per day", "perday", "per_day", "insufficient_quota", "quota exceeded for quota metric")
_MINUTE_WORDS = ("per minute", "perminute", "per_minute", "per second", "persecond")
_TAG = re.compile(r"<[^<>]*>")
_PLAN_WORDS = ("exceeded your current quota", "billing")


def failure_of(code: int, headers: Mapping[str, str], body: Json, secrets: Sequence[str] = ()) -> CallFailed:
    """The failure for an error status. `body` is its content, JSON or text; no message contains secrets."""
    if 300 <= code < 400:
        return CallFailed(
            f"HTTP {code}: the endpoint redirects to another address, which is not followed", again=False
        )
    error = _error(body)
    message = _words(error)
    shown = one_line(without_secrets(message, secrets), 160)
    stated_s = _after_s(headers.get("retry-after"))
    after_s = _retry_delay_s(error) if stated_s is None else stated_s
    quota = code == _LIMIT and _is_quota(error, message.lower(), after_s)
    step = _NEXT_STEP.get(code, "")
    return CallFailed(
        f"HTTP {code}{f': {shown}' if shown else ''}{f'; {step}' if step else ''}",
        again=code in _AGAIN and not quota,
        after_s=after_s,
        quota=quota,
        limited=code == _LIMIT,
    )


def without_secrets(message: str, secrets: Sequence[str]) -> str:
    """A server's message without secrets: it may repeat the key that it received."""
    for secret in filter(None, secrets):
        message = message.replace(secret, "…")
    return message


def connection_failure(problem: Exception) -> CallFailed:
    """The failure for no reply: a connection that was refused, reset or cut off."""
    return CallFailed(one_line(f"no connection ({type(problem).__name__}: {problem})", 160), again=True)


def _error(body: Json) -> JsonObject | str:
    """The error object; Gemini sometimes wraps it in a list."""
    answer = body[0] if isinstance(body, list) and body else body
    if isinstance(answer, str):
        return answer
    if not isinstance(answer, dict):
        return ""
    error = answer.get("error", answer)
    return error if isinstance(error, dict | str) else ""


def _words(error: JsonObject | str) -> str:
    stated = error if isinstance(error, str) else error.get("message") or error.get("detail")
    message = stated.strip() if isinstance(stated, str) else ""
    # A proxy may answer with an HTML page.
    return _TAG.sub(" ", message) if message.startswith("<") else message


def _details(error: JsonObject | str) -> list[JsonObject]:
    listed = error.get("details") if isinstance(error, dict) else None
    return [detail for detail in listed if isinstance(detail, dict)] if isinstance(listed, list) else []


def _is_quota(error: JsonObject | str, message: str, after_s: float | None) -> bool:
    """Whether no further try will help today."""
    if after_s is not None and after_s > _LIMIT_FOR_LONG_S:
        return True
    if isinstance(error, dict) and any(error.get(name) in _QUOTA_CODES for name in ("code", "type")):
        return True
    violations = [violation for detail in _details(error) for violation in _list(detail.get("violations"))]
    texts = " ".join([message, *(str(violation.get("quotaId", "")).lower() for violation in violations)])
    if any(word in texts for word in _QUOTA_WORDS):
        return True
    # A limit per minute says so, or when to retry.
    passes = after_s is not None or any(word in texts for word in _MINUTE_WORDS)
    return not passes and any(word in texts for word in _PLAN_WORDS)


def _list(value: Json | None) -> list[JsonObject]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _retry_delay_s(error: JsonObject | str) -> float | None:
    """Gemini states in the body when to retry: {"retryDelay": "33s"}."""
    stated = [delay for detail in _details(error) if isinstance(delay := detail.get("retryDelay"), str)]
    return _seconds(stated[0].removesuffix("s")) if stated else None


def _after_s(stated: str | None) -> float | None:
    """Retry-After, in seconds or as a date."""
    if stated is None:
        return None
    seconds = _seconds(stated)
    if seconds is not None:
        return seconds
    try:
        return max(email.utils.parsedate_to_datetime(stated).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError, OSError):
        return None


def _seconds(stated: str) -> float | None:
    try:
        seconds = float(stated)
    except ValueError:
        return None
    return None if math.isnan(seconds) else max(seconds, 0.0)
