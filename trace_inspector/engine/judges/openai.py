"""Models behind an endpoint that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio and others."""

from __future__ import annotations

from collections.abc import Mapping

from trace_inspector.core.summary import one_line
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.engine.judges.backend import Answer, CallFailed, Prompted
from trace_inspector.engine.judges.endpoints import checked_endpoint
from trace_inspector.engine.judges.http_posting import Poster, json_bytes

_DEFAULT = "http://127.0.0.1:11434/v1"  # Ollama's own


class OpenAIBackend:
    """One connection pool to one endpoint."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        key = environment.get("OPENAI_API_KEY", "")
        self._endpoint = checked_endpoint(environment.get("OPENAI_BASE_URL") or _DEFAULT, has_key=bool(key))
        self._key = key
        self._poster = Poster(timeout_s)

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
        body: JsonObject = {
            **prompted.parameters,
            "model": prompted.model,
            "messages": [{"role": "user", "content": prompted.prompt}],
        }
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        return _answer(await self._poster.post(f"{self._endpoint}/chat/completions", json_bytes(body), headers))

    async def close(self) -> None:
        """Close the connections."""
        await self._poster.close()


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
