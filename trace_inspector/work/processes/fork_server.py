"""How child processes are made and ended: forked from a server that has imported once what all of them need.

Not from the window: a thread of it may hold any lock just then. Where there is no such server, as on Windows, each
child is started anew and imports for half a second.
"""

from __future__ import annotations

import contextlib
import gc
import math
import multiprocessing
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from trace_inspector.core.errors import Stopped

_SPAWNING = multiprocessing.get_context("spawn")
# Python 3.11.0 has its socket where every user of the machine can reach it.
HAS_SERVER = "forkserver" in multiprocessing.get_all_start_methods() and sys.version_info >= (3, 11, 1)
# Whoever starts a process asks all others how they ended, and of two that ask at once one loses the answer.
_ASKING = threading.Lock()
_POSIX = os.name == "posix"
_UNKNOWN_CODE = 255  # what multiprocessing says of a child whose server is gone
_REPORT_S = 1.0  # how long the server may take to report the end of a child

_RESTART_S = 5.0  # a server that had to be started again is not waited for while it imports

Target = Callable[..., None]


@dataclass(slots=True)
class _Restart:
    """When the server was last started again."""

    last_s: float = -math.inf


_RESTART = _Restart()


def make_ready() -> None:
    """Let the server import while there is other work to do; it ends with this process."""
    if not HAS_SERVER:
        return
    before = _server()
    warnings.filterwarnings("ignore", "resource_tracker: process died unexpectedly", UserWarning)  # it is restarted
    try:
        forkserver.set_forkserver_preload(["trace_inspector.work.preloaded"])
        forkserver.ensure_running()
    except OSError:
        return  # the first child finds that out again, and is started without
    if before not in (None, _server()):
        _RESTART.last_s = time.monotonic()


def end() -> None:
    """End the server now: whoever waits for it waits no more, and it does not outlive this process to import."""
    number = _server()  # it is not another's: this process alone could take leave of it
    if number is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def start(
    target: Target, *arguments: object, is_wanted: Callable[[], bool] = lambda: True
) -> tuple[BaseProcess, Connection]:
    """A process that runs `target(connection, *arguments)`, and our end of that connection.

    It takes as long as the server still imports. Stopped, where nobody wants it any more.
    """
    if HAS_SERVER and is_wanted():
        make_ready()
        if time.monotonic() - _RESTART.last_s > _RESTART_S:
            # No room for its socket, or something ended it: it goes without.
            with contextlib.suppress(OSError, EOFError):
                return _started(multiprocessing.get_context("forkserver").Process, target, arguments)
    if not is_wanted():
        raise Stopped
    return _started(_SPAWNING.Process, target, arguments)


def is_running(process: BaseProcess, connection: Connection) -> bool:
    """Whether a process still runs, told by its end of the connection, which nobody else has.

    Not by its sentinel: that of a forked process belongs to the server, and says that the process has ended as soon
    as the server has. As long as this says yes, the number of the process is not another's.
    """
    if not _POSIX:
        return not wait([process.sentinel], 0)
    look = select.poll()
    look.register(connection.fileno(), select.POLLIN)
    # A hang-up is reported beside what is still to be read.
    return not any(state & (select.POLLHUP | select.POLLERR) for _handle, state in look.poll(0))


def kill(process: BaseProcess, connection: Connection) -> None:
    """End a process at once, with everything that it started: a pool of its own would wait for work for ever."""
    if not is_running(process, connection) or process.pid is None:
        return  # its number may be another's by now
    if not _POSIX:
        process.kill()
        return
    kill_group(process)
    with contextlib.suppress(ProcessLookupError):
        # Not by its method, which does nothing once the server is gone; and it may not have made its group yet.
        os.kill(process.pid, signal.SIGKILL)


def kill_group(process: BaseProcess) -> None:
    """End what a process started and left behind. The number of a group is not given away while anyone is in it."""
    if _POSIX and process.pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def exit_code(process: BaseProcess, within_s: float = _REPORT_S) -> int | None:
    """How a process ended, which may take a moment to be known; None when nobody tells."""
    if not wait([process.sentinel], within_s):
        return None
    with _ASKING:
        process.join(within_s)
        code = process.exitcode
    return None if code == _UNKNOWN_CODE else code


def _server() -> int | None:
    """The number of the server's process; None where there is none."""
    number: int | None = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_pid", None)
    return number


def _started(
    make: Callable[..., BaseProcess], target: Target, arguments: Sequence[object]
) -> tuple[BaseProcess, Connection]:
    # A pipe for each attempt: of a server that dies just then, a child may be left that would read along.
    ours, theirs = _SPAWNING.Pipe()
    try:
        with theirs:
            process = make(target=_as_of_now, args=(dict(os.environ), target, theirs, *arguments))
            with _ASKING:
                process.start()
    except BaseException:
        ours.close()
        raise
    return process, ours


def _as_of_now(environment: Mapping[str, str], target: Target, *arguments: object) -> None:
    """In the child, whose server has the environment of the day it was started: give it today's."""
    os.environ.clear()
    os.environ.update(environment)
    gc.freeze()  # what was imported is not looked through again, which would copy the pages that are shared
    target(*arguments)
