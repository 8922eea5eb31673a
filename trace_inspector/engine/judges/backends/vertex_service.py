"""Vertex AI's evaluation service over REST, with the account that google-auth finds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import quote

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.endpoints import checked_endpoint
from trace_inspector.engine.judges.backends.http_posting import Poster

_SCOPE = "https://www.googleapis.com/auth/cloud-platform"
_NEEDED = ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION")
_SIGN_IN = "sign in with “gcloud auth application-default login”, or set GOOGLE_APPLICATION_CREDENTIALS"


def missing_settings(environment: Mapping[str, str]) -> str:
    """What must be set before the service can be asked, in words; "" when nothing is missing."""
    missing = [name for name in _NEEDED if not environment.get(name)]
    if not missing:
        return ""
    return f"Vertex AI’s evaluation service is not configured: set {' and '.join(missing)}, and {_SIGN_IN}"


class _Credentials(Protocol):
    """What is needed of google-auth's credentials, which state no types."""

    @property
    def valid(self) -> bool: ...

    def refresh(self, request: object) -> None: ...

    def apply(self, headers: dict[str, str]) -> None: ...


class VertexService:
    """One project in one location. A prompt is the body of a request, an answer the body of the reply."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        project, location = (quote(environment[name], safe="") for name in _NEEDED)
        host = "aiplatform.googleapis.com" if location == "global" else f"{location}-aiplatform.googleapis.com"
        base = checked_endpoint(environment.get("GOOGLE_VERTEX_BASE_URL") or f"https://{host}", has_key=True)
        self._endpoint = f"{base}/v1beta1/projects/{project}/locations/{location}"
        self._location = location
        self._poster = Poster(timeout_s)
        self._account = _Account()

    @property
    def name(self) -> str:
        """Who answers, in words."""
        return f"Vertex AI’s evaluation service in {self._location}"

    @property
    def endpoint(self) -> str:
        """Where calls go."""
        return self._endpoint

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """One instance, evaluated."""
        headers = await self._account.headers()
        body = prompted.prompt.encode("utf-8")
        value = await self._poster.post(f"{self._endpoint}:evaluateInstances", body, headers)
        return ModelAnswer(json.dumps(value))

    async def close(self) -> None:
        """Close the connections."""
        await self._poster.close()


class _Account:
    """The user's account, looked up once; an expired token is renewed."""

    def __init__(self) -> None:
        self._credentials: _Credentials | None = None
        self._problem = ""
        self._lock = asyncio.Lock()

    async def headers(self) -> dict[str, str]:
        """The authorization headers."""
        async with self._lock:
            return await asyncio.to_thread(self._signed_headers)

    def _signed_headers(self) -> dict[str, str]:
        import google.auth
        from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
        from google.auth.transport.requests import Request

        if self._problem:
            raise CallFailed(self._problem, again=False)
        try:
            if self._credentials is None:
                self._credentials, _project = google.auth.default(scopes=[_SCOPE])
            if not self._credentials.valid:
                self._credentials.refresh(Request())
        except DefaultCredentialsError as problem:
            self._problem = f"no Google account was found: {_SIGN_IN}"
            raise CallFailed(self._problem, again=False) from problem
        except GoogleAuthError as problem:
            raise CallFailed(one_line(f"signing in failed: {problem}", 160), again=problem.retryable) from problem
        headers: dict[str, str] = {}
        self._credentials.apply(headers)
        return headers
