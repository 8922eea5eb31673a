"""Answer coding agents over the Model Context Protocol: failing cases, reasons, differences. Changes no file."""

from __future__ import annotations

import argparse
from pathlib import Path

from trace_inspector.commands.mcp_server.allowed import real_folders
from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import UsageError
from trace_inspector.extras import MCP, missing


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        metavar="FOLDER",
        help="what may be read, with everything below it (the current folder); nothing else is",
    )


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when the client left, 2 where nothing can be served."""
    if not_installed := missing(MCP):
        raise UsageError(f"The server cannot start: {not_installed}")
    folders = real_folders(options.folders or [Path()])
    from trace_inspector.commands.mcp_server.server import serve

    terminal.finish()
    serve(folders)
    return 0
