"""What a test of promptfoo asks: its prompt with names filled in, else the words of the variable that asks.

Names and names with dots are all that is filled in. Filters, blocks, files and code stay as they stand: nothing runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.trace.parts import Text
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields, or_null

FILE = "file://"
Variable: TypeAlias = tuple[Json, str]  # with its place
_NAMED = re.compile(r"\{\{-?\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*-?\}\}")
_MARKS = re.compile(r"\{\{[^{}]{0,200}\}\}|\{%[^{}%]{0,200}%\}")
_ASKING = ("question", "query", "input", "prompt", "message")
_MOST_NAMED = 5
_LONGEST = 1_000_000  # of a prompt with all filled in: one value may stand in it many times
_MOST_CHARS = 64_000_000  # of all prompts of a file


class Question(Struct, frozen=True):
    """What is asked; whether the variable was guessed, and which marks could not be filled in."""

    words: tuple[Text, ...] = ()
    is_guessed: bool = False
    unfilled: tuple[str, ...] = ()


class Questions:
    """What the tests of a configuration ask: its only prompt, or the variable of each that asks."""

    def __init__(self, configuration: Fields) -> None:
        prompt = _only_prompt(configuration)
        self._prompt = prompt[0] if prompt is not None else None
        self._place = prompt[1] if prompt is not None else ""
        self._room = _MOST_CHARS
        self._marks = [*dict.fromkeys(_MARKS.findall(self._prompt))] if self._prompt is not None else []

    def of(self, variables: Mapping[str, Variable]) -> Question:
        """The prompt with these variables in it; where there is not one, the words of the variable that asks."""
        if self._prompt is None:
            return _guessed(variables)
        alone = _NAMED.fullmatch(self._prompt.strip())
        value, at = variables.get(alone[1], (None, "")) if alone else (None, "")
        if isinstance(value, str):
            return Question((Text(value, at),))
        filled = _filled(self._prompt, variables, min(self._room, _LONGEST))
        self._room -= len(filled or "")
        # Only what the prompt itself marks: a value may hold marks that are meant as words.
        unfilled = [mark for mark in self._marks if filled is None or not _is_known(mark, variables)]
        words = self._prompt if filled is None else filled
        return Question((Text(words, self._place),), unfilled=tuple(unfilled[:_MOST_NAMED]))


def _only_prompt(configuration: Fields) -> tuple[str, str] | None:
    """The prompt with its place, where there is one alone and it stands in the file itself."""
    listed, place = or_null(configuration.get("prompts")), configuration.pointer("prompts")
    if isinstance(listed, list):
        if len(listed) != 1:
            return None
        listed, place = listed[0], join(place, 0)
    if isinstance(listed, dict) and isinstance(raw := listed.get("raw"), str):
        listed, place = raw, join(place, "raw")
    return (listed, place) if isinstance(listed, str) and not listed.startswith(FILE) else None


def _guessed(variables: Mapping[str, Variable]) -> Question:
    texts = {
        name: Text(value, place)
        for name, (value, place) in variables.items()
        if isinstance(value, str) and value.strip() and not value.startswith(FILE)
    }
    named = next((name for asking in _ASKING for name in texts if name.lower() == asking), None)
    if named is None and len(texts) == 1:
        (named,) = texts
    return Question((texts[named],), is_guessed=True) if named is not None else Question()


def _filled(prompt: str, variables: Mapping[str, Variable], most: int) -> str | None:
    """The prompt with what is known in it; None where that would be too long."""
    made: list[str] = []
    length, end = 0, 0
    for found in _NAMED.finditer(prompt):
        value = _value(found[1], variables)
        known = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        made += (prompt[end : found.start()], found[0] if value is None else known)
        length, end = length + len(made[-1]) + len(made[-2]), found.end()
        if length > most:
            return None
    return "".join((*made, prompt[end:]))


def _is_known(mark: str, variables: Mapping[str, Variable]) -> bool:
    found = _NAMED.fullmatch(mark)
    return found is not None and _value(found[1], variables) is not None


def _value(path: str, variables: Mapping[str, Variable]) -> Json:
    """What a name with dots leads to; None where it leads to nothing."""
    name, *within = path.split(".")
    value, _place = variables.get(name, (None, ""))
    for key in within:
        value = value.get(key) if isinstance(value, dict) else None
    return None if isinstance(value, str) and value.startswith(FILE) else value
