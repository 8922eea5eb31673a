"""A process that gives one answer and ends: whatever a file does to it, the server goes on.

It reads a request from standard input and writes the text of its answer as JSON.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from trace_inspector.core.errors import InspectorError

MEMORY = 4 << 30
SECONDS = 180  # of processor time, also where the server was killed meanwhile


class Request(Struct, frozen=True):
    """Which tool is asked with what, and below which folders it may read."""

    tool: str
    folders: tuple[str, ...]
    given: dict[str, Any]
    offset: int = 0


class Reply(Struct, frozen=True):
    """The text, or the sentence that says why there is none."""

    text: str = ""
    problem: str = ""


def main() -> None:
    """Answer one request."""
    _shut_in()
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=Request)
    with contextlib.redirect_stdout(sys.stderr):
        reply = _answered(request)
    sys.stdout.buffer.write(msgspec.json.encode(reply))


def _answered(request: Request) -> Reply:
    from trace_inspector.commands.mcp_server.answers import as_text, refusal
    from trace_inspector.commands.mcp_server.tools import answer

    try:
        found = answer(request.tool, [Path(folder) for folder in request.folders], request.given)
        return Reply(text=as_text(found, request.offset))
    except InspectorError as problem:
        return Reply(problem=refusal(problem.sentence))
    except (MemoryError, RecursionError):
        return Reply(problem="This needs more memory than the server may use. Name fewer or smaller files.")


def _shut_in() -> None:
    """No keys of judges, and bounded memory."""
    for name in [name for name in os.environ if name.endswith(("_API_KEY", "_TOKEN", "_SECRET", "_CREDENTIALS"))]:
        del os.environ[name]
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


if __name__ == "__main__":
    main()
