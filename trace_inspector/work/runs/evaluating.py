"""Judges open files in a child process and sends verdicts as they come."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.verdict.case_key import CaseKey, key_of
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.work.processes.child import Channel, Progress
from trace_inspector.work.runs.run_request import RunOrder, request_of, without_bodies

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from trace_inspector.engine.judges.backends.backend import ModelAnswer
    from trace_inspector.engine.running.engine import Engine
    from trace_inspector.engine.scoring.metric import Metric
    from trace_inspector.flows.runs.evaluate_files import Ground, Request

CASES_A_MESSAGE = 50  # takes the window a few milliseconds
SEND_EVERY_S = 0.1


class MetricLine(Struct, frozen=True):
    """What the window shows of a metric. `scored`: it gives a score between bounds, worth a column of its own."""

    name: str
    title: str
    meaning: str = ""
    scored: bool = True
    about_answer: bool = False


class RunPlanned(Struct, frozen=True):
    """The metrics of the run known so far; sent before the first verdict that needs them."""

    metrics: tuple[MetricLine, ...]


class RunBegun(Struct, frozen=True):
    """The run without its cases and its ground, sent before the first verdict."""

    head: RunVerdict
    ground: Ground | None = None


class CasesJudged(Struct, frozen=True):
    """Some more verdicts."""

    cases: tuple[CaseVerdict, ...]


class RunPace(Struct, frozen=True):
    """How a run goes on. Shards are portions that processes work on; none where this one does all.

    `calls` is how many questions were counted before the run, 0 where nobody counted.
    """

    done: int = 0
    cases: int = 0
    seconds: float = 0.0  # since the first verdict that was not there before
    judged: int = 0  # in that time
    processes: int = 1
    shards_given: int = 0
    shards_taken: int = 0
    answers: int = 0
    calls: int = 0
    sent_tokens: int = 0  # as the judge counts them
    received_tokens: int = 0


class EarlierOverrule(Struct, frozen=True):
    """What a person said of an output in an earlier run, on the `nth` case with that key."""

    key: CaseKey
    nth: int
    overrule: Overrule


class RunEnded(Struct, frozen=True):
    """The verdict of the run without its cases, which were sent before. `told`: what the ledger and the store say."""

    run: RunVerdict
    told: str = ""
    earlier: tuple[EarlierOverrule, ...] = ()


class StoppedRunStored(Struct, frozen=True):
    """A stopped run is stored; or why not."""

    not_stored: str = ""


def evaluate(channel: Channel, order: RunOrder) -> None:
    """In the child: rebuild the open files, evaluate them, store the run."""
    from trace_inspector.engine.metrics import METRICS
    from trace_inspector.flows.judges.call_counter import counted
    from trace_inspector.flows.judges.judge_files import LiveChoice
    from trace_inspector.flows.runs import evaluate_files
    from trace_inspector.flows.runs.run_ledger import run_ledger
    from trace_inspector.flows.runs.store_run import save_run

    told: list[str] = []
    request = request_of(order, channel.incoming())
    sender = _VerdictSender(channel, METRICS, order.calls)
    if isinstance(request.judge, LiveChoice):
        request = replace(request, judge=counted(request.judge, sender.answered))
    sender.plan(request.earlier)
    with _engine(request) as engine:
        sender.engine = engine
        run = evaluate_files.evaluate(
            replace(request, engine=engine),
            sender.take,
            begun=lambda *begun: channel.send(RunBegun(*begun)),
            noting=partial(run_ledger, told.append),
            stood=sender.stood,
            unjudged=sender.leave,
        )
    sender.flush()
    told.append(save_run(run, request, order.unasked))
    channel.send(RunEnded(replace(run, cases=()), " ".join(filter(None, told)), tuple(_earlier(run))))


def _engine(request: Request) -> AbstractContextManager[Engine | None]:
    """The processes of a run that asks no judge: those questions are all asked by this one."""
    from trace_inspector.engine.running.engines import local_engine
    from trace_inspector.flows.judges.judge_files import LiveChoice

    return local_engine(1 if isinstance(request.judge, LiveChoice) else request.jobs)


def _earlier(run: RunVerdict) -> Iterator[EarlierOverrule]:
    from trace_inspector.flows.runs.store_run import overrules_on

    with suppress(InspectorError):
        said = [overrule for overrule in overrules_on(run.id) if overrule.withdrawn_s is None]
        keys = [key_of(case) for case in run.cases] if said else []
        for overrule in said:
            key = keys[overrule.case]
            yield EarlierOverrule(key, keys[: overrule.case].count(key), overrule)


def store_stopped(channel: Channel, order: RunOrder, run: RunVerdict, cases: int) -> None:
    """In the child: store a stopped run, with the verdicts so far, which follow in the payload."""
    from trace_inspector.flows.judges.judge_files import NoJudge
    from trace_inspector.flows.runs.store_run import save_run

    incoming = channel.incoming()
    whole = replace(run, cases=tuple(pickle.loads(next(incoming)) for _ in range(cases)))
    request = request_of(without_bodies(order), incoming)
    request = replace(request, judge=NoJudge({}, order.judge.who))
    unasked = replace(order.unasked, instead_of="") if order.unasked is not None else None
    channel.send(StoppedRunStored(save_run(whole, request, unasked)))


class _VerdictSender:
    """Sends verdicts in small helpings, with the columns they need before them."""

    def __init__(self, channel: Channel, metrics: Sequence[Metric], calls: int) -> None:
        self._channel = channel
        self._lines = {metric.name: line_of(metric) for metric in metrics}
        self._planned: dict[str, MetricLine] = {}
        self._waiting: list[CaseVerdict] = []
        self._sent_s = self._progress_s = 0.0
        self._before = 0  # verdicts that were there when the first of this run came
        self._pace = RunPace(calls=calls)
        self._since_s = 0.0  # the first verdict that was not there before
        self.engine: Engine | None = None

    def take(self, done: int, total: int, verdict: CaseVerdict) -> None:
        """The next verdict of the run."""
        if not self._since_s:
            self._since_s, self._before = time.monotonic(), done
        self.stood(done, total, verdict)

    def leave(self, verdict: CaseVerdict) -> None:
        """The verdict of a case that was not judged because the quota was used up."""
        self._waiting.append(verdict)
        if len(self._waiting) >= CASES_A_MESSAGE:
            self.flush()

    def stood(self, done: int, total: int, verdict: CaseVerdict) -> None:
        """A verdict that was there before this run."""
        self._waiting.append(verdict)
        self._pace = replace(self._pace, done=done, cases=total)
        if len(self._waiting) >= CASES_A_MESSAGE or time.monotonic() - self._sent_s > SEND_EVERY_S:
            self.flush()

    def answered(self, answer: ModelAnswer) -> None:
        """A judge answered one more question."""
        self._pace = replace(
            self._pace,
            answers=self._pace.answers + 1,
            sent_tokens=self._pace.sent_tokens + (answer.input_tokens or 0),
            received_tokens=self._pace.received_tokens + (answer.output_tokens or 0),
        )
        if time.monotonic() - self._progress_s > SEND_EVERY_S:
            self._tell()

    def flush(self) -> None:
        """Send what waits."""
        if self._waiting:
            self._tell()
            self.plan(self._waiting)
            self._channel.send(CasesJudged(tuple(self._waiting)))
            self._waiting = []
        self._sent_s = time.monotonic()

    def _tell(self) -> None:
        """The progress: by judge questions where their number is known, as a case may have many."""
        self._progress_s = time.monotonic()
        pace = self._paced()
        self._channel.send(pace)
        if pace.calls >= pace.answers > 0:
            self._channel.send(Progress(pace.answers, pace.calls, f"judging {pace.answers:,} of {pace.calls:,}"))
            return
        asked = f", {pace.answers:,} questions answered" if pace.answers else ""
        self._channel.send(Progress(pace.done, pace.cases, f"{pace.done:,} of {pace.cases:,}{asked}"))

    def _paced(self) -> RunPace:
        pace, engine = self._pace, self.engine
        if self._since_s:
            seconds = time.monotonic() - self._since_s
            pace = replace(pace, seconds=seconds, judged=max(0, pace.done - self._before))
        if engine is None:
            return pace
        return replace(
            pace, processes=engine.workers, shards_given=engine.shards_given, shards_taken=engine.shards_taken
        )

    def plan(self, verdicts: Iterable[CaseVerdict]) -> None:
        """Tell of the metrics that these verdicts are the first to have."""
        names = [metric.metric for verdict in verdicts for metric in verdict.metrics]
        new = {name: self._lines.get(name, MetricLine(name, name)) for name in names if name not in self._planned}
        if new:
            self._planned |= new
            self._channel.send(RunPlanned(tuple(self._planned.values())))


def line_of(metric: Metric) -> MetricLine:
    """What the window shows of a metric."""
    about_answer = any("answer" in what for what in metric.reads)
    return MetricLine(metric.name, metric.title, metric.meaning, metric.range is not None, about_answer)
