"""An endpoint on this machine with OpenAI's and Gemini's batch interfaces, which fails in the ways a test names."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeAlias

from msgspec import Struct, field

from tests.helpers.judge_server import ManyAtOnce

# What becomes of a question in the job with a number: a reply, an error with a status, or no line at all.
Outcome: TypeAlias = "str | int | None"
_FILE = re.compile(rb'filename="[^"]*"\r\n(?:[^\r]+\r\n)*\r\n(.*)\r\n--', re.DOTALL)
_CREATION = re.compile(r"/v1beta/models/small:batchGenerateContent")
_UPLOAD = "/upload/v1beta/files"
_FAILURE = "line 1 is none"
_GRPC = {500: 13, 429: 8}
_STATES = {"completed": "SUCCEEDED", "in_progress": "RUNNING"}


class Job(Struct):
    """A job that is done, with its lines of replies and of errors."""

    id: str
    name: str
    status: str
    output: bytes = b""
    errors: bytes = b""


class BatchServer(Struct):
    """What was sent to it, and what it does."""

    outcome: Callable[[str, int], Outcome]
    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)  # prompts, by how many jobs have them
    statuses: list[str] = field(default_factory=list)  # in which jobs end; completed after these
    upload_host: str = "https://elsewhere.invalid"  # before the path of the second step
    create_faults: list[int] = field(default_factory=list)  # statuses of creations, each after the job was created
    keys: set[str] = field(default_factory=set)
    twice: bool = False  # every reply is there twice, with an error beside it
    late: int = 0  # how often a completed job is looked at before its file is there (Gemini)
    exhausted: bool = False  # a job that fails does so for a limit of what may be queued
    created: threading.Event = field(default_factory=threading.Event)
    held: threading.Event = field(default_factory=threading.Event)  # set: jobs stay under way
    silent: threading.Event = field(default_factory=threading.Event)  # set: no reply to a creation until `over`
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def create(self, name: str, file: str, kind: _OpenAI | _Gemini) -> Job:
        """Begin a job, which is done at once."""
        number = len(self.jobs)
        job = Job(f"batch_{number}", name, self.statuses[number] if number < len(self.statuses) else "completed")
        output: list[str] = []
        errors: list[str] = []
        for line in self.files[file].splitlines():
            key, prompt = kind.question(json.loads(line))
            self.asked[prompt] += 1
            said = None if job.status == "failed" else self.outcome(prompt, number)
            if said is not None:
                (output if isinstance(said, str) else errors).append(json.dumps(kind.line(key, said)))
            if self.twice and isinstance(said, str):
                errors.append(json.dumps(kind.line(key, 500)))
        job.output, job.errors = ("\n".join(lines).encode() for lines in (output * (1 + self.twice), errors))
        self.jobs.append(job)
        return job

    def status(self, job: Job) -> str:
        """The state of a job as it is told now."""
        return "in_progress" if self.held.is_set() else job.status


class _OpenAI:
    """Its paths, and how messages look."""

    def question(self, row: dict[str, Any]) -> tuple[str, str]:
        return row["custom_id"], row["body"]["messages"][0]["content"]

    def line(self, key: str, said: str | int) -> dict[str, Any]:
        if isinstance(said, int):
            body: dict[str, Any] = {"error": {"message": "made to fail"}}
            return {"custom_id": key, "response": {"status_code": said, "body": body}, "error": None}
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        body = {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
        return {"custom_id": key, "response": {"status_code": 200, "body": body}, "error": None}

    def creation(self, body: dict[str, Any]) -> tuple[str, str]:
        return body["metadata"]["trace_inspector_job"], body["input_file_id"]

    def shown(self, server: BatchServer, job: Job) -> dict[str, Any]:
        status = server.status(job)
        shown: dict[str, Any] = {"id": job.id, "status": status, "created_at": 4_000_000_000}
        shown["metadata"] = {"trace_inspector_job": job.name}
        if status == "failed":
            code = "token_limit_exceeded" if server.exhausted else "invalid_json_line"
            shown["errors"] = {"data": [{"code": code, "message": _FAILURE}]}
        for name, content in (("output", job.output), ("error", job.errors)):
            shown[f"{name}_file_id"] = f"{name}-{job.id}" if content and status != "in_progress" else None
        return shown

    def got(self, server: BatchServer, path: str) -> dict[str, Any] | bytes | None:
        if path == "/v1/batches":
            return {"data": [self.shown(server, job) for job in reversed(server.jobs)], "has_more": False}
        for job in server.jobs:
            if path == f"/v1/batches/{job.id}":
                return self.shown(server, job)
            for name, content in (("output", job.output), ("error", job.errors)):
                if path == f"/v1/files/{name}-{job.id}/content":
                    return content
        return None


class _Gemini:
    """Its paths, and how messages look."""

    def question(self, row: dict[str, Any]) -> tuple[str, str]:
        return row["key"], row["request"]["contents"][0]["parts"][0]["text"]

    def line(self, key: str, said: str | int) -> dict[str, Any]:
        if isinstance(said, int):
            return {"key": key, "error": {"code": _GRPC[said], "message": "made to fail"}}
        candidate = {"content": {"role": "model", "parts": [{"text": said}]}, "finishReason": "STOP", "newer": {}}
        usage = {"promptTokenCount": 7, "candidatesTokenCount": 3, "totalTokenCount": 10}
        return {"key": key, "response": {"candidates": [candidate], "usageMetadata": usage}}

    def creation(self, body: dict[str, Any]) -> tuple[str, str]:
        return body["batch"]["displayName"], body["batch"]["inputConfig"]["fileName"]

    def shown(self, server: BatchServer, job: Job) -> dict[str, Any]:
        status = server.status(job)
        content = b"" if status in ("in_progress", "expired") else job.output + job.errors
        metadata = {"displayName": job.name, "state": f"BATCH_STATE_{_STATES.get(status, status.upper())}"}
        stats = {"requestCount": "1", **({"successfulRequestCount": "1"} if job.output else {})}
        shown: dict[str, Any] = {"name": f"batches/{job.id}", "metadata": {**metadata, "batchStats": stats}}
        if status == "failed":
            return {**shown, "done": True, "error": {"code": 8 if server.exhausted else 3, "message": _FAILURE}}
        return {**shown, **({"done": True, "response": {"responsesFile": f"files/{job.id}"}} if content else {})}

    def got(self, server: BatchServer, path: str) -> dict[str, Any] | bytes | None:
        if path == "/v1beta/batches?pageSize=100":  # a page for each half
            first = [self.shown(server, job) for job in server.jobs[1::2]]
            return {"operations": first, "nextPageToken": "more"}
        if path == "/v1beta/batches?pageSize=100&pageToken=more":
            return {"operations": [self.shown(server, job) for job in server.jobs[::2]]}
        for job in server.jobs:
            if path == f"/v1beta/batches/{job.id}":
                shown = self.shown(server, job)
                if server.late and shown.pop("response", None):
                    server.late -= 1
                return shown
            if path == f"/download/v1beta/files/{job.id}:download?alt=media":
                return b"\n".join(filter(None, (job.output, job.errors)))
        return None


@contextmanager
def batch_server(outcome: Callable[[str, int], Outcome]) -> Iterator[BatchServer]:
    """A server on loopback that ends with the block."""
    state = BatchServer(outcome)

    class Handler(_Handler):
        batches = state

    server = ManyAtOnce(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        state.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    batches: BatchServer
    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = self.batches
        server.keys.add(self.headers.get("Authorization") or self.headers.get("x-goog-api-key") or "")
        if self.path == "/v1/files":
            found = _FILE.search(body)
            if found is None or b'name="purpose"\r\n\r\nbatch' not in body:
                self._send(400, {"error": {"message": "no file for a batch"}})
                return
            self._send(200, {"id": self._keep(found.group(1))})
        elif self.path.startswith(_UPLOAD):
            self._upload(body)
        elif self.path == "/v1/batches":
            self._create(_OpenAI(), body)
        elif _CREATION.fullmatch(self.path):
            self._create(_Gemini(), body)
        else:
            self._send(404, {"error": {"message": "no such path"}})

    def _keep(self, content: bytes) -> str:
        with self.batches.lock:
            name = f"files/{len(self.batches.files)}"
            self.batches.files[name] = content
        return name

    def _upload(self, body: bytes) -> None:
        """Gemini's upload in two steps; the address of the second one names another host, which nobody may ask."""
        goog = {name: self.headers.get(f"X-Goog-Upload-{name}") for name in ("Protocol", "Command", "Offset")}
        length = self.headers.get("X-Goog-Upload-Header-Content-Length")
        if goog["Protocol"] == "resumable" and goog["Command"] == "start" and length:
            address = f"{self.batches.upload_host}{_UPLOAD}?length={length}"
            self._send(200, {}, {"X-Goog-Upload-URL": address})
        elif goog["Command"] == "upload, finalize" and goog["Offset"] == "0" and self.path.endswith(f"={len(body)}"):
            self._send(200, {"file": {"name": self._keep(body), "state": "ACTIVE"}})
        else:
            self._send(400, {"error": {"message": "no upload"}})

    def _create(self, kind: _OpenAI | _Gemini, body: bytes) -> None:
        server = self.batches
        with server.lock:
            job = server.create(*kind.creation(json.loads(body)), kind)
        server.created.set()
        if server.silent.is_set():
            server.over.wait(200)
            return
        fault = server.create_faults.pop(0) if server.create_faults else 0
        self._send(fault or 200, {"error": {"message": "made to fail"}} if fault else kind.shown(server, job))

    def do_GET(self) -> None:
        server = self.batches
        # OpenAI's list is one page, whatever is asked for.
        path = self.path.partition("?")[0] if self.path.startswith("/v1/") else self.path
        kind = _OpenAI() if self.path.startswith("/v1/") else _Gemini()
        found = kind.got(server, path)
        self._send(*((404, {"error": {"message": "there is none"}}) if found is None else (200, found)))

    def _send(self, status: int, value: dict[str, Any] | bytes, headers: dict[str, str] | None = None) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""
