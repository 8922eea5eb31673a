"""Starts and ends child processes: they are forked from a server that has imported what all of them need.

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
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from msgspec import Struct

from trace_inspector.core.errors import Stopped

_SPAWNING = multiprocessing.get_context("spawn")
# Python 3.11.0 has its socket where every user of the machine can reach it.
HAS_SERVER = "forkserver" in multiprocessing.get_all_start_methods() and sys.version_info >= (3, 11, 1)
# Whoever starts a process asks all others how they ended, and of two that ask at once one loses the answer.
_ASKING = threading.Lock()
_POSIX = os.name == "posix"
_UNKNOWN_CODE = 255  # the exit code from multiprocessing when the server is gone
_REPORT_S = 1.0  # how long the server may take to report the end of a child

_RESTART_S = 5.0  # after a restart, children do not wait for the imports of the server

Target = Callable[..., None]


class _Restart(Struct):
    """When the server was last started again."""

    last_s: float = -math.inf


_RESTART = _Restart()


def make_ready() -> None:
    """Start the server and its imports in the background; it ends with this process."""
    if not HAS_SERVER:
        return
    before = _server()
    warnings.filterwarnings("ignore", "resource_tracker: process died unexpectedly", UserWarning)  # it is restarted
    try:
        forkserver.set_forkserver_preload(["trace_inspector.work.preloaded"])
        forkserver.ensure_running()
    except OSError:
        return  # the first child will notice, and start without it
    if before not in (None, _server()):
        _RESTART.last_s = time.monotonic()


def end() -> None:
    """End the server now, so that nothing waits for its imports and it does not outlive this process."""
    number = _server()  # safe to signal: only this process could have reaped it
    if number is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def start(
    target: Target, *arguments: object, is_wanted: Callable[[], bool] = lambda: True
) -> tuple[BaseProcess, Connection]:
    """A process that runs `target(connection, *arguments)`, and our end of that connection.

    Waits while the server is still importing. Raises Stopped where it is cancelled meanwhile.
    """
    if HAS_SERVER and is_wanted():
        make_ready()
        if time.monotonic() - _RESTART.last_s > _RESTART_S:
            # No room for its socket, or the server was killed: start without it.
            with contextlib.suppress(OSError, EOFError):
                return _started(multiprocessing.get_context("forkserver").Process, target, arguments)
    if not is_wanted():
        raise Stopped
    return _started(_SPAWNING.Process, target, arguments)


def is_running(process: BaseProcess, connection: Connection) -> bool:
    """Whether a process is running, known from its end of the connection, which no other process has.

    Not by its sentinel: that of a forked process belongs to the server, and says that the process has ended as soon
    as the server has. As long as this says yes, the number of the process is not another's.
    """
    if not _POSIX:
        return not wait([process.sentinel], 0)
    look = select.poll()
    look.register(connection.fileno(), select.POLLIN)
    # A hang-up is reported together with unread data.
    return not any(state & (select.POLLHUP | select.POLLERR) for _handle, state in look.poll(0))


def kill(process: BaseProcess, connection: Connection) -> None:
    """Kill a process and everything that it started: its own pool would wait for work forever."""
    if not is_running(process, connection) or process.pid is None:
        return  # its process id may be reused by now
    if not _POSIX:
        process.kill()
        return
    kill_group(process)
    with contextlib.suppress(ProcessLookupError):
        # Its own method does nothing once the server is gone; and it may not have made its group yet.
        os.kill(process.pid, signal.SIGKILL)


def kill_group(process: BaseProcess) -> None:
    """Kill what a process left behind. The id of a group is not reused while it has members."""
    if _POSIX and process.pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def exit_code(process: BaseProcess, within_s: float = _REPORT_S) -> int | None:
    """The exit code of a process, which may take a moment; None when unknown."""
    if not wait([process.sentinel], within_s):
        return None
    with _ASKING:
        process.join(within_s)
        code = process.exitcode
    return None if code == _UNKNOWN_CODE else code


def _server() -> int | None:
    """The process id of the server; None where there is none."""
    number: int | None = getattr(getattr(forkserver, "_forkserver", None), "_forkserver_pid", None)
    return number


def _started(
    make: Callable[..., BaseProcess], target: Target, arguments: Sequence[object]
) -> tuple[BaseProcess, Connection]:
    # A new pipe for each attempt: a child of a server that died just then might still read the old one.
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
    """In the child: set the current environment; the server has the one of its start."""
    os.environ.clear()
    os.environ.update(environment)
    gc.freeze()  # collections skip the imported objects, else shared pages would be copied
    target(*arguments)
