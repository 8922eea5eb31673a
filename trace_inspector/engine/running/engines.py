"""What works on a run, as `--on` names it: processes of this machine, a Dask cluster, or anybody's executor."""

from __future__ import annotations

import contextlib
import itertools
import pkgutil
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import AbstractContextManager
from typing import TypeVar

from msgspec import Struct, field

from trace_inspector.core.errors import EngineLost, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.running.handshake import Identity, identity, refuse_others

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")
MOST_WORKERS = 61  # the limit of processes to wait for on Windows
_KINDS = "local[:N], dask[:N], dask:tcp://HOST:PORT, dask:tls://HOST:PORT or factory:MODULE:NAME"
_HANDSHAKE_S = 60.0
_UNSAID = 4  # workers of an executor that does not say how many it has


def is_death(problem: Exception) -> bool:
    """Whether a worker or whatever gives it work ended, in the words of a pool or of Dask."""
    return isinstance(problem, BrokenExecutor | CancelledError) or type(problem).__name__ == "KilledWorker"


class Engine(Struct):
    """An executor that is ready, how many work for it, and which processes did so far."""

    name: str
    executor: Executor
    workers: int
    processes: set[str] = field(default_factory=set)

    @property
    def is_local(self) -> bool:
        """Whether its workers are processes of this one, to which conversations may be handed."""
        return self.name.startswith("local")

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
            for _argument, future in waiting:
                future.cancel()

    def _again(self, call: Callable[[Argument], Answer], argument: Argument) -> Answer:
        try:
            return self.executor.submit(call, argument).result()
        except Exception as problem:
            if not is_death(problem):
                raise
            raise EngineLost(f"The workers of {self.name} ended while files were read. Nothing is lost.") from problem

    def take_identity(self, process: str, worker: Identity | None) -> None:
        """Note who did some work. UsageError for a worker that came later and is another version."""
        if process not in self.processes:
            if worker is not None:
                refuse_others({process: worker})
            self.processes.add(process)


@contextlib.contextmanager
def engine_named(text: str, *, trust: bool = False) -> Iterator[Engine | None]:
    """The engine of `--on`; None for one process, which is this one. UsageError for what is none.

    `trust`: a scheduler beyond this machine may be reached without encryption.
    """
    kind, _, rest = text.partition(":")
    opened = _OPENED.get(kind)
    if opened is None:
        raise UsageError(f"--on {one_line(text, 60)}: there is no such engine. Write {_KINDS}.")
    with opened(rest, trust) as engine:
        yield engine


def worker_count(text: str) -> int:
    """The number after a colon."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 1 <= number <= MOST_WORKERS:
        raise UsageError(f"--on …:{one_line(text, 60)}: give a number of processes from 1 to {MOST_WORKERS}.")
    return number


@contextlib.contextmanager
def local_engine(jobs: int) -> Iterator[Engine | None]:
    """Processes of this machine; None where one is enough."""
    if jobs == 1:
        yield None
        return
    from trace_inspector.engine.running.process_pool import Processes

    pool = Processes(jobs)
    try:
        yield Engine(f"local:{jobs}", pool, jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _local(rest: str, _trust: bool) -> AbstractContextManager[Engine | None]:
    import os

    return local_engine(worker_count(rest) if rest else min(os.cpu_count() or 1, MOST_WORKERS))


def _dask(rest: str, trust: bool) -> AbstractContextManager[Engine]:
    from trace_inspector.engine.running.dask_engine import dask_engine

    return dask_engine(rest, trust=trust)


@contextlib.contextmanager
def _factory(rest: str, _trust: bool) -> Iterator[Engine]:
    """Whatever a callable of the person's own makes."""
    name = one_line(f"factory:{rest}", 80)
    if not all(rest.partition(":")):
        raise UsageError(f"--on {name}: write factory:MODULE:NAME, a callable that returns an executor.")
    try:
        executor = pkgutil.resolve_name(rest)()
    except Exception as problem:
        told = f"{type(problem).__name__}: {one_line(str(problem), 120)}"
        raise UsageError(
            f"--on {name} could not be made ({told}). The module must be importable (PYTHONPATH), and the callable "
            "take no arguments."
        ) from problem
    if not isinstance(executor, Executor):
        raise UsageError(f"--on {name} returned {type(executor).__name__}, which is no concurrent.futures.Executor.")
    try:
        try:
            worker = executor.submit(identity).result(timeout=_HANDSHAKE_S)
        except Exception as problem:
            told = f"{type(problem).__name__}: {one_line(str(problem), 120)}"
            raise UsageError(f"--on {name}: its executor did not run a first task ({told}).") from problem
        refuse_others({name: worker})
        stated = getattr(executor, "_max_workers", None)
        yield Engine(f"factory:{rest}", executor, stated if isinstance(stated, int) and stated > 0 else _UNSAID)
    except BaseException:
        executor.shutdown(wait=False)  # what it has in hand is not waited for; not every executor can cancel more
        raise
    executor.shutdown()


_OPENED: Mapping[str, Callable[[str, bool], AbstractContextManager[Engine | None]]] = {
    "local": _local,
    "dask": _dask,
    "factory": _factory,
}
