"""Rubrics: yes/no properties that a judge decides."""

from __future__ import annotations

from dataclasses import dataclass

from trace_inspector.core.values.values import Json


@dataclass(frozen=True, slots=True)
class Rubric:
    """One property. `type` is the system's own word, e.g. FINAL_RESPONSE_QUALITY."""

    id: str
    text: str
    type: str | None = None
    description: str | None = None
    place: str = ""
    group: str = ""  # the key of the group in which it stands
    importance: str = ""


def rubric_in(one: Json) -> Rubric | None:
    """A rubric as JSON has it: a text, or an object as ADK writes it; None where it has no text."""
    if isinstance(one, str):
        return Rubric("", one)
    if not isinstance(one, dict):
        return None
    content = one.get("rubric_content", one.get("rubricContent"))
    text = content.get("text_property", content.get("textProperty")) if isinstance(content, dict) else one.get("text")
    name, kind = one.get("rubric_id", one.get("rubricId", one.get("id"))), one.get("type")
    if not isinstance(text, str):
        return None
    return Rubric(name if isinstance(name, str) else "", text, kind if isinstance(kind, str) else None)
