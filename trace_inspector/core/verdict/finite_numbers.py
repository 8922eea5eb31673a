"""Which numbers can be summed and squared: files may hold any."""

from __future__ import annotations

from typing import TypeGuard

_MOST = 1e50  # squares of squares of what is larger are no floats any more


def is_summable(value: float | None) -> TypeGuard[float]:
    """Whether it can be compared with others; NaN and infinities cannot."""
    return value is not None and abs(value) <= _MOST
