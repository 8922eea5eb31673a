"""Where the verdicts of a run come from, noted as they come, and what is said of the replies they use."""

from __future__ import annotations

import contextlib
import math
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from trace_inspector.core.values.spilled import Picked, Spilled
from trace_inspector.core.verdict.triage import Bucket, triage_note, triage_of_ces
from trace_inspector.core.verdict.verdict import CaseVerdict, Status, compose
from trace_inspector.engine.ces.run_method import Key, mixed_methods, run_method, with_run_method
from trace_inspector.engine.running.runner import WorkItem, run
from trace_inspector.engine.scoring.metric import Judge, Metric
from trace_inspector.flows.judges.judge_files import LiveChoice, NoJudge
from trace_inspector.settings import ready_data_folder

if TYPE_CHECKING:
    from trace_inspector.engine.running.engine import Engine

_WORTH_IT_S = 0.5  # a run without a judge that takes longer is noted in the ledger
_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"), (1.0, "second"))


class CaseTally:
    """What is told of all cases of a run, gathered as they come: of a large run each look takes minutes."""

    def __init__(self, cases: Iterable[CaseVerdict] = ()) -> None:
        self._statuses: set[Status] = set()
        self._methods: Counter[str] = Counter()
        self._failures: Counter[Bucket] = Counter()
        self._stored = 0  # verdicts on stored replies of a judge
        self._oldest_s = math.inf
        for case in cases:
            self.take(case)

    def take(self, case: CaseVerdict) -> None:
        """One more case."""
        self._statuses.add(case.status)
        if method := run_method(case):
            self._methods[method] += 1
        if bucket := triage_of_ces(case):
            self._failures[bucket] += 1
        for turn in case.turns:
            for verdict in turn.metrics:
                if verdict.kept_s is not None:
                    self._stored += 1
                    self._oldest_s = min(self._oldest_s, verdict.kept_s)

    @property
    def status(self) -> Status:
        """That of the run."""
        return compose(self._statuses)

    def notes(self, now_s: float) -> tuple[str, ...]:
        """Sentences; some may be empty."""
        return (
            _stored_note(self._stored, self._oldest_s, now_s),
            mixed_methods(self._methods),
            triage_note(self._failures),
        )


class Verdicts:
    """The verdicts of a run by the index of their item, in any order; those of a large run lie on the disk."""

    def __init__(self, items: int, methods: Mapping[Key, str]) -> None:
        self.tally = CaseTally()
        self._methods = methods
        self._verdicts = Spilled[CaseVerdict](ready_data_folder)
        self._places = array("q", [-1]) * items  # among the verdicts
        self._placed = 0

    def put(self, index: int, verdict: CaseVerdict) -> None:
        """The verdict of an item."""
        # In this order: Ctrl+C may come between any two of these lines.
        verdict = with_run_method(verdict, self._methods)
        self._verdicts.append(verdict)
        self._places[index] = len(self._verdicts) - 1
        self._placed += 1
        self.tally.take(verdict)

    def in_order(self) -> Sequence[CaseVerdict]:
        """All that there are, in the order of the items."""
        ordered = Picked(self._verdicts.whole, array("q", (place for place in self._places if place >= 0)))
        return ordered if isinstance(self._verdicts.whole, Spilled) else tuple(ordered)

    def __contains__(self, index: int) -> bool:
        return self._places[index] >= 0

    def __len__(self) -> int:
        return self._placed


class NotedRun(Protocol):
    """A run in the ledger."""

    def done(self) -> Iterator[tuple[int, CaseVerdict]]:
        """What is done already, each with the index of its item."""

    @property
    def since_s(self) -> float:
        """When the first of the runs began that this one goes on with."""

    def take(self, index: int, verdict: CaseVerdict, *, failed: bool) -> None:
        """Note the verdict of an item."""

    def end(self, *, complete: bool) -> None:
        """Note what still waits, and whether every case has its verdict."""

    def opened(self, digest: str) -> None:
        """Note that a question is about to be sent."""

    def settled(self, digest: str) -> None:
        """Note that a question has its reply, or will have none."""


class Notes:
    """Notes verdicts in the ledger. It is opened for what is worth it: a judge is asked, or a run takes a while."""

    def __init__(
        self, open_run: Callable[[], AbstractContextManager[NotedRun | None]] | None, *, at_once: bool
    ) -> None:
        self._open_run = open_run  # None once it is open
        self._at_once = at_once
        self._stack = contextlib.ExitStack()
        self._waiting: list[tuple[int, CaseVerdict, bool]] = []
        self._late_s = time.monotonic() + _WORTH_IT_S
        self.run: NotedRun | None = None
        self.unanswered: set[int] = set()  # of the items being judged, those with a question that failed

    def done(self) -> Iterator[tuple[int, CaseVerdict]]:
        """What is done already, each with the index of its item."""
        if self._at_once:
            self._open()
        return self.run.done() if self.run else iter(())

    def take(self, index: int, verdict: CaseVerdict, *, failed: bool) -> None:
        """Note a verdict; the first one of a run waits for the second, as there may be none."""
        if self._waiting and time.monotonic() > self._late_s:
            self._open()
        if self._open_run:
            self._waiting.append((index, verdict, failed))
        elif self.run:
            self.run.take(index, verdict, failed=failed)

    def close(self, *, complete: bool) -> None:
        """Note what is left to note: all of it, or nothing where a short run is complete."""
        if self._waiting and not complete:
            self._open()
        if self.run:
            self.run.end(complete=complete)
        self._open_run, self.run = None, None
        self._stack.close()

    def _open(self) -> None:
        open_run, self._open_run = self._open_run, None
        waiting, self._waiting = self._waiting, []
        if open_run:
            self.run = self._stack.enter_context(open_run())
            for index, verdict, failed in waiting:
                self.take(index, verdict, failed=failed)


class Source(Struct, frozen=True):
    """Work items, and who works on them."""

    items: Sequence[WorkItem]
    metrics: Sequence[Metric]
    jobs: int
    cancelled: Callable[[], bool]
    engine: Engine | None = None
    held: int | None = None  # how many of the traces are in memory, where that is known

    def verdicts(self, judge: Judge | LiveChoice | NoJudge | None, notes: Notes) -> Iterator[tuple[int, CaseVerdict]]:
        """Their verdicts as they come, each with the index of its item."""
        if isinstance(judge, LiveChoice):
            yield from self._live(judge, notes)
            return
        answers, without = (None, judge.without) if isinstance(judge, NoJudge) else (judge, None)
        with _engine(self) as engine:
            if engine is None:
                verdicts = run(self.items, self.metrics, judge=answers, cancelled=self.cancelled, without=without)
                yield from enumerate(verdicts)
                return
            from trace_inspector.engine.running.engine_runner import run_on

            yield from run_on(
                engine,
                self.items,
                self.metrics,
                judge=answers,
                cancelled=self.cancelled,
                without=without,
                held=self.held,
            )

    def _live(self, judge: LiveChoice, notes: Notes) -> Iterator[tuple[int, CaseVerdict]]:
        from trace_inspector.engine.judges.live import LiveJudge
        from trace_inspector.engine.running.live_runner import run_live
        from trace_inspector.flows.judges.stored_calls import stored_calls

        with stored_calls() if judge.keeps else contextlib.nullcontext() as cache:

            def on_loop() -> LiveJudge:
                backends = {who: make() for who, make in judge.backends.items()}
                return LiveJudge(backends, judge.use, cache, notes.run)

            yield from run_live(self.items, self.metrics, on_loop, self.cancelled, judge.without, notes.unanswered)


@contextlib.contextmanager
def _engine(source: Source) -> Iterator[Engine | None]:
    """The engine that was opened for the run, or processes for it alone; None for this process."""
    if source.engine is not None or source.jobs <= 1:
        yield source.engine
        return
    from trace_inspector.engine.running.engines import local_engine

    with local_engine(source.jobs) as engine:
        yield engine


def _stored_note(count: int, oldest_s: float, now_s: float) -> str:
    """A sentence about the verdicts that use stored replies; "" when none does."""
    if not count:
        return ""
    rests = "1 verdict is based" if count == 1 else f"{count} verdicts are based"
    return f"{rests} on stored replies of the judge, the oldest from {_ago(now_s - oldest_s)} (--refresh asks again)"


def _ago(age_s: float) -> str:
    for unit_s, name in _UNITS:
        count = int(age_s // unit_s)
        if count >= 1:
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
