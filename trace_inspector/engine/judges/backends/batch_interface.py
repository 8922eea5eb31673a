"""What batch interfaces have in common: a file of questions, a job over it, files of replies, a list of jobs."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.http_failures import connection_failure, failure_of, without_secrets

if TYPE_CHECKING:
    import httpx2

    from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

_MOST_FILE_BYTES = 1 << 28
_MOST_PAGES = 100
_TIMEOUT_S = 300.0
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})  # a state that nobody knows counts as under way
_NO_INTERFACE = (404, 405, 501)
_GONE = (404, 410)


class BatchJob(Struct, frozen=True):
    """A job as the endpoint states it. `files` are where replies and errors lie, `problem` is why it failed."""

    id: str
    status: str
    files: tuple[str, ...] = ()
    problem: CallFailed | None = None


class JobGone(CallFailed):
    """The endpoint has a job or its files no longer."""


class BatchInterface(ABC):
    """The batch interface beside a judge; it has that judge's endpoint and key."""

    hours: ClassVar[int]  # that a job may take
    _digest: ClassVar[str]  # the name of a question's digest in each line
    _general: ClassVar[tuple[str, ...]]  # paths that are there wherever the interface is

    def __init__(self, endpoint: str, headers: Mapping[str, str], secrets: Sequence[str]) -> None:
        self._endpoint = endpoint
        self._headers = headers
        self._secrets = secrets
        self._client: BoundedClient | None = None

    @abstractmethod
    async def line(self, prompted: Prompted) -> bytes:
        """One question as a line of a file."""

    @abstractmethod
    async def upload(self, name: str, content: bytes) -> str:
        """Upload a file of questions and return its id."""

    @abstractmethod
    async def create(self, name: str, file_id: str, model: str) -> BatchJob:
        """Begin a job over an uploaded file, whose questions are all for one model."""

    @abstractmethod
    async def state(self, job_id: str) -> BatchJob:
        """What has become of a job."""

    @abstractmethod
    async def _listed(self, name: str, page: str, since_s: float) -> tuple[list[BatchJob], str]:
        """The jobs in one page of the list that carry a name of ours; and the next page, "" after the last."""

    @abstractmethod
    async def _answer(self, row: JsonObject) -> ModelAnswer:
        """The answer in a line of replies; CallFailed where it has none."""

    async def find(self, name: str, since_s: float) -> BatchJob | None:
        """The first job that carries a name of ours, among those since a time."""
        found: list[BatchJob] = []
        page = ""
        for _page in range(_MOST_PAGES):
            jobs, following = await self._listed(name, page, since_s)
            found += jobs
            if following in ("", page):
                return found[-1] if found else None  # newest first, so the last one is the one that was created first
            page = following
        raise CallFailed(f"the list of jobs has more than {_MOST_PAGES} pages, and none has {name}", again=False)

    async def replies(self, job: BatchJob, wanted: Collection[str]) -> dict[str, ModelAnswer | CallFailed]:
        """The answer or the failure of each question that the files of a job tell of; an answer has priority."""
        found: dict[str, ModelAnswer | CallFailed] = {}
        for path in job.files:
            for line in (await self._response("GET", path)).content.split(b"\n"):
                row = object_of(json_of(line))
                digest = str(row.get(self._digest) or "")
                if digest not in wanted or isinstance(found.get(digest), ModelAnswer):
                    continue
                try:
                    found[digest] = await self._answer(row)
                except CallFailed as problem:
                    found[digest] = problem
                await asyncio.sleep(0)  # a file has thousands of lines, and others wait too
        return found

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client:
            await client.aclose()

    def _without_secrets_in(self, words: object) -> str:
        return one_line(without_secrets(str(words), self._secrets), 160)

    def _failed(self, words: object, *, quota: bool) -> CallFailed:
        """The failure of a whole job; a quota is free after other jobs, so questions wait for another run."""
        return CallFailed(f"the batch job failed: {self._without_secrets_in(words)}", again=False, quota=quota)

    async def _asked(self, method: str, path: str, **sent: Any) -> JsonObject:
        value = json_of((await self._response(method, path, **sent)).content)
        if not isinstance(value, dict):
            raise CallFailed("the reply is no JSON object", again=True)
        return value

    async def _response(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **sent: Any
    ) -> httpx2.Response:
        import httpx2

        from trace_inspector.engine.judges.backends.bounded_client import BoundedClient

        if self._client is None:
            self._client = BoundedClient(_TIMEOUT_S, _MOST_FILE_BYTES)
        try:
            response = await self._client.request(
                method, f"{self._endpoint}{path}", headers={**self._headers, **(headers or {})}, **sent
            )
        except httpx2.InvalidURL as problem:
            raise CallFailed(f"the judge’s URL cannot be used: {problem}", again=False) from problem
        except (OSError, httpx2.HTTPError) as problem:
            raise connection_failure(problem) from problem
        status = response.status_code
        is_general = path in self._general
        if is_general and status in _NO_INTERFACE:
            host = urlsplit(self._endpoint).hostname
            raise CallFailed(f"{host} has no batch files (HTTP {status}); leave out --on batch", again=False)
        if status in _GONE and not is_general and method == "GET":
            raise JobGone(f"the endpoint has it no longer (HTTP {status})", again=False)
        if status >= 300:
            body = json_of(response.content)
            said = response.content[:1000].decode("utf-8", "replace") if body is None else body
            raise failure_of(status, response.headers, said, self._secrets)
        return response


def text_of(value: Mapping[str, Json], name: str) -> str:
    """A text that a reply must have."""
    found = value.get(name)
    if not isinstance(found, str) or not found:
        raise CallFailed(f"the reply has no “{name}”", again=True)
    return found


def object_of(value: Json) -> JsonObject:
    """The object; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def objects_of(value: Json) -> list[JsonObject]:
    """The objects in a list; none where it is no list."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def json_of(content: bytes) -> Json:
    """The JSON of a line or reply; None where it is none."""
    try:
        value: Json = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value
