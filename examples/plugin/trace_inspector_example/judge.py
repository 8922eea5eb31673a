"""A judge that calls no model: it answers every question with the same words. A real one sends the prompt away."""

from __future__ import annotations

from collections.abc import Mapping

from trace_inspector.extending import CallFailed, ModelAnswer, Prompted


class EchoJudge:
    """`--judge example-echo:MODEL`. `endpoint` is where calls go, without any secret."""

    name = "example-echo"
    endpoint = "this process"

    def __init__(self, answer: str) -> None:
        self._answer = answer

    async def call(self, prompted: Prompted) -> ModelAnswer:
        """One call: answered, or CallFailed, which says whether another try may help."""
        if not prompted.prompt:
            raise CallFailed("the question is empty", again=False)
        return ModelAnswer(self._answer)

    async def close(self) -> None:
        """Nothing is open."""


def make(environment: Mapping[str, str], timeout_s: float) -> EchoJudge:
    """What the entry point names: the environment has keys and settings, `timeout_s` is the limit of one call."""
    del timeout_s
    return EchoJudge(environment.get("EXAMPLE_ECHO", '{"is_the_agent_response_valid": "valid"}'))
