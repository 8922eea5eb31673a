"""Write one page that shows a run to others: readable anywhere, without secrets, and opened again by this program."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.engine.redaction.structure_only import STRUCTURE_ONLY
from trace_inspector.flows.runs.evidence import LEFT, evidence_of, write_evidence


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "run",
        metavar="RUN",
        help="a file or folder of results or conversations, or the id or name of a stored run",
    )
    parser.add_argument("--case", metavar="ID", help="show this case only, by its id or a pattern of ids")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the HTML file to write")
    parser.add_argument(
        "--structure-only",
        action="store_true",
        help="leave out every text and value: who did what in which order and how it was judged, with equal numbers "
        "for equal texts",
    )
    parser.add_argument(
        "--redact-key",
        action="append",
        default=[],
        metavar="NAME",
        help="redact the value of every key with this name as well",
    )
    parser.add_argument(
        "--redact",
        action="append",
        default=[],
        metavar="PATTERN",
        help="redact all text that this regular expression matches as well",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when the file was written, 1 when a secret would be left in it, 2 when it could not be made."""
    try:
        redaction = Redaction(tuple(options.redact_key), tuple(options.redact))
        pack, inputs = evidence_of(options.run, options.case)
        made = write_evidence(pack, Path(options.output), inputs, redaction, structure_only=options.structure_only)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    if made.left:
        terminal.complain(f"{LEFT} Name it with --redact PATTERN or its key with --redact-key NAME.")
        return 1
    for note in pack.notes:
        terminal.complain(note)
    if options.structure_only:
        terminal.say(STRUCTURE_ONLY)
    for item in made.redacted:
        times = "once" if item.count == 1 else f"{item.count:,} times"
        terminal.say(f"{item.placeholder}: {times}")
    count = len(made.redacted)
    taken = "no secret found" if not count else "1 secret taken out" if count == 1 else f"{count:,} secrets taken out"
    terminal.say(f"{options.output}: {len(made.data):,} bytes, {taken}.")
    return 0
