"""Daemon threads for blocking work of an event loop, such as looking up a host; nothing waits for their end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class DaemonThreads(ThreadPoolExecutor):
    """One daemon thread a task, so that neither a cancelled run nor the program waits for one that hangs."""

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Start a task at once."""
        future: Future[Result] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as problem:
                future.set_exception(problem)

        threading.Thread(target=work, name="judge-lookup", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to wait for."""
        del wait
        super().shutdown(wait=False, cancel_futures=cancel_futures)
