"""What works on a run: an executor, and how many work for it."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TypeVar

from msgspec import Struct, field

from trace_inspector.core.errors import EngineLost, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.running.handshake import Identity, refuse_others

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")
MOST_WORKERS = 61  # the limit of processes to wait for on Windows


def is_death(problem: Exception) -> bool:
    """Whether a worker or whatever gives it work ended, in the words of a pool or of Dask."""
    return isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ == "KilledWorker"


class Engine(Struct):
    """An executor that is ready, how many work for it, and which processes did so far."""

    name: str
    executor: Executor
    workers: int
    processes: set[str] = field(default_factory=set)
    shards_given: int = 0  # of the run in hand; halves of one that failed count by themselves
    shards_taken: int = 0

    @property
    def is_local(self) -> bool:
        """Whether its workers are processes of this one, to which conversations may be handed."""
        return self.name.startswith("local")

    @property
    def is_own(self) -> bool:
        """Whether its workers were started by this process, and end with it."""
        return self.is_local or (self.name.startswith("dask:") and "://" not in self.name)

    @property
    def window(self) -> int:
        """How many shards it is given at once: enough that nobody waits, and few enough to be held."""
        return 2 * self.workers + 1

    def each(self, call: Callable[[Argument], Answer], arguments: Iterable[Argument]) -> Iterator[Answer]:
        """The answers of workers in order, with few calls at once. One whose worker ended is made once more."""
        rest = iter(arguments)
        waiting: deque[tuple[Argument, Future[Answer]]] = deque()
        try:
            while True:
                for argument in itertools.islice(rest, self.window - len(waiting)):
                    waiting.append((argument, self.executor.submit(call, argument)))
                if not waiting:
                    return
                argument, future = waiting.popleft()
                try:
                    answer = future.result()
                except Exception as problem:
                    if not is_death(problem):
                        raise
                    answer = self._again(call, argument)
                yield answer
        finally:
            self.drop(future for _argument, future in waiting)

    def _again(self, call: Callable[[Argument], Answer], argument: Argument) -> Answer:
        try:
            return self.executor.submit(call, argument).result()
        except Exception as problem:
            if not is_death(problem):
                raise
            raise EngineLost(f"The workers of {self.name} ended while files were read. Nothing is lost.") from problem

    def drop(self, futures: Iterable[Future[Answer]]) -> None:
        """Nobody waits for these any more.

        What processes of ours have in hand ends with them: a pool cannot end where a process died and a call was
        cancelled (CPython raises InvalidStateError in its thread), and Dask waits for the answer of its scheduler.
        """
        for future in () if self.is_own else futures:
            future.cancel()

    def take_identity(self, process: str, worker: Identity | None) -> None:
        """Note who did some work. UsageError for a worker that came later and is another version."""
        if process not in self.processes:
            if worker is not None:
                refuse_others({process: worker})
            self.processes.add(process)


def worker_count(text: str) -> int:
    """The number after a colon."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 1 <= number <= MOST_WORKERS:
        raise UsageError(f"--on …:{one_line(text, 60)}: give a number of processes from 1 to {MOST_WORKERS}.")
    return number
