"""What the client for Gemini does not take at all is told at once, without a call."""

from __future__ import annotations

import asyncio

import pytest

from tests.helpers.judge_server import VARIABLES
from trace_inspector.engine.judges.backends.backend import CallFailed, Prompted
from trace_inspector.engine.judges.backends.gemini import GeminiBackend


@pytest.mark.parametrize("model", ["gemini?key=1", "../files"])
def test_a_name_that_is_none_of_a_model_is_refused_for_good(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    environment = {"GOOGLE_API_KEY": "made-up", "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"}

    async def ask() -> None:
        backend = GeminiBackend(environment, timeout_s=60)
        try:
            await backend.call(Prompted(model, "Is it?"))
        finally:
            await backend.close()

    with pytest.raises(CallFailed) as caught:
        asyncio.run(ask())
    assert str(caught.value).startswith("google-genai refuses this: ")
    assert not caught.value.again
