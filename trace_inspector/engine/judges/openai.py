"""Models behind an endpoint that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio and others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.engine.judges.backend import Answer, CallFailed, Prompted
from trace_inspector.engine.judges.endpoints import checked_endpoint
from trace_inspector.engine.judges.http_failures import failure_of, reset

if TYPE_CHECKING:
    import httpx2

_DEFAULT = "http://127.0.0.1:11434/v1"  # Ollama's own
_MOST_BYTES = 1 << 24


class OpenAIBackend:
    """One connection pool to one endpoint."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        key = environment.get("OPENAI_API_KEY", "")
        self._endpoint = checked_endpoint(environment.get("OPENAI_BASE_URL") or _DEFAULT, has_key=bool(key))
        self._key = key
        self._timeout_s = timeout_s
        self._client: httpx2.AsyncClient | None = None

    @property
    def name(self) -> str:
        """Who answers, in words."""
        return f"the model at {self._endpoint}"

    @property
    def endpoint(self) -> str:
        """Where calls go."""
        return self._endpoint

    async def call(self, prompted: Prompted) -> Answer:
        """One chat completion."""
        import httpx2

        body: JsonObject = {
            **prompted.parameters,
            "model": prompted.model,
            "messages": [{"role": "user", "content": prompted.prompt}],
        }
        try:
            response = await self._open().post(f"{self._endpoint}/chat/completions", json=body)
        except httpx2.HTTPError as problem:
            raise reset(problem) from problem
        if response.status_code >= 400:
            raise failure_of(response.status_code, response.headers, _message(response))
        return _answer(_parsed(response))

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    def _open(self) -> httpx2.AsyncClient:
        import httpx2

        if self._client is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
            self._client = httpx2.AsyncClient(headers=headers, timeout=self._timeout_s, limits=limits)
        return self._client


def model_of(name: str) -> str:
    """The model in `openai:MODEL`."""
    model = name.removeprefix("openai:")
    if not model:
        raise UsageError("Name the model, too: openai:MODEL.")
    return model


def _parsed(response: httpx2.Response) -> Json:
    if len(response.content) > _MOST_BYTES:
        raise CallFailed("the reply is larger than 16 MiB", again=False)
    try:
        value: Json = response.json()
    except ValueError as problem:
        raise CallFailed("the reply is no JSON", again=True) from problem
    return value


def _answer(value: Json) -> Answer:
    choices = value.get("choices") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(choices, list):
        raise CallFailed("the reply has no “choices”", again=True)
    usage = value.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    first = choices[0] if choices else None
    message = first.get("message") if isinstance(first, dict) else None
    text = message.get("content") if isinstance(message, dict) else None
    reason = first.get("finish_reason") if isinstance(first, dict) else None
    note = "" if isinstance(text, str) else one_line(f"no content ({reason or 'no choices'})")
    return Answer(
        text if isinstance(text, str) else None,
        _count(tokens.get("prompt_tokens")),
        _count(tokens.get("completion_tokens")),
        note,
    )


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _message(response: httpx2.Response) -> str:
    try:
        value = response.json()
    except ValueError:
        return response.text[:200]
    error = value.get("error") if isinstance(value, dict) else None
    said = error.get("message") if isinstance(error, dict) else error
    return str(said)[:200] if said else ""
