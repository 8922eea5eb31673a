"""Words that deny, and words with an opposite."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from trace_inspector.engine.grounding.text.folding import is_ascii
from trace_inspector.engine.grounding.text.vocabulary import JOINED_NEGATIONS, NEGATIONS, OPPOSITES
from trace_inspector.engine.grounding.text.words import find_words, folded_set

_NOT: Final = re.compile(r"n[’']t\b|\b(?:out of stock|sold out|free (?:of|from))\b", re.IGNORECASE)
_NOUGHT: Final = re.compile(r"0(?![\d.,:/%-])(?<![\d.,:/-]0)")
# Denials of a limit, which deny nothing of the thing itself: "no more than", "do not exceed".
_LIMIT: Final = re.compile(
    r"\b(?:not? (?:more|less|fewer|later|earlier|only|just|exceed\w*)|nicht (?:mehr|weniger|nur|später)"
    r"|pas (?:plus|moins)|no (?:más|menos|solo|sólo))\b",
    re.IGNORECASE,
)
# What is done "without a problem" is done.
_EASILY: Final = re.compile(
    r"\b(?:without (?:an?y? )?(?:problems?|hitch|trouble|issues?|difficulty|fail)|ohne probleme?|"
    r"(?:sin|sem) problemas?|sans (?:problème|difficulté)s?|sin dificultad|senza problemi)\b",
    re.IGNORECASE,
)
# A value that says there is none: an empty list, nought, an empty text.
_NOTHING: Final = frozenset({"(0)", "0", ""})
_WITH_OPPOSITE: Final = frozenset(word for pair in OPPOSITES for word in pair)
_OPPOSITES_OF: Final = {
    word: frozenset(other for pair in OPPOSITES if word in pair for other in pair if other != word)
    for word in _WITH_OPPOSITE
}


def is_negated(text: str, folded: Set[str]) -> bool:
    """Whether a clause, also given as folded words, is negated."""
    lowered = text.lower()  # most texts have nothing that the patterns could match
    is_plain = is_ascii(text)
    if ("without " in lowered or "problem" in lowered or "sin d" in lowered or not is_plain) and (
        _EASILY.search(text)
    ):
        text = _EASILY.sub(" ", text)
        folded, lowered = folded_set(find_words(text)), text.lower()
    if ("no" in lowered or "nicht " in lowered or "pas " in lowered) and _LIMIT.search(text):
        text = _LIMIT.sub(" ", text)
        folded = folded_set(find_words(text))
    if not folded.isdisjoint(NEGATIONS):
        return True
    if ("'t" in lowered or "’t" in lowered or "out" in lowered or "free " in lowered) and _NOT.search(text):
        return True
    if "0" in text and _NOUGHT.search(text):
        return True
    return not is_plain and any(mark in text for mark in JOINED_NEGATIONS)


def without_ease(text: str) -> str:
    """A text without "without a problem", which denies nothing."""
    return _EASILY.sub(" ", text)


def says_nothing(value: str) -> bool:
    """Whether a value of a record means that there is nothing."""
    return value in _NOTHING


def denies(text: str, folded: Set[str]) -> bool:
    """Whether a passage has anything that could turn a sentence around."""
    return not folded.isdisjoint(_WITH_OPPOSITE) or is_negated(text, folded)


def opposed(claimed: Set[str], stated: Set[str]) -> bool:
    """Whether one side has a word and the other side only its opposite."""
    if claimed.isdisjoint(_WITH_OPPOSITE):
        return False
    return any(
        word not in stated and not stated.isdisjoint(_OPPOSITES_OF[word]) for word in claimed if word in _OPPOSITES_OF
    )
