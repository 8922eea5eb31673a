"""An endpoint on this machine with OpenAI's batch files, which fails in the ways that a test names."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from msgspec import Struct, field

# What becomes of a question in the job with a number: a reply, an error with a status, or no line at all.
Outcome: TypeAlias = "str | int | None"
_FILE = re.compile(rb'filename="[^"]*"\r\n(?:[^\r]+\r\n)*\r\n(.*)\r\n--', re.DOTALL)


class BatchServer(Struct):
    """What was sent to it, and what it does."""

    outcome: Callable[[str, int], Outcome]
    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    jobs: list[dict[str, Any]] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)  # prompts, by how many jobs have them
    statuses: list[str] = field(default_factory=list)  # in which jobs end; completed after these
    create_faults: list[int] = field(default_factory=list)  # statuses of creations, each after the job was created
    keys: set[str] = field(default_factory=set)
    twice: bool = False  # every line of output is there twice
    created: threading.Event = field(default_factory=threading.Event)
    held: threading.Event = field(default_factory=threading.Event)  # set: jobs stay under way
    silent: threading.Event = field(default_factory=threading.Event)  # set: no reply to a creation until `over`
    over: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """Begin a job, which is done at once."""
        number = len(self.jobs)
        status = self.statuses[number] if number < len(self.statuses) else "completed"
        output: list[str] = []
        errors: list[str] = []
        for line in self.files[body["input_file_id"]].splitlines():
            asked = json.loads(line)
            prompt = asked["body"]["messages"][0]["content"]
            self.asked[prompt] += 1
            said = None if status == "failed" else self.outcome(prompt, number)
            if said is not None:
                (output if isinstance(said, str) else errors).append(_line(asked["custom_id"], said))
        job: dict[str, Any] = {"id": f"batch_{number}", "status": status, "metadata": body["metadata"]}
        job |= {"created_at": 4_000_000_000, "output_file_id": None, "error_file_id": None}
        if status == "failed":
            job["errors"] = {"data": [{"code": "invalid_json_line", "message": "line 1 is none"}]}
        for name, lines in (("output", output * (1 + self.twice)), ("error", errors)):
            if lines:
                job[f"{name}_file_id"] = f"{name}-{number}"
                self.files[f"{name}-{number}"] = "\n".join(lines).encode()
        self.jobs.append(job)
        return job

    def shown(self, job: dict[str, Any]) -> dict[str, Any]:
        """A job as it is stated now."""
        return {**job, "status": "in_progress", "output_file_id": None} if self.held.is_set() else job


def _line(custom_id: str, said: str | int) -> str:
    if isinstance(said, int):
        body: dict[str, Any] = {"error": {"message": "made to fail"}}
        return json.dumps({"custom_id": custom_id, "response": {"status_code": said, "body": body}, "error": None})
    choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
    body = {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    return json.dumps({"custom_id": custom_id, "response": {"status_code": 200, "body": body}, "error": None})


@contextmanager
def batch_server(outcome: Callable[[str, int], Outcome]) -> Iterator[BatchServer]:
    """A server on loopback that ends with the block."""
    state = BatchServer(outcome)

    class Handler(_Handler):
        batches = state

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
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
        server.keys.add(self.headers.get("Authorization", ""))
        if self.path == "/v1/files":
            found = _FILE.search(body)
            if found is None or b'name="purpose"\r\n\r\nbatch' not in body:
                self._send(400, {"error": {"message": "no file for a batch"}})
                return
            with server.lock:
                name = f"file-{len(server.files)}"
                server.files[name] = found.group(1)
            self._send(200, {"id": name})
        elif self.path == "/v1/batches":
            with server.lock:
                job = server.create(json.loads(body))
            server.created.set()
            if server.silent.is_set():
                server.over.wait(60)
                return
            fault = server.create_faults.pop(0) if server.create_faults else 0
            self._send(fault or 200, {"error": {"message": "made to fail"}} if fault else server.shown(job))
        else:
            self._send(404, {"error": {"message": "no such path"}})

    def do_GET(self) -> None:
        server = self.batches
        path = self.path.partition("?")[0].removeprefix("/v1/")
        if path == "batches":
            self._send(200, {"data": [server.shown(job) for job in reversed(server.jobs)], "has_more": False})
            return
        jobs = {f"batches/{job['id']}": job for job in server.jobs}
        files = {f"files/{name}/content": content for name, content in server.files.items()}
        if path in jobs:
            self._send(200, server.shown(jobs[path]))
        elif path in files:
            self._send(200, files[path])
        else:
            self._send(404, {"error": {"message": "there is none"}})

    def _send(self, status: int, value: dict[str, Any] | bytes) -> None:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""
