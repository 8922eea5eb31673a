"""The reports requested on a command line, each with its file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.saving.real_path import real_path


@dataclass(frozen=True, slots=True)
class RequestedReport:
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
