"""An endpoint on this machine that answers each request with bytes of a test's own, however odd."""

from __future__ import annotations

import contextlib
import socketserver
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from msgspec import Struct, field


class RawServer(Struct):
    """What came in, and how much went out before the other side had enough."""

    requests: list[bytes] = field(default_factory=list)
    sent: int = 0
    url: str = ""
    let_go: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)


@contextmanager
def raw_server(says: Callable[[RawServer], Iterable[bytes]]) -> Iterator[RawServer]:
    """A server on loopback that ends with the block. What `says` yields is sent piece by piece."""
    held = RawServer()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                held.requests.append(self._request())
                held.asked.set()
                for piece in says(held):
                    self.wfile.write(piece)
                    held.sent += len(piece)

        def _request(self) -> bytes:
            head, length = b"", 0
            while (line := self.rfile.readline()).strip():
                head += line
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            return head + self.rfile.read(length)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        request_queue_size = 128  # see `judge_server`
        block_on_close = True
        daemon_threads = False

    with Server(("127.0.0.1", 0), Handler) as server:
        held.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield held
        finally:
            held.let_go.set()
            server.shutdown()
            thread.join()


def http(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """A whole reply."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body
