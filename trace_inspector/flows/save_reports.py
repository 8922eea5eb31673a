"""Reports of a run, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trace_inspector.core.errors import InspectorError, SaveError
from trace_inspector.core.golden import Case
from trace_inspector.core.trace import Trace
from trace_inspector.core.verdict import RunVerdict
from trace_inspector.documents.document import TEXTLESS, Container, Document
from trace_inspector.documents.places import find_all, lines_and_columns
from trace_inspector.documents.reading import read
from trace_inspector.documents.real_path import real_path
from trace_inspector.documents.saving import save
from trace_inspector.engine.redaction import STILL_THERE, Redaction, Redactor
from trace_inspector.engine.reports import REPORTS
from trace_inspector.engine.reports.sources import Key, Reported, Sources
from trace_inspector.flows.evaluate_files import Given, Request, open_given, sides
from trace_inspector.flows.golden_digests import with_digests
from trace_inspector.flows.run_keeping import KeptRun
from trace_inspector.flows.traces_again import TracesAgain
from trace_inspector.flows.wanted_reports import WantedReport
from trace_inspector.formats import adk_eval_result_run, vertex_result_run
from trace_inspector.formats.judged import Judged

_NAMED = 3
Write = Callable[[RunVerdict, Sources], str]
# Reports that are files of another system.
_IN_FORMATS: Mapping[str, Callable[[RunVerdict, Judged], str]] = {
    "adk": adk_eval_result_run.write_run,
    "vertex": vertex_result_run.write_run,
}


@dataclass(frozen=True, slots=True)
class Told:
    """A run as its reports and its table tell it: the verdict, and what it is about."""

    run: RunVerdict
    sources: Sources
    redactor: Redactor | None = None


def redacted(run: RunVerdict, request: Request, wishes: Redaction) -> Told:
    """A run without what the wishes name, everywhere the same: what belongs together still does."""
    redactor, sources = Redactor(wishes), _sources(request)
    held = (run, tuple(sources.cases.items()), tuple(sources.traces.items()), tuple(sources.reported.items()))
    shown, cases, traces, reported = redactor.redacted(held)
    return Told(shown, Sources(dict(cases), dict(traces), dict(reported), sources.where), redactor)


def report_kinds() -> dict[str, Write]:
    """How each kind is written: those of the engine, and those that are file formats."""
    in_formats = {name: _in_format(write) for name, write in _IN_FORMATS.items()}
    return {**in_formats, **{report.name: report.write for report in REPORTS}}


def _in_format(write: Callable[[RunVerdict, Judged], str]) -> Write:
    return lambda run, sources: write(run, Judged(sources.cases, sources.traces))


def _sources(request: Request) -> Sources:
    cases, traces = _by_key(request)
    return Sources(cases, traces, reported_by(request), _Lines(cases).of)


def reported_by(request: Request) -> Reported:
    """What the traces' own files say of them."""
    return {
        (given.path, verdict.trace_place, verdict.trace_id or ""): verdict
        for given in request.traces
        for verdict in given.contents.reported
    }


def _by_key(request: Request) -> tuple[dict[Key, Case], Mapping[Key, Trace]]:
    if not request.traces:  # none of them is at hand
        return {}, {}
    traces, goldens = sides(request)
    return (
        {(one.path, one.case.place, one.case.id): one.case for one in goldens},
        TracesAgain(traces),
    )


@dataclass(frozen=True, slots=True)
class _Lines:
    """Where goldens and their turns stand in their files; each file is read once, when it is first asked about."""

    cases: dict[Key, Case]
    known: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)

    def of(self, path: str, place: str) -> tuple[int, int]:
        """Line and column from 1; 0 where the file has no lines, is gone or has changed."""
        if path not in self.known:
            own = [case for (at, _place, _id), case in self.cases.items() if at == path]
            places = {case.place for case in own} | {turn.place for case in own for turn in case.turns}
            self.known[path] = _lines(path, places)
        return self.known[path].get(place, (0, 0))


def _lines(path: str, places: set[str]) -> dict[str, tuple[int, int]]:
    try:
        document = read(Path(path))
    except InspectorError:
        return {}
    if document.container in TEXTLESS or document.packing is not None:
        return {}
    starts = {pointer: place.start for pointer, place in find_all(document, places).items()}
    lines = lines_and_columns(document, starts.values())
    return {pointer: lines[start] for pointer, start in starts.items()}


def save_kept_report(wanted: WantedReport, kept: KeptRun) -> str:
    """Write a report of a kept run. A sentence about files that are not there as they were, else ""."""
    _refuse_inputs(wanted, kept.inputs)
    named = kept.configuration.get("traces")
    sides: dict[bool, list[Given]] = {True: [], False: []}
    missing = []
    for path, digest in kept.inputs.items():
        try:
            found = [given for given in open_given([Path(path)]) if given.digest == digest]
        except InspectorError:
            found = []
        missing += [] if found else [Path(path).name]
        sides[isinstance(named, list) and path in named] += found
    _write(wanted, Told(kept.shown, _sources(Request(tuple(sides[True]), tuple(sides[False])))))
    if not missing:
        return ""
    return f"Without what {', '.join(missing[:_NAMED])} held, which is no longer as it was evaluated."


def save_report(wanted: WantedReport, run: RunVerdict, request: Request, told: Told | None = None) -> None:
    """Write one report, of the run as it is told if that is given; never over a file that the run was about."""
    _refuse_inputs(wanted, [given.path for given in (*request.traces, *request.goldens)])
    _write(wanted, told or Told(run, _sources(request)))


def _refuse_inputs(wanted: WantedReport, paths: Iterable[str]) -> None:
    target = real_path(wanted.path)
    if any(real_path(Path(path)) == target for path in paths):
        raise SaveError("This file was evaluated; write the report to another one.", path=str(wanted.path))


def _write(wanted: WantedReport, told: Told) -> None:
    run = told.run
    if wanted.kind == "adk" and told.redactor is None:  # of a golden from which something was taken it says nothing
        run = with_digests(run, told.sources.cases)
    text = report_kinds()[wanted.kind](run, told.sources)
    if told.redactor is not None and told.redactor.stands_in(text):
        raise SaveError(STILL_THERE, path=str(wanted.path))
    save(Document(wanted.path, text.encode("utf-8"), Container.JSON, None), force=True)
