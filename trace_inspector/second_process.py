"""A second process that shares the work of this one, where there is a second processor.

It is forked, so that nothing is imported or read again: it knows what this process knew just then, and gets only what
tells one piece of work from another. It ends when its end of a pipe closes, however the process that asks it ends.
What another thread had locked when it was forked is locked in it for ever: one that sleeps over its work is given up.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeAlias

Serve: TypeAlias = Callable[[bytes], bytes | None]

_SIZE = struct.Struct("<q")  # of a request or an answer; negative for an answer that is None
_PIPE_BYTES = 1 << 20
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LEAVE_ALONE = 3  # standard input and output
_PATIENCE_MS = 5_000  # it is given up when it did nothing for so long, after it was waited for as long
_ASLEEP = frozenset("ST")  # or stopped; not those that wait for a processor or a disk


class SecondProcess:
    """The other process, as the one that asks it sees it.

    It serves requests in the order in which they were made. OSError or EOFError of any call mean that it is gone.
    """

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self.process = 0
        self._requests = self._answers = -1

    def start(self) -> None:
        """Start it; OSError where no more processes or files are to be had."""
        theirs = ours = -1
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # none may find the child in the parent's code
        try:
            theirs, self._requests = os.pipe()
            self._answers, ours = os.pipe()
            _widen(ours)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # another thread waits for the end of the parent
                self.process = os.fork()
            if not self.process:
                _serve(self._serve, theirs, ours)
        finally:
            _close(theirs, ours)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def ask(self, request: bytes) -> None:
        """Ask for one thing; not so often that nobody takes the answers."""
        _write(self._requests, _SIZE.pack(len(request)) + request)

    def is_answered(self) -> bool:
        """Whether an answer has begun to come, or nothing will."""
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        return bool(waiting.poll(0))

    def answer(self) -> bytes | None:
        """The next answer, as soon as there is one; TimeoutError, an OSError, where none will ever come."""
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        before: str | None = None
        while not waiting.poll(_PATIENCE_MS):
            now = _slept_after(self.process)
            if now is not None and now == before:
                raise TimeoutError
            before = now
        (size,) = _SIZE.unpack(_read(self._answers, _SIZE.size))
        return _read(self._answers, size) if size >= 0 else None

    def end(self) -> None:
        """End it, whatever it does; once more does nothing."""
        _close(self._requests, self._answers)
        self._requests = self._answers = -1
        if self.process:
            with contextlib.suppress(OSError):
                os.kill(self.process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(self.process, 0)
            self.process = 0


def can_fork() -> bool:
    """Whether this system forks processes safely, and has a second processor for one."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _slept_after(process: int) -> str | None:
    """How much processor time a process had used when it fell asleep; None where it is awake, or nothing tells."""
    try:
        stated = Path(f"/proc/{process}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return " ".join(stated[11:13]) if stated[0] in _ASLEEP else None


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)


def _widen(pipe: int) -> None:
    """Room for some answers, so that the other process need not wait for each to be taken."""
    import fcntl

    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _serve(serve: Serve, requests: int, answers: int) -> NoReturn:
    """In the other process: serve until nobody can ask any more."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the one that asks, and so this one
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        _close_all_but(requests, answers)
        while True:
            (size,) = _SIZE.unpack(_read(requests, _SIZE.size))
            answer = serve(_read(requests, size))
            _write(answers, _SIZE.pack(-1) if answer is None else _SIZE.pack(len(answer)) + answer)
    finally:
        os._exit(0)  # nothing of the parent's may run here


def _close_all_but(*kept: int) -> None:
    """Whoever waits for the parent's end of a pipe or connection to close must not wait for this process."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(_LEAVE_ALONE):
        os.dup2(nowhere, standard)
    last = _LEAVE_ALONE
    for descriptor in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(last, descriptor)
        last = descriptor + 1


def _read(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
