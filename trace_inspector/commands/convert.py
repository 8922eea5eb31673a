"""Convert files to another format. What that format cannot store is listed first."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.summary import one_line
from trace_inspector.flows.opening.convert_file import convert_files, save_converted
from trace_inspector.flows.opening.listing import expand

_MESSAGE_CHARS = 500
_WORDS = {Severity.ERROR: "gone", Severity.WARNING: "changed", Severity.INFO: "note"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files or folders")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="the format to write, by its name in the list of “trace-inspector formats”",
    )
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write")
    parser.add_argument("--allow-loss", action="store_true", help="write even when something would be lost for good")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when the file was written, 1 when something would be gone for good, 2 when it could not be done."""
    converted = convert_files(expand(Path(name) for name in options.files), options.to)
    for loss in converted.losses:
        terminal.say(f"{_WORDS[loss.severity]}: {loss.code} {one_line(loss.message, _MESSAGE_CHARS)}")
    if converted.gone and not options.allow_loss:
        count = len(converted.gone)
        what = "1 thing" if count == 1 else f"{count} things"
        terminal.complain(f"Nothing was written: {what} would be lost for good. Add --allow-loss to write anyway.")
        return 1
    for note in save_converted(converted, Path(options.output)):
        terminal.complain(note)
    return 0
