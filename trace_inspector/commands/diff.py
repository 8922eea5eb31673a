"""Compare two files and show where their conversations differ.

Of three files, A is the golden, B the baseline and C the candidate.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.output.redacting import redact_arguments, redaction_of
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.reports.trace_diff.as_text import lines_of
from trace_inspector.engine.trace_diff.rule import COMPARISONS, comparison_named
from trace_inspector.flows.runs.compare_files import compare
from trace_inspector.flows.runs.redacted_reports import OF_FILES, redacted_reports
from trace_inspector.flows.runs.requested_reports import refuse_inputs, requested_reports

_NAMES = tuple(rule.name for rule in COMPARISONS)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("left", type=Path, metavar="A", help="the file with what is expected, or with the first run")
    parser.add_argument(
        "right", type=Path, metavar="B", help=("the run to compare with A; of three files, the baseline")
    )
    parser.add_argument("third", type=Path, nargs="?", metavar="C", help="with three files, the candidate")
    parser.add_argument("--policy", choices=_NAMES, default="exact", help="which differences of calls count (exact)")
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        metavar="KIND=PATH",
        help=(f"write a report to PATH; KIND is one of {', '.join(OF_FILES)}"),
    )
    redact_arguments(parser)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing differs that counts, 1 when something does, 2 when they could not be compared."""
    paths = [path for path in (options.left, options.right, options.third) if path is not None]
    try:
        requested = requested_reports(options.report, OF_FILES, "differences")
        refuse_inputs(requested, paths)
        reports = redacted_reports(redaction_of(options))
        tables = any(report.kind == "html" for report in requested)
        differences = reports.differences(compare(paths, comparison_named(options.policy), tables=tables))
        for report in requested:
            reports.save(report, OF_FILES[report.kind], differences, map(str, paths))
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    for line in lines_of(differences):
        terminal.say(line)
    if differences.differs:
        return 1
    if not differences.is_whole:
        terminal.complain("Parts of these files could not be read, and may differ. Repair the files and try again.")
        return 2
    return 0
