"""Prompts of other systems' judges as criteria of `judge_prompt`."""

from __future__ import annotations

import re
from collections.abc import Mapping

PROMPT = "judge_prompt"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# Braces that are meant as such are doubled in a prompt.
_FORM = '\n\nReply with one JSON object: {{"score": NUMBER, "explanation": TEXT}}, the number from %g to %g.'


def placeholders(template: str) -> tuple[str, ...]:
    """What a template names in braces, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def filled(template: str, texts: Mapping[str, str], low: float, high: float) -> str:
    """The template with a text of ours for each placeholder; braces that name nothing stay braces."""
    pieces = _PLACEHOLDER.split(template)
    made = [texts.get(piece, f"{{{piece}}}") if index % 2 else doubled(piece) for index, piece in enumerate(pieces)]
    return "".join(made) + ("" if '"score"' in template else _FORM % (low, high))


def doubled(text: str) -> str:
    """A text whose braces are meant as such."""
    return text.replace("{", "{{").replace("}", "}}")
