"""Frames of HTTP/2 that no message comes with: a client that says goodbye is served, one that floods is let go."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.flows.live.test_receiver_ends import SPAN, listened
from tests.helpers.written_bytes import Written
from trace_inspector.flows.live.connection import ANSWER_S
from trace_inspector.flows.live.listener import Listener
from trace_inspector.flows.live.requests import MOST_BYTES, Access

grpc_connection = pytest.importorskip("trace_inspector.flows.live.grpc_connection", reason="h2 is not installed")
raw_grpc = pytest.importorskip("tests.helpers.raw_grpc", reason="h2 is not installed")
errors = pytest.importorskip("h2.errors", reason="h2 is not installed").ErrorCodes

GOODBYE = b"\0\0\x08\7\0\0\0\0\0" + bytes(8)
PING = b"\0\0\x08\6\0\0\0\0\0" + bytes(8)
SETTINGS = b"\0\0\6\4\0\0\0\0\0\0\4\0\0\1\0"  # the window of each stream
UNKNOWN = b"\0\0\0\x55\0\0\0\0\0"
EMPTY_DATA = b"\0\0\0\0\0\0\0\0\1"
LARGE_TABLE = b"\0\0\6\4\0\0\0\0\0\0\1\xff\xff\xff\xff"
NO_FRAME = b"\0\0\1\4\0\0\0\0\0\0"
Talk = Callable[["Wire"], Awaitable[None]]


class Wire:
    """A connection of the receiver and its client, without a network between them."""

    def __init__(self, listener: Listener) -> None:
        loop = asyncio.get_running_loop()
        self.connection = grpc_connection.GrpcConnection(listener, Access(listener.port), loop.time)
        self.transport = Written(self.connection)
        self.client = raw_grpc.begun_client()
        self.port = listener.port
        self.connection.connection_made(self.transport)
        self.seen = list[object]()
        self.send()

    def request(self, *, of: bytes = SPAN, length: int | None = None, ends: bool = True, name: str = "") -> int:
        """The number of a stream that is to be sent."""
        number: int = self.client.get_next_available_stream_id()
        head = {**raw_grpc.head(self.port), **({":authority": name} if name else {})}
        self.client.send_headers(number, [*head.items()])
        self.client.send_data(number, raw_grpc.message(of, length=length), end_stream=ends)
        return number

    def send(self, more: bytes = b"") -> None:
        """What the client has to send, and more."""
        self.connection.data_received(self.client.data_to_send() + more)

    def hear(self) -> None:
        """What the receiver has sent."""
        data = bytes(self.transport.data)
        self.transport.data.clear()
        self.seen += self.client.receive_data(data)

    async def status(self, number: int) -> str:
        """That of a stream, when it has ended."""
        while True:
            self.hear()
            for event in self.seen:
                headers = getattr(event, "headers", None) or []
                if getattr(event, "stream_id", None) == number and "grpc-status" in dict(headers):
                    return str(dict(headers)["grpc-status"])
            await asyncio.sleep(0.005)

    async def ended(self) -> int:
        """The code that the receiver ended the connection with."""
        while not self.transport.is_closing():
            await asyncio.sleep(0)
        self.hear()
        (code,) = (event.error_code for event in self.seen if type(event).__name__ == "ConnectionTerminated")  # type: ignore[attr-defined]
        return int(code)


def talked(folder: Path, talk: Talk) -> int:
    """How many requests were recorded."""

    async def until(listener: Listener) -> None:
        await talk(Wire(listener))

    lines, troubles = listened(folder, until)
    assert troubles == []
    return lines


@pytest.mark.parametrize("cut", [0, 1, 5, 17])
def test_who_says_goodbye_is_answered_what_is_under_way(tmp_path: Path, cut: int) -> None:
    async def talk(wire: Wire) -> None:
        first, second = wire.request(), wire.request(ends=False)
        wire.send(GOODBYE[:cut])
        wire.send(GOODBYE[cut:])
        assert await wire.status(first) == "0"
        assert not wire.transport.is_closing()
        wire.client.send_data(second, b"", end_stream=True)
        wire.send()
        assert await wire.status(second) == "0"
        assert await wire.ended() == errors.NO_ERROR

    assert talked(tmp_path, talk) == 2


def test_who_says_goodbye_and_has_nothing_under_way_is_let_go(tmp_path: Path) -> None:
    async def talk(wire: Wire) -> None:
        wire.send(GOODBYE)
        assert await wire.ended() == errors.NO_ERROR

    assert talked(tmp_path, talk) == 0


@pytest.mark.parametrize(
    "frame",
    [PING, SETTINGS, UNKNOWN, EMPTY_DATA, b""],
    ids=["pings", "settings", "unknown", "empty data", "resets"],
)
def test_floods_of_frames_are_ended_and_others_have_their_turn(tmp_path: Path, frame: bytes) -> None:
    async def talk(wire: Wire) -> None:
        for _ in range(1 if frame else 99):
            wire.request(ends=False)
        wire.send()
        if not frame:  # streams that are given up as soon as they are begun
            for _ in range(3_000):
                number = wire.client.get_next_available_stream_id()
                wire.client.send_headers(number, [*raw_grpc.head(wire.port).items()])
                wire.client.reset_stream(number)
        read = wire.client.data_to_send() + frame * 30_000
        turns, going = 0, asyncio.create_task(wire.ended())
        wire.connection.data_received(read[: 1 << 18])
        assert not wire.transport.may_come or wire.transport.is_closing()
        while not going.done():
            turns += 1
            await asyncio.sleep(0)
        assert turns > 1
        assert await going == errors.ENHANCE_YOUR_CALM

    assert talked(tmp_path, talk) == 0


def test_frames_beside_many_messages_are_no_flood(tmp_path: Path) -> None:
    async def talk(wire: Wire) -> None:
        for _ in range(30):
            numbers = []
            for _ in range(80):
                numbers.append(wire.request())
                wire.client.ping(bytes(8))
            wire.send()
            for number in numbers:
                assert await wire.status(number) == "0"
            wire.seen.clear()
            wire.send()

    assert talked(tmp_path, talk) == 2_400


def test_what_answers_refer_to_is_bounded_whatever_the_client_offers(tmp_path: Path) -> None:
    async def talk(wire: Wire) -> None:
        wire.send(LARGE_TABLE)
        for number in range(100):
            wire.request(name=f"other{number}.example")
            wire.send()
        await wire.status(199)
        encoder = wire.connection._http.encoder
        assert len(encoder.header_table.dynamic_entries) <= 4096 // 32
        assert encoder.header_table_size <= 4096

    assert talked(tmp_path, talk) == 0


def test_who_reads_no_answers_is_cut_off_whatever_it_sends(tmp_path: Path) -> None:
    async def talk(wire: Wire) -> None:
        wire.transport.is_full = True
        wire.request(length=MOST_BYTES + 1)  # which is answered before the next one is read
        for _ in range(3):
            wire.request()
        wire.send()
        now_s = asyncio.get_running_loop().time()
        assert wire.connection.deadline_s <= now_s + ANSWER_S
        await asyncio.sleep(0.05)
        assert wire.connection.deadline_s <= now_s + ANSWER_S
        wire.connection.expire(now_s + ANSWER_S + 1)
        assert wire.transport.is_cut_off

    talked(tmp_path, talk)


@pytest.mark.parametrize("last", [b"", NO_FRAME], ids=["idle", "no frame"])
def test_a_connection_that_ends_says_so_once_and_goes(tmp_path: Path, last: bytes) -> None:
    async def talk(wire: Wire) -> None:
        if last:
            wire.send(last)
        else:
            wire.connection.expire(math.inf)
        assert wire.transport.is_closing()
        wire.hear()
        for _ in range(3):
            wire.connection.end()
            wire.connection.expire(asyncio.get_running_loop().time())
        assert (bytes(wire.transport.data), wire.transport.is_cut_off) == (b"", False)
        wire.connection.expire(asyncio.get_running_loop().time() + ANSWER_S + 1)
        assert wire.transport.is_cut_off

    talked(tmp_path, talk)
