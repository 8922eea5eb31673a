"""What works on a run, as `--on` names it: processes of this machine, a Dask cluster, or anybody's executor."""

from __future__ import annotations

import contextlib
import os
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.running.engine import MOST_WORKERS, Engine, worker_count
from trace_inspector.engine.running.handshake import identity, refuse_others

_KINDS = "local[:N], dask[:N], dask:tcp://HOST:PORT, dask:tls://HOST:PORT, batch or factory:MODULE:NAME"
_HANDSHAKE_S = 60.0
_UNSAID = 4  # workers of an executor that does not say how many it has


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
    return local_engine(worker_count(rest) if rest else min(os.cpu_count() or 1, MOST_WORKERS))


def _dask(rest: str, trust: bool) -> AbstractContextManager[Engine]:
    from trace_inspector.engine.running.dask_engine import dask_engine

    return dask_engine(rest, trust=trust)


@contextlib.contextmanager
def _batch(rest: str, _trust: bool) -> Iterator[None]:
    """Only the judge is elsewhere: this process does all else."""
    if rest:
        raise UsageError(f"--on batch:{one_line(rest, 60)}: write --on batch; --judge says who is asked.")
    yield None


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
    "batch": _batch,
    "factory": _factory,
}
