"""All reports of a run: those of the engine, and those in formats of other systems."""

from __future__ import annotations

from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports import REPORTS, RunReport
from trace_inspector.engine.reports.report import Report, by_name
from trace_inspector.engine.reports.sources import Sources


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
