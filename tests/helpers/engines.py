"""Executors and workers for tests of `--on factory:…` and `--on dask`: in random order, or with a case that kills."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.running import engine_runner
from trace_inspector.engine.running.process_pool import Processes
from trace_inspector.engine.running.runner import WorkItem
from trace_inspector.engine.running.runner import judge_item as judge
from trace_inspector.engine.scoring.metric import Judge, Metric

POISON, HELD = "poison", "c5"


class AnyOrder(Executor):
    """A thread that does what waits in an order of its own."""

    def __init__(self) -> None:
        self._random = random.Random(os.environ.get("TEST_ORDER", ""))
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._thread = ThreadPoolExecutor(1)

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Note it, to be done some time."""
        future: Future[Any] = Future()
        self._waiting.append((future, lambda: fn(*arguments, **named)))
        self._thread.submit(self._do_one)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread."""
        self._thread.shutdown(wait, cancel_futures=cancel_futures)

    def _do_one(self) -> None:
        future, do = self._waiting.pop(self._random.randrange(len(self._waiting)))
        future.set_result(do())


def any_order() -> Executor:
    """One process, and shards in random order."""
    return AnyOrder()


def two_processes() -> Executor:
    """A pool that nobody of ours made."""
    return ProcessPoolExecutor(2, get_context("spawn"))


def no_executor() -> str:
    """What is none."""
    return "none"


def broken() -> Executor:
    """What cannot be made."""
    raise OSError("no cluster today")


class Poisoned(Processes):
    """Processes that import this module."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Have it called from here."""
        return super().submit(called, fn, *arguments, **named)


def called(fn: Callable[..., Any], *arguments: Any) -> Any:
    """What it returns."""
    return fn(*arguments)


def poisoned() -> Executor:
    """Processes of which one dies at each try of one case."""
    os.environ["TEST_POISON"] = "1"
    return Poisoned(2)


def of_another_version() -> Executor:
    """Workers with other rules."""
    return Strange()


class Strange(Executor):
    """Says of itself that it is another version."""

    def submit(self, fn: Callable[..., Any], /, *arguments: Any, **_named: Any) -> Future[Any]:
        """Do it here."""
        future: Future[Any] = Future()
        version, _digest, python, process = fn(*arguments)
        future.set_result((version, "0123456789abcdef", python, process))
        return future


def held_on_dask() -> Executor:
    """A cluster that gets each file as a shard of its own, and whose workers mark what they do and hold one case."""
    from distributed import Client

    engine_runner._LEAST_TURNS = 1
    client: Client = Client(os.environ["TEST_ADDRESS"], set_as_default=False)  # type: ignore[no-untyped-call]
    client.run(dask_setup, None)
    executor: Executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
    return executor


def judge_or_die(
    item: WorkItem,
    metrics: Sequence[Metric],
    judge_of_item: Judge | None = None,
    without: Mapping[str, str] | None = None,
) -> CaseVerdict:
    """As usual, but for one case that ends the process, and where a test wants to see a run going on."""
    if item.case is not None and item.case.id == POISON:
        os._exit(1)
    if item.case is not None and (marks := os.environ.get("TEST_MARKS")):
        (Path(marks) / item.case.id).touch()
        if item.case.id == HELD:
            time.sleep(300)  # until it is ended
    return judge(item, metrics, judge_of_item, without)


def dask_setup(_worker: object) -> None:
    """What Dask calls when it preloads this module: its worker dies of that case, however often it is started."""
    mock.patch.object(engine_runner, "judge_item", judge_or_die).start()


if os.environ.get("TEST_POISON"):
    mock.patch.object(engine_runner, "judge_item", judge_or_die).start()
