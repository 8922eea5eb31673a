"""Judges open files in a child process and sends verdicts as they come."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trace_inspector.core.criteria import Criteria
from trace_inspector.core.verdict import CaseVerdict, RunVerdict
from trace_inspector.work.child import Channel, Progress
from trace_inspector.work.rebuilding import Bodies, rebuild

if TYPE_CHECKING:
    from trace_inspector.engine.metric import Metric

CASES_A_MESSAGE = 50  # takes the window a few milliseconds
SEND_EVERY_S = 0.1
FEW_CASES = 32  # not worth starting more processes for


@dataclass(frozen=True, slots=True)
class MetricLine:
    """What the window shows of a metric. `scored`: it gives a score between bounds, worth a column of its own."""

    name: str
    title: str
    meaning: str = ""
    scored: bool = True
    about_answer: bool = False


@dataclass(frozen=True, slots=True)
class RunPlanned:
    """What the run judges with, as far as known; told before the first verdict that needs it."""

    metrics: tuple[MetricLine, ...]


@dataclass(frozen=True, slots=True)
class CasesJudged:
    """Some more verdicts."""

    cases: tuple[CaseVerdict, ...]


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run's verdict, its cases left out, because they were sent before. `kept` says why it is not stored."""

    run: RunVerdict
    not_kept: str = ""


def evaluate(
    channel: Channel, traces: Sequence[Bodies], goldens: Sequence[Bodies], criteria: Criteria | None, judge: str
) -> None:
    """In the child: rebuild what is open, judge it, keep the run. `judge` "" is none."""
    from trace_inspector.engine.metrics import METRICS
    from trace_inspector.flows import evaluate_files
    from trace_inspector.flows.judge_files import judge_named
    from trace_inspector.flows.run_keeping import keep

    incoming = channel.incoming()
    sides = [
        tuple(evaluate_files.Given(body.path, rebuild(body, incoming), body.digest) for body in side)
        for side in (traces, goldens)
    ]
    conversations = sum(len(given.contents.traces) for given in sides[0])
    jobs = max(1, (os.cpu_count() or 2) - 1) if conversations > FEW_CASES else 1
    replies = judge_named(judge) if judge else None
    request = evaluate_files.Request(sides[0], sides[1], criteria, judge=replies, jobs=jobs)
    sender = _Sender(channel, METRICS)
    run = evaluate_files.evaluate(request, sender.take)
    sender.flush()
    channel.send(RunEnded(replace(run, cases=()), keep(run, request)))


class _Sender:
    """Sends verdicts in small helpings, with the columns they need before them."""

    def __init__(self, channel: Channel, metrics: Sequence[Metric]) -> None:
        self._channel = channel
        self._lines = {metric.name: _line(metric) for metric in metrics}
        self._told: dict[str, MetricLine] = {}
        self._waiting: list[CaseVerdict] = []
        self._sent_s = 0.0
        self._done = self._total = 0

    def take(self, done: int, total: int, verdict: CaseVerdict) -> None:
        """The next verdict of the run."""
        self._waiting.append(verdict)
        self._done, self._total = done, total
        if len(self._waiting) >= CASES_A_MESSAGE or time.monotonic() - self._sent_s > SEND_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Send what waits."""
        if self._waiting:
            self._channel.send(Progress(self._done, self._total, f"{self._done} of {self._total}"))
            self._plan()
            self._channel.send(CasesJudged(tuple(self._waiting)))
            self._waiting = []
        self._sent_s = time.monotonic()

    def _plan(self) -> None:
        names = [metric.metric for verdict in self._waiting for metric in verdict.metrics]
        new = {name: self._lines.get(name, MetricLine(name, name)) for name in names if name not in self._told}
        if new:
            self._told |= new
            self._channel.send(RunPlanned(tuple(self._told.values())))


def _line(metric: Metric) -> MetricLine:
    about_answer = any("answer" in what for what in metric.reads)
    return MetricLine(metric.name, metric.title, metric.meaning, metric.range is not None, about_answer)
