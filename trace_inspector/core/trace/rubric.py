"""Rubrics: yes/no properties that a judge decides."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.values.values import Json


class Rubric(Struct, frozen=True):
    """One property. `type` is the system's own word, e.g. FINAL_RESPONSE_QUALITY."""

    id: str
    text: str
    type: str | None = None
    description: str | None = None
    place: str = ""
    group: str = ""  # the key of the group in which it stands
    importance: str = ""


def rubric_in(raw: Json) -> Rubric | None:
    """A rubric as JSON has it: a text, or an object as ADK writes it; None where it has no text."""
    if isinstance(raw, str):
        return Rubric("", raw)
    if not isinstance(raw, dict):
        return None
    content = raw.get("rubric_content", raw.get("rubricContent"))
    text = content.get("text_property", content.get("textProperty")) if isinstance(content, dict) else raw.get("text")
    name, kind = raw.get("rubric_id", raw.get("rubricId", raw.get("id"))), raw.get("type")
    if not isinstance(text, str):
        return None
    return Rubric(name if isinstance(name, str) else "", text, kind if isinstance(kind, str) else None)
