"""How long turns and calls took and how many tokens turns used, and in parentheses how much more than beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trace_inspector.core.trace.trace import Turn, stated_duration_s, total_tokens, turn_usage

_LEAST_S = 0.05  # shorter is no time that anybody waits
_THOUSAND = 1000


def turns_fact(turns: Sequence[Turn], before: Sequence[Turn] = ()) -> str:
    """What these took, and how much more than those before; nothing of what is not stated."""
    seconds, tokens = _seconds(turns), _tokens(turns)
    texts = [_seconds_fact(seconds, _seconds(before))] if seconds is not None else []
    if tokens is not None:
        tokens_before = _tokens(before)
        more = tokens - tokens_before if tokens_before is not None else 0
        words = f"{tokens / _THOUSAND:,.1f} k tokens" if tokens >= _THOUSAND else f"{tokens:,} tokens"
        texts.append(f"{words} ({_signed(f'{more:+,}')})" if more else words)
    return ", ".join(texts)


def call_fact(seconds: float | None, before: float | None = None) -> str:
    """The time of a call, and how much more than that of the one before; "" for none that anybody waits."""
    if seconds is None or max(seconds, before or 0.0) < _LEAST_S:
        return ""
    return _seconds_fact(seconds, before)


def _seconds_fact(seconds: float, before: float | None) -> str:
    more = seconds - before if before is not None else 0.0
    return f"{seconds:,.1f} s ({_signed(f'{more:+,.1f}')})" if abs(more) >= _LEAST_S else f"{seconds:,.1f} s"


def _signed(number: str) -> str:
    """With a minus, which a hyphen is not: nothing but people reads it."""
    return number.replace("-", "−")


def _seconds(turns: Iterable[Turn]) -> float | None:
    seconds = [each for turn in turns if (each := stated_duration_s(turn)) is not None]
    return sum(seconds) if seconds else None


def _tokens(turns: Iterable[Turn]) -> int | None:
    tokens = [each for turn in turns if (each := total_tokens(turn_usage(turn))) is not None]
    return sum(tokens) if tokens else None
