"""The receiver: takes OTLP over HTTP from programs of this machine, and answers when it is recorded on the disk."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

from msgspec import Struct

from trace_inspector import crash
from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.documents.recording.recorder import MOST_BYTES as MOST_RECORDING_BYTES
from trace_inspector.documents.recording.recorder import Recorder
from trace_inspector.flows.live.connection import Connection
from trace_inspector.flows.live.received import line_of
from trace_inspector.flows.live.requests import LOOPBACK, Access, Head, Refused, busy
from trace_inspector.settings import ready_data_folder

MOST_AT_ONCE = 32
MOST_HELD_BYTES = 1 << 27  # of bodies, whole or on their way
MOST_CONNECTIONS = 4096
_SPARE_FILES = 64  # descriptors for all else
_BACKLOG = 1024
_SWEEP_S = 0.5
_READERS = 2  # so that one very large request keeps nobody waiting
_TAKEN = "Port {} is taken{}. Choose another one with --port, or any free one with --port 0."
_BROKEN = "The receiver failed because of a mistake of its own."
_REASONS = {
    errno.EADDRINUSE: ", most likely by a collector or another listener",
    errno.EACCES: " for the system alone",
}


class Listening(Struct, frozen=True):
    """Where the receiver listens, and what it records into."""

    host: str = "127.0.0.1"
    port: int = 4318
    grpc_port: int | None = None  # None: not over gRPC
    token: str = ""
    record: Path = Path()
    most_bytes: int = MOST_RECORDING_BYTES


class Listener:
    """All connections of a receiver, and what they share."""

    def __init__(self, listening: Listening, recorder: Recorder, port: int, tell: Callable[[str], None]) -> None:
        self.access = self.grpc_access = Access(port, listening.token)
        self.counts: Counter[HTTPStatus] = Counter()
        self._recorder = recorder
        self._tell = tell
        self.is_paused = False
        self.recorded: Callable[[], None] = lambda: None  # called for each request that is on the disk
        self._told = ""
        self._connections: OrderedDict[Connection, None] = OrderedDict()  # the one used last comes last
        self._most_connections = _most_connections()
        self._held_bytes = 0
        self._at_once = 0
        self._readers = ThreadPoolExecutor(_READERS, "reader")

    def opened(self, connection: Connection) -> None:
        """A connection is there; of too many, one that is not being answered goes."""
        self._connections[connection] = None
        if len(self._connections) > self._most_connections:
            oldest = next((one for one in self._connections if not one.is_answering), connection)
            self._connections.pop(oldest)
            oldest.cut_off()

    def closed(self, connection: Connection) -> None:
        """It is gone."""
        self._connections.pop(connection, None)

    def used(self, connection: Connection) -> None:
        """It sent something."""
        if connection in self._connections:
            self._connections.move_to_end(connection)

    def hold(self, connection: Connection, more_bytes: int) -> None:
        """Count its body. Where all of them are too much, the one that has been on its way for longest is cut off."""
        while more_bytes > 0 and self._held_bytes + more_bytes > MOST_HELD_BYTES:
            slow = (one for one in self._connections if one.held_bytes and not one.is_answering)
            slowest = min(slow, key=lambda one: one.deadline_s, default=None)
            if slowest is None or slowest is connection:
                raise busy("Too much is on its way at the same time.")
            slowest.cut_off()
        self._held_bytes += more_bytes
        connection.held_bytes += more_bytes

    async def take(self, head: Head, body: bytes) -> None:
        """Record a request; it is on the disk when this returns."""
        try:
            await self._take(head, body)
        except Refused as refusal:
            self.counts[refusal.status] += 1
            raise
        self.counts[HTTPStatus.OK] += 1
        self._told = ""

    async def _take(self, head: Head, body: bytes) -> None:
        if self.is_paused:
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "Listening is paused.", retry_after_s=1)
        if self._at_once >= MOST_AT_ONCE:
            raise busy(f"{MOST_AT_ONCE} requests are being recorded.")
        self._at_once += 1
        try:
            line = await asyncio.get_running_loop().run_in_executor(self._readers, line_of, head, body)
            if line:
                await asyncio.wrap_future(self._recorder.append(line))
                self.recorded()
        except SaveError as problem:
            self._say(str(problem))
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, str(problem), retry_after_s=1) from problem
        except Refused:
            raise
        except Exception as problem:
            self.broke(problem)
            raise Refused(HTTPStatus.INTERNAL_SERVER_ERROR, _BROKEN) from problem
        finally:
            self._at_once -= 1

    def broke(self, problem: Exception | None) -> None:
        """A mistake of ours, unless a connection broke off at an odd moment: the others are served on."""
        if problem is not None and not isinstance(problem, OSError):
            crash.keep(problem, ready_data_folder())
            self._say(f"{_BROKEN} ({type(problem).__name__})")

    def _say(self, sentence: str) -> None:
        """Tell what goes wrong, once until something goes well again."""
        if sentence != self._told:
            self._told = sentence
            self._tell(sentence)

    async def sweep(self) -> None:
        """Cut off whoever is too slow, for ever."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_SWEEP_S)
            now_s = clock()
            for connection in [one for one in self._connections if one.deadline_s < now_s]:
                connection.cut_off()

    async def end(self) -> None:
        """Answer what is being recorded, and close all connections."""
        while self._at_once:
            await asyncio.sleep(0.01)
        for connection in list(self._connections):
            if connection.transport is not None:
                connection.transport.close()
        self._readers.shutdown()


def bound_socket(listening: Listening) -> socket.socket:
    """The socket that will listen; UsageError where the port is taken or the host is none of this machine."""
    if listening.host not in LOOPBACK and not listening.token:
        raise UsageError(
            "Whoever reaches this machine could send; give --token with --host, and the programs that send the same."
        )
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            listening.host, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as problem:
        raise UsageError(f"There is no address “{listening.host}” ({problem}).") from problem
    try:
        # Windows lets two programs have one port by the option that elsewhere only forgets an earlier one.
        option: int = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind(address)
        bound.listen(_BACKLOG)
    except OSError as problem:
        bound.close()
        if problem.errno in _REASONS:
            raise UsageError(_TAKEN.format(listening.port, _REASONS[problem.errno])) from problem
        raise UsageError(f"“{listening.host}” cannot be listened on ({problem.strerror}).") from problem
    return bound


async def listen(
    listening: Listening,
    bound: socket.socket,
    tell: Callable[[str], None],
    until: Callable[[Listener], Awaitable[object]],
) -> Counter[HTTPStatus]:
    """Take requests until that ends. `tell` gets sentences about what goes wrong. Gives the number of each answer."""
    recorder = Recorder(listening.record, listening.most_bytes)
    loop = asyncio.get_running_loop()
    listener = Listener(listening, recorder, bound.getsockname()[1], tell)
    loop.set_exception_handler(lambda _loop, context: listener.broke(context.get("exception")))
    server = await loop.create_server(lambda: Connection(listener, loop.time), sock=bound, backlog=_BACKLOG)
    sweeping = loop.create_task(listener.sweep())
    try:
        async with contextlib.AsyncExitStack() as stack:
            if listening.grpc_port is not None:
                from trace_inspector.flows.live.grpc_listener import grpc_listening

                over_grpc = grpc_listening(listener.take, listening.host, listening.grpc_port, listening.token)
                listener.grpc_access = await stack.enter_async_context(over_grpc)
            await until(listener)
    finally:
        server.close()
        sweeping.cancel()
        await listener.end()
        recorder.close()
    return listener.counts


def _most_connections() -> int:
    """As many as the system lets one process have; each has a descriptor."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + _SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, soft - _SPARE_FILES)
