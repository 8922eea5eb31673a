"""promptfoo's files: `promptfoo`, the configuration with its tests, and what came of them. Nothing in them is run."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, Report
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.promptfoo.configuration import cases_of_tests, read_configuration
from trace_inspector.formats.eval_tools.promptfoo.result_rows import rows_in, rows_of_table
from trace_inspector.formats.eval_tools.promptfoo.results import read_results

_OF_A_SUMMARY = ("results", "table")


def read(source: Source) -> Iterator[Item]:
    """Results as conversations with what was reported, tests as cases with what is expected."""
    report, counts = Report(), RecordCounts()
    value = source.value
    fields = Fields(value if isinstance(value, dict) else {}, source.place)
    summary = fields.object("results") or fields
    listed = report.bounded(summary, "results") if isinstance(summary.get("results"), list) else []
    table = summary.object("table")
    if isinstance(value, list):
        lines = report.bounded_list(value, source.place)
        if any(line.key("success") is not None for line in lines):
            yield from read_results(rows_in(lines), source, counts, (), source.place)
        else:
            cases = cases_of_tests(lines, Fields({}, ""), source.stem or "tests", counts, report)
            yield Suite(source.stem or "tests", cases=cases, place=source.place)
    elif listed or table is not None or isinstance(summary.get("results"), list):
        rows = rows_in(listed) if listed or table is None else rows_of_table(table, report)
        extras = (*stated_extras(summary, *_OF_A_SUMMARY), *stated_extras(fields, "results"))
        counts.understood()  # the run
        yield from read_results(rows, source, counts, extras, summary.place)
    else:
        yield from read_configuration(fields, source, report, counts)
    yield counts.finding()
    yield from report.drain()


IMPLEMENTATION = Implementation(read=read)
