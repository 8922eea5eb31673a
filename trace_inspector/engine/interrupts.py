"""Ctrl+C as something to ask for: raised in the midst of an event loop it would leave the loop unusable."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def interrupts_noted() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl+C was pressed since; where somebody else handles it, or in another thread, it never was."""
    pressed = threading.Event()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed.is_set
        return
    signal.signal(signal.SIGINT, lambda _number, _frame: pressed.set())
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
