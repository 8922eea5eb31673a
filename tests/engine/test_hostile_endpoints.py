"""Endpoints that mean harm, or are merely broken: each costs one call and one sentence, and no key leaves."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
import zlib
from collections.abc import Callable, Iterator

import pytest

from tests.engine.test_live_judge import QUICK, asked, question
from tests.helpers.raw_server import RawServer, http, raw_server
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed
from trace_inspector.engine.judges.backends.bounded_client import MOST_BYTES
from trace_inspector.engine.judges.backends.http_posting import Poster
from trace_inspector.engine.judges.call_limits import Use
from trace_inspector.engine.scoring.metric import Reply

KEY = b"made-up"  # what the backends of these tests are given
MUCH = bytes(1 << 16)


def answer(text: str) -> bytes:
    """A reply that both protocols read."""
    gemini = [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}]
    openai = [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
    return json.dumps({"candidates": gemini, "choices": openai}).encode()


def reply_of(backend: Backend) -> Reply:
    (reply,) = asked(backend, [question("q")], Use(patience=QUICK))
    assert isinstance(reply, Reply), reply
    return reply


def giant(_server: RawServer) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n"
    for _piece in range(1600):
        yield MUCH


def endless(_server: RawServer) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"10000\r\n" + MUCH + b"\r\n"


def giant_error(_server: RawServer) -> Iterator[bytes]:
    yield b"HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"10000\r\n" + MUCH + b"\r\n"


@pytest.mark.parametrize("says", [giant, endless, giant_error])
def test_a_reply_without_end_is_given_up(
    says: Callable[[RawServer], Iterator[bytes]], backend_at: Callable[[str], Backend]
) -> None:
    with raw_server(says) as server:
        assert reply_of(backend_at(server.url)).failure == "the reply is larger than 4 MiB"
    assert len(server.requests) == 1
    assert server.sent < 5 * MOST_BYTES  # what lies in the buffers of both sides comes on top


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_bomb_is_not_unpacked(pack: Callable[[bytes], bytes], backend_at: Callable[[str], Backend]) -> None:
    bomb = pack(bytes(50_000_000))
    packing = "gzip" if pack is gzip.compress else "deflate"
    with raw_server(lambda _server: [http(answer("fine"))]) as server:
        reply_of(backend_at(server.url))  # what this imports is not counted
    with raw_server(lambda _server: [http(bomb, "200 OK", f"Content-Encoding: {packing}")]) as server:
        backend = backend_at(server.url)
        tracemalloc.start()
        try:
            assert reply_of(backend).failure == "the reply is larger than 4 MiB"
            _now, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 5 * MOST_BYTES  # where the whole would be twelve times that


def test_a_packed_reply_is_read(backend_at: Callable[[str], Backend]) -> None:
    packed = gzip.compress(answer("fine"))
    with raw_server(lambda _server: [http(packed, "200 OK", "Content-Encoding: gzip")]) as server:
        assert reply_of(backend_at(server.url)) == Reply("fine")


@pytest.mark.parametrize(
    ("body", "packing", "words"),
    [
        (gzip.compress(answer("fine"), mtime=0)[:-9], "gzip", "the reply is cut off (after 4 tries)"),
        (b"this is not packed", "gzip", "the reply cannot be decompressed (after 4 tries)"),
        (b"what is this", "br", "the reply is compressed in a way that was not asked for"),
        (b"[" * 200_000, "identity", "the reply is nested too deeply"),
        (b'{"candidates": "\xff\xfe", "choices": "\xff', "identity", "the reply is not JSON (after 4 tries)"),
        (b"<html>hello</html>", "identity", "the reply is not JSON (after 4 tries)"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    body: bytes, packing: str, words: str, backend_at: Callable[[str], Backend]
) -> None:
    with raw_server(lambda _server: [http(body, "200 OK", f"Content-Encoding: {packing}")]) as server:
        assert reply_of(backend_at(server.url)).failure == words


@pytest.mark.parametrize(
    "body", [b"[]", b"7", b'{"candidates": 7, "choices": 7}', b'{"candidates": [7], "choices": {}}']
)
def test_json_of_another_kind_is_one_sentence(body: bytes, backend_at: Callable[[str], Backend]) -> None:
    with raw_server(lambda _server: [http(body)]) as server:
        reply = reply_of(backend_at(server.url))
    assert reply.failure or reply == Reply("")  # Gemini's client takes some for a reply that says nothing
    assert "\n" not in reply.failure
    assert len(reply.failure) < 250


@pytest.mark.parametrize("status", ["302 Found", "307 Temporary Redirect"])
def test_a_key_is_not_sent_on(status: str, backend_at: Callable[[str], Backend]) -> None:
    with raw_server(lambda _server: [http(answer("stolen"))]) as thief:
        moved = http(b"", status, f"Location: {thief.url}/anywhere")
        with raw_server(lambda _server: [moved]) as server:
            failure = reply_of(backend_at(server.url)).failure
    assert KEY in server.requests[0]
    assert not thief.requests
    assert failure == f"HTTP {status[:3]}: the endpoint redirects to another address, which is not followed"
    assert len(server.requests) == 1


JSON_ERROR, SHORT_ERROR, PAGE = '{{"error": {{"code": 1, "message": "{}"}}}}', '{{"error": "{}"}}', "<h1>{}</h1>"


@pytest.mark.parametrize(
    ("status", "shape"),
    [
        ("400 Bad", JSON_ERROR),
        ("401 No", SHORT_ERROR),
        ("403 No", PAGE),
        ("429 Slow", JSON_ERROR),
        ("500 Broken", PAGE),
    ],
)
def test_no_message_repeats_the_key(status: str, shape: str, backend_at: Callable[[str], Backend]) -> None:
    said = shape.format("the key made-up is bad; again: made-up, per day").encode()
    with raw_server(lambda _server: [http(said, status)]) as server:
        (reply,) = asked(backend_at(server.url), [question("q")], Use(patience=QUICK))
    told = reply.failure if isinstance(reply, Reply) else str(reply)
    assert "the key … is bad" in told
    assert "made-up" not in told
    assert "<" not in told


@pytest.mark.parametrize(
    ("status", "step"),
    [
        ("400 Bad", "check the key, the model’s name and judge_model_config"),
        ("401 No", "check the key in the environment"),
        ("403 No", "check that the key may use this model"),
        ("404 None", "check the model’s name and the base URL"),
    ],
)
def test_what_a_person_can_mend_is_said(status: str, step: str, backend_at: Callable[[str], Backend]) -> None:
    with raw_server(lambda _server: [http(b'{"error": {"message": "no"}}', status)]) as server:
        assert reply_of(backend_at(server.url)).failure == f"HTTP {status[:3]}: no; {step}"
    assert len(server.requests) == 1


def test_a_token_of_an_account_is_a_secret_too() -> None:
    async def post(url: str) -> None:
        poster = Poster(5)
        try:
            await poster.post(url, b"{}", {"authorization": "Bearer a-token"})
        finally:
            await poster.close()

    refusal = http(b'{"error": {"message": "a-token is old"}}', "401 No")
    with raw_server(lambda _server: [refusal]) as server, pytest.raises(CallFailed) as caught:
        asyncio.run(post(server.url))
    assert caught.value.sentence == "HTTP 401: … is old; check the key in the environment"
