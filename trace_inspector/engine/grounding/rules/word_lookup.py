"""Whether the names and the other words of a claim are in the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim, Name
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
    """Look up a name: all its words in one passage, or in neighbouring ones of one source; else as a code."""
    shown = f"name {short(name.text)}"
    together = list(islice(evidence.with_words(name.keys), _LOOKED_AT))
    if len(together) > 1:
        keys, keys_of_passage = claim.keys, evidence.keys
        together.sort(key=lambda candidate: -len(keys & keys_of_passage[candidate]))
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
    return name.cut <= frozenset().union(*(_whole_stems(evidence.passages[passage].text) for passage in passages))


@lru_cache(maxsize=1 << 9)
def _whole_stems(text: str) -> frozenset[str]:
    return frozenset(map(whole_stem, folded_set(find_words(text))))


_NEWEST: Final = 32  # passages considered for one word
_PASSAGES: Final = 3


class WordCoverage(NamedTuple):
    """Which of some words occur in the passages, the best passage first."""

    words: frozenset[str]
    covered: frozenset[str]
    passages: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of the words that is covered, 1.0 where there are none."""
        return len(self.covered) / len(self.words) if self.words else 1.0


def cover(words: frozenset[str], claim: Claim, evidence: Evidence, given: Iterable[int]) -> WordCoverage:
    """Cover words by the given passages and, for the rest, by the few that have most of them.

    Few, because in a large trace every common word occurs somewhere: only words that occur together support a
    sentence."""
    used = [passage for passage in dict.fromkeys(given) if can_support(claim, evidence, passage, has_fact=True)]
    covered: set[str] = set()
    for passage in used:
        covered |= words & evidence.keys[passage]
    while len(used) < _PASSAGES and (rest := words - covered):
        passage, hits = _best(rest, claim, evidence)
        together = bool(used) and evidence.sources[passage] is evidence.sources[used[0]] if hits else False
        if hits == 0 or (used and hits < 2 and not together):
            break
        used.append(passage)
        covered |= words & evidence.keys[passage]
    return WordCoverage(words, frozenset(covered), tuple(used))


def can_support(claim: Claim, evidence: Evidence, passage: int, *, has_fact: bool = False) -> bool:
    """Whether a passage can support the claim.

    A user's request states nothing and supports only a sentence that repeats it. A user's statement, or what an
    agent passes to a tool, supports sentences about the conversation and facts that are in it, but no other claim.
    """
    if evidence.is_firm[passage]:
        return True
    source = evidence.sources[passage]
    if source.asks:
        return claim.restating
    return has_fact or claim.conversation or claim.unspaced


def _best(rest: frozenset[str] | set[str], claim: Claim, evidence: Evidence) -> tuple[int, int]:
    hits = Counter(chain.from_iterable(evidence.with_word(key)[-_NEWEST:] for key in rest))
    best, most = 0, 0
    for passage, count in hits.items():
        if (count > most or (count == most and passage > best)) and can_support(claim, evidence, passage):
            best, most = passage, count
    return best, most
