"""A child that edits goldens, and ends in the hardest way when it has done what it was told to end after."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from trace_inspector.work.golden.requests import Request
from trace_inspector.work.golden.server import golden_server
from trace_inspector.work.processes.child import Channel

VARIABLE = "TEST_ENDS_AFTER"  # names a file with the name of a request in it; with “always” behind it stays there
LATER_S = 0.5  # so that something else is on its way, too


def dying_service(channel: Channel) -> Callable[[Request], object]:
    """As the service does it, with an end."""
    do = golden_server(channel)
    told = Path(os.environ[VARIABLE])

    def mine(request: Request) -> object:
        answer = do(request)
        wanted, _, how = told.read_text().partition(" ") if told.exists() else ("", "", "")
        if type(request).__name__ == wanted:
            if how != "always":
                told.unlink()
                time.sleep(LATER_S)
            with told.with_suffix(".log").open("a") as log:
                log.write("x")
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    return mine
