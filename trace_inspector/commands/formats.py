"""List the file formats: what each contains, and whether it can be read, written and edited."""

from __future__ import annotations

import argparse

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.formats import all_formats


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("--json", action="store_true", help="print one JSON object, for other programs to read")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Always 0."""
    rows = all_formats()
    if options.json:
        terminal.say_json(
            {
                "formats": [
                    {
                        "name": row.name,
                        "title": row.title,
                        "holds": row.holds,
                        "reads": True,
                        "writes": row.writes,
                        "edits": row.edits,
                    }
                    for row in rows
                ]
            }
        )
        return 0
    width = max(len(row.name) for row in rows)
    for row in rows:
        does = ", ".join(["read", *(["written"] if row.writes else []), *(["edited"] if row.edits else [])])
        terminal.say(f"{row.name:<{width}}  {row.title}; {does}; holds {row.holds}")
    return 0
