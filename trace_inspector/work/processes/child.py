"""Runs a named function in a child process and streams what it sends: the one way this program starts a process.

The child dies with its parent, whatever kills the parent. Whoever starts a child waits for it in a thread.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from msgspec import Struct

from trace_inspector.core.errors import InspectorError, Stopped
from trace_inspector.lifeline import end_with_parent
from trace_inspector.work.processes import fork_server

_GROUPS = hasattr(os, "setpgid")
_KILLED = 9
AS_THE_WINDOW = 0  # the priority of a child that somebody waits for, and that computes little
_NICENESS = 5  # children have a lower priority than the window, which must stay responsive
GIVING_WAY = 15  # of one that computes whenever there is something new, and that nobody waits for
_END = b""  # the last message of a child that ended normally


class Failed(Struct, frozen=True):
    """Why a child failed, in a sentence; `details` are for the log, never for a dialog."""

    sentence: str
    details: str = ""


class Progress(Struct, frozen=True):
    """The progress of a child; `total` 0 means unknown."""

    done: float
    total: float
    note: str = ""


class Channel:
    """The child's side: sends messages, receives the payload of the parent."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def send(self, message: object) -> None:
        """Send a message, small enough to be unpickled within 10 ms."""
        self._connection.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        """Send the end: how a process ended is not always known from outside."""
        self._connection.send_bytes(_END)

    def incoming(self) -> Iterator[bytes]:
        """The payload of the parent, piece by piece, to its end."""
        while piece := self._receive():
            yield piece

    @property
    def is_awaited(self) -> bool:
        """Whether another message is waiting."""
        return self._connection.poll()

    def newest(self) -> bytes:
        """Wait for a piece and return the newest; older ones are dropped. Empty at the end of the payload."""
        piece = self._receive()
        while piece and self._connection.poll():
            piece = self._receive()
        return piece

    def _receive(self) -> bytes:
        try:
            return self._connection.recv_bytes()
        except (EOFError, OSError) as gone:
            raise Stopped from gone  # the parent is gone


class Child:
    """A function in a process of its own. Only `stop` may be called from another thread than the one that waits.

    `payload` is what the child reads from its channel. It is walked through in a thread of its own, as the child
    takes it; `end_payload` is called when the child is gone, so that one that waits for more can end. `niceness` is
    how much lower its priority is than that of the window, where the system knows that.
    """

    def __init__(
        self,
        function: Callable[..., None],
        arguments: Sequence[object],
        payload: Iterable[bytes] = (),
        end_payload: Callable[[], None] = lambda: None,
        niceness: int = _NICENESS,
    ) -> None:
        self._niceness = niceness
        self._function = function
        self._arguments = tuple(arguments)
        self._payload = payload
        self._end_payload = end_payload
        self._lock = threading.Lock()
        self._running: tuple[BaseProcess, Connection] | None = None
        self._stopped = False
        self._ended_well = False
        self._code: int | None = 0

    def messages(self) -> Iterator[bytes]:
        """Start the child and yield its pickled messages until it closes the pipe; then wait until it is gone."""
        try:
            process, connection = fork_server.start(
                _run, self._niceness, self._function, self._arguments, is_wanted=lambda: not self._stopped
            )
        except Stopped:
            return
        # Both directions at once: with full pipes, two senders would wait for each other.
        feeder = threading.Thread(target=_feed, args=(connection, self._payload), name="feeder", daemon=True)
        self._payload = ()
        with connection:
            with self._lock:  # not while it starts, so that `stop` does not wait
                self._running = process, connection
                if self._stopped:
                    fork_server.kill(process, connection)
            feeder.start()
            try:
                yield from self._received(connection)
            finally:
                self._reap(process, connection)
                self._end_payload()
                feeder.join()

    def stop(self) -> None:
        """End the child at once; returns without waiting."""
        with self._lock:
            self._stopped = True
            if self._running is not None:
                fork_server.kill(*self._running)

    @property
    def stopped(self) -> bool:
        """Whether it was stopped."""
        return self._stopped

    def crash(self) -> str:
        """A sentence about how the child failed; empty otherwise."""
        return "" if self._stopped or self._ended_well or self._code == 0 else _ending(self._code)

    def _received(self, connection: Connection) -> Iterator[bytes]:
        with contextlib.suppress(EOFError, OSError):
            while True:
                message = connection.recv_bytes()
                if message == _END:
                    self._ended_well = True
                else:
                    yield message

    def _reap(self, process: BaseProcess, connection: Connection) -> None:
        """End it: it closed its pipe, or its messages are no longer read."""
        with self._lock:
            self._running = None  # its process id and descriptor may be reused from here on
            fork_server.kill(process, connection)
            if not self._ended_well:
                fork_server.kill_group(process)
        self._code = fork_server.exit_code(process)


def _feed(connection: Connection, payload: Iterable[bytes]) -> None:
    with contextlib.suppress(OSError):  # it died early; its messages are still in the pipe
        for piece in payload:
            connection.send_bytes(piece)
        connection.send_bytes(b"")


def _run(connection: Connection, niceness: int, function: Callable[..., None], arguments: tuple[object, ...]) -> None:
    if _GROUPS:
        os.setpgid(0, 0)  # one group with all it starts, apart from the terminal's: Ctrl+C is the parent's to answer
        end_with_parent(lambda: os.killpg(0, signal.SIGKILL))
        os.nice(niceness)
    else:
        end_with_parent()
    channel = Channel(connection)
    with contextlib.suppress(OSError):  # the parent is gone, so there is no one to report to
        failed = _failure(function, channel, arguments)
        if failed is not None:
            channel.send(failed)
        channel.end()


def _failure(function: Callable[..., None], channel: Channel, arguments: tuple[object, ...]) -> Failed | None:
    """Run the function; returns its failure, if any is to be reported."""
    try:
        function(channel, *arguments)
    except (BrokenPipeError, ConnectionResetError, Stopped):
        return None
    except InspectorError as problem:
        return Failed(str(problem))
    except MemoryError:
        return Failed("There is not enough memory for this. Close other files or programs and try again.")
    except Exception as problem:  # any crash is reported as a sentence
        # Only the stack: the message of the exception may contain text of a trace.
        stack = "".join(traceback.format_tb(problem.__traceback__))
        return Failed(f"Something broke inside ({type(problem).__name__}).", stack)
    return None


def _ending(code: int | None) -> str:
    if code is None:  # the server that it was forked from is gone as well
        return "The background process ended unexpectedly. Try again."
    if code == -_KILLED:
        return "The background process was ended by the system, most likely because memory ran out."
    if code < 0:
        return f"The background process crashed (signal {-code}). Try again."
    return f"The background process ended unexpectedly (exit code {code}). Try again."
