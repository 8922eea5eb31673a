"""Check files and list findings, one per line: path:line:column: severity code message."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.summary import one_line
from trace_inspector.flows.opening.listing import SKIPPED, expand
from trace_inspector.flows.opening.open_file import open_file

_MESSAGE_CHARS = 500


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files or folders")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when nothing is an error, 1 when something is, 2 when a file could not be read."""
    status = 0
    skipped: list[Path] = []
    for path in expand((Path(name) for name in options.files), skipped):
        try:
            findings = open_file(path).contents.findings
        except InspectorError as problem:
            terminal.complain(problem)
            status = 2
            continue
        for finding in sorted(findings, key=lambda finding: (finding.member, finding.line, finding.column)):
            file = str(path / finding.member) if finding.member else str(path)
            place = f"{one_line(file, _MESSAGE_CHARS)}:{finding.line}:{finding.column}"
            message = one_line(finding.message, _MESSAGE_CHARS)
            # A closed pipe must not turn errors into a pass.
            with contextlib.suppress(BrokenPipeError):
                terminal.say(f"{place}: {finding.severity.value} {finding.code} {message}")
            if finding.severity is Severity.ERROR:
                status = max(status, 1)
    for path in skipped:
        with contextlib.suppress(BrokenPipeError):
            place = f"{one_line(str(path), _MESSAGE_CHARS)}:0:0"
            terminal.say(f"{place}: {SKIPPED.severity.value} {SKIPPED.code} {SKIPPED.message}")
    return status
