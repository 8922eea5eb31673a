"""A judge for google-adk's metrics that answers from a script, and notes which values stood in each prompt."""

from __future__ import annotations

from typing import Any

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.models.registry import LLMRegistry
from google.genai import types

_TEMPLATES = ("_auto_rater_prompt_template", "segmenter_prompt", "sentence_validator_prompt")


class Script:
    """What the judge is going to say, again from the start after the last reply, and what it was asked."""

    replies: list[Any] = []  # noqa: RUF012 - one judge at a time
    asked: list[Any] = []  # noqa: RUF012
    fields: dict[str, Any] = {}  # noqa: RUF012 - by prompt

    @classmethod
    def begin(cls, replies: list[Any]) -> None:
        """Another case."""
        cls.replies, cls.asked, cls.fields = replies, [], {}


class Judge(BaseLlm):  # type: ignore[misc]  # of which only the peers' Python knows the type
    """Any model's stand-in."""

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> Any:  # noqa: ARG002
        """One reply of the script."""
        prompt = llm_request.contents[0].parts[0].text
        reply = Script.replies[len(Script.asked) % len(Script.replies)] if Script.replies else {"raise": "no script"}
        Script.asked.append(Script.fields.get(prompt, {}))
        if isinstance(reply, dict) and "raise" in reply:
            raise RuntimeError(reply["raise"])
        if isinstance(reply, dict):
            return
        yield LlmResponse(content=types.Content(parts=[types.Part(text=reply)]))


class Template(str):
    """A prompt that notes what it is filled with."""

    __slots__ = ()

    def format(self, *_args: object, **values: object) -> str:
        """The prompt."""
        prompt = str.format(self, **values)
        Script.fields[prompt] = values
        return prompt


def note_prompts(evaluator: Any) -> None:
    """From now on what an evaluator puts into its prompts is noted."""
    for name in _TEMPLATES:
        if hasattr(evaluator, name):
            setattr(evaluator, name, Template(getattr(evaluator, name)))


def install() -> None:
    """Every model is the judge."""
    LLMRegistry.resolve = staticmethod(lambda _model: Judge)
