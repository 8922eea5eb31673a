"""Checks report paths: never over an input, never into an archive."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.packing.packing import is_file, is_real_folder, spot_of
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.flows.runs.requested_reports import RequestedReport

_READ = "This file is one of those evaluated or compared. Write the report to another file."
_ARCHIVE = "Reports cannot be written into an archive. Name a file beside it."


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
