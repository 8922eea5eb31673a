"""Runs a named function in a child process and streams what it sends: the one way this program starts a process.

The child dies with its parent, whatever kills the parent. Whoever starts a child waits for it in a thread.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from trace_inspector.core.errors import InspectorError, Stopped
from trace_inspector.work import fork_server

_GROUPS = hasattr(os, "setpgid")
_KILLED = 9
_END_S = 0.2  # how long a child that closed its pipe may take to be gone


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a child gave up, in a sentence; `details` are for the log, never for a dialog."""

    sentence: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a child says about how far it is; `total` 0 means nobody knows."""

    done: float
    total: float
    note: str = ""


class Channel:
    """The child's side: sends messages, receives what the parent streams in."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, message: object) -> None:
        """One message. Keep it small enough that opening it takes the other side under 10 ms."""
        self._connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def incoming(self) -> Iterator[bytes]:
        """The payload that the parent gives along, piece by piece, as far as it goes."""
        while piece := self._receive():
            yield piece

    @property
    def is_awaited(self) -> bool:
        """Whether more has come than was taken."""
        return self._connection.poll()

    def newest(self) -> bytes:
        """The last piece that has arrived, older ones are dropped; waits for one. Empty at the payload's end."""
        piece = self._receive()
        while piece and self._connection.poll():
            piece = self._receive()
        return piece

    def _receive(self) -> bytes:
        try:
            return self._connection.recv_bytes()
        except (EOFError, OSError) as gone:
            raise Stopped from gone  # nobody is left to whom anything could be said


class Child:
    """A function in a process of its own. Only `stop` may be called from another thread than the one that waits.

    `payload` is what the child reads from its channel. It is walked through in a thread of its own, as the child
    takes it; `end_payload` is called when the child is gone, so that one that waits for more can end.
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: Sequence[object],
        payload: Iterable[bytes] = (),
        end_payload: Callable[[], None] = lambda: None,
    ) -> None:
        self._function = function
        self._arguments = tuple(arguments)
        self._payload = payload
        self._end_payload = end_payload
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._stopped = False

    def messages(self) -> Iterator[bytes]:
        """Start the child and yield its pickled messages until it closes the pipe; then wait until it is gone."""
        if self.stopped:
            return
        ours, theirs = fork_server.pipe()
        with ours, theirs:
            process = fork_server.start(_run, theirs, self._function, self._arguments)
            theirs.close()
            with self._lock:  # not while it starts: whoever stops it does not wait
                self._process = process
                if self._stopped:
                    _kill(process)
            try:
                yield from self._talk(ours)
            finally:
                self._reap(process)

    def stop(self) -> None:
        """End the child at once; returns without waiting."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                _kill(self._process)

    @property
    def stopped(self) -> bool:
        """Whether somebody asked it to stop."""
        return self._stopped

    def crash(self) -> str:
        """How the child ended when it did not end well, in a sentence; empty otherwise."""
        code = self._process.exitcode if self._process is not None else 0
        return "" if self._stopped or not code else _ending(code)

    def _talk(self, connection: Connection) -> Iterator[bytes]:
        # Both ways at once: two that only send wait for each other as soon as the pipe is full.
        feeder = threading.Thread(target=_feed, args=(connection, self._payload), name="feeder")
        feeder.start()
        self._payload = ()
        try:
            while True:
                yield connection.recv_bytes()
        except (EOFError, OSError):
            return
        finally:
            self._end_payload()
            feeder.join()

    @staticmethod
    def _reap(process: BaseProcess) -> None:
        if not fork_server.has_ended(process, _END_S):
            _kill(process)
        fork_server.take_leave(process)


def _feed(connection: Connection, payload: Iterable[bytes]) -> None:
    with contextlib.suppress(OSError):  # it died early; what it said before is still in the pipe
        for piece in payload:
            connection.send_bytes(piece)
        connection.send_bytes(b"")


def _kill(process: BaseProcess) -> None:
    """With everything it started: a pool of its own would wait for work for ever."""
    if fork_server.has_ended(process, 0):
        return  # its number may be another's by now
    if _GROUPS and process.pid is not None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # gone, or has not made its group yet
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _die_with_parent() -> None:
    """From now on this process, and what it starts, ends when its parent does."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        if _GROUPS:
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


def _run(connection: Connection, function: Callable[..., None], arguments: tuple[object, ...]) -> None:
    if _GROUPS:
        os.setpgid(0, 0)  # one group with all it starts, apart from the terminal's: Ctrl+C is the parent's to answer
    _die_with_parent()
    channel = Channel(connection)
    try:
        function(channel, *arguments)
    except (BrokenPipeError, Stopped):
        return
    except InspectorError as problem:
        channel.send(Failed(str(problem)))
    except MemoryError:
        channel.send(Failed("There is not enough memory for this. Close other files or programs and try again."))
    except Exception as problem:  # a crash is a sentence too, whatever broke
        # The stack alone: what the exception says may be a word of somebody's trace.
        stack = "".join(traceback.format_tb(problem.__traceback__))
        channel.send(Failed(f"Something broke inside ({type(problem).__name__}).", stack))


def _ending(code: int) -> str:
    if code == -_KILLED:
        return "The background process was ended by the system, most likely because memory ran out."
    if code < 0:
        return f"The background process crashed (signal {-code}). Try again."
    return f"The background process ended unexpectedly (exit code {code}). Try again."
