"""Fixtures of the engine's tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.helpers.judge_server import VARIABLES
from trace_inspector.engine.judges.backends.backend import Backend
from trace_inspector.engine.judges.backends.gemini import GeminiBackend
from trace_inspector.engine.judges.backends.openai import OpenAIBackend


@pytest.fixture(params=["gemini", "openai"])
def backend_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Backend]:
    """Makes a backend that talks to a server of ours."""

    def gemini(url: str) -> Backend:
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        environment = {"GOOGLE_API_KEY": "made-up", "GOOGLE_GEMINI_BASE_URL": url}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return GeminiBackend(environment, timeout_s=60)

    def openai(url: str) -> Backend:
        return OpenAIBackend({"OPENAI_API_KEY": "made-up", "OPENAI_BASE_URL": f"{url}/v1/"}, timeout_s=60)

    return gemini if request.param == "gemini" else openai
