"""List the formats: what each holds, and whether it is read, written and edited."""

from __future__ import annotations

import argparse

from trace_inspector.commands.terminal import Terminal
from trace_inspector.formats import FORMATS


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Always 0."""
    if options.json:
        terminal.say_json(
            {
                "formats": [
                    {
                        "name": known.name,
                        "title": known.title,
                        "holds": known.holds,
                        "reads": True,
                        "writes": known.writes,
                        "edits": known.edits,
                    }
                    for known in FORMATS
                ]
            }
        )
        return 0
    width = max(len(known.name) for known in FORMATS)
    for known in FORMATS:
        does = ", ".join(["read", *(["written"] if known.writes else []), *(["edited"] if known.edits else [])])
        terminal.say(f"{known.name:<{width}}  {known.title}; {does}; holds {known.holds}")
    return 0
