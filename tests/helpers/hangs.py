"""Ends the process of a test that never comes back to Python and so hears no signal, and shows where it is.

That of pytest makes a thread for each test and waits for the end of the one before: on a busy machine that takes
longer than most tests. Here one thread watches over many tests in a row.
"""

from __future__ import annotations

import faulthandler
import time
from collections.abc import Iterator

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key  # the real one: that of the test is caught

LEAST_S, MOST_S = 60.0, 120.0  # of patience beyond the limit of a test, in which it is to end by a signal


class Watch:
    """A plugin. Its limit is that of the test, or else that of all tests."""

    def __init__(self, limit_s: float, least_s: float = LEAST_S, most_s: float = MOST_S) -> None:
        self._limit_s, self._least_s, self._most_s = limit_s, least_s, most_s
        self._until_s = 0.0

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        own = item.get_closest_marker("timeout")
        limit_s = float(own.args[0]) if own is not None else self._limit_s
        now_s = time.monotonic()
        if limit_s and self._until_s < now_s + limit_s + self._least_s:
            patience_s = limit_s + self._most_s
            faulthandler.dump_traceback_later(
                patience_s, file=item.config.stash[fault_handler_stderr_fd_key], exit=True
            )
            self._until_s = now_s + patience_s
        result = yield
        if nextitem is None:  # nothing is left that could hang
            faulthandler.cancel_dump_traceback_later()
            self._until_s = 0.0
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_exception_interact(self) -> None:
        """Pytest has switched it off, as somebody may look at the failure in a debugger."""
        self._until_s = 0.0
