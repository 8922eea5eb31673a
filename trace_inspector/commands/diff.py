"""Say where two conversations part; of three files the first is the golden, the second the baseline."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.engine.differences.as_text import lines_of
from trace_inspector.engine.differences.rule import COMPARISONS, comparison_named
from trace_inspector.flows.compare_files import REPORTS, compare, save_report

_NAMES = tuple(rule.name for rule in COMPARISONS)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("left", type=Path, metavar="A", help="what is expected, or the first run")
    parser.add_argument("right", type=Path, metavar="B", help="the run to compare; of three the baseline")
    parser.add_argument("third", type=Path, nargs="?", metavar="C", help="the candidate")
    parser.add_argument("--policy", choices=_NAMES, default="exact", help="which differences count")
    parser.add_argument(
        "--report", action="append", default=[], metavar="KIND=PATH", help=f"write a report: {', '.join(REPORTS)}"
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing differs that counts, 1 when something does, 2 when they could not be compared."""
    paths = [path for path in (options.left, options.right, options.third) if path is not None]
    try:
        wanted = [_report(text) for text in options.report]
        found = compare(paths, comparison_named(options.policy))
        for kind, path in wanted:
            save_report(kind, path, found, paths)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    for line in lines_of(found):
        terminal.say(line)
    return 1 if found.differs else 0


def _report(text: str) -> tuple[str, Path]:
    kind, equals, name = text.partition("=")
    if not (equals and name):
        raise UsageError(f"--report {one_line(text, 60)}: write KIND=PATH, with the file to write.")
    if kind not in REPORTS:
        raise UsageError(f"There is no report “{one_line(kind, 60)}” of differences; there are {', '.join(REPORTS)}.")
    return kind, Path(name)
