"""Turn recorded conversations into goldens and add them to a file. What would be lost is listed."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.finding import Severity
from trace_inspector.core.trace.summary import one_line

_MESSAGE_CHARS = 500
_WORDS = {Severity.ERROR: "gone", Severity.WARNING: "changed", Severity.INFO: "note"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("traces", nargs="+", metavar="TRACE", help="files or folders with recorded conversations")
    parser.add_argument(
        "--into",
        required=True,
        metavar="SUITE",
        help="the file to add the goldens to; it is created if it does not exist",
    )
    parser.add_argument("--turns", type=_numbers, default=(), metavar="N,N", help="take only these turns, from 1")
    parser.add_argument(
        "--expect",
        type=_names,
        default=(),
        metavar="NAME,NAME",
        help="what the goldens expect, such as calls,answers",
    )
    parser.add_argument(
        "--as", dest="format", default="", metavar="FORMAT", help="the format of a new file, such as adk-eval-set"
    )
    parser.add_argument("--allow-loss", action="store_true", help="write even when something would be lost for good")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when the goldens were written, 1 when something would be gone for good, 2 when it could not be done."""
    from trace_inspector.flows.goldens.promote_files import carry_out, planned
    from trace_inspector.flows.opening.listing import expand

    plan = planned(
        expand(Path(name) for name in options.traces),
        Path(options.into),
        turns=options.turns,
        wants=options.expect,
        format_name=options.format,
    )
    for loss in plan.losses:
        terminal.say(f"{_WORDS[loss.severity]}: {loss.code} {one_line(loss.message, _MESSAGE_CHARS)}")
    if plan.gone and not options.allow_loss:
        count = len(plan.gone)
        what = "1 thing" if count == 1 else f"{count} things"
        terminal.complain(f"Nothing was written: {what} would be lost for good. Add --allow-loss to write anyway.")
        return 1
    notes = carry_out(plan)
    for case in plan.cases:
        count = len(case.turns)
        terminal.say(f"{one_line(case.id, _MESSAGE_CHARS)}: {count} {'turn' if count == 1 else 'turns'}")
    for note in notes:
        terminal.complain(note)
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    """Turns counted from 1 as indexes from 0."""
    if not all(part.strip().isdecimal() and int(part) > 0 for part in text.split(",")):
        raise argparse.ArgumentTypeError(f"“{text}” is not a list of turn numbers. Write them like 1,3.")
    return tuple(int(part) - 1 for part in text.split(","))


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
