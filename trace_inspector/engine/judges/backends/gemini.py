"""Gemini through google-genai: with an API key, or with a project and a location."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.endpoints import checked_endpoint
from trace_inspector.engine.judges.backends.http_failures import connection_failure, failure_of

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client, types

_KEYS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
_VERTEX = ("GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_USE_VERTEXAI")  # the first that is set decides
_TRUE = frozenset({"1", "true"})
_ENDPOINT = "https://generativelanguage.googleapis.com"
_OF_PROJECT = "vertex:"
_VERTEX_ENDPOINT = "https://aiplatform.googleapis.com"  # with a key and no project


def is_configured(environment: Mapping[str, str]) -> bool:
    """Whether a key, or a project for Vertex AI, is set."""
    return bool(key_name(environment)) or (_is_vertex(environment) and bool(environment.get("GOOGLE_CLOUD_PROJECT")))


def listing(environment: Mapping[str, str]) -> str:
    """Where the endpoint lists its models."""
    endpoint = GeminiBackend(environment, 1.0).endpoint
    if endpoint.startswith(_OF_PROJECT):
        location = endpoint.rpartition("/")[2]
        endpoint = _VERTEX_ENDPOINT if location == "global" else f"https://{location}-aiplatform.googleapis.com"
    return f"{endpoint}/v1beta/models"


def key_name(environment: Mapping[str, str]) -> str:
    """The variable with the key; "" when none is set."""
    return next((name for name in _KEYS if environment.get(name)), "")


def _is_vertex(environment: Mapping[str, str]) -> bool:
    stated = next((value for name in _VERTEX if (value := environment.get(name)) is not None), "")
    return stated.lower() in _TRUE


def _base_url(environment: Mapping[str, str], *, is_vertex: bool) -> str:
    names = ("GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL")
    return next((url for name in (names[::-1] if is_vertex else names) if (url := environment.get(name))), "")


class GeminiBackend:
    """One client. It reads key, project and location from the environment itself; none of them is stored here."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        if not is_configured(environment):
            raise UsageError(
                "Gemini is not configured. Set GOOGLE_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI=true with "
                "GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION."
            )
        is_vertex, project = _is_vertex(environment), environment.get("GOOGLE_CLOUD_PROJECT", "")
        self.is_vertex = is_vertex
        base = _base_url(environment, is_vertex=is_vertex)
        if is_vertex and project and not base:
            self._endpoint = f"{_OF_PROJECT}{project}/{environment.get('GOOGLE_CLOUD_LOCATION') or 'global'}"
        else:
            self._endpoint = checked_endpoint(base or (_VERTEX_ENDPOINT if is_vertex else _ENDPOINT), has_key=True)
        self._base = base
        self._secrets = tuple(value for name in _KEYS if (value := environment.get(name)))
        self._timeout_s = timeout_s
        self._client: Client | None = None
        self._http: httpx2.AsyncClient | None = None

    @property
    def name(self) -> str:
        """Who answers, in words."""
        return "Gemini" if self._endpoint == _ENDPOINT else f"Gemini at {self._endpoint}"

    @property
    def endpoint(self) -> str:
        """Where calls go."""
        return self._endpoint

    @property
    def key(self) -> str:
        """The key that the client takes; "" without one."""
        return next(iter(self._secrets), "")

    def through(self, http: httpx2.AsyncClient) -> GeminiBackend:
        """The same judge, asked by another HTTP client, which it closes."""
        other = copy.copy(self)
        other._http, other._client = http, None
        return other

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """One generated content, without tools."""
        from google.genai import types
        from pydantic import ValidationError

        try:
            config = types.GenerateContentConfig.model_validate(prompted.parameters)
        except ValidationError as problem:
            first = problem.errors()[0]
            place = ".".join(str(step) for step in first["loc"])
            raise CallFailed(f"judge_model_config: {place}: {first['msg']}", again=False) from problem
        config.automatic_function_calling = types.AutomaticFunctionCallingConfig(disable=True)
        config.http_options = None  # a file must not choose the endpoint
        contents = types.Content(role="user", parts=[types.Part(text=prompted.prompt)])
        return _answer(await self._replied(prompted.model, contents, config))

    async def _replied(
        self, model: str, contents: types.Content, config: types.GenerateContentConfig
    ) -> types.GenerateContentResponse:
        import httpx2
        from google.auth.exceptions import GoogleAuthError
        from google.genai import errors

        try:
            return await self._open().aio.models.generate_content(model=model, contents=contents, config=config)
        except errors.APIError as problem:
            headers = getattr(problem.response, "headers", None) or {}
            raise failure_of(problem.code or 0, headers, problem.details, self._secrets) from problem
        except (OSError, httpx2.HTTPError) as problem:
            raise connection_failure(problem) from problem
        except (errors.UnknownApiResponseError, json.JSONDecodeError) as problem:
            raise CallFailed("the reply is not JSON", again=True) from problem
        except RecursionError as problem:
            raise CallFailed("the reply is nested too deeply", again=False) from problem
        except GoogleAuthError as problem:
            sentence = one_line(f"signing in failed: {problem}", 160)
            raise CallFailed(sentence, again=bool(problem.retryable)) from problem
        except ValueError as problem:  # a model's name, or a reply, that the client rejects
            first = str(problem).partition("\n")[0]
            raise CallFailed(one_line(f"google-genai refuses this: {first}", 160), again=False) from problem

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aio.aclose()
            self._client.close()
        if self._http is not None:
            await self._http.aclose()

    def _open(self) -> Client:
        from google.genai import Client, types

        from trace_inspector.engine.judges.backends.bounded_client import BoundedClient, trusted_certificates

        if self._client is None:
            trusted = trusted_certificates()
            self._http = self._http or BoundedClient(self._timeout_s)
            options = types.HttpOptions(
                timeout=round(self._timeout_s * 1000),
                base_url=self._base or None,
                httpx_async_client=self._http,
                # For connections that are never opened, each of which would load all certificates again.
                client_args={"verify": trusted},
                async_client_args={"ssl": trusted},
            )
            self._client = Client(http_options=options)
        return self._client


def _answer(response: types.GenerateContentResponse) -> ModelAnswer:
    usage = response.usage_metadata
    candidate = response.candidates[0] if response.candidates else None
    parts = candidate.content.parts if candidate and candidate.content and candidate.content.parts else None
    text = None if parts is None else "\n".join(part.text for part in parts if part.text)
    return ModelAnswer(
        text,
        usage.prompt_token_count if usage else None,
        usage.candidates_token_count if usage else None,
        "" if text is not None else _why_nothing(response),
    )


def _why_nothing(response: types.GenerateContentResponse) -> str:
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        return one_line(f"blocked: {feedback.block_reason.name}")
    candidate = response.candidates[0] if response.candidates else None
    reason = candidate.finish_reason if candidate else None
    return one_line(f"no content ({reason.name if reason else 'no candidates'})")
