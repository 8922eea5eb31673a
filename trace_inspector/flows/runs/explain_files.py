"""Which step did it: the runs of result files, each with its verdict, and what those that fail have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.engine.braid.attempts import Attempt, attempt_of
from trace_inspector.engine.braid.findings import Explanation, explain
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.scoring.metric import metric_for
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.opening.input_notes import input_notes
from trace_inspector.flows.runs.store_run import RunRecord, load_run
from trace_inspector.flows.runs.stored_inputs import record_named, unchanged_inputs

_DECIDED = (Status.PASSED, Status.FAILED)
_Verdicts: TypeAlias = tuple[Given, Sequence[CaseVerdict]]
_NAMED = 3
_HALF = 0.5  # of a share from 0 to 1, where nobody states a threshold
MOST_BYTES = 1 << 26  # of an open file: larger ones are left to the command


class ExplainedFiles(Struct, frozen=True):
    """What the runs of some files tell, and what was left out of it. `cases` are all that could be asked for."""

    explanation: Explanation
    notes: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()


def explain_files(names: Sequence[str], globs: Sequence[str] = ()) -> ExplainedFiles:
    """Find what goes with failing in result files, folders, and stored runs by id or name.

    UsageError where none holds a verdict of such a case.
    """
    paths = [Path(name) for name in names if is_there(Path(name))]
    # Names of runs first: what is no file, and no run either, is said before anything large is read.
    records = [record_named(name) for name in names if not is_there(Path(name))]
    verdicts: list[_Verdicts] = [(file, file.contents.reported) for file in open_given(paths)]
    notes: list[str] = []
    for record in records:
        stored = unchanged_inputs(record)
        verdicts += [(file, _of_run(record, file)) for file in stored.files]
        if stored.missing:
            named = ", ".join(stored.missing[:_NAMED])
            notes.append(f"runs of {named} are left out: it is gone, or changed after the evaluation")
    if not any(reported for _file, reported in verdicts):
        sentence = "There is no verdict in these files. Name result files, folders of them, or stored runs."
        raise UsageError(sentence, path=names[0] if len(names) == 1 else "")
    if not any(_is_chosen(verdict, globs) for _file, reported in verdicts for verdict in reported):
        named = " or ".join(f"“{glob}”" for glob in globs)
        raise UsageError(f"No case is named like {named}. “inspect” lists the cases of a file.")
    explained = _explained(verdicts, lambda verdict: _is_chosen(verdict, globs))
    return replace(explained, notes=(*notes, *explained.notes))


def explain_open(paths: Iterable[str], run_id: str = "", case: str = "") -> ExplainedFiles:
    """The same of open files: by the verdicts of a run where it is about the file as it is, else by its own."""
    every = list(paths)
    small = [path for path in every if _is_small(path)]
    record = load_run(run_id) if run_id else None
    verdicts = [
        (file, (_of_run(record, file) if record is not None else ()) or file.contents.reported)
        for file in open_given(map(Path, small))
    ]
    explained = _explained(verdicts, lambda verdict: case in ("", verdict.case_id))
    large = len(every) - len(small)
    left = (
        f"{large:,} {'file is' if large == 1 else 'files are'} too large for here, or gone: use the command “explain”"
    )
    return replace(explained, notes=(left, *explained.notes)) if large else explained


def _of_run(record: RunRecord, file: Given) -> tuple[CaseVerdict, ...]:
    """The verdicts of a run on a file, under whatever path it was then."""
    paths = {path for path, digest in record.inputs.items() if digest == file.digest}
    return tuple(verdict for verdict in record.shown.cases if verdict.trace_path in paths)


def _is_small(path: str) -> bool:
    try:
        return Path(path).stat().st_size <= MOST_BYTES
    except OSError:  # gone meanwhile
        return False


def _explained(verdicts: Sequence[_Verdicts], is_chosen: Callable[[CaseVerdict], bool]) -> ExplainedFiles:
    everything = [verdict for _file, own in verdicts for verdict in own]
    gathered = _Gathered(_shares(everything))
    expected = {
        (file.path, *name): tools for file, _own in verdicts for name, tools in _expected_tools(file.contents)
    }
    for file, own in verdicts:
        gathered.add(file, [verdict for verdict in own if is_chosen(verdict)], expected)
    notes = [*input_notes((file.path, file.contents) for file, _own in verdicts), *gathered.notes()]
    cases = sorted({verdict.case_id for verdict in everything})
    return ExplainedFiles(explain(gathered.attempts), tuple(notes), tuple(cases))


def _is_chosen(verdict: CaseVerdict, globs: Sequence[str]) -> bool:
    names = verdict.case_id, f"{verdict.suite_id}/{verdict.case_id}"
    return not globs or any(fnmatchcase(name, glob) for name in names for glob in globs)


class _Gathered:
    """The runs of files, and how many could not be counted."""

    def __init__(self, shares: frozenset[str]) -> None:
        self.attempts: list[Attempt] = []
        self._shares = shares
        self._seen: set[tuple[object, ...]] = set()
        self._twice = 0
        self._left_out: dict[str, int] = defaultdict(int)
        self._derived = 0

    def add(self, file: Given, verdicts: Iterable[CaseVerdict], expected: Mapping[_Golden, frozenset[str]]) -> None:
        """The runs of one file."""
        traces = {(recorded.trace.place, recorded.trace.id): recorded.trace for recorded in recorded_in(file)}
        for verdict in verdicts:
            status = verdict.status
            if status not in _DECIDED:
                status = self._by_scores(verdict)
                self._derived += status in _DECIDED
            trace = traces.get((verdict.trace_place, verdict.trace_id or ""))
            if status not in _DECIDED:
                self._left_out["neither passed nor failed"] += 1
            elif trace is None or not trace.turns:
                self._left_out["without a conversation"] += 1
            elif self._is_known(verdict, file):
                self._twice += 1
            else:
                golden = verdict.golden_path or file.path, verdict.golden_place, verdict.case_id
                failed = status is Status.FAILED
                self.attempts.append(attempt_of(verdict, trace, failed, file.path, expected.get(golden)))

    def _is_known(self, verdict: CaseVerdict, file: Given) -> bool:
        """Whether it was told before, by a copy of the file or by another run on it: that is no evidence twice."""
        case = verdict.suite_id, verdict.case_id, verdict.candidate, verdict.persona
        name = file.digest or file.path, verdict.trace_place, verdict.trace_id, case
        is_known = name in self._seen
        self._seen.add(name)
        return is_known

    def notes(self) -> Iterable[str]:
        """What people should know of what was counted."""
        for what, count in self._left_out.items():
            yield f"{count:,} {'verdict' if count == 1 else 'verdicts'} {what}: not counted"
        if self._twice:
            words = "run stands" if self._twice == 1 else "runs stand"
            yield f"{self._twice:,} {words} in copies of a file, or in several runs on it: counted once"
        if self._derived:
            yield (
                f"{self._derived:,} {'run' if self._derived == 1 else 'runs'} of which the file states scores alone: "
                "passed by the default threshold of each metric, with rubrics where all are met, else from 0.5 on"
            )
        cut = sum(attempt.cut for attempt in self.attempts)
        if cut:
            yield f"{cut:,} {'run is' if cut == 1 else 'runs are'} longer than what is looked at"

    def _by_scores(self, verdict: CaseVerdict) -> Status:
        """The status of scores without one. A file that states neither thresholds nor verdicts leaves it to us."""
        statuses = [self._by_score(metric) for metric in _metrics(verdict)]
        decided = [status for status in statuses if status in _DECIDED]
        if not decided:
            return verdict.status
        return Status.FAILED if Status.FAILED in decided else Status.PASSED

    def _by_score(self, metric: MetricVerdict) -> Status:
        known = metric_for(metric.metric, METRICS)
        threshold = metric.threshold
        if threshold is None and known is not None and known.range == (0.0, 1.0):
            threshold = known.default_threshold
        if threshold is None and metric.metric in self._shares:
            threshold = 1.0 if metric.rubrics else _HALF
        if metric.score is None or threshold is None:
            return metric.status
        return Status.PASSED if metric.score >= threshold else Status.FAILED


def _metrics(verdict: CaseVerdict) -> Sequence[MetricVerdict]:
    return verdict.metrics or [metric for turn in verdict.turns for metric in turn.metrics]


def _shares(reported: Iterable[CaseVerdict]) -> frozenset[str]:
    """The metrics of which all scores lie from 0 to 1."""
    lies: dict[str, bool] = {}
    for verdict in reported:
        for metric in _metrics(verdict):
            if metric.score is not None:
                lies[metric.metric] = lies.get(metric.metric, True) and 0.0 <= metric.score <= 1.0
    return frozenset(name for name, own in lies.items() if own)


_Golden: TypeAlias = tuple[str, str, str]  # its file, place and case


def _expected_tools(contents: Contents) -> Iterator[tuple[tuple[str, str], frozenset[str]]]:
    """The tools that the goldens of a file name, by place and case."""
    for suite in contents.suites:
        for case in suite.cases:
            yield (case.place, case.id), _tools(case)


def _tools(case: Case) -> frozenset[str]:
    expectations = (*case.expectations, *(one for turn in case.turns for one in turn.expectations))
    stated = (part for one in expectations for part in one.parts if isinstance(part, ToolCall))
    calls = (call for turn in case.turns for call in calls_of(turn))
    return frozenset(call.name for call in (*calls, *stated))
