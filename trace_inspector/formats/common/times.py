"""Times as tracing libraries write them: nanoseconds, pairs of seconds and nanoseconds, ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from trace_inspector.core.values.values import Json

_MOST_NANOS = 1 << 64
# A number does not say its unit; every date from 1973 to 5138 has only one of these orders of magnitude.
_NANOS_PER_UNIT = ((10**17, 1), (10**14, 10**3), (10**11, 10**6), (10**8, 10**9))
_UNITS = {10**3: "microseconds", 10**6: "milliseconds", 10**9: "seconds"}
_LONGEST_TEXT = 64
_FRACTION = re.compile(r"\.(\d+)")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def interval(start: Json, end: Json, own_nanos: Json) -> tuple[float | None, float | None]:
    """When a span began and how long it took: until its end, else as it says itself."""
    started, ended = _nanos(start), _nanos(end)
    start_s = None if started is None else started / 1e9
    if started is not None and ended is not None and ended >= started:
        return start_s, (ended - started) / 1e9
    own = _number(own_nanos)
    return start_s, own / 1e9 if own is not None and 0 <= own < _MOST_NANOS else None


def is_time(value: Json) -> bool:
    """Whether a value is a time. Nanoseconds, as tracers write them, are only known by their size."""
    if type(value) is int and _NANOS_PER_UNIT[0][0] <= value < _MOST_NANOS:
        return True
    return _nanos(value) is not None


def guessed_unit(value: Json) -> str:
    """The unit that a bare number was taken for; "" for what says it, and for nanoseconds, the unit of tracers."""
    number = _number(value)
    units = (_UNITS.get(nanos, "") for least, nanos in _NANOS_PER_UNIT if number is not None and number >= least)
    return next(units, "")


def _nanos(value: Json) -> int | None:
    if isinstance(value, list):
        seconds, nanos = (_number(part) for part in value) if len(value) == 2 else (None, None)
        return _within(seconds * 1_000_000_000 + nanos) if seconds is not None and nanos is not None else None
    if isinstance(value, str) and not value.lstrip("-").isdecimal():
        return _of_date(value)
    if isinstance(value, float):
        return _within(int(value * 1e9)) if 10**8 <= value < 10**11 else _of_number(_number(value))
    return _of_number(_number(value))


def _of_number(number: int | None) -> int | None:
    for least, nanos in _NANOS_PER_UNIT:
        if number is not None and number >= least:
            return _within(number * nanos)
    return None


def _number(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None


def _of_date(text: str) -> int | None:
    if len(text) > _LONGEST_TEXT:
        return None
    fraction = _FRACTION.search(text)
    try:
        date = datetime.fromisoformat(_FRACTION.sub("", text, count=1))
    except ValueError:
        return None
    since = (date if date.tzinfo else date.replace(tzinfo=UTC)) - _EPOCH
    seconds = since.days * 86_400 + since.seconds
    return _within(seconds * 1_000_000_000 + (int(fraction[1][:9].ljust(9, "0")) if fraction else 0))


def _within(nanos: int) -> int | None:
    return nanos if 0 < nanos < _MOST_NANOS else None


def seconds_of(value: Json) -> float | None:
    """A time as epoch seconds."""
    nanos = _nanos(value)
    return None if nanos is None else nanos / 1e9
