"""A pool of processes that judge, and another one when that is broken because one of them died."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

from trace_inspector.lifeline import end_with_parent

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MOST_POOLS = 10  # one after the other, as processes die: where memory is short, others would die as well


class Processes(Executor):
    """An executor of so many processes."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._spare = MOST_POOLS - 1
        self._pool = self._new()

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Give a process something to do."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            if not self._spare:
                raise
            self._spare -= 1
            self._end_broken()
            self._pool = self._new()
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        if self._pool._broken:
            self._end_broken()
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _end_broken(self) -> None:
        """End a pool of which a process died, with all the others.

        A pool that breaks while it starts a process forgets that one, and waits for it for ever: nobody else ends it.
        (Python 3.14 has kill_workers for this.)
        """
        for process in tuple((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, multiprocessing.get_context("spawn"), initializer=_begin_process)


def _begin_process() -> None:
    """In a process of the pool, which nothing but its parent ends."""
    end_with_parent()
    # These reach the whole process group; the parent alone decides what they mean.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
