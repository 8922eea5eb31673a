"""Figures of verdicts: which numbers can be summed, and shares in percent and from 0 to 1."""

from __future__ import annotations

from typing import TypeGuard

_MOST = 1e50  # squares of squares of what is larger are no floats any more


def is_summable(value: float | None) -> TypeGuard[float]:
    """Whether it can be compared with others; NaN and infinities cannot."""
    return value is not None and abs(value) <= _MOST


def percent(share: float | None, digits: int = 0) -> str:
    """A share in percent; what is not all is never shown as 100 %, and what is something never as 0 %."""
    if share is None:
        return "–"
    text = f"{100 * share:.{digits}f} %"
    least = 10.0**-digits
    if share < 1 and text == f"{100:.{digits}f} %":
        return f">{100 - least:.{digits}f} %"
    return f"<{least:.{digits}f} %" if share > 0 and text == f"{0:.{digits}f} %" else text


def share_text(share: float) -> str:
    """A share from 0 to 1 with two decimals, never rounded up to a full 1.00 that it has not reached."""
    text = f"{share:.2f}"
    return "0.99" if text == "1.00" and share < 1 else text
