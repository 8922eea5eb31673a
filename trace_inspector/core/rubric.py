"""Rubrics: yes/no properties that a judge decides."""

from __future__ import annotations

from dataclasses import dataclass


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
