"""All reports of a run, and those requested on a command line: never over an input, never into an archive."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.documents.packing.packing import is_file, is_real_folder, spot_of
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.engine.reports import REPORTS, RunReport
from trace_inspector.engine.reports.report import Report, by_name
from trace_inspector.engine.reports.sources import Sources

_READ = "This file is one of those evaluated or compared. Write the report to another file."
_ARCHIVE = "Reports cannot be written into an archive. Name a file beside it."


def _adk(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.formats.adk.result.eval_result_run import write_run
    from trace_inspector.formats.writing.run_context import Judged

    return write_run(run, Judged(sources.cases, sources.traces))


def _vertex(run: RunVerdict, sources: Sources) -> str:
    from trace_inspector.formats.vertex.result.result_run import write_run
    from trace_inspector.formats.writing.run_context import Judged

    return write_run(run, Judged(sources.cases, sources.traces))


_OF_OTHER_SYSTEMS: tuple[RunReport, ...] = (
    Report("adk", "report.evalset_result.json", "application/json", _adk),
    Report("vertex", "report.vertex.json", "application/json", _vertex),
)
RUN_REPORTS = by_name((*_OF_OTHER_SYSTEMS, *REPORTS))


class RequestedReport(Struct, frozen=True):
    """One report to be written."""

    kind: str
    path: Path


def requested_reports(given: Sequence[str], kinds: Collection[str], of: str) -> tuple[RequestedReport, ...]:
    """Parse KIND=PATH pairs before anything is read. `of`: the subject of the reports, in words."""
    reports: dict[Path, RequestedReport] = {}
    for text in given:
        kind, equals, name = text.partition("=")
        if not (equals and name) or name == "-":
            raise UsageError(f"--report {one_line(text, 60)}: write KIND=PATH, with the file to write.")
        if kind not in kinds:
            listed = ", ".join(sorted(kinds))
            raise UsageError(f"There is no report “{one_line(kind, 60)}” for {of}; choose one of {listed}.")
        path = Path(name)
        if real_path(path) in reports:
            raise UsageError(f"Two reports would be written to {one_line(name, 60)}; give each its own file.")
        reports[real_path(path)] = RequestedReport(kind, path)
    return tuple(reports.values())


def refuse_inputs(requested: Iterable[RequestedReport], inputs: Iterable[str | Path]) -> None:
    """SaveError where a report would overwrite an input: a file, an archive, or a file in a folder."""
    read = {real_path(Path(path)) for path in inputs}
    archives = {parent for path in read for parent in path.parents}
    for report in requested:
        path = real_path(report.path)
        if spot_of(path).member:
            raise SaveError(_ARCHIVE, path=str(report.path))
        is_within = not read.isdisjoint(path.parents) and is_file(path)
        if path in read or (path in archives and not is_real_folder(path)) or is_within:
            raise SaveError(_READ, path=str(report.path))
