"""Runs of CES's evaluations: `ces-run`, what was run, how far it came, and how long calls took."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.golden.golden import Persona, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.extra import Extra
from trace_inspector.formats.ces.common.content import short_name
from trace_inspector.formats.ces.common.enums import (
    EVALUATION_TYPE,
    GOLDEN_RUN_METHOD,
    OPTIMIZATION_STATUS,
    RUN_STATE,
    Enumeration,
    enum_word,
)
from trace_inspector.formats.ces.common.evaluation_entries import suites_of
from trace_inspector.formats.ces.common.recognisers import RUNS
from trace_inspector.formats.ces.common.values import duration_of
from trace_inspector.formats.ces.result.result_schemas import RUN
from trace_inspector.formats.ces.result.result_turns import error_text
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, camel, count_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.schema import check

_ENUMS: tuple[tuple[str, Enumeration], ...] = (
    ("state", RUN_STATE),
    ("evaluation_type", EVALUATION_TYPE),
    ("golden_run_method", GOLDEN_RUN_METHOD),
)
_OF_EACH = ("passed_count", "failed_count", "error_count")
# A count, and those that are part of it.
_SUMS = (
    ("completed_count", "passed_count", "failed_count"),
    ("total_count", "completed_count", "error_count", "cancelled_count"),
)
_COUNTS = ("total_count", "completed_count", "cancelled_count", *_OF_EACH)
_LATENCIES = ("tool_latencies", "callback_latencies", "guardrail_latencies", "llm_call_latencies")
_PERCENTILES = ("p50_latency", "p90_latency", "p99_latency")
# The keys that name the owner of latencies; the tool of a toolset is an object.
_WHOSE = ("tool_display_name", "guardrail_display_name", "tool", "stage", "guardrail", "model")


def read(source: Source) -> Iterator[Item]:
    """Each run under its name with all of its members; the results that it names are files of their own."""
    return suites_of(source, RUNS, "ces-run", "evaluation runs", _run)


def _run(fields: Fields, source: Source, report: Report) -> Suite:
    check(fields, RUN, report)
    for name, enumeration in _ENUMS:
        enum_word(fields, name, enumeration, report)
    optimization = fields.object("optimization_config")
    if optimization is not None:
        enum_word(optimization, "status", OPTIMIZATION_STATUS, report)
    problem = error_text(fields, report)
    if problem:
        report.add(warning("run-failed", f"The run ended in an error: {problem}.", fields.pointer("error_info")))
    report.take(_uncounted(fields))
    latencies = fields.object("latency_report")
    latency_extras = tuple(_latencies(latencies, report)) if latencies is not None else ()
    return Suite(
        id=short_name(fields.text("name") or "") or source.stem,
        name=fields.text("display_name") or "",
        personas=tuple(run_personas(fields, report)),
        extras=(*extras_of(fields, "display_name", "latency_report"), *latency_extras),
        place=fields.place,
    )


def run_personas(fields: Fields, report: Report) -> Iterator[Persona]:
    """The personas of simulated users, and how often each ran; their descriptions are part of the app."""
    for config in report.bounded(fields, "persona_run_configs"):
        name = short_name(config.text("persona") or "")
        count = count_of(config.get("task_count"))
        tasks = "" if count is None else "1 task" if count == 1 else f"{count} tasks"
        yield Persona(name, tasks, config.value, config.place)


def _latencies(owner: Fields, report: Report) -> Iterator[Extra]:
    """The report in lines of one kind and one name each, and what else stands in it."""
    for kind in _LATENCIES:
        for latency in report.bounded(owner, kind):
            metrics = latency.object("latency_metrics") or Fields({}, latency.place)
            for name in _PERCENTILES:
                duration_of(metrics, name, report)
            yield Extra(f"{owner.key(kind)}: {_whose(latency)}", latency.value, latency.place)
    yield from extras_of(owner, *_LATENCIES)


def _whose(owner: Fields) -> str:
    named = next((text for name in _WHOSE if (text := owner.text(name))), "")
    toolset = owner.object("toolset_tool")
    inside = toolset.text("tool_id") if toolset is not None else None
    return short_name(named) or inside or "not named"


def _uncounted(fields: Fields) -> Iterator[Finding]:
    """Counts of the file that contradict each other; one that is left out is 0, as everywhere in this service."""
    progress = fields.object("progress")
    if progress is None:
        return
    counts = {name: count_of(progress.get(name)) or 0 for name in _COUNTS}
    for whole, *parts in _SUMS:
        total = sum(counts[part] for part in parts)
        if progress.key(whole) and total > counts[whole]:
            message = (
                f"“{progress.key(whole)}” is {counts[whole]}, but the counts that are part of it add up to {total}."
            )
            yield info("counts-differ", message, progress.pointer(whole))
    summaries = fields.object("evaluation_run_summaries")
    each = [
        Fields(summary, "")
        for summary in (summaries.value.values() if summaries else ())
        if isinstance(summary, dict)
    ]
    for name in _OF_EACH:
        total = sum(count_of(summary.get(name)) or 0 for summary in each)
        if summaries is not None and each and total != counts[name]:
            message = f"The summaries of evaluations count {total} for “{camel(name)}”, the progress {counts[name]}."
            yield info("counts-differ", message, summaries.place)


IMPLEMENTATION = Implementation(read=read)
