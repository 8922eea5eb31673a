"""How many words of a claim occur together in the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.evidence.evidence import Evidence, Origin
from trace_inspector.engine.grounding.facts.claim import Claim

_NEWEST: Final = 32  # passages considered for one word
_PASSAGES: Final = 3


@dataclass(frozen=True, slots=True)
class WordCoverage:
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
    source = evidence.sources[passage]
    if source.origin in (Origin.RESULT, Origin.INSTRUCTION):
        return True
    if source.asks:
        return claim.restating
    return has_fact or claim.conversation or claim.unspaced


def _best(rest: frozenset[str] | set[str], claim: Claim, evidence: Evidence) -> tuple[int, int]:
    hits: Counter[int] = Counter()
    for key in rest:
        hits.update(evidence.with_word(key)[-_NEWEST:])
    best, most = 0, 0
    for passage, count in hits.items():
        if (count > most or (count == most and passage > best)) and can_support(claim, evidence, passage):
            best, most = passage, count
    return best, most
