"""Vertex AI's evaluation service on this machine, with the sign-in of a service account that is made up here."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from msgspec import Struct, field

from tests.helpers.judge_server import ManyAtOnce


class VertexServer(Struct):
    """What was asked, and what is said to each request: a status and a body."""

    says: Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    signed_in: int = 0
    tokens: list[str | None] = field(default_factory=list)


@contextmanager
def vertex_server(says: Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]) -> Iterator[VertexServer]:
    """A server on loopback that ends with the block."""
    service = VertexServer(says)

    class Handler(_Handler):
        server_service = service

    server = ManyAtOnce(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server_service: VertexServer
    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        service = self.server_service
        if self.path == "/token":
            service.signed_in += 1
            self._send(200, {"access_token": "made-up", "expires_in": 3600, "token_type": "Bearer"})
            return
        service.paths.append(self.path)
        service.tokens.append(self.headers.get("Authorization"))
        service.asked.append(json.loads(body))
        self._send(*service.says(service.asked[-1]))

    def _send(self, status: int, value: dict[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


@cache
def _private_key() -> str:
    """One for all accounts: to make one takes a quarter of a second."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def service_account(path: Path, server: VertexServer) -> Path:
    """The key file of an account that exists nowhere."""
    account = {
        "type": "service_account",
        "project_id": "made-up",
        "private_key_id": "1",
        "private_key": _private_key(),
        "client_email": "nobody@made-up.iam.gserviceaccount.com",
        "token_uri": f"{server.url}/token",
    }
    path.write_text(json.dumps(account), encoding="utf-8")
    return path
