"""Being asked to end: by Ctrl+C, by a polite kill, by a terminal that closes. What was done is kept then, and told.

An interrupt is an exception, as Python makes one of Ctrl+C. In the midst of an event loop that would leave the loop
unusable: there it is something to ask for.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType

# There is no SIGHUP on Windows.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
SIGNALS = tuple(signal.Signals[name] for name in _NAMES if name in signal.Signals.__members__)


@dataclass(slots=True)
class _Last:
    """The signal that asked last."""

    number: int = signal.SIGINT


_LAST = _Last()


def exit_code() -> int:
    """What a command ends with that was interrupted: 130 for Ctrl+C, as shells count it."""
    return 128 + _LAST.number


@contextlib.contextmanager
def interrupts_raised() -> Iterator[None]:
    """From here on these signals are a KeyboardInterrupt; those that are ignored or handled by somebody stay so."""
    _LAST.number = signal.SIGINT
    usual = (signal.SIG_DFL, signal.default_int_handler)
    with _handled({number: _interrupt for number in SIGNALS if signal.getsignal(number) in usual}):
        yield


@contextlib.contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Whether one came since; where somebody else handles them, or in another thread, it never did."""
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
        # Often both come, one after the other, and the second must not disturb how the first is answered.
        for other in SIGNALS:
            if other != signal.SIGINT and signal.getsignal(other) is _interrupt:
                signal.signal(other, lambda _number, _frame: None)
    raise KeyboardInterrupt


@contextlib.contextmanager
def _handled(handlers: dict[signal.Signals, Callable[[int, FrameType | None], object]]) -> Iterator[None]:
    """These handlers, and afterwards those from before; Python lets the main thread alone set them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
