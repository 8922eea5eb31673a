"""Reads facts and words of a piece of evidence. Short pieces are cached: keys, hours and states recur."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.facts.facts import read_facts
from trace_inspector.engine.grounding.text.negation import denies
from trace_inspector.engine.grounding.text.words import find_words, folded_set, keys_of

_REMEMBERED_CHARS: Final = 80


@dataclass(frozen=True, slots=True)
class Reading:
    """The keys of the words, the facts, and whether anything could turn a sentence around."""

    keys: frozenset[str]
    facts: tuple[Fact, ...]
    denies: bool


def read(text: str) -> Reading:
    """Read a key, a value or a piece of prose."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _read(text)


@lru_cache(maxsize=1 << 14)
def _remembered(text: str) -> Reading:
    return _read(text)


def _read(text: str) -> Reading:
    words = set(find_words(text))
    folded = folded_set(words)
    return Reading(frozenset(keys_of(words)), tuple(read_facts(text, folded)), denies(text, folded))
