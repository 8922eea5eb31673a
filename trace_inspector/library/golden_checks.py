"""Traces held against goldens in a test: what differs is the message of the failure."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.flows.goldens.observed_goldens import write_observed
from trace_inspector.flows.opening.given_files import recorded_in
from trace_inspector.library.calls import evaluate, read
from trace_inspector.library.inputs import Input, PathLike, given
from trace_inspector.library.values import CaseResult, MetricResult, Run, Status

_MOST_LINES = 60
_UPDATE = "Run pytest with --trace-golden-update to write what is observed."


class GoldenChecks:
    """Compares with goldens of a folder; given a list of what is `written`, it writes them instead.

    `fail` ends the test with a message.
    """

    def __init__(self, folder: Path, fail: Callable[[str], NoReturn], written: list[str] | None = None) -> None:
        self._folder = folder
        self._fail = fail
        self._written = written

    def check(
        self, traces: Input, golden: PathLike, criteria: PathLike | Mapping[str, Any] | None = None
    ) -> Run | None:
        """Fail unless the traces are as the golden `file` or `file#case` says; None where it was written instead.

        Paths are relative to the folder, those of traces too.
        """
        __tracebackhide__ = True
        named, _sign, case = os.fspath(golden).partition("#")
        try:
            run = self._checked(self._placed(traces), self._folder / named, case, criteria)
        except InspectorError as problem:
            self._fail(str(problem))
        if run is not None and not run.passed:
            self._fail("\n".join(message(run)))
        return run

    def _checked(
        self, traces: Input, path: Path, case: str, criteria: PathLike | Mapping[str, Any] | None
    ) -> Run | None:
        if self._written is not None:
            self._written += [f"{path}#{each}" for each in write_observed(_to_write(traces, path, case), path)]
            return None
        if not is_there(path):
            raise UsageError(f"There is no such golden. {_UPDATE}", path=str(path))
        if criteria is not None and not isinstance(criteria, Mapping):
            criteria = self._folder / criteria
        if not case:
            return evaluate(traces, path, criteria)
        expected = [each for each in read(path).goldens if each.id == case]
        if not expected:
            raise UsageError(f"There is no golden “{one_line(case, 80)}”. {_UPDATE}", path=str(path))
        ids = [trace.id for trace in _observed(traces)]
        # Runs that share an id find their golden by it; any other is a run of the case that is named.
        pairs = [(case, each) for each in ids] if len(ids) == len(set(ids)) else []
        return evaluate(traces, expected[0], criteria, pairs=pairs)

    def _placed(self, traces: Input) -> Input:
        if isinstance(traces, str | os.PathLike):
            return self._folder / traces
        if isinstance(traces, list | tuple):
            return [self._folder / each if isinstance(each, str | os.PathLike) else each for each in traces]
        return traces


def _observed(traces: Input) -> Iterator[Trace]:
    return (recorded.trace for file in given(traces) for recorded in recorded_in(file))


def _to_write(traces: Input, path: Path, case: str) -> list[tuple[str, Trace]]:
    """Which golden each conversation becomes: the one that is named, else its own, else the one it is paired with."""
    observed = list(_observed(traces))
    if not observed:
        raise UsageError("Nothing was observed: there is no recorded conversation in what was given.")
    if case:
        return [(case, observed[0])]  # of several runs of one case one can be the golden
    paired = _paired(traces, path) if is_there(path) else {}
    return [(paired.get(trace.id) or trace.case_id or "", trace) for trace in observed]


def _paired(traces: Input, path: Path) -> dict[str, str]:
    run = evaluate(traces, path, {"tool_trajectory_avg_score": 1.0})
    return {case.trace: case.id for case in run.cases if case.trace is not None and case.golden_path}


def message(run: Run) -> Iterator[str]:
    """What is not as expected, case by case."""
    ended = "undecided in part" if run.status is Status.PASSED else run.status
    yield f"The run is {ended} against its goldens."
    yield from run.notes[:_MOST_LINES]
    for case in run.cases:
        if case.status is not Status.PASSED or any(_failed(case.metrics)):
            yield from _about(case)


def _about(case: CaseResult) -> Iterator[str]:
    yield f"{case.id}: {case.status}" + (f" ({case.reason})" if case.reason else "")
    if case.trace is None:
        yield "  no conversation was found for it"
    in_turns = [metric for turn in case.turns for metric in turn.metrics]
    yield from (f"  {words}" for words in _failed(case.metrics or tuple(in_turns)))
    yield from (f"  {line}" for line in case.difference[:_MOST_LINES])
    if len(case.difference) > _MOST_LINES:
        yield f"  … and {len(case.difference) - _MOST_LINES:,} lines more"


def _failed(metrics: Iterable[MetricResult]) -> Iterator[str]:
    for metric in metrics:
        if metric.status in (Status.FAILED, Status.ERROR, Status.NOT_EVALUATED):
            needs = "" if metric.threshold is None else f", needs {metric.threshold:g}"
            figure = "" if metric.score is None else f" {metric.score:g}{needs}"
            yield f"{metric.metric}: {metric.status}{figure}" + (f" ({metric.reason})" if metric.reason else "")
