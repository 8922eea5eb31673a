"""Gemini through google-genai: with an API key, or with a project and a location."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.engine.judges.backend import Answer, CallFailed, Prompted
from trace_inspector.engine.judges.endpoints import checked_endpoint
from trace_inspector.engine.judges.http_failures import failure_of, reset

if TYPE_CHECKING:
    from google.genai import Client, types

_KEYS = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
_TRUE = frozenset({"1", "true"})
_ENDPOINT = "https://generativelanguage.googleapis.com"


def is_configured(environment: Mapping[str, str]) -> bool:
    """Whether a key, or a project for Vertex AI, is set."""
    return any(environment.get(name) for name in _KEYS) or _is_vertex(environment)


def _is_vertex(environment: Mapping[str, str]) -> bool:
    wanted = environment.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in _TRUE
    return wanted and bool(environment.get("GOOGLE_CLOUD_PROJECT"))


class GeminiBackend:
    """One client. It reads key, project and location from the environment itself; none of them is kept here."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        if not is_configured(environment):
            raise UsageError(
                "No Gemini is configured. Set GOOGLE_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI=true with "
                "GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION."
            )
        base = environment.get("GOOGLE_GEMINI_BASE_URL") or environment.get("GOOGLE_VERTEX_BASE_URL") or ""
        if _is_vertex(environment):
            project, location = (
                environment["GOOGLE_CLOUD_PROJECT"],
                environment.get("GOOGLE_CLOUD_LOCATION", "global"),
            )
            self._endpoint = checked_endpoint(base, has_key=True) if base else f"vertex:{project}/{location}"
        else:
            self._endpoint = checked_endpoint(base or _ENDPOINT, has_key=True)
        self._base = base
        self._timeout_s = timeout_s
        self._client: Client | None = None

    @property
    def name(self) -> str:
        """Who answers, in words."""
        return "Gemini" if self._endpoint == _ENDPOINT else f"Gemini at {self._endpoint}"

    @property
    def endpoint(self) -> str:
        """Where calls go."""
        return self._endpoint

    async def call(self, prompted: Prompted) -> Answer:
        """One generated content, without tools."""
        import httpx2
        from google.genai import errors, types
        from pydantic import ValidationError

        try:
            config = types.GenerateContentConfig.model_validate(prompted.parameters)
        except ValidationError as problem:
            first = problem.errors()[0]
            place = ".".join(str(step) for step in first["loc"])
            raise CallFailed(f"judge_model_config: {place}: {first['msg']}", again=False) from problem
        config.automatic_function_calling = types.AutomaticFunctionCallingConfig(disable=True)
        config.http_options = None  # where calls go is never for a file to say
        contents = types.Content(role="user", parts=[types.Part(text=prompted.prompt)])
        try:
            response = await self._open().aio.models.generate_content(
                model=prompted.model, contents=contents, config=config
            )
        except errors.APIError as problem:
            headers = getattr(problem.response, "headers", None) or {}
            raise failure_of(problem.code or 0, headers, problem.message or str(problem.details)) from problem
        except (OSError, ValueError, httpx2.HTTPError) as problem:
            raise reset(problem) from problem
        return _answer(response)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aio.aclose()
            self._client.close()

    def _open(self) -> Client:
        from google.genai import Client, types

        if self._client is None:
            options = types.HttpOptions(timeout=round(self._timeout_s * 1000), base_url=self._base or None)
            self._client = Client(http_options=options)
        return self._client


def _answer(response: types.GenerateContentResponse) -> Answer:
    usage = response.usage_metadata
    candidate = response.candidates[0] if response.candidates else None
    parts = candidate.content.parts if candidate and candidate.content and candidate.content.parts else None
    text = None if parts is None else "\n".join(part.text for part in parts if part.text)
    return Answer(
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
