"""A pool of judging processes that is replaced when one of them died, as that breaks the whole pool."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import Any, ParamSpec, TypeVar

from trace_inspector.lifeline import end_with_parent

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MOST_POOLS = 10  # in a row: where memory is short, further ones would die as well


class Processes(Executor):
    """An executor with `jobs` processes."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._spare = MOST_POOLS - 1
        self._given: set[Future[Any]] = set()
        self._pool = self._new()

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Submit a call, to a new pool where the old one is broken."""
        try:
            return self._noted(self._pool.submit(fn, *args, **kwargs))
        except BrokenExecutor:
            if not self._spare:
                raise
            self._spare -= 1
            self._end_broken()
            self._pool = self._new()
            return self._noted(self._pool.submit(fn, *args, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, at once where they still have something in hand that nobody waits for."""
        if self._pool._broken or (cancel_futures and not all(future.done() for future in self._given)):
            self._end_broken()
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _noted(self, future: Future[Result]) -> Future[Result]:
        """Note what the processes have in hand. When something succeeds, the pool is no broken one in a row."""
        self._given.add(future)
        future.add_done_callback(self._settle)
        return future

    def _settle(self, future: Future[Result]) -> None:
        self._given.discard(future)
        if not future.cancelled() and future.exception() is None:
            self._spare = MOST_POOLS - 1

    def _end_broken(self) -> None:
        """End all processes of a pool in which one died, or which nobody waits for.

        A pool that breaks while it starts a process loses track of it, and would wait for it for ever.
        (Python 3.14 has kill_workers for this.)
        """
        for process in tuple((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, multiprocessing.get_context("spawn"), initializer=_begin_process)


def _begin_process() -> None:
    """Set up a process of the pool, which only its parent ends."""
    end_with_parent()
    # These signals reach the whole process group; only the parent decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
