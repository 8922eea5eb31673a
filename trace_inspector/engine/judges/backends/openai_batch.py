"""Batch files as OpenAI has them: a file of questions, a job over it, files of replies and errors."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.http_failures import connection_failure, failure_of, without_secrets
from trace_inspector.engine.judges.backends.openai import OpenAIBackend, answer_of

if TYPE_CHECKING:
    from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

_OPERATION = "/v1/chat/completions"  # as the protocol names it, whatever the base URL
_NAME = "trace_inspector_job"  # under which a job carries our own name
_MOST_FILE_BYTES = 1 << 28
_PAGE, _MOST_PAGES = 100, 100
_CLOCKS_DIFFER_S = 86_400.0
_TIMEOUT_S = 300.0
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})  # a state that nobody knows counts as under way
_NO_INTERFACE = (404, 405, 501)
_GONE = (404, 410)


class BatchJob(Struct, frozen=True):
    """A job as the endpoint states it. `files` are those of replies and errors, `problem` is why it failed."""

    id: str
    status: str
    files: tuple[str, ...] = ()
    problem: CallFailed | None = None


class JobGone(CallFailed):
    """The endpoint has a job or its files no longer."""


class OpenAIBatches:
    """The batch interface beside a judge; it has that judge's endpoint and key."""

    def __init__(self, backend: OpenAIBackend) -> None:
        self._backend = backend
        self._client: BoundedClient | None = None

    def line(self, prompted: Prompted) -> bytes:
        """One question as a line of a file."""
        asked = {"custom_id": prompted.digest, "method": "POST", "url": _OPERATION}
        return json.dumps({**asked, "body": self._backend.body(prompted)}).encode("ascii")

    async def upload(self, name: str, lines: Iterable[bytes]) -> str:
        """Upload questions and return the id of the file."""
        given = {"file": (f"{name}.jsonl", b"\n".join(lines) + b"\n", "application/jsonl")}
        value = await self._asked("POST", "/files", data={"purpose": "batch"}, files=given)
        return _id(value)

    async def create(self, name: str, file_id: str) -> BatchJob:
        """Begin a job over an uploaded file."""
        body = {"input_file_id": file_id, "endpoint": _OPERATION, "completion_window": "24h"}
        return self._job(await self._asked("POST", "/batches", json={**body, "metadata": {_NAME: name}}))

    async def state(self, job_id: str) -> BatchJob:
        """What has become of a job."""
        return self._job(await self._asked("GET", f"/batches/{quote(job_id, safe='')}"))

    async def find(self, name: str, since_s: float) -> BatchJob | None:
        """The first job that carries a name of ours, among those since a time."""
        found: JsonObject | None = None
        after = ""
        for _page in range(_MOST_PAGES):
            more = {"after": after} if after else {}
            value = await self._asked("GET", "/batches", params={"limit": str(_PAGE), **more})
            listed = value.get("data")
            jobs = [job for job in listed if isinstance(job, dict)] if isinstance(listed, list) else []
            for job in jobs:
                metadata = job.get("metadata")
                if isinstance(metadata, dict) and metadata.get(_NAME) == name:
                    found = job  # newest first, so the last one is the one that was created first
            made = jobs[-1].get("created_at") if jobs else None
            is_older = isinstance(made, int | float) and made < since_s - _CLOCKS_DIFFER_S
            last = jobs[-1].get("id") if jobs else None
            if is_older or not value.get("has_more") or not isinstance(last, str) or last == after:
                return self._job(found) if found else None
            after = last
        raise CallFailed(f"more than {_PAGE * _MOST_PAGES} jobs are listed and none is {name}", again=False)

    async def replies(self, job: BatchJob, wanted: Collection[str]) -> dict[str, ModelAnswer | CallFailed]:
        """The answer or the failure of each question that the files of a job tell of; an answer has priority."""
        found: dict[str, ModelAnswer | CallFailed] = {}
        for file_id in job.files:
            content = await self._content(f"/files/{quote(file_id, safe='')}/content")
            for line in content.split(b"\n"):
                digest, outcome = self._outcome(line)
                if digest in wanted and not isinstance(found.get(digest), ModelAnswer):
                    found[digest] = outcome
        return found

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client:
            await client.aclose()

    def _outcome(self, line: bytes) -> tuple[str, ModelAnswer | CallFailed]:
        """The digest in a line of replies, "" where it has none, and what came."""
        row = _object(_json(line))
        digest, response = row.get("custom_id"), _object(row.get("response"))
        status, error = response.get("status_code"), row.get("error")
        try:
            if isinstance(status, int) and status >= 300:
                raise failure_of(status, {}, response.get("body"), (self._backend.key,))
            if not response:
                stated = _object(error)
                told = self._told(stated.get("message") or stated.get("code") or "no reply and no reason")
                raise CallFailed(told, again=True)
            return str(digest or ""), answer_of(response.get("body"), self._backend.key)
        except CallFailed as problem:
            return str(digest or ""), problem

    def _job(self, value: JsonObject) -> BatchJob:
        status = str(value.get("status")).lower()
        ids = (value.get("output_file_id"), value.get("error_file_id"))
        files = tuple(name for name in ids if isinstance(name, str) and name)
        return BatchJob(_id(value), status, files, self._failure(value) if status == "failed" else None)

    def _failure(self, value: JsonObject) -> CallFailed:
        listed = _object(value.get("errors")).get("data")
        first = _object(listed[0]) if isinstance(listed, list) and listed else {}
        code = str(first.get("code") or "")
        told = self._told(first.get("message") or code or "no reason given")
        # A limit of what may be queued ends with the jobs before, so the questions wait for another run.
        return CallFailed(f"the batch job failed: {told}", again=False, quota="limit" in code or "quota" in code)

    def _told(self, words: object) -> str:
        return one_line(without_secrets(str(words), (self._backend.key,)), 160)

    async def _asked(self, method: str, path: str, **sent: Any) -> JsonObject:
        value = _json(await self._content(path, method, **sent))
        if not isinstance(value, dict):
            raise CallFailed("the reply is no JSON object", again=True)
        return value

    async def _content(self, path: str, method: str = "GET", **sent: Any) -> bytes:
        import httpx2

        from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

        if self._client is None:
            self._client = BoundedClient(_TIMEOUT_S, _MOST_FILE_BYTES)
        key = self._backend.key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            response = await self._client.request(method, f"{self._backend.endpoint}{path}", headers=headers, **sent)
        except httpx2.InvalidURL as problem:
            raise CallFailed(f"the judge’s URL cannot be used: {problem}", again=False) from problem
        except (OSError, httpx2.HTTPError) as problem:
            raise connection_failure(problem) from problem
        status = response.status_code
        is_general = path in ("/files", "/batches")
        if is_general and status in _NO_INTERFACE:
            host = urlsplit(self._backend.endpoint).hostname
            raise CallFailed(f"{host} has no batch files (HTTP {status}); leave out --on batch", again=False)
        if status in _GONE and not is_general:
            raise JobGone(f"the endpoint has it no longer (HTTP {status})", again=False)
        if status >= 300:
            body = _json(response.content)
            said = response.content[:1000].decode("utf-8", "replace") if body is None else body
            raise failure_of(status, response.headers, said, (key,))
        return response.content


def _id(value: Mapping[str, Json]) -> str:
    found = value.get("id")
    if not isinstance(found, str) or not found:
        raise CallFailed("the reply has no “id”", again=True)
    return found


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _json(content: bytes) -> Json:
    """The JSON of a line or reply; None where it is none."""
    try:
        value: Json = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value
