"""The batch interface of Gemini's own API (not of Vertex AI, whose batches lie in a bucket)."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from trace_inspector.core.errors import UsageError
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.batch_interface import (
    BatchInterface,
    BatchJob,
    json_of,
    object_of,
    objects_of,
    text_of,
)
from trace_inspector.engine.judges.backends.bounded_client import trusted_certificates
from trace_inspector.engine.judges.backends.gemini import GeminiBackend
from trace_inspector.engine.judges.backends.http_failures import failure_of

_FILES, _JOBS = "/upload/v1beta/files", "/v1beta/batches"
_PAGE = "100"
_STATUSES = {"succeeded": "completed", "partially_succeeded": "completed"}
# The codes of google.rpc.Status, which stand in lines and jobs, as those of HTTP.
_CODES = {1: 499, 3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 9: 400, 10: 503, 13: 500, 14: 503, 16: 401}
_UNKNOWN_CODE = 500
_EXHAUSTED = 429
_ANY = Prompted("any", "any")
_NO_VERTEX = (
    "--on batch: Gemini of Vertex AI takes batches from a bucket of Cloud Storage, which is not supported. Unset "
    "GOOGLE_GENAI_USE_VERTEXAI to use Gemini’s own API, or leave out --on batch."
)


class GeminiBatches(BatchInterface):
    """Files of questions go through the Files API; google-genai composes each question and reads each reply."""

    hours = 48
    _digest = "key"
    _general = (_FILES, _JOBS)

    def __init__(self, backend: GeminiBackend) -> None:
        if backend.is_vertex:
            raise UsageError(_NO_VERTEX)
        super().__init__(backend.endpoint, {"x-goog-api-key": backend.key}, (backend.key,))
        self._no_network = _NoNetwork()
        self._offline = backend.through(self._no_network)
        self._one_at_a_time = asyncio.Lock()
        self._requests: dict[str, JsonObject] = {}  # by the parameters of a model, as JSON

    async def line(self, prompted: Prompted) -> bytes:
        """One question as a line of a file: what a single call would send."""
        parameters = json.dumps(prompted.parameters, sort_keys=True)
        if parameters not in self._requests:  # composing takes milliseconds, and is the same for all of a criterion
            self._requests[parameters] = await self._composed(prompted)
        contents = [{"role": "user", "parts": [{"text": prompted.prompt}]}]
        request = {**self._requests[parameters], "contents": contents}
        return json.dumps({self._digest: prompted.digest, "request": request}).encode("ascii")

    async def upload(self, name: str, content: bytes) -> str:
        """Upload a file of questions and return its name there."""
        start = {
            "X-Goog-Upload-Protocol": "resumable",
            "X-Goog-Upload-Command": "start",
            "X-Goog-Upload-Header-Content-Length": str(len(content)),
            "X-Goog-Upload-Header-Content-Type": "application/jsonl",
        }
        begun = await self._response("POST", _FILES, headers=start, json={"file": {"displayName": name}})
        address = urlsplit(begun.headers.get("x-goog-upload-url", ""))
        if not address.path.startswith("/"):
            raise CallFailed("the reply has no address to upload to", again=False)
        # Only its path counts: what the endpoint says does not send questions and key to another host.
        path = f"{address.path}?{address.query}" if address.query else address.path
        finish = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
        uploaded = await self._asked("POST", path, headers=finish, content=content)
        return text_of(object_of(uploaded.get("file")), "name")

    async def create(self, name: str, file_id: str, model: str) -> BatchJob:
        """Begin a job over an uploaded file."""
        path = model if "/" in model else f"models/{model}"
        batch = {"displayName": name, "inputConfig": {"fileName": file_id}}
        asked = f"/v1beta/{quote(path)}:batchGenerateContent"
        return self._job(await self._asked("POST", asked, json={"batch": batch}))

    async def state(self, job_id: str) -> BatchJob:
        """What has become of a job."""
        return self._job(await self._asked("GET", f"/v1beta/{quote(job_id)}"))

    async def _listed(self, name: str, page: str, since_s: float) -> tuple[list[BatchJob], str]:
        del since_s  # in which order jobs are listed is not documented
        more = {"pageToken": page} if page else {}
        value = await self._asked("GET", _JOBS, params={"pageSize": _PAGE, **more})
        jobs = objects_of(value.get("operations"))
        named = [self._job(job) for job in jobs if object_of(job.get("metadata")).get("displayName") == name]
        following = value.get("nextPageToken")
        return named, following if isinstance(following, str) else ""

    async def _answer(self, row: JsonObject) -> ModelAnswer:
        if not (response := object_of(row.get("response"))):
            error = object_of(row.get("error"))
            raise failure_of(_http_code(error), {}, {"error": error}, self._secrets)
        async with self._one_at_a_time:
            self._no_network.reply = json.dumps(response).encode("ascii")
            return await self._offline.call(_ANY)

    async def close(self) -> None:
        """Close the connections."""
        await self._offline.close()
        await super().close()

    async def _composed(self, prompted: Prompted) -> JsonObject:
        async with self._one_at_a_time:
            self._no_network.reply = b"{}"
            await self._offline.call(prompted)
            return object_of(json_of(self._no_network.sent))

    def _job(self, value: JsonObject) -> BatchJob:
        metadata = object_of(value.get("metadata"))
        stated = str(metadata.get("state")).rpartition("STATE_")[2].lower()  # BATCH_STATE_…, or JOB_STATE_…
        status = _STATUSES.get(stated, stated)
        places = (object_of(value.get("response")), object_of(metadata.get("output")))
        named = next((file for place in places if isinstance(file := place.get("responsesFile"), str) and file), "")
        if status == "completed" and not named and _has_replies(metadata):
            status = "running"  # the file may come some time after the state
        files = (f"/download/v1beta/{quote(named)}:download?alt=media",) if named else ()
        error = object_of(value.get("error"))
        told = error.get("message") or "no reason given"
        failed = self._failed(told, quota=_http_code(error) == _EXHAUSTED) if status == "failed" else None
        return BatchJob(text_of(value, "name"), status, files, failed)


class _NoNetwork(httpx2.AsyncClient):
    """Keeps what is to be sent, and answers with what it is given."""

    def __init__(self) -> None:
        super().__init__(verify=trusted_certificates())
        self.sent = b""
        self.reply = b""

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        del stream, options
        self.sent = request.content
        return httpx2.Response(200, content=self.reply, request=request)


def _http_code(error: JsonObject) -> int:
    code = error.get("code")
    if isinstance(code, int) and code >= 100:
        return code
    return _CODES.get(code, _UNKNOWN_CODE) if isinstance(code, int) else _UNKNOWN_CODE


def _has_replies(metadata: JsonObject) -> bool:
    """Whether a job that has ended says that there are replies, or says nothing."""
    stats = object_of(metadata.get("batchStats"))
    return not stats or str(stats.get("successfulRequestCount") or "0") != "0"
