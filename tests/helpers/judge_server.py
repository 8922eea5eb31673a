"""A model on this machine that speaks Gemini's and OpenAI's protocols, and fails in the ways that real ones do."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from msgspec import Struct, field

# What tells the clients which model to ask, and with which key.
VARIABLES = (
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_VERTEX_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
)

# What a model says to a prompt: words, parts, nothing (no candidates), or a fault.
Says: TypeAlias = "str | Parts | Fault | None"


class Parts(Struct, frozen=True):
    """A candidate as it stands on the wire; None is one without content."""

    listed: tuple[dict[str, Any], ...] | None


class Fault(Struct, frozen=True):
    """One way to fail: an HTTP status, or what happens to the connection."""

    status: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    message: str = "made to fail"
    kind: str = ""  # "reset", "truncated", "slow" or "blocked"


RESET = Fault(kind="reset")
TRUNCATED = Fault(kind="truncated")
BLOCKED = Fault(kind="blocked")


class ModelServer(Struct):
    """What was asked, in the order in which it came, and what is said next."""

    says: Callable[[str, int], Says]
    sent: Callable[[str], None] = lambda _prompt: None  # called when all of the reply to a prompt is sent
    prompts: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""
    delay: threading.Event = field(default_factory=threading.Event)  # a slow reply waits for it
    lock: threading.Lock = field(default_factory=threading.Lock)
    open_now: int = 0
    open_most: int = 0

    def heard(self, prompt: str, model: str, body: dict[str, Any]) -> Says:
        """Note a prompt and find what to say."""
        with self.lock:
            self.prompts.append(prompt)
            self.models.append(model)
            self.bodies.append(body)
            number = len(self.prompts) - 1
        return self.says(prompt, number)


@contextmanager
def model_server(
    says: Callable[[str, int], Says], sent: Callable[[str], None] = lambda _prompt: None
) -> Iterator[ModelServer]:
    """A server on loopback that ends with the block. `says` gets the prompt and the number of the call."""
    model = ModelServer(says, sent)

    class Handler(_Handler):
        server_model = model

    server = ManyAtOnce(("127.0.0.1", 0), Handler)
    server.daemon_threads = False
    server.block_on_close = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        model.delay.set()
        server.shutdown()
        server.server_close()
        thread.join()


class ManyAtOnce(ThreadingHTTPServer):
    """A server that many ask at once."""

    request_queue_size = 128  # with the usual 5, calls that come together are dropped and come back seconds later


class _Handler(BaseHTTPRequestHandler):
    server_model: ModelServer
    protocol_version = "HTTP/1.0"  # one request a connection, so that none keeps the server alive
    timeout = 20  # of a connection on which nothing is asked: whoever was stopped just then may hold it

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", "0"))))
        model = self.server_model
        with model.lock:
            model.open_now += 1
            model.open_most = max(model.open_most, model.open_now)
        is_gemini, prompt, said = self._said(body)
        with model.lock:
            model.open_now -= 1  # before the reply: whoever gets it may ask on at once
        self._reply(said, is_gemini=is_gemini)
        model.sent(prompt)

    def _said(self, body: dict[str, Any]) -> tuple[bool, str, Says]:
        is_gemini = self.path.partition("?")[0].endswith(":generateContent")
        if is_gemini:
            prompt = body["contents"][0]["parts"][0]["text"]
            name = self.path.split("/models/")[1].partition(":")[0]
        else:
            prompt, name = body["messages"][0]["content"], body["model"]
        said = self.server_model.heard(prompt, name, body)
        if isinstance(said, Fault) and said.kind == "slow":
            self.server_model.delay.wait(20)
            said = "too late"
        return is_gemini, prompt, said

    def _reply(self, said: Says, *, is_gemini: bool) -> None:
        if isinstance(said, Fault) and said.kind == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            self.connection.close()
            return
        if isinstance(said, Fault) and said.status:
            self._send(said.status, {"error": {"code": said.status, "message": said.message}}, said.headers)
            return
        self._send(200, (_gemini if is_gemini else _openai)(said), cut=said is TRUNCATED)

    def _send(
        self, status: int, value: dict[str, Any], headers: tuple[tuple[str, str], ...] = (), *, cut: bool = False
    ) -> None:
        data = json.dumps(value).encode()
        data = data[: len(data) // 2] if cut else data
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, text in headers:
            self.send_header(name, text)
        with contextlib.suppress(ConnectionError):  # whoever asked may be gone
            self.end_headers()
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


def _gemini(said: Says) -> dict[str, Any]:
    usage = {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}
    if said is BLOCKED:
        return {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage}
    if said is None:
        return {"usageMetadata": usage}
    if isinstance(said, Parts):
        content = {} if said.listed is None else {"content": {"role": "model", "parts": list(said.listed)}}
        return {"candidates": [{**content, "finishReason": "STOP"}], "usageMetadata": usage}
    text = said if isinstance(said, str) else "cut off"
    candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": usage}


def _openai(said: Says) -> dict[str, Any]:
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    if said is None or said is BLOCKED:
        return {"choices": [], "usage": usage}
    text = said if isinstance(said, str) else "cut off"
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}], "usage": usage}
