"""Runs work items with a judge on one event loop: many cases at once, each in rounds of questions."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

from trace_inspector.core.errors import Stopped
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.judges.backends.daemon_threads import DaemonThreads
from trace_inspector.engine.running.interrupts import interrupts_noted
from trace_inspector.engine.running.judging import EVERYBODY
from trace_inspector.engine.running.runner import WorkItem, fetched, item_rounds
from trace_inspector.engine.scoring.metric import Ask, Metric, Reply, Rounds, Said

_LOOK_EVERY_S = 0.05  # how often cancellation is checked
_CASES_A_CALL = 2  # cases open for each call in flight, so that no call waits for its case to be prepared


class Answers(Protocol):
    """A judge on the event loop."""

    @property
    def in_flight(self) -> int: ...

    async def ask(self, question: Ask, nth: int = 0) -> Reply: ...

    async def close(self) -> None: ...


def run_live(
    items: Sequence[WorkItem],
    metrics: Sequence[Metric],
    judge_on_loop: Callable[[], Answers],
    cancelled: Callable[[], bool] = lambda: False,
    without: Mapping[str, str] = EVERYBODY,
    unanswered: set[int] | None = None,
) -> Iterator[tuple[int, CaseVerdict]]:
    """Verdicts in order of completion, with the index of their item; fewer when cancelled.

    With one call in flight cases follow each other, and questions come strictly in ADK's order. The loop belongs to
    the caller's thread and runs only while a verdict is waited for. When a judge takes no more calls, what can be
    decided without them is; QuotaUsedUp follows the last verdict. Items with a question that failed are added to
    `unanswered`.
    """
    with interrupts_noted() as interrupted, asyncio.Runner() as runner:
        live = _LiveRun(items, metrics, judge_on_loop, lambda: cancelled() or interrupted(), without)
        live.unanswered = set() if unanswered is None else unanswered
        try:
            runner.run(live.start())
            while (judged := runner.run(live.next())) is not None:
                yield judged
        finally:
            runner.run(live.stop())
        if interrupted():
            raise KeyboardInterrupt


class _LiveRun:
    """The tasks of one run. Everything happens on the loop."""

    def __init__(
        self,
        items: Sequence[WorkItem],
        metrics: Sequence[Metric],
        judge_on_loop: Callable[[], Answers],
        cancelled: Callable[[], bool],
        without: Mapping[str, str],
    ) -> None:
        self._remaining = enumerate(fetched(items))
        self._metrics = metrics
        self._make = judge_on_loop
        self._cancelled = cancelled
        self._without = without
        self._open: set[asyncio.Task[tuple[int, CaseVerdict]]] = set()
        # Waiting for all that are open would cost more with each of them, and a batch has thousands.
        self._ended: asyncio.Queue[asyncio.Task[tuple[int, CaseVerdict]]] = asyncio.Queue()
        self._judge: Answers | None = None
        self._refused: Stopped | None = None  # a judge that takes no more calls
        self.unanswered: set[int] = set()

    async def start(self) -> None:
        """Make the judge, which belongs to the loop."""
        asyncio.get_running_loop().set_default_executor(DaemonThreads())
        self._judge = self._make()

    async def next(self) -> tuple[int, CaseVerdict] | None:
        """The next verdict; None at the end, or when the run was cancelled."""
        judge = self._judge
        if judge is None:
            raise ValueError("the run has not started")
        at_once = judge.in_flight if judge.in_flight == 1 else _CASES_A_CALL * judge.in_flight
        while not self._cancelled():
            for index, item in islice(self._remaining, at_once - len(self._open)):
                task = asyncio.create_task(self._judged(index, item, judge))
                task.add_done_callback(self._ended.put_nowait)
                self._open.add(task)
            if not self._open:
                if self._refused:
                    raise self._refused
                return None
            try:
                async with asyncio.timeout(_LOOK_EVERY_S):
                    ended = await self._ended.get()
            except TimeoutError:
                continue
            self._open.discard(ended)
            problem = ended.exception()
            if not isinstance(problem, Stopped):
                return ended.result()
            self._refused = problem
        return None

    async def stop(self) -> None:
        """Cancel open tasks."""
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        if self._judge is not None:
            await self._judge.close()

    async def _judged(self, index: int, item: WorkItem, judge: Answers) -> tuple[int, CaseVerdict]:
        rounds = item_rounds(item, self._metrics, self._without, one_by_one=judge.in_flight == 1)
        return index, await answered_on_loop(rounds, judge, lambda: self.unanswered.add(index))


async def answered_on_loop(rounds: Rounds[Said], judge: Answers, failed: Callable[[], None] = lambda: None) -> Said:
    """Pass rounds of questions to a judge, all of a round at once; `failed` is called for those without a reply.

    Equal questions of one case are counted, so that each gets a reply of its own, the same one in every run.
    """
    asked: Counter[tuple[str, str, int]] = Counter()
    try:
        questions = next(rounds)
        while True:
            open_calls = []
            for question in questions:
                same = question.model, question.prompt, question.sample
                open_calls.append(judge.ask(question, asked[same]))
                asked[same] += 1
            # Wait for all, even when one is refused: a call in flight is paid for, and its reply goes into the cache.
            replies = tuple(map(_reply, await asyncio.gather(*open_calls, return_exceptions=True)))
            if any(reply.failure for reply in replies):
                failed()
            questions = rounds.send(replies)
    except StopIteration as end:
        result: Said = end.value
        return result
    finally:
        rounds.close()


def _reply(outcome: Reply | BaseException) -> Reply:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
