"""A client of gRPC in our hands, so that it can stop in the middle of whatever it sends."""

from __future__ import annotations

import socket
from types import TracebackType

import h2.config
import h2.connection
from h2.events import (
    DataReceived,
    Event,
    RemoteSettingsChanged,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)

TRACES = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"
_WITHIN_S = 60.0


def message(body: bytes, *, length: int | None = None, packed: int = 0) -> bytes:
    """A message of gRPC, which may state another length than it has."""
    return bytes([packed]) + (len(body) if length is None else length).to_bytes(4, "big") + body


class RawClient:
    """One connection; `of` has what came for each stream."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), _WITHIN_S)
        self.port = port
        self.http = begun_client()
        self.of: dict[int, dict[str, str]] = {}
        self.ended: set[int] = set()
        self._has_settings = False
        self._send()
        while not self._has_settings:
            self.read()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.socket.close()

    def begin(self, data: bytes = b"", *, ends: bool = False, **headers: str) -> int:
        """A stream with its head and some of its message."""
        number = self.http.get_next_available_stream_id()
        named = {name.replace("authority", ":authority").replace("_", "-"): text for name, text in headers.items()}
        self.http.send_headers(number, [*{**head(self.port), **named}.items()], end_stream=ends and not data)
        self.of[number] = {}
        if data:
            self.go_on(number, data, ends=ends)
        else:
            self._send()
        return number

    def go_on(self, number: int, data: bytes, *, ends: bool = False) -> None:
        """More of a message, as the receiver lets it."""
        while data and number not in self.ended:
            room = min(self.http.local_flow_control_window(number), self.http.max_outbound_frame_size, len(data))
            if not room:
                self.read()
                continue
            self.http.send_data(number, data[:room], end_stream=ends and room == len(data))
            data = data[room:]
            self._send()

    def status(self, number: int) -> dict[str, str]:
        """What a stream ended with."""
        while number not in self.ended:
            self.read()
        return self.of[number]

    def read(self) -> None:
        """What came; ConnectionError where it was closed."""
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionError("closed")
        for event in self.http.receive_data(data):
            self._take(event)
        self._send()

    def _take(self, event: Event) -> None:
        match event:
            case RemoteSettingsChanged():
                self._has_settings = True
            case (
                ResponseReceived(stream_id=number, headers=headers)
                | TrailersReceived(stream_id=number, headers=headers)
            ):
                self.of[number] |= {str(name): str(text) for name, text in headers}
            case DataReceived(stream_id=number, data=data, flow_controlled_length=length):
                self.of[number]["message"] = data.hex()
                self.http.acknowledge_received_data(length, number)
            case StreamEnded(stream_id=number) | StreamReset(stream_id=number):
                self.ended.add(number)

    def _send(self) -> None:
        self.socket.sendall(self.http.data_to_send())


def begun_client() -> h2.connection.H2Connection:
    """A client without a network."""
    http = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
    http.initiate_connection()
    return http


def whole_request(port: int, body: bytes) -> bytes:
    """All bytes of a connection with one request."""
    http = begun_client()
    http.send_headers(1, [*head(port).items()])
    http.send_data(1, message(body), end_stream=True)
    return http.data_to_send()


def head(port: int) -> dict[str, str]:
    """The head of a request."""
    return {
        ":method": "POST",
        ":scheme": "http",
        ":path": TRACES,
        ":authority": f"127.0.0.1:{port}",
        "te": "trailers",
        "content-type": "application/grpc",
    }
