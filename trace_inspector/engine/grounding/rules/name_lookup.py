"""Whether a name of a claim is in the evidence, also without the first word of a sentence or as a code."""

from __future__ import annotations

import re
from itertools import chain, islice
from typing import Final

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.names import Name
from trace_inspector.engine.grounding.rules.support import (
    Located,
    Missing,
    first_word,
    near_each_other,
    neighbours,
    short,
)
from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.words import STEM_CHARS, find_words, folded_set, keys_of, whole_stem

_LOOKED_AT: Final = 24  # passages with one word that are considered
_CODE: Final = re.compile(r"(?<![^\W\d_])[A-Z]{3}(?:[A-Z]{2})?(?![^\W_])")
_CODE_CHARS: Final = 3


def find_name(name: Name, claim: Claim, evidence: Evidence) -> Located | Missing:
    """Look up a name: all its words in one passage, or in neighbouring ones of one source."""
    shown = f"name {short(name.text)}"
    together = list(islice(evidence.with_words(name.keys), _LOOKED_AT))
    together.sort(key=lambda candidate: -len(claim.keys & evidence.keys[candidate]))
    passage = next(
        (candidate for candidate in together if _in_full(name, range(candidate, candidate + 1), evidence)), None
    )
    if passage is None:
        near = near_each_other(name.keys, evidence)
        passage = next(
            (candidate for candidate in near if _in_full(name, neighbours(candidate, evidence), evidence)), None
        )
    if passage is None:
        rest = _without_first_word(name, claim)
        code = _abbreviated(name.text, evidence)
        return code or (find_name(rest, claim, evidence) if rest else Missing(shown))
    return Located(shown, passage, *first_word(evidence.passages[passage].text, name.keys))


def _abbreviated(name: str, evidence: Evidence) -> Located | None:
    """A code that may stand for a name, in a newest result: HAM or DEHAM for Hamburg."""
    letters = fold(name)
    for passage in evidence.newest_results():
        for match in _CODE.finditer(evidence.passages[passage].text):
            code = fold(match[0][-_CODE_CHARS:])
            rest = iter(letters)
            if len(code) == _CODE_CHARS and code[0] == letters[0] and all(char in rest for char in code):
                return Located(f"name {short(name)}", passage, *match.span())
    return None


def _without_first_word(name: Name, claim: Claim) -> Name | None:
    """A name at the beginning of a sentence, where any word has a capital: "Between Berlin and Rome"."""
    if not claim.text.lstrip(" *_-•\"'“„«").startswith(name.text):
        return None
    first, _, rest = name.text.partition(" ")
    if not rest or not first.isalpha():
        return None
    words = find_words(rest)
    cut = frozenset(stem for word in words if word.isascii() and len(stem := whole_stem(fold(word))) >= STEM_CHARS)
    return Name(rest, frozenset(keys_of(words)), cut) if keys_of(words) else None


def find_together(keys: frozenset[str], evidence: Evidence) -> int | None:
    """A passage with all of some words, or with neighbours that together have them."""
    return next(chain(evidence.with_words(keys), near_each_other(keys, evidence)), None)


def _in_full(name: Name, passages: range, evidence: Evidence) -> bool:
    """Whether the whole words are there: keys are shortened stems, and Christian is not Christina."""
    if not name.cut:
        return True
    return name.cut <= {whole_stem(word) for passage in passages for word in _folded(evidence.passages[passage].text)}


def _folded(text: str) -> set[str]:
    return folded_set(find_words(text))
