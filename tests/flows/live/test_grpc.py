"""The receiver over gRPC: the same recording and refusals, and streams that do not go on hold nobody for ever."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.core.errors import UsageError
from trace_inspector.documents.protobuf.wire import length_field
from trace_inspector.flows.live.listener import Listening, bound_socket, listen
from trace_inspector.flows.live.receiver import receiver
from trace_inspector.flows.live.requests import MOST_BYTES

grpc = pytest.importorskip("grpc", reason="grpcio is not installed")
grpc_listener = pytest.importorskip("trace_inspector.flows.live.grpc_listener")

TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
METRICS = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"
SPAN = b"\x0a\x10" + b"t" * 16 + b"\x12\x08" + b"s" * 8
BODY = length_field(1, length_field(2, length_field(2, SPAN)))
PADDED = length_field(1, length_field(2, length_field(2, SPAN + length_field(5, b" " * (MOST_BYTES + 1)))))


def sent(port: int, body: bytes, method: str = TRACES, authority: str = "", **options: Any) -> str:
    """The name of the status of a request."""
    given = [("grpc.default_authority", authority)] if authority else []
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=given) as channel:
        try:
            assert channel.unary_unary(method)(body, timeout=240, **options) == b""
        except grpc.RpcError as problem:
            return str(problem.code().name)
    return "OK"


def test_what_is_taken_and_what_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with receiver(Listening(port=0, grpc_port=0, record=file)) as running:
        assert sent(running.grpc_port, BODY) == "OK"
        assert sent(running.grpc_port, BODY, compression=grpc.Compression.Gzip) == "OK"
        assert sent(running.grpc_port, b"anything", METRICS) == "OK"
        assert sent(running.grpc_port, BODY, authority="localhost") == "OK"
        assert sent(running.grpc_port, BODY, authority="rebound.example") == "PERMISSION_DENIED"
        assert sent(running.grpc_port, BODY[:-1]) == "INVALID_ARGUMENT"
        assert sent(running.grpc_port, BODY, "/some.Service/Method") == "UNIMPLEMENTED"
        assert sent(running.grpc_port, PADDED) == "RESOURCE_EXHAUSTED"
        assert sent(running.grpc_port, PADDED, compression=grpc.Compression.Gzip) == "RESOURCE_EXHAUSTED"
        with (
            pytest.raises(UsageError, match=f"Port {running.grpc_port} is taken"),
            receiver(Listening(port=0, grpc_port=running.grpc_port, record=tmp_path / "other.jsonl")),
        ):
            pass
        assert sent(running.grpc_port, BODY) == "OK"
    lines = file.read_bytes().splitlines()
    assert len(lines) == 4
    (resource,) = json.loads(lines[0])["resourceSpans"]
    assert resource["scopeSpans"][0]["spans"][0]["traceId"] == b"t".hex() * 16


def test_a_token_is_asked_for(tmp_path: Path) -> None:
    with receiver(Listening(port=0, grpc_port=0, token="s3", record=tmp_path / "r.jsonl")) as running:
        assert sent(running.grpc_port, BODY) == "UNAUTHENTICATED"
        assert (
            sent(running.grpc_port, BODY, metadata=(("authorization", "Bearer s3"),), authority="m.example") == "OK"
        )


def test_streams_that_do_not_go_on_are_given_up_and_hold_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grpc_listener, "MESSAGE_S", 1.0)
    listening = Listening(port=0, grpc_port=0, record=tmp_path / "r.jsonl")
    ends = threading.Event()

    def nothing() -> Iterator[bytes]:
        ends.wait()
        yield from ()

    def talk(port: int) -> None:
        options = [("grpc.use_local_subchannel_pool", 1)]  # a connection of its own
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
            stalled = [channel.stream_unary(TRACES).future(nothing()) for _ in range(8)]
            assert sent(port, BODY) == "OK"
            assert [one.exception(30).code().name for one in stalled] == ["CANCELLED"] * 8
            ends.set()

    with bound_socket(listening) as bound:
        asyncio.run(
            listen(listening, bound, print, lambda listener: asyncio.to_thread(talk, listener.grpc_access.port))
        )
