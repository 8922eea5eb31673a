"""Work items on an engine, shard by shard: few at once, and verdicts as they come.

A shard that ends its worker is halved until the case is alone that does it.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import TypeAlias

from trace_inspector.core.errors import EngineLost, Stopped
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.running.engine import Engine, is_death
from trace_inspector.engine.running.handshake import Identity, identity, process_name
from trace_inspector.engine.running.runner import WorkItem, broken, fetched, judge_item
from trace_inspector.engine.scoring.metric import Judge, Metric

_LEAST_TURNS = 500  # seconds of work: a task costs Dask some 14 ms
_MOST_HELD, _TIMES = 50, 16  # what is in memory travels itself
_LOOK_EVERY_S = 0.2  # for somebody who wants to stop

_Numbered: TypeAlias = tuple[int, WorkItem]
_Shard: TypeAlias = tuple[_Numbered, ...]
_Judging: TypeAlias = tuple[Sequence[Metric], Judge | None, Mapping[str, str] | None]
_Done: TypeAlias = tuple[str, Identity | None, list[CaseVerdict]]


def run_on(
    engine: Engine,
    items: Sequence[WorkItem],
    metrics: Sequence[Metric],
    *,
    judge: Judge | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    without: Mapping[str, str] | None = None,
    held: int | None = None,
) -> Iterator[tuple[int, CaseVerdict]]:
    """The verdicts as they come, each with the index of its item; fewer when cancelled. `held`: traces in memory.

    EngineLost when nobody is left to work on them.
    """
    work = _InHand(engine, shards(items, engine.workers, held), (metrics, judge, without))
    try:
        while not cancelled() and work.give():
            done, _ = wait(work.running, _LOOK_EVERY_S, FIRST_COMPLETED)
            for future in done:
                yield from work.take(future)
    finally:
        engine.drop(work.running)


class _InHand:
    """The shards that an engine has in hand, and those that failed."""

    def __init__(self, engine: Engine, rest: Iterator[_Shard], judging: _Judging) -> None:
        self._engine = engine
        self._rest = rest
        self._judging = judging
        self._suspects: deque[_Shard] = deque()  # tried again one at a time, so that it shows who ends a worker
        self._alone: Future[_Done] | None = None
        self.running: dict[Future[_Done], _Shard] = {}

    def give(self) -> bool:
        """Give the engine what it has room for; whether it has anything in hand."""
        if not self._suspects:
            for shard in itertools.islice(self._rest, self._engine.window - len(self.running)):
                self.running[self._submit(shard)] = shard
        elif not self.running:
            shard = self._suspects.popleft()
            self._alone = self._submit(shard)
            self.running[self._alone] = shard
        return bool(self.running)

    def take(self, future: Future[_Done]) -> Iterator[tuple[int, CaseVerdict]]:
        """The verdicts of what is done, by index. What failed among others is tried alone, then in halves."""
        shard = self.running.pop(future)
        self._engine.shards_taken += 1
        try:
            process, worker, verdicts = _result(future)
        except (EngineLost, Stopped):
            raise
        except Exception as problem:
            if future is not self._alone:
                self._suspects.append(shard)
            elif len(shard) > 1:
                half = len(shard) // 2
                self._suspects.extend((shard[:half], shard[half:]))
            else:
                [(index, item)] = shard
                yield index, _given_up(item, problem)
            return
        self._engine.take_identity(process, worker)
        yield from zip((index for index, _item in shard), verdicts, strict=True)

    def _submit(self, shard: _Shard) -> Future[_Done]:
        is_checked = not self._engine.is_local
        self._engine.shards_given += 1
        try:
            return self._engine.executor.submit(
                judge_shard, [item for _index, item in shard], *self._judging, is_checked
            )
        except (RuntimeError, OSError) as problem:  # a BrokenExecutor among them
            failed: Future[_Done] = Future()
            failed.set_exception(problem)
            return failed


def shards(items: Sequence[WorkItem], workers: int, held: int | None = None) -> Iterator[_Shard]:
    """The items in order as units of work: all from one file or part of one, small files together.

    Of what is in memory they are a few, so that every worker gets some several times.
    """
    if held is None:
        held = sum(_file(item) is None for item in items)
    few = max(1, min(_MOST_HELD, held // (workers * _TIMES)))
    together: list[_Numbered] = []
    turns = 0
    for file, group in itertools.groupby(enumerate(items), lambda numbered: _file(numbered[1])):
        if file is None:
            while portion := tuple(itertools.islice(group, few)):
                yield portion
            continue
        own = tuple(group)
        together += own
        turns += sum(len(item.trace.turns) if item.trace else 1 for _index, item in own)
        if turns >= _LEAST_TURNS:
            yield tuple(together)
            together, turns = [], 0
    if together:
        yield tuple(together)


def judge_shard(
    items: Sequence[WorkItem],
    metrics: Sequence[Metric],
    judge: Judge | None,
    without: Mapping[str, str] | None,
    is_checked: bool,
) -> _Done:
    """What a worker does: read the files, judge, and say who it is. Processes of ours are what we are."""
    verdicts = [judge_item(item, metrics, judge, without) for item in fetched(items)]
    return process_name(), identity() if is_checked else None, verdicts


def _file(item: WorkItem) -> object:
    return item.elsewhere.file if item.elsewhere else None


def _result(future: Future[_Done]) -> _Done:
    try:
        return future.result()
    except CancelledError as problem:  # nobody here cancelled it
        raise EngineLost(
            "The connection to the cluster broke, or its scheduler ended. What is done is noted: give the same "
            "command with --resume."
        ) from problem


def _given_up(item: WorkItem, problem: Exception) -> CaseVerdict:
    """The verdict of a case that cannot be evaluated, also when nothing else is."""
    if is_death(problem):
        return broken(item, "the process that evaluated this case ended unexpectedly")
    return broken(item, f"this case could not be evaluated: {type(problem).__name__}: {problem}")
