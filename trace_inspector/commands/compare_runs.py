"""Say what became of each case from one run to the next."""

from __future__ import annotations

import argparse

from trace_inspector.commands.redacting import redact_arguments, redaction_of
from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.between_runs.as_text import lines_of
from trace_inspector.engine.between_runs.compared_runs import Change
from trace_inspector.flows.compare_kept import compare_named
from trace_inspector.flows.redacted_reports import OF_RUNS, redacted_reports
from trace_inspector.flows.wanted_reports import wanted_reports

NOTHING_COMPARABLE = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "base", metavar="BASE", help="the baseline: a file or folder of results, or a kept run by id or name"
    )
    parser.add_argument("new", metavar="NEW", help="the candidate: the run to hold against it")
    parser.add_argument(
        "--fail-on", choices=("regressed", "never"), default="regressed", help="what makes the exit 1"
    )
    parser.add_argument(
        "--report", action="append", default=[], metavar="KIND=PATH", help=f"write a report: {', '.join(OF_RUNS)}"
    )
    redact_arguments(parser)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing regressed, 1 when something did, 2 when it could not run, 3 when nothing is comparable."""
    try:
        wanted = wanted_reports(options.report, OF_RUNS, "two runs")
        reports = redacted_reports(redaction_of(options))
        known = compare_named(options.base, options.new)
        compared = reports.runs(known)
        for report in wanted:
            reports.save(report, OF_RUNS[report.kind], compared, known.inputs)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    for line in lines_of(compared):
        terminal.say(line)
    found = compared.found
    if not found.is_comparable:
        return NOTHING_COMPARABLE
    return int(options.fail_on == "regressed" and found.counts[Change.REGRESSED] > 0)
