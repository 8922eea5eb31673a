"""An agent's instruction with its placeholders filled from the session state, by ADK's rules.

`{name}` takes a key of the state, `{name?}` nothing when there is none, `{artifact.file}` the text of an artifact,
which no trace contains. Braces around anything else are no placeholder.
"""

from __future__ import annotations

import enum
import json
import re

from msgspec import Struct

from trace_inspector.core.values.values import ABSENT, Json, JsonObject

_BRACED = re.compile(r"\{+[^{}]*\}+")
_ARTIFACT = "artifact."
_PREFIXES = ("app:", "user:", "temp:")
_LONGEST_BRACED = 300
MOST_PLACEHOLDERS = 500


class FillResult(enum.Enum):
    """The result of filling a placeholder."""

    FOUND = "found"
    LEFT_OUT = "left out"
    MISSING = "missing"
    ARTIFACT = "artifact"


class Placeholder(Struct, frozen=True):
    """A placeholder by its name without braces; `value` replaces it in the text where it was found."""

    name: str
    filled: FillResult
    value: str = ""


def fill(instruction: str, state: JsonObject) -> tuple[str, tuple[Placeholder, ...]]:
    """The text as the model got it, with unknown placeholders left in braces; and each placeholder once."""
    placeholders: dict[str, Placeholder] = {}

    def put(match: re.Match[str]) -> str:
        braced = match.group()
        placeholder = placeholders.get(braced) or _placeholder(braced, state)
        if placeholder is None or (braced not in placeholders and len(placeholders) >= MOST_PLACEHOLDERS):
            return braced
        placeholders[braced] = placeholder
        return placeholder.value if placeholder.filled in (FillResult.FOUND, FillResult.LEFT_OUT) else braced

    return _BRACED.sub(put, instruction), tuple(placeholders.values())


def _placeholder(braced: str, state: JsonObject) -> Placeholder | None:
    name = braced.strip("{}").strip() if len(braced) <= _LONGEST_BRACED else ""
    optional = name.endswith("?")
    name = name.removesuffix("?")
    if name.startswith(_ARTIFACT):
        return Placeholder(name, FillResult.ARTIFACT)
    if not _is_state_name(name):
        return None
    value = state.get(name, ABSENT)
    if value is ABSENT:
        return Placeholder(name, FillResult.LEFT_OUT if optional else FillResult.MISSING)
    return Placeholder(name, FillResult.FOUND, _text(value))


def _is_state_name(name: str) -> bool:
    prefix = next((candidate for candidate in _PREFIXES if name.startswith(candidate)), "")
    return name.removeprefix(prefix).isidentifier()


def _text(value: Json) -> str:
    """The value as Python formats it, because ADK does so; null becomes ""."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
