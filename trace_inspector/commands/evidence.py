"""Write one page that shows a run to others: readable anywhere, without secrets, and opened again by this program."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.rows.evidence import ALL_TEXTS
from trace_inspector.engine.evidence.without_texts import ALL_LEFT_OUT
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.flows.runs.evidence import LEFT, evidence_of, write_evidence

_NAME_IT = "Name it with --redact PATTERN or its key with --redact-key NAME."
_TOO_WIDE = "If a pattern given with --redact matches words of every page, such as “user”, make it narrower. "


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
        "--without-texts",
        action="store_true",
        help="leave out every text and value, secret or not: who did what in which order and how it was judged, with "
        "equal placeholders for equal values",
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
        made = write_evidence(pack, Path(options.output), inputs, redaction, without_texts=options.without_texts)
    except InspectorError as problem:
        terminal.complain(problem)
        return 2
    if made.left:
        terminal.complain(f"{LEFT} {_TOO_WIDE if options.redact else ''}{_NAME_IT}")
        return 1
    for note in pack.notes:
        terminal.complain(note)
    taken_out = [item for item in made.redacted if item.rule != ALL_TEXTS]
    if options.without_texts:
        terminal.say(ALL_LEFT_OUT)
    for item in taken_out:
        times = "once" if item.count == 1 else f"{item.count:,} times"
        terminal.say(f"{item.placeholder}: {times}")
    count = len(taken_out)
    taken = "no secret found" if not count else "1 secret taken out" if count == 1 else f"{count:,} secrets taken out"
    if options.without_texts:
        taken = "without texts" if not count else f"without texts, {taken}"
    terminal.say(f"{options.output}: {len(made.data):,} bytes, {taken}.")
    return 0
