"""Numbers as people read them: seconds, token counts, scores, times of day."""

from __future__ import annotations

import math
import time

from trace_inspector.core.verdict.figures import share_text

_THOUSANDS = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"))
_DAY_S, _YEAR_S = 86_400, 365.25 * 86_400
_PARTS_OF_A_SECOND = (
    (0.000995, 1e6, 0, "\N{MICRO SIGN}s"),
    (0.00995, 1e3, 1, "ms"),
    (0.0995, 1e3, 0, "ms"),
)
NOTHING = "–"


def seconds_text(seconds: float | None) -> str:
    """A duration, the same wherever it is shown: 300 µs, 40 ms, 0.8 s, 166 s, 12 min 5 s, 3 h 2 min, 4 d."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    if seconds < 0:
        return f"\N{MINUS SIGN}{seconds_text(-seconds)}"
    for least_s, unit, places, name in _PARTS_OF_A_SECOND:
        if 0 < seconds < least_s:
            return f"{seconds * unit:.{places}f} {name}"
    if seconds == 0:
        return "0 s"
    if seconds < 99.95:
        return f"{seconds:.1f} s"
    if seconds >= 2 * _YEAR_S:
        return f"{seconds / _YEAR_S:,.0f} years"
    if seconds >= 2 * _DAY_S:
        return f"{seconds / _DAY_S:,.0f} d"
    whole = round(seconds)
    if whole < 600:
        return f"{whole} s"
    if whole < 36_000:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def count_text(count: int | None) -> str:
    """A count with three figures at most: 840, 4.2 k, 35.7 k, 120 k."""
    if count is None:
        return ""
    for unit, letter in _THOUSANDS:
        if abs(count) >= unit:
            scaled = count / unit
            return f"{scaled:.1f} {letter}" if abs(scaled) < 99.95 else f"{scaled:.0f} {letter}"
    return str(count)


def score_text(score: float | None) -> str:
    """A score with two decimals, never rounded up to a full 1.00 it has not reached."""
    if score is None or not math.isfinite(score):
        return NOTHING
    return share_text(score)


def when_text(started_s: float) -> str:
    """Date and time on this computer's clock."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(started_s))
    except (OverflowError, ValueError, OSError):  # a time that no clock shows
        return NOTHING
