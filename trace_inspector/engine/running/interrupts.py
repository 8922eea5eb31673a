"""Interrupts by Ctrl+C, SIGTERM or a closed terminal. What was done until then is kept and reported.

An interrupt is an exception, as Python makes one of Ctrl+C. Inside an event loop that would leave the loop
unusable: there it is a flag to poll.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from msgspec import Struct

# There is no SIGHUP on Windows.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALS = tuple(signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__)


class _Last(Struct):
    """The latest signal."""

    number: int = signal.SIGINT


_LAST = _Last()


def exit_code() -> int:
    """The exit code of an interrupted command: 130 for Ctrl+C, as in shells."""
    return 128 + _LAST.number


@contextlib.contextmanager
def interrupts_raised() -> Iterator[None]:
    """Turn these signals into KeyboardInterrupt, except those that are ignored or already handled otherwise."""
    _LAST.number = signal.SIGINT
    usual = (signal.SIG_DFL, signal.default_int_handler)
    with _handled({number: _interrupt for number in SIGNALS if signal.getsignal(number) in usual}):
        yield


@contextlib.contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Yields a test whether one arrived since; it stays false in other threads, and where another handler is set."""
    noted = threading.Event()

    def note(number: int, _frame: FrameType | None) -> None:
        _LAST.number = number
        noted.set()

    ours = (_interrupt, signal.default_int_handler)
    with _handled({number: note for number in SIGNALS if signal.getsignal(number) in ours}):
        yield noted.is_set


def _interrupt(number: int, _frame: FrameType | None) -> None:
    _LAST.number = number
    if number != signal.SIGINT:
        # Often several arrive in a row, and a second one must not disturb the clean-up after the first.
        for other in SIGNALS:
            if other != signal.SIGINT and signal.getsignal(other) is _interrupt:
                signal.signal(other, lambda _number, _frame: None)
    raise KeyboardInterrupt


@contextlib.contextmanager
def _handled(handlers: dict[signal.Signals, Callable[[int, FrameType | None], object]]) -> Iterator[None]:
    """Set handlers and restore the previous ones; Python allows that in the main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
