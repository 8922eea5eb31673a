"""The receiver of OTLP over gRPC (extra `live`): the same requests, bounds and recording as over HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

import grpc

from trace_inspector.core.errors import UsageError
from trace_inspector.flows.live.requests import (
    LOGS,
    METRICS,
    MOST_BYTES,
    PROTOBUF,
    TRACES,
    Access,
    Head,
    Refused,
    Signal,
    check_host,
    check_token,
)

MESSAGE_S = 10.0  # how long a stream may be open before its message is there
_MOST_STREAMS = 8  # of one connection
_WORKERS = 64  # streams at the same time; some may stall
_ENDS_WITHIN_S = 5.0
_METADATA_BYTES = 1 << 14
_SERVICES = {"trace.v1.TraceService": TRACES, "logs.v1.LogsService": LOGS, "metrics.v1.MetricsService": METRICS}
_CODES = {
    HTTPStatus.BAD_REQUEST: grpc.StatusCode.INVALID_ARGUMENT,
    HTTPStatus.UNAUTHORIZED: grpc.StatusCode.UNAUTHENTICATED,
    HTTPStatus.MISDIRECTED_REQUEST: grpc.StatusCode.PERMISSION_DENIED,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: grpc.StatusCode.RESOURCE_EXHAUSTED,
    # What is to be sent again: exporters do not repeat a request after RESOURCE_EXHAUSTED.
    HTTPStatus.TOO_MANY_REQUESTS: grpc.StatusCode.UNAVAILABLE,
    HTTPStatus.SERVICE_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
}
_OPTIONS = (
    ("grpc.max_receive_message_length", MOST_BYTES),
    ("grpc.max_metadata_size", _METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", _METADATA_BYTES),
    ("grpc.max_concurrent_streams", _MOST_STREAMS),
    ("grpc.max_connection_idle_ms", 120_000),
    ("grpc.so_reuseport", 0),  # a taken port is to be told
)


Record: TypeAlias = Callable[[Head, bytes], Coroutine[Any, Any, None]]
_Take: TypeAlias = Callable[[Head, bytes, Any], bytes]


@asynccontextmanager
async def grpc_listening(record: Record, host: str, port: int, token: str) -> AsyncIterator[Access]:
    """Take requests on a port, whose number is told. UsageError where it is taken."""
    ports: list[int] = []
    take = partial(_taken, record, asyncio.get_running_loop(), ports, token)
    workers = ThreadPoolExecutor(_WORKERS, "grpc")
    server = grpc.server(
        workers,
        handlers=tuple(_handler(take, service, signal) for service, signal in _SERVICES.items()),
        options=_OPTIONS,
        maximum_concurrent_rpcs=_WORKERS,
    )
    shown = f"[{host}]" if ":" in host else host
    try:
        bound = server.add_insecure_port(f"{shown}:{port}")
    except RuntimeError as problem:
        sentence = f"Port {port} is taken. Choose another one with --grpc-port, or any free one with --grpc-port 0."
        raise UsageError(sentence) from problem
    ports.append(bound)
    server.start()
    try:
        yield Access(bound, token)
    finally:
        await asyncio.to_thread(server.stop(_ENDS_WITHIN_S).wait)
        workers.shutdown(wait=False)


def _handler(take: _Take, service: str, signal: Signal) -> Any:
    """What answers a service: requests stay bytes, which our own reader reads; as a stream, to be given up."""
    head = Head(signal, PROTOBUF, "identity")
    export = grpc.stream_unary_rpc_method_handler(partial(_answered, take, head))
    return grpc.method_handlers_generic_handler(f"opentelemetry.proto.collector.{service}", {"Export": export})


def _answered(take: _Take, head: Head, messages: Iterator[bytes], context: Any) -> bytes:
    stalled = threading.Timer(MESSAGE_S, context.cancel)
    stalled.daemon = True
    stalled.start()
    try:
        body = next(messages, b"")
    finally:
        stalled.cancel()
    try:
        return take(head, body, context)
    except Refused as refusal:
        context.abort(_CODES.get(refusal.status, grpc.StatusCode.INTERNAL), refusal.sentence)
        raise


def _taken(
    record: Record,
    loop: asyncio.AbstractEventLoop,
    ports: Sequence[int],
    token: str,
    head: Head,
    body: bytes,
    context: Any,
) -> bytes:
    # Under which name it is called, the library tells nobody else.
    called = context._rpc_event.call_details.host.decode("utf-8", "replace")
    access = Access(ports[0], token)
    check_host(called, access)
    metadata = {key: value for key, value in context.invocation_metadata() if isinstance(value, str)}
    check_token(metadata.get("authorization", ""), access)
    asyncio.run_coroutine_threadsafe(record(head, body), loop).result()
    return b""
