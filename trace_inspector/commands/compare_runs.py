"""Compare two evaluation runs case by case: which improved, regressed, stayed the same or cannot be compared."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from trace_inspector.commands.output.redacting import redact_arguments, redaction_of
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.run_comparison.as_text import lines_of
from trace_inspector.engine.run_comparison.compared_case import Change
from trace_inspector.engine.run_comparison.compared_runs import ComparedRuns
from trace_inspector.engine.run_comparison.regression_gate import worse_beyond_chance
from trace_inspector.flows.review.judged_comparison import compare_judged
from trace_inspector.flows.runs.redacted_reports import OF_RUNS, redacted_reports
from trace_inspector.flows.runs.requested_reports import requested_reports

NOTHING_COMPARABLE = 3
_BEYOND = "beyond-chance"
_FAILS: Mapping[str, Callable[[ComparedRuns], bool]] = {
    "regressed": lambda compared: compared.counts[Change.REGRESSED] > 0,
    _BEYOND: lambda compared: bool(worse_beyond_chance(compared)),
    "never": lambda _compared: False,
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "base",
        metavar="BASE",
        help=(
            "the earlier run (baseline): a result file, a folder of result files, or the id or name of a stored run"
        ),
    )
    parser.add_argument("new", metavar="NEW", help="the later run (candidate), given in the same way")
    parser.add_argument(
        "--fail-on",
        choices=(*_FAILS,),
        default="regressed",
        help=(
            "when to exit with 1. regressed (the default): any case got worse. beyond-chance: only what chance "
            "does not explain (p < 0.05), by Fisher’s exact test for a case with repeats, and by the exact sign "
            "test for all cases together. never: not at all"
        ),
    )
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="KIND=PATH",
        help=f"write a report to PATH; KIND is one of {', '.join(OF_RUNS)}",
    )
    parser.add_argument(
        "--labels",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="what people said of outputs, besides the stored labels: it corrects the pass rates of judges",
    )
    redact_arguments(parser)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing got worse by --fail-on, 1 when something did, 2 when it could not run, 3: nothing comparable."""
    try:
        requested = requested_reports(options.report, OF_RUNS, "two runs")
        redaction = redaction_of(options)
        compared = compare_judged(options.base, options.new, options.labels)
        shown = redacted_reports(redaction).runs(compared)
        for report in requested:
            reports = redacted_reports(redaction, report.kind)
            reports.save(report, OF_RUNS[report.kind], reports.runs(compared), compared.inputs)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    for line in lines_of(shown, beyond_chance=options.fail_on == _BEYOND):
        terminal.say(line)
    if not compared.runs.is_comparable:
        return NOTHING_COMPARABLE
    return int(_FAILS[options.fail_on](compared.runs))
