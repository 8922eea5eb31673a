"""Runs a command for one answer: without a shell, with limits of time, of memory and of what it writes."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO

from trace_inspector.core.errors import PluginError
from trace_inspector.core.trace.summary import one_line

TIME_S = 30
OUTPUT_BYTES = 1 << 20
MEMORY_BYTES = 2 << 30  # of data: what is only reserved, as JavaScript does, is not counted
_SAID_BYTES = 4_096
_SAID_CHARS = 200
_END_S = 5


class _PipeReader(threading.Thread):
    """Reads a pipe to its end and keeps no more than a limit; ends the command when it is over that, if asked to."""

    def __init__(self, pipe: IO[bytes], most_bytes: int, process: subprocess.Popen[bytes], *, ends: bool) -> None:
        super().__init__(name="command-output", daemon=True)
        self._pipe, self._most_bytes = pipe, most_bytes
        self._process, self._ends = process, ends
        self.data = b""
        self.is_over = False

    def run(self) -> None:
        """Until the other end closes."""
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self._pipe.fileno(), 65_536):
                self.data += piece[: self._most_bytes - len(self.data)]
                if len(self.data) == self._most_bytes and not self.is_over:
                    self.is_over = True
                    if self._ends:
                        _end(self._process)


def answer_of(command: Sequence[str], given: bytes) -> bytes:
    """What the command writes when it is given that; PluginError with the end of a sentence when it fails."""
    process = _start(command)
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise PluginError("could not be started")
    output = _PipeReader(process.stdout, OUTPUT_BYTES, process, ends=True)
    said = _PipeReader(process.stderr, _SAID_BYTES, process, ends=False)
    giving = threading.Thread(target=_give, args=(process.stdin, given), name="command-input", daemon=True)
    threads = (output, said, giving)
    try:
        _limit(process.pid)
        for thread in threads:
            thread.start()
        is_late = _is_late(process)
    finally:
        _end(process)  # and whatever it started
        process.wait()
        for thread in threads:
            if thread.ident is not None:
                thread.join(_END_S)  # a process that it let go may hold the pipes for ever
        if not any(thread.is_alive() for thread in threads):
            for pipe in (process.stdout, process.stderr):
                pipe.close()
    return _checked(process.returncode, output, said, is_late=is_late)


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=_has_own_group(),
        )
    except (OSError, ValueError) as problem:  # a ValueError is a NUL among the arguments
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise PluginError(f"could not be started: {reason}") from problem


def _has_own_group() -> bool:
    """A child of the window ends with its whole group, and so has to be in that of the child that waits for it."""
    return os.name == "posix" and multiprocessing.parent_process() is None


def _limit(number: int) -> None:
    """Where the system has such limits. The command has read nothing yet."""
    if sys.platform == "linux":
        import resource

        for what, most in (
            (resource.RLIMIT_DATA, MEMORY_BYTES),
            (resource.RLIMIT_CPU, math.ceil(TIME_S)),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(OSError, ValueError):  # a lower one holds already, or it has ended
                resource.prlimit(number, what, (most, most))


def _give(pipe: IO[bytes], given: bytes) -> None:
    with contextlib.suppress(OSError, ValueError), pipe:  # whoever needs nothing reads nothing
        pipe.write(given)


def _is_late(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(TIME_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it, with all it started where the group is its own."""
    with contextlib.suppress(OSError):
        if _has_own_group():
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _checked(code: int, output: _PipeReader, said: _PipeReader, *, is_late: bool) -> bytes:
    last = said.data.decode("utf-8", "replace").strip().splitlines()[-1:]
    words = f": {one_line(last[0], _SAID_CHARS)}" if last else ""
    if is_late:
        raise PluginError(f"did not answer within {TIME_S} s{words}")
    if output.is_over:
        raise PluginError(f"wrote more than {OUTPUT_BYTES:,} bytes")
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        raise PluginError(f"was ended by {name}{words}")
    if code:
        raise PluginError(f"ended with exit code {code}{words}")
    if not output.data.strip():
        raise PluginError(f"wrote nothing{words}")
    return output.data
