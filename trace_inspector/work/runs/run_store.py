"""Stored runs: child processes that list, open, overrule, rename and delete them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, ReadError, SaveError
from trace_inspector.core.verdict.case_key import CaseKey, key_of
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.store.runs import RunLine
from trace_inspector.work.processes.child import Channel, Progress
from trace_inspector.work.runs.evaluating import MetricLine

if TYPE_CHECKING:
    from trace_inspector.flows.runs.store_run import RunRecord

LINES_A_PAGE = 100  # takes the window a few milliseconds
CASES_A_MESSAGE = 50
FILES_NAMED = 6
INPUTS_TOLD = 200


class ListedRun(Struct, frozen=True):
    """A run in the list, the first few names of the files that it read, and its `suite`.

    Runs of one suite were judged against the same files; without goldens, they are of the same folders.
    """

    line: RunLine
    files: tuple[str, ...] = ()
    file_count: int = 0
    suite: frozenset[str] = frozenset()


class ListRuns(Struct, frozen=True):
    """A page of the list from the run `first` on, with the runs in `also`, however old."""

    first: int = 0
    also: tuple[str, ...] = ()


class RunsPage(Struct, frozen=True):
    """A page of the list, the newest first. `more`: there is a next page."""

    request: ListRuns
    runs: tuple[ListedRun, ...]
    more: bool = False
    problem: str = ""


class RunFacts(Struct, frozen=True):
    """Details of one run besides its figures."""

    id: str
    notes: tuple[str, ...] = ()
    judge: str = ""
    inputs: tuple[tuple[str, str], ...] = ()  # path and SHA-256
    input_count: int = 0
    criteria: tuple[tuple[str, float | None], ...] = ()  # metric and threshold
    unpaired: int = 0


class RunOpened(Struct, frozen=True):
    """A stored run without its cases, which follow, as judged, and its overrules."""

    run: RunVerdict
    overrules: tuple[Overrule, ...]
    inputs: dict[str, str]
    traces: tuple[str, ...]
    metrics: tuple[MetricLine, ...]


class CasesOpened(Struct, frozen=True):
    """Some of its cases, in their order."""

    cases: tuple[CaseVerdict, ...]


class AddOverrule(Struct, frozen=True):
    """Store an overrule of the `nth` case with that key; the order of cases in the store may differ."""

    run_id: str
    key: CaseKey
    nth: int
    overrule: Overrule


class WithdrawOverrule(Struct, frozen=True):
    """Withdraw an overrule."""

    overrule_id: str


class RenameRun(Struct, frozen=True):
    """Name a run."""

    run_id: str
    name: str


class DeleteRun(Struct, frozen=True):
    """Delete a run."""

    run_id: str


Write: TypeAlias = AddOverrule | WithdrawOverrule | RenameRun | DeleteRun


class Written(Struct, frozen=True):
    """The next write is done, or a sentence about why it failed."""

    sentence: str = ""


def run_lister() -> Callable[[ListRuns], RunsPage]:
    """Answers with a page of the list; the store is read again for the first page."""
    from trace_inspector.flows.runs.store_run import RunList, list_runs

    listed = RunList(())

    def page(request: ListRuns) -> RunsPage:
        nonlocal listed
        if request.first == 0:
            listed = list_runs(also=request.also)
        end = request.first + LINES_A_PAGE
        return RunsPage(
            request,
            tuple(_listed(line) for line in listed.lines[request.first : end]),
            more=len(listed.lines) > end,
            problem=listed.problem,
        )

    return page


def run_facts_service() -> Callable[[str], RunFacts]:
    """Answers with the details of one run."""
    return lambda run_id: _facts(run_id, _loaded(run_id))


def open_run(channel: Channel, run_id: str) -> None:
    """Send a stored run, its cases in batches."""
    from trace_inspector.engine.metrics import METRICS
    from trace_inspector.work.runs.evaluating import line_of

    record = _loaded(run_id)
    named = {metric.metric for case in record.judged.cases for metric in case.metrics}
    lines = tuple(line_of(metric) for metric in METRICS if metric.name in named)
    others = tuple(MetricLine(name, name) for name in sorted(named - {line.name for line in lines}))
    traces = record.configuration.get("traces")
    opened = RunOpened(
        replace(record.judged, cases=()),
        record.overrules,
        dict(record.inputs),
        tuple(map(str, traces)) if isinstance(traces, list) else (),
        (*lines, *others),
    )
    channel.send(opened)
    cases = record.judged.cases
    for start in range(0, len(cases), CASES_A_MESSAGE):
        channel.send(CasesOpened(tuple(cases[start : start + CASES_A_MESSAGE])))
        channel.send(Progress(start, len(cases)))


def write_all(channel: Channel, writes: Sequence[Write]) -> None:
    """In the child: write in order; one that fails does not stop the others."""
    for write in writes:
        channel.send(Written(write_now(write)))


def write_now(write: Write) -> str:
    """Write to the store in this process. Returns a sentence when that failed, else ""."""
    from trace_inspector.flows.runs import store_run

    try:
        match write:
            case AddOverrule():
                store_run.overrule(write.run_id, replace(write.overrule, case=_place(write)))
            case WithdrawOverrule():
                store_run.withdraw(write.overrule_id)
            case RenameRun():
                store_run.rename(write.run_id, write.name)
            case DeleteRun():
                store_run.forget(write.run_id)
    except InspectorError as problem:
        return str(problem)
    return ""


def _place(statement: AddOverrule) -> int:
    """The index of the case in the stored run."""
    cases = _loaded(statement.run_id).judged.cases
    places = [index for index, case in enumerate(cases) if key_of(case) == statement.key]
    if statement.nth >= len(places):
        raise SaveError("The verdict is not overruled, because the run is kept without its case.")
    return places[statement.nth]


def _listed(line: RunLine) -> ListedRun:
    names = tuple(PurePath(path).name for path in list(line.inputs)[:FILES_NAMED])
    suite = line.suite or (str(PurePath(path).parent) for path in line.inputs)
    return ListedRun(replace(line, inputs={}, suite=()), names, len(line.inputs), frozenset(suite))


def _facts(run_id: str, record: RunRecord) -> RunFacts:
    judge = record.configuration.get("judge")
    return RunFacts(
        run_id,
        record.judged.notes,
        judge if isinstance(judge, str) else "",
        tuple(list(record.inputs.items())[:INPUTS_TOLD]),
        len(record.inputs),
        tuple((metric, threshold) for metric, threshold, _options in record.judged.criteria),
        len(record.judged.unpaired_traces),
    )


def _loaded(run_id: str) -> RunRecord:
    from trace_inspector.flows.runs.store_run import load_run

    record = load_run(run_id)
    if record is None:
        raise ReadError("This run is no longer kept.")
    return record
