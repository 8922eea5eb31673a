"""Batch files as OpenAI has them."""

from __future__ import annotations

import json
from urllib.parse import quote

from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.batch_interface import (
    BatchInterface,
    BatchJob,
    object_of,
    objects_of,
    text_of,
)
from trace_inspector.engine.judges.backends.http_failures import failure_of
from trace_inspector.engine.judges.backends.openai import OpenAIBackend, answer_of

_OPERATION = "/v1/chat/completions"  # as the protocol names it, whatever the base URL
_NAME = "trace_inspector_job"  # under which a job carries our own name
_PAGE = "100"
_CLOCKS_DIFFER_S = 86_400.0


class OpenAIBatches(BatchInterface):
    """`/files` and `/batches`."""

    hours = 24
    _digest = "custom_id"
    _general = ("/files", "/batches")

    def __init__(self, backend: OpenAIBackend) -> None:
        self._backend = backend
        key = backend.key
        super().__init__(backend.endpoint, {"Authorization": f"Bearer {key}"} if key else {}, (key,))

    async def line(self, prompted: Prompted) -> bytes:
        """One question as a line of a file."""
        asked = {self._digest: prompted.digest, "method": "POST", "url": _OPERATION}
        return json.dumps({**asked, "body": self._backend.body(prompted)}).encode("ascii")

    async def upload(self, name: str, content: bytes) -> str:
        """Upload a file of questions and return its id."""
        given = {"file": (f"{name}.jsonl", content, "application/jsonl")}
        return text_of(await self._asked("POST", "/files", data={"purpose": "batch"}, files=given), "id")

    async def create(self, name: str, file_id: str, model: str) -> BatchJob:
        """Begin a job over an uploaded file, whose lines name the model."""
        del model
        body = {"input_file_id": file_id, "endpoint": _OPERATION, "completion_window": "24h"}
        return self._job(await self._asked("POST", "/batches", json={**body, "metadata": {_NAME: name}}))

    async def state(self, job_id: str) -> BatchJob:
        """What has become of a job."""
        return self._job(await self._asked("GET", f"/batches/{quote(job_id, safe='')}"))

    async def _listed(self, name: str, page: str, since_s: float) -> tuple[list[BatchJob], str]:
        more = {"after": page} if page else {}
        value = await self._asked("GET", "/batches", params={"limit": _PAGE, **more})
        jobs = objects_of(value.get("data"))
        named = [self._job(job) for job in jobs if object_of(job.get("metadata")).get(_NAME) == name]
        last = jobs[-1] if jobs else {}
        made, following = last.get("created_at"), last.get("id")
        is_older = isinstance(made, int | float) and made < since_s - _CLOCKS_DIFFER_S
        has_more = value.get("has_more") and not is_older
        return named, following if has_more and isinstance(following, str) else ""

    async def _answer(self, row: JsonObject) -> ModelAnswer:
        response = object_of(row.get("response"))
        status = response.get("status_code")
        if isinstance(status, int) and status >= 300:
            raise failure_of(status, {}, response.get("body"), self._secrets)
        if not response:
            stated = object_of(row.get("error"))
            told = self._without_secrets_in(stated.get("message") or stated.get("code") or "no reply and no reason")
            raise CallFailed(told, again=True)
        return answer_of(response.get("body"), self._backend.key)

    def _job(self, value: JsonObject) -> BatchJob:
        status = str(value.get("status")).lower()
        ids = (value.get("output_file_id"), value.get("error_file_id"))
        files = tuple(f"/files/{quote(name, safe='')}/content" for name in ids if isinstance(name, str) and name)
        return BatchJob(text_of(value, "id"), status, files, self._problem(value) if status == "failed" else None)

    def _problem(self, value: JsonObject) -> CallFailed:
        listed = objects_of(object_of(value.get("errors")).get("data"))
        first = listed[0] if listed else {}
        code = str(first.get("code") or "")
        return self._failed(
            first.get("message") or code or "no reason given", quota="limit" in code or "quota" in code
        )
