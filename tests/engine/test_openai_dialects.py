"""Servers that speak OpenAI's protocol each in their own way."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.helpers.raw_server import http, raw_server
from tests.helpers.tables import each
from trace_inspector.core.errors import UsageError
from trace_inspector.engine.judges.backends.backend import CallFailed, ModelAnswer, Prompted
from trace_inspector.engine.judges.backends.openai import OpenAIBackend


def called(url: str, key: str = "") -> ModelAnswer:
    async def call() -> ModelAnswer:
        backend = OpenAIBackend({"OPENAI_BASE_URL": url, "OPENAI_API_KEY": key}, 5)
        try:
            return await backend.call(Prompted("small", "q", {"stream": True, "temperature": 0.5}))
        finally:
            await backend.close()

    return asyncio.run(call())


def said(value: Any) -> ModelAnswer:
    """What is made of a body."""
    with raw_server(lambda _server: [http(json.dumps(value).encode())]) as server:
        return called(f"{server.url}/v1")


def message(content: Any, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": content, **more}, "finish_reason": "length"}]}


@each(
    ("value", "answer"),
    [
        (message("yes"), ModelAnswer("yes")),
        ({**message("yes"), "usage": None}, ModelAnswer("yes")),
        ({**message("yes"), "usage": {"prompt_tokens": 7, "completion_tokens": "3"}}, ModelAnswer("yes", 7)),
        (message(None), ModelAnswer(None, note="no content (length)")),
        (message(None, reasoning_content='"valid"'), ModelAnswer(None, note="no content (length)")),
        (message("yes", reasoning_content="no"), ModelAnswer("yes")),
        (message([{"type": "text", "text": "y"}, {"type": "text", "text": "es"}]), ModelAnswer("yes")),
        (message([{"type": "image"}, 7]), ModelAnswer(None, note="no content (length)")),
        (message("<think>\nis it no?\n</think>\n\nyes"), ModelAnswer("yes")),
        (message("yes <think>no</think>"), ModelAnswer("yes <think>no</think>")),
        (message("<think>still thinking"), ModelAnswer("<think>still thinking")),
        ({"choices": []}, ModelAnswer(None, note="no content (no choices)")),
        ({"choices": [None]}, ModelAnswer(None, note="no content (no choices)")),
        ({"choices": [{"message": "yes"}]}, ModelAnswer(None, note="no content (no choices)")),
    ],
)
def test_what_servers_say(value: Any, answer: ModelAnswer) -> None:
    assert said(value) == answer


@each(
    ("value", "again", "sentence"),
    [
        ({"error": "model “small” not found"}, False, "the endpoint says: model “small” not found"),
        ({"error": {"message": "too long"}, "choices": None}, False, "the endpoint says: too long"),
        ({"error": {"message": "busy", "code": 503}}, True, "HTTP 503: busy"),
        ({"error": {"message": "no", "code": 401}}, False, "HTTP 401: no; check the key in the environment"),
        ({"error": {}}, True, "the reply has no “choices”"),
        ([], True, "the reply has no “choices”"),
    ],
)
def test_an_error_may_come_as_a_success(value: Any, again: bool, sentence: str) -> None:
    with pytest.raises(CallFailed) as caught:
        said(value)
    assert (caught.value.sentence, caught.value.again) == (sentence, again)


@each(
    ("written", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/v1//", "/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/v1/chat/completions/", "/v1/chat/completions"),
        ("/api/openai", "/api/openai/chat/completions"),
    ],
)
def test_the_base_url_as_people_write_it(written: str, path: str) -> None:
    with raw_server(lambda _server: [http(json.dumps(message("yes")).encode())]) as server:
        called(server.url + written, "word")
    head, body = server.requests[0].split(b"{", 1)
    assert head.startswith(f"POST {path} HTTP/1.1\r\n".encode())
    assert b"\r\nauthorization: bearer word\r\n" in head.lower()
    sent = json.loads(b"{" + body)
    assert (sent["model"], sent["temperature"], sent["stream"]) == ("small", 0.5, False)  # nothing reads a stream


@pytest.mark.parametrize("url", ["https://judge.example/v1?key=word", "https://judge.example/v1#word"])
def test_a_key_in_the_url_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIBackend({"OPENAI_BASE_URL": url}, 5)
    assert "word" not in str(caught.value)
