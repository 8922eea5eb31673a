"""Reports of a run, written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.core.verdict import RunVerdict
from trace_inspector.documents.document import Container, Document
from trace_inspector.documents.saving import save
from trace_inspector.engine.reports import REPORTS
from trace_inspector.engine.reports.report import Report
from trace_inspector.flows.evaluate_files import Request, sides
from trace_inspector.formats.adk_eval_result_run import Judged, write_run

Write = Callable[[RunVerdict, Request], str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One report to be written."""

    kind: str
    path: Path


def report_kinds() -> dict[str, Write]:
    """How each kind is written: those of the engine, and those that are file formats."""
    return {"adk": _adk, **{report.name: _of_run(report) for report in REPORTS}}


def _adk(run: RunVerdict, request: Request) -> str:
    traces, goldens = sides(request)
    return write_run(
        run,
        Judged(
            {(one.path, one.case.place, one.case.id): one.case for one in goldens},
            {(one.path, one.trace.place, one.trace.id): one.trace for one in traces},
        ),
    )


def _of_run(report: Report) -> Write:
    return lambda run, _request: report.write(run)


def wanted_reports(given: Sequence[str]) -> tuple[Wanted, ...]:
    """KIND=PATH pairs, checked before anything is evaluated."""
    kinds = report_kinds()
    found = []
    for text in given:
        kind, equals, path = text.partition("=")
        if not (equals and path):
            raise UsageError(f"--report {one_line(text, 60)}: write KIND=PATH.")
        if kind not in kinds:
            raise UsageError(f"There is no report “{one_line(kind, 60)}”; there are {', '.join(sorted(kinds))}.")
        found.append(Wanted(kind, Path(path)))
    return tuple(found)


def save_report(wanted: Wanted, run: RunVerdict, request: Request) -> None:
    """Write one report."""
    text = report_kinds()[wanted.kind](run, request)
    save(Document(wanted.path, text.encode("utf-8"), Container.JSON, None), force=True)
