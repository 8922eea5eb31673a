"""The receiver ends while programs send: what came whole is recorded, the rest is told to come again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.flows.live.test_receiver import BODY, JSON, answer, head
from tests.helpers.written_bytes import Written
from trace_inspector.documents.protobuf.wire import length_field
from trace_inspector.flows.live.connection import Connection
from trace_inspector.flows.live.listener import Listener, Listening, bound_socket, listen
from trace_inspector.flows.live.requests import TRACES, Access, Head

SPAN = length_field(1, length_field(2, length_field(2, b"\x0a\x10" + b"t" * 16 + b"\x12\x08" + b"s" * 8)))


def listened(folder: Path, until: Callable[[Listener], Awaitable[None]]) -> tuple[int, list[str]]:
    """How many lines were recorded, and what was told of trouble."""
    file, troubles = folder / "recording.jsonl", list[str]()
    chosen = Listening(port=0, record=file)
    with bound_socket(chosen) as bound:
        asyncio.run(asyncio.wait_for(listen(chosen, bound, troubles.append, until), 100))
    return len(file.read_bytes().splitlines()) if file.exists() else 0, troubles


def over_http(_port: int) -> bytes:
    return head("/v1/traces", JSON, len(BODY)) + BODY


def over_grpc(port: int) -> bytes:
    raw_grpc = pytest.importorskip("tests.helpers.raw_grpc", reason="h2 is not installed")
    made: bytes = raw_grpc.whole_request(port, SPAN)
    return made


@pytest.mark.parametrize("made", [over_http, over_grpc])
def test_what_was_whole_when_it_ended_is_recorded(tmp_path: Path, made: Callable[[int], bytes]) -> None:
    async def until(listener: Listener) -> None:
        client = Connection(listener, Access(listener.port), asyncio.get_running_loop().time)
        client.connection_made(Written(client))
        client.data_received(made(listener.port))  # it ends in the same turn of the loop

    assert listened(tmp_path, until) == (1, [])


def test_what_begins_while_it_ends_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = asyncio.Event()
    wrap_future = asyncio.wrap_future

    async def gated(written: Future[None]) -> None:
        await gate.wait()
        await wrap_future(written)

    monkeypatch.setattr(asyncio, "wrap_future", gated)
    made: list[Listener] = []

    async def until(listener: Listener) -> None:
        made.append(listener)
        while not listener._tasks:
            await asyncio.sleep(0.01)

    async def talk(port: int) -> list[int]:
        clients = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        (first, to_first), (second, to_second) = clients
        to_second.write(head("/nowhere", JSON, 0))
        told = [(await answer(second))[0]]
        to_first.write(over_http(port))
        while not made[0]._is_ending:
            await asyncio.sleep(0)
        to_second.write(over_http(port))
        told.append((await answer(second))[0])
        gate.set()
        told.append((await answer(first))[0])
        for _reader, writer in clients:
            writer.close()
        return told

    async def both() -> list[int]:
        chosen = Listening(port=0, record=tmp_path / "r.jsonl")
        with bound_socket(chosen) as bound:
            receiving = asyncio.create_task(listen(chosen, bound, pytest.fail, until))
            told = await talk(bound.getsockname()[1])
            await receiving
        return told

    assert asyncio.run(asyncio.wait_for(both(), 100)) == [404, 503, 200]
    assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == 1


def test_requests_over_http_have_their_turn_while_many_wait_over_grpc(tmp_path: Path) -> None:
    asked = Head(TRACES, "application/json", "identity")

    async def until(listener: Listener) -> None:
        going = True

        async def over_and_over() -> None:
            while going:
                await listener.take(asked, BODY, waits=True)

        others = [asyncio.create_task(over_and_over()) for _ in range(80)]
        await asyncio.sleep(0)
        try:
            for _ in range(3):
                await listener.take(asked, BODY)
        finally:
            going = False
            await asyncio.gather(*others)

    lines, troubles = listened(tmp_path, until)
    assert (lines >= 83, troubles) == (True, [])
