"""How child processes are made: forked from a server that has imported once what all of them need.

Not from the window: a thread of it may hold any lock just then. Where there is no such server, as on Windows, each
child is started anew and imports for half a second.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

_SPAWNING = multiprocessing.get_context("spawn")
# Python 3.11.0 has its socket where every user of the machine can reach it.
HAS_SERVER = "forkserver" in multiprocessing.get_all_start_methods() and sys.version_info >= (3, 11, 1)
# Whoever starts a process asks all others how they ended, and of two that ask at once one loses the answer.
_ASKING = threading.Lock()

Target = Callable[..., None]


def make_ready() -> None:
    """Let the server import while there is other work to do; it ends with this process."""
    if HAS_SERVER:
        try:
            forkserver.set_forkserver_preload([f"{__package__}.preloaded"])
            forkserver.ensure_running()
        except OSError:
            return  # the first child finds that out again, and is started without


def pipe() -> tuple[Connection, Connection]:
    """Both ends of a connection to a child."""
    return _SPAWNING.Pipe()


def start(target: Target, *arguments: object) -> BaseProcess:
    """A new process that runs a function. It takes as long as the server still imports."""
    if HAS_SERVER:
        make_ready()
        try:
            return _started(multiprocessing.get_context("forkserver").Process, target, arguments)
        except (OSError, EOFError):
            pass  # no room for its socket, or something ended it: it goes without
    return _started(_SPAWNING.Process, target, arguments)


def has_ended(process: BaseProcess, within_s: float | None) -> bool:
    """Whether a process is gone, by then at the latest; None waits for as long as that takes."""
    return bool(wait([process.sentinel], within_s))


def take_leave(process: BaseProcess) -> None:
    """Wait until a process is gone, and learn how it ended."""
    has_ended(process, None)
    with _ASKING:
        process.join()


def _started(make: Callable[..., BaseProcess], target: Target, arguments: Sequence[object]) -> BaseProcess:
    process = make(target=_as_of_now, args=(dict(os.environ), target, *arguments))
    with _ASKING:
        process.start()
    return process


def _as_of_now(environment: Mapping[str, str], target: Target, *arguments: object) -> None:
    """In the child, whose server has the environment of the day it was started: give it today's."""
    os.environ.clear()
    os.environ.update(environment)
    gc.freeze()  # what was imported is not looked through again, which would copy the pages that are shared
    target(*arguments)
