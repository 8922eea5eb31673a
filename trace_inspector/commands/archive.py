"""Copy the sessions of coding agents into a folder of yours, before their programs delete them."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.flows.opening.session_archive import COPIED, Archived, archive, listed, summary

FAILED = 1
_DAY_S = 86_400


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("folder", type=Path, help="where the copies are kept; it is made when it is missing")
    parser.add_argument("--list", action="store_true", help="list the copies with size and age, and copy nothing")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """Exit 1 when a session could not be copied."""
    folder: Path = options.folder
    if options.list:
        copies = list(listed(folder))
        for each in copies:
            terminal.say(_line(each, folder))
        terminal.say(f"{len(copies):,} copies, {_megabytes(copies)}")
        return 0
    told = list(archive(folder, Path.home(), os.environ))
    copied = [each for each in told if each.what == COPIED]
    failed = [each for each in told if each.failed]
    for each in copied:
        terminal.say(f"copied  {_line(each, folder)}")
    for each in failed:
        terminal.complain(f"{each.path.relative_to(folder)}: {each.what}")
    terminal.say(summary(told))
    return FAILED if failed else 0


def _line(each: Archived, folder: Path) -> str:
    days = max(0, int((time.time() - each.modified_s) // _DAY_S))
    age = "today" if not days else "1 day old" if days == 1 else f"{days:,} days old"
    return f"{_megabytes([each]):>9}  {age:<14}  {each.path.relative_to(folder)}"


def _megabytes(some: list[Archived]) -> str:
    return f"{sum(each.size_bytes for each in some) / 1e6:,.2f} MB"
