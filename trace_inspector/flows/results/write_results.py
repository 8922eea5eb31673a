"""`evaluate … --results DIR`: a run as a data set, written from an iterable of case results, shard by shard."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from trace_inspector.core.errors import SaveError
from trace_inspector.core.values.values import JsonObject, strict
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.documents.packing.packing import spot_of
from trace_inspector.documents.results.duck import duckdb_module
from trace_inspector.documents.results.manifest import VERSION, Manifest
from trace_inspector.documents.results.writing import ResultsWriter, refuse_folder
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.engine.redaction.options import STILL_THERE
from trace_inspector.flows.results.rows import CaseResult, rows_of
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.save_reports import ReportInput, inputs_of
from trace_inspector.flows.runs.store_run import configuration_of
from trace_inspector.version import __version__

if TYPE_CHECKING:
    from trace_inspector.engine.redaction.redactor import Redactor

Rows: TypeAlias = dict[str, list[JsonObject]]
SHARD_TURNS: Final = 5_000  # some 25,000 verdicts: files half as large take a query twice as long
_INPUT: Final = "One of the evaluated files lies in this folder. Name a new folder for the results."


def refuse_results(folder: Path, request: Request) -> None:
    """Say before anything is evaluated why results cannot be written: no DuckDB, or no folder for them."""
    duckdb_module()
    if spot_of(folder).member:
        raise SaveError("Results cannot be written into an archive. Name a folder beside it.", path=str(folder))
    refuse_folder(folder)
    if any(real_path(folder) in real_path(path).parents for path in inputs_of(request)):
        raise SaveError(_INPUT, path=str(folder))


def write_results(folder: Path, report_input: ReportInput, request: Request) -> None:
    """The results of a run as reports have them: where something is redacted, without it."""
    run, sources = report_input.run, report_input.sources
    results = (CaseResult(case, sources.case_of(case), sources.trace_of(case)) for case in run.cases)
    judge = request.judge.name if request.judge else ""
    manifest, redactor = _manifest(run, request), report_input.redactor
    if redactor is not None:
        # The run is redacted already; these come from the request.
        configuration, inputs, judge = redactor.redacted((manifest.configuration, manifest.inputs, judge))
        manifest = replace(manifest, configuration=configuration, inputs=inputs)
    write_cases(folder, manifest, results, judge, redactor)


def write_cases(
    folder: Path, manifest: Manifest, results: Iterable[CaseResult], judge: str, redactor: Redactor | None = None
) -> None:
    """Cases one after the other, wherever they come from; no more than a shard of them is held.

    The manifest says whether they will be all of its run. `judge` is who was asked, "" for nobody.
    """
    with ResultsWriter(folder, manifest) as writer:
        for shard in shards(results):
            rows = _rows(shard, manifest.run, judge)
            if redactor is not None:
                _look_through(redactor, shard, rows, folder)
            writer.add(rows, len(shard), sum(result.turn_count for result in shard))
        writer.finish(complete=manifest.complete)


def shards(results: Iterable[CaseResult], turns: int = SHARD_TURNS) -> Iterator[list[CaseResult]]:
    """Whole cases in their order, until so many turns are together; a case without turns counts as one."""
    shard: list[CaseResult] = []
    size = 0
    for result in results:
        own = max(1, result.turn_count)
        if shard and size + own > turns:
            yield shard
            shard, size = [], 0
        shard.append(result)
        size += own
    if shard:
        yield shard


def _rows(shard: Sequence[CaseResult], run: str, judge: str) -> Rows:
    rows: Rows = {}
    for result in shard:
        for table, own in rows_of(result, run, judge).items():
            rows.setdefault(table, []).extend(own)
    return rows


def _look_through(redactor: Redactor, shard: Sequence[CaseResult], rows: Rows, folder: Path) -> None:
    """SaveError where a text that was redacted is still in the rows, and is none of the program's own."""
    from trace_inspector.engine.redaction.blank import blanked
    from trace_inspector.engine.redaction.leak_check import leaks_in_texts

    if leaks_in_texts(redactor, _texts(rows), lambda: _texts(_rows(blanked(tuple(shard)), "", ""))):
        raise SaveError(STILL_THERE, path=str(folder))


def _texts(rows: Rows) -> Iterator[str]:
    for own in rows.values():
        for row in own:
            for value in row.values():
                yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))


def _manifest(run: RunVerdict, request: Request) -> Manifest:
    return Manifest(
        VERSION,
        run.id,
        complete=not run.stopped,
        started_s=run.started_s,
        status=run.status.value,
        rules=run.rules,
        criteria_source=run.criteria_source,
        criteria=tuple(
            {"metric": metric, "threshold": strict(threshold), "options": strict(options)}
            for metric, threshold, options in run.criteria
        ),
        configuration=configuration_of(run, request),
        inputs={given.path: given.digest for given in (*request.traces, *request.goldens)},
        versions={
            "trace_inspector": __version__,
            "python": platform.python_version(),
            "duckdb": duckdb_module().__version__,
        },
        engine=request.engine.name if request.engine else f"local:{request.jobs}",
        worker_processes=len(request.engine.processes) if request.engine else request.jobs,
        notes=run.notes,
    )
