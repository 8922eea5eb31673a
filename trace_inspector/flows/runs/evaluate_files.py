"""Evaluate files or opened contents into a run verdict, for the command and the window."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.errors import EngineLost, Stopped, UsageError
from trace_inspector.core.rows.contents import EVIDENCE, RESULTS
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.values.spilled import Picked
from trace_inspector.core.verdict.case_key import CaseKey, key_of
from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict, RunVerdict, Status
from trace_inspector.engine.ces.run_method import Key, run_method
from trace_inspector.engine.criteria.rules import Rules, rules_named, rules_of
from trace_inspector.engine.judges.call_limits import QuotaUsedUp
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.pairing.pairing import CaseIndex, Golden, Recorded
from trace_inspector.engine.running.judging import EVERYBODY, NOBODY
from trace_inspector.engine.running.planning import Choices, Plan, plan
from trace_inspector.engine.running.runner import WorkItem, key_of_item, waiting
from trace_inspector.engine.scoring.metric import CLASSIFIER, MODEL, Judge, Metric, metric_for
from trace_inspector.flows.judges.judge_files import LiveChoice, NoJudge
from trace_inspector.flows.opening.given_files import CasesOfFiles, Given, Recordings, open_given
from trace_inspector.flows.opening.input_notes import input_notes
from trace_inspector.flows.runs.criteria_files import (
    CriteriaChooser,
    Defaults,
    RunCriteria,
    Stated,
    criteria_by_case,
    endpoint_notes,
    lines_of,
)
from trace_inspector.flows.runs.joined_inputs import with_conversations
from trace_inspector.flows.runs.run_verdicts import CaseTally, NotedRun, Notes, Source, Verdicts
from trace_inspector.formats import system_of
from trace_inspector.formats.extension.reader import UNUSED

if TYPE_CHECKING:
    from trace_inspector.engine.running.engine import Engine

_ONLY_REPORTED = {
    EVIDENCE: "This is an evidence pack: its verdicts are shown as they were reported, and none is computed over "
    "placeholders. Evaluate the files that it was made of.",
    RESULTS: "These are results: their verdicts are shown as they were reported, and the conversations are in other "
    "files, which they name. Evaluate those.",
}
# What a caller needs to make a request, and to run it.
__all__ = ("Given", "Ground", "Progress", "Request", "divided", "evaluate", "open_given", "prepared", "sides")


class Request(Struct, frozen=True):
    """What to evaluate, and how. Criteria that a person names have priority over all others.

    Verdicts of an `earlier` run are kept, and their cases are not judged. With `again` only these cases are. To
    `resume` is to go on with the same run where it was stopped. An open `engine` takes the place of `jobs`. Where the
    cases are needed `all_at_once`, as by reports, too many of them are refused before anything is judged. `ready` is
    what many requests with the same goldens share.
    """

    traces: tuple[Given, ...]
    goldens: tuple[Given, ...] = ()
    criteria: Criteria | None = None
    only: tuple[str, ...] = ()
    choices: Choices = field(default_factory=Choices)
    judge: Judge | LiveChoice | NoJudge | None = None
    jobs: int = 1
    metrics: tuple[Metric, ...] = METRICS
    earlier: tuple[CaseVerdict, ...] = ()
    again: frozenset[CaseKey] | None = None
    resume: bool = False
    engine: Engine | None = None
    all_at_once: bool = False
    ready: ReadyGoldens | None = None


class ReadyGoldens(Struct, frozen=True):
    """What is made of all goldens, for many runs of a few recordings each.

    A case that no recording belongs to is left out of such a run.
    """

    cases: CasesOfFiles
    index: CaseIndex
    defaults: Defaults


def with_ready_goldens(request: Request) -> Request:
    """The request for which what is made of its goldens is made once; the traces may be others each time."""
    cases = CasesOfFiles(request.goldens)
    if request.goldens and not cases:
        return request  # which is refused with a sentence
    defaults = _defaults(request, cases, _rules_of_goldens(request, cases))
    return replace(request, ready=ReadyGoldens(cases, CaseIndex(cases), defaults))


class Ground(Struct, frozen=True):
    """What verdicts depend on besides files: criteria, choices, and why some judges are not available."""

    criteria: RunCriteria
    choices: Choices
    without: Mapping[str, str]


Progress = Callable[[int, int, CaseVerdict], None]
Noting: TypeAlias = Callable[
    [Request, RunVerdict, Sequence[WorkItem], Sequence[int]], AbstractContextManager[NotedRun | None]
]


def evaluate(
    request: Request,
    progress: Progress = lambda _done, _total, _verdict: None,
    cancelled: Callable[[], bool] = lambda: False,
    begun: Callable[[RunVerdict, Ground], None] = lambda _head, _ground: None,
    noting: Noting | None = None,
    stood: Progress | None = None,
    unjudged: Callable[[CaseVerdict], None] = lambda _verdict: None,
) -> RunVerdict:
    """Evaluate everything. When stopped (by `cancelled`, Ctrl+C or `progress`), finished verdicts are kept.

    `begun` is called before the first verdict with the run without cases and its ground. `noting` opens the ledger in
    which verdicts are noted; only such a run can be resumed. `stood` is called in the place of `progress` for those
    that it has already, `unjudged` for those that wait for a judge's quota.
    """
    started_s = time.time()
    chosen, items, request = prepared(request)
    if request.all_at_once and len(items) > MANY_CASES:
        raise UsageError(
            f"There are {len(items):,} cases; of more than {MANY_CASES:,} no report is made and nothing is taken out."
            " Evaluate fewer files at once, or only with --json or --results."
        )
    head = _head(request, chosen, items, started_s)
    begun(head, Ground(chosen, request.choices, _without(request.judge)))
    standing, order = divided(request, items)
    verdicts = Verdicts(len(items), _run_methods(request))
    for index, verdict in standing.items():
        verdicts.put(index, verdict)
    interrupted, used_up = False, ""
    is_asking = isinstance(request.judge, LiveChoice)
    notes = Notes(noting and partial(noting, request, head, items, order), at_once=request.resume or is_asking)
    try:
        for index, verdict in notes.done():
            verdicts.put(index, verdict)
            (stood or progress)(len(verdicts), len(items), verdict)
        left = array("q", (index for index in order if index not in verdicts))
        held = sum(items.file_of(index) is None for index in left)
        source = Source(Picked(items, left), request.metrics, request.jobs, cancelled, request.engine, held)
        for nth, judged in source.verdicts(_of_run(request, notes), notes):
            verdict = _with_criteria(judged, chosen)
            verdicts.put(left[nth], verdict)
            notes.take(left[nth], verdict, failed=nth in notes.unanswered)
            progress(len(verdicts), len(items), verdict)
    except (QuotaUsedUp, EngineLost) as problem:
        used_up = str(problem)
        notes.close(complete=False)
        for index, item in enumerate(items):
            if index not in verdicts:
                verdict = _with_criteria(waiting(item, used_up), chosen)
                verdicts.put(index, verdict)
                unjudged(verdict)
    except (Stopped, KeyboardInterrupt):
        interrupted = True
    finally:
        notes.close(complete=len(verdicts) == len(items))
    cases = verdicts.in_order()
    tally = CaseTally(cases) if interrupted else verdicts.tally  # Ctrl+C may have come before its last case
    return replace(
        head,
        status=tally.status,
        cases=cases,
        notes=_notes(request, chosen, used_up, *tally.notes(started_s)),
        stopped=interrupted or len(cases) < len(items),
    )


def _of_run(request: Request, notes: Notes) -> Judge | LiveChoice | NoJudge | None:
    """The judge, for which replies that came in the run that is resumed are not older ones."""
    judge, noted = request.judge, notes.run
    if request.resume and noted and isinstance(judge, LiveChoice):
        return replace(judge, use=replace(judge.use, since_s=noted.since_s))
    return judge


def _without(judge: Judge | LiveChoice | NoJudge | None) -> Mapping[str, str]:
    """The judges that may be needed but are not available, and why."""
    if isinstance(judge, LiveChoice | NoJudge):
        return judge.without
    return NOBODY if judge is None else EVERYBODY


def _asked(judge: Judge | LiveChoice | NoJudge | None) -> frozenset[str]:
    """Who can be asked; what is recorded answers in the place of a model."""
    if isinstance(judge, LiveChoice):
        return frozenset(judge.backends)
    return frozenset() if judge is None or isinstance(judge, NoJudge) else frozenset({MODEL})


def _run_methods(request: Request) -> dict[Key, str]:
    """The replay method of CES by trace, where files state it."""
    return {
        (given.path, verdict.trace_place, verdict.trace_id or ""): method
        for given in request.traces
        for verdict in given.contents.reported
        if (method := run_method(verdict))
    }


def _head(request: Request, chosen: RunCriteria, items: Plan, started_s: float) -> RunVerdict:
    return RunVerdict(
        id=f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(started_s))}-{os.urandom(4).hex()}",
        status=Status.PENDING,
        started_s=started_s,
        rules=request.choices.rules,
        criteria_source=chosen.source,
        criteria=chosen.lines,
        unpaired_traces=tuple(items.unpaired()),
        notes=_notes(request, chosen),
        asked_for=chosen.asked_for,
        files_apart=not request.choices.files_are_repeats,
    )


def divided(request: Request, items: Plan) -> tuple[dict[int, CaseVerdict], Sequence[int]]:
    """The kept verdicts by the index of their item, and the indexes of the items to judge, in order."""
    standing = {key_of(verdict): verdict for verdict in request.earlier}
    if not standing and request.again is None:
        return {}, items.reading_order()
    keys = [key_of_item(item) for item in items]
    verdicts = {index: standing[key] for index, key in enumerate(keys) if key in standing}
    again = request.again
    return verdicts, [
        index for index in items.reading_order() if index not in verdicts and (again is None or keys[index] in again)
    ]


def prepared(request: Request) -> tuple[RunCriteria, Plan, Request]:
    """The criteria, the items to judge, and the request with only the judges that are needed."""
    for given in (*request.traces, *request.goldens):
        if given.contents.format in _ONLY_REPORTED:
            raise UsageError(_ONLY_REPORTED[given.contents.format], path=given.path)
    traces, goldens = sides(request)
    ready, chooser = request.ready, _chooser(request, goldens)
    results = {given.path: given.contents.criteria for given in request.traces if given.contents.traces}

    def criteria_of(golden: Golden | None, recorded: Recorded | None) -> Criteria:
        """The criteria of a result being judged again: its own, else those of its file."""
        own = recorded.trace.criteria if recorded else ()
        of_file = results.get(recorded.path) if recorded else None
        return chooser.pick(_key(golden, recorded), own or (of_file.items if of_file else ()))

    items = plan(traces, goldens, criteria_of, request.choices, ready.index if ready else None)
    chosen = chooser.chosen()
    if isinstance(request.judge, LiveChoice):
        named = dict.fromkeys(criterion.metric for item in items for criterion in item.criteria)
        meant = [metric for name in named if (metric := metric_for(name, request.metrics))]
        needed = {need for metric in meant for need in metric.needs | metric.asks}
        judge = request.judge.only(needed)
        request = replace(request, judge=judge if judge.backends else NoJudge(judge.without))
    return chosen, items, request


def _chooser(request: Request, goldens: CasesOfFiles) -> CriteriaChooser:
    ready = request.ready
    return CriteriaChooser(
        ready.defaults if ready else _defaults(request, goldens, _rules_of_goldens(request, goldens)),
        _stated(request),
        request.criteria,
        request.only,
        request.choices.rules,
        request.metrics,
        frozenset({CLASSIFIER}) & _asked(request.judge),
    )


def criteria_of(request: Request, cases: Sequence[Golden]) -> list[Criteria]:
    """What cases are judged by that no recording belongs to so far."""
    chooser = _chooser(request, request.ready.cases if request.ready else CasesOfFiles(request.goldens))
    return [chooser.pick(_key(golden, None)) for golden in cases]


def deciding(request: Request) -> frozenset[str]:
    """The metrics that can let a case fail, whether or not a recording of it is there already."""
    goldens = request.ready.cases if request.ready else CasesOfFiles(request.goldens)
    chooser = _chooser(request, goldens)
    for golden in (None, *goldens):
        chooser.pick(_key(golden, None))
    return frozenset(metric for metric, threshold, _options in chooser.chosen().lines if threshold is not None)


def _key(golden: Golden | None, recorded: Recorded | None) -> CaseKey:
    """The key that the verdict will have."""
    case = (golden.path, golden.case.place, golden.case.suite_id, golden.case.id) if golden else ("", "", "", "")
    return *case, *((recorded.path, recorded.trace.place, recorded.trace.id) if recorded else ("", "", None))


def _with_criteria(verdict: CaseVerdict, chosen: RunCriteria) -> CaseVerdict:
    """A verdict with its criteria, where these are not the same for the whole run."""
    return replace(verdict, criteria=lines_of(chosen.of(key_of(verdict)))) if len(chosen.used) > 1 else verdict


def _rules_of_goldens(request: Request, goldens: CasesOfFiles) -> dict[str, Rules]:
    """The rules for the criteria of each golden file: those asked for, else those of its system."""
    asked_for = request.choices.rules
    systems = {given.path: system_of(given.contents.format) for given in _all_given(request)}
    return {
        path: rules_named(asked_for) if asked_for else rules_of(systems.get(path, "")) for path in goldens.by_file()
    }


def _defaults(request: Request, goldens: CasesOfFiles, rules: Mapping[str, Rules]) -> Defaults:
    """The default criteria of each golden file and of traces without a golden."""
    judged = bool(_asked(request.judge) - {CLASSIFIER})
    return Defaults(
        {path: rules[path].defaults(own, judged) for path, own in goldens.by_file().items()},
        rules_named(request.choices.rules).defaults((), judged),
        frozenset(path for path, each in rules.items() if each.adds_to_stated),
    )


def _stated(request: Request) -> Stated:
    """The criteria that the files state."""
    given = _all_given(request)
    return Stated(
        {file.path: file.contents.criteria for file in given if file.contents.criteria},
        {
            (file.path, *case): criteria
            for file in given
            for case, criteria in criteria_by_case(file.contents).items()
        },
        _rescored(request),
    )


def sides(request: Request) -> tuple[Sequence[Recorded], CasesOfFiles]:
    """The traces and the goldens of a request, each with its file."""
    traces = Recordings(with_conversations(request.traces))
    if not traces:
        named = ", ".join(given.path for given in request.traces)
        raise UsageError(f"There is no recorded conversation in {named}. Name files that hold traces.")
    if request.ready is not None:
        return traces, request.ready.cases
    # A file with both goldens and traces is scored against itself, an eval set alone never.
    sources = request.goldens or tuple(
        given for given in request.traces if given.contents.traces and given.contents.suites
    )
    goldens = CasesOfFiles(sources)
    if request.goldens and not goldens:
        named = ", ".join(given.path for given in request.goldens)
        raise UsageError(f"There is no case in {named}. Name a file that holds goldens.")
    return traces, goldens


def _all_given(request: Request) -> tuple[Given, ...]:
    return (*request.traces, *request.goldens)


def _rescored(request: Request) -> Criteria | None:
    """The criteria of the results among the traces, when all of them agree."""
    stated = [given.contents.criteria for given in request.traces if given.contents.traces]
    first = stated[0] if stated else None
    agree = first is not None and all(each is not None and each.items == first.items for each in stated)
    return first if agree else None


def _notes(request: Request, chosen: RunCriteria, *later: str) -> tuple[str, ...]:
    judge = request.judge
    allowed = judge.backends.keys() if isinstance(judge, LiveChoice) else ()
    notes = [
        *input_notes((given.path, given.contents) for given in _all_given(request)),
        *chosen.notes,
        *endpoint_notes(chosen.lines, allowed),
    ]
    notes += [
        f"{given.path}: {finding.message}"
        for given in request.goldens
        for finding in given.contents.findings
        if finding.code == UNUSED
    ]
    notes += filter(None, later)
    if judge is not None and not isinstance(judge, NoJudge) and judge.name:
        notes.append(f"judge: {judge.name}")
    if isinstance(judge, LiveChoice) and request.engine is not None:
        notes.append(
            f"a judge is asked, so this process evaluated everything, and {request.engine.name} waited: the limit of "
            "questions is that of the key, which more machines do not raise"
        )
    if isinstance(judge, LiveChoice) and judge.classifier:
        notes.append(f"labels of sentences: {judge.classifier.name}")
    return tuple(notes)
