"""Child processes that heed Ctrl+C whoever started the tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def heeding_ctrl_c() -> Iterator[None]:
    """What is started inside heeds it: a shell's jobs in the background ignore it, and so would their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
