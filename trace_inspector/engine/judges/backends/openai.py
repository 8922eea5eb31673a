"""Models behind an endpoint that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio and others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.endpoints import checked_endpoint
from trace_inspector.engine.judges.backends.http_failures import failure_of, without_secrets
from trace_inspector.engine.judges.backends.http_posting import Poster, json_bytes

KEY, BASE_URL = "OPENAI_API_KEY", "OPENAI_BASE_URL"
_DEFAULT = "http://127.0.0.1:11434/v1"  # Ollama's own
_PATH = "/chat/completions"
# Some servers leave a model's reasoning in the reply; labels in it are no verdict.
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)


class OpenAIBackend:
    """One connection pool to one endpoint."""

    def __init__(self, environment: Mapping[str, str], timeout_s: float) -> None:
        key = environment.get(KEY, "").strip()
        self._endpoint = _completed(checked_endpoint(environment.get(BASE_URL) or _DEFAULT, has_key=bool(key)))
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

    @property
    def key(self) -> str:
        """The key that goes with every call."""
        return self._key

    def body(self, prompted: Prompted) -> JsonObject:
        """What is sent for one chat completion."""
        return {
            **prompted.parameters,
            "model": prompted.model,
            "messages": [{"role": "user", "content": prompted.prompt}],
            "stream": False,
        }

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """One chat completion."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        sent = json_bytes(self.body(prompted))
        return answer_of(await self._poster.post(f"{self._endpoint}{_PATH}", sent, headers), self._key)

    async def close(self) -> None:
        """Close the connections."""
        await self._poster.close()


def listing(environment: Mapping[str, str]) -> str:
    """Where the endpoint lists its models."""
    return f"{OpenAIBackend(environment, 1.0).endpoint}/models"


def _completed(url: str) -> str:
    """The base URL of what users write: only the host, or the whole URL of a call."""
    base = url.removesuffix(_PATH).rstrip("/")
    return base if urlsplit(base).path else f"{base}/v1"


def answer_of(value: Json, key: str) -> ModelAnswer:
    """The answer in a chat completion; CallFailed when it is none."""
    reply = value if isinstance(value, dict) else {}
    choices = reply.get("choices")
    if not isinstance(choices, list):
        raise _refusal(reply.get("error"), key)
    usage = reply.get("usage")
    tokens = usage if isinstance(usage, dict) else {}
    first = choices[0] if choices else None
    choice = first if isinstance(first, dict) else {}
    message = choice.get("message")
    text = _text(message.get("content")) if isinstance(message, dict) else None
    note = "" if text is not None else one_line(f"no content ({choice.get('finish_reason') or 'no choices'})")
    return ModelAnswer(text, _count(tokens.get("prompt_tokens")), _count(tokens.get("completion_tokens")), note)


def _refusal(error: Json, key: str) -> CallFailed:
    """Some servers report errors with HTTP 200."""
    if not error:
        return CallFailed("the reply has no “choices”", again=True)
    code = _count(error.get("code")) if isinstance(error, dict) else None
    if code is not None and 400 <= code < 600:
        return failure_of(code, {}, {"error": error}, (key,))
    stated = error.get("message") if isinstance(error, dict) else error
    shown = one_line(without_secrets(str(stated or "no reason given"), (key,)), 160)
    return CallFailed(f"the endpoint says: {shown}", again=False)


def _text(content: Json) -> str | None:
    """The text of a reply, which may be in parts, without the reasoning before it."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        texts = [text for part in parts if isinstance(text := part.get("text"), str)]
        content = "".join(texts) if texts else None
    return _THOUGHTS.sub("", content) if isinstance(content, str) else None


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
