"""A limit on the time that a piece of a test may take, far above what it needs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TookTooLong(Exception):
    """What was tried did not end."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Break off what is done inside when it hangs. For the main thread."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TookTooLong(f"still at it after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
