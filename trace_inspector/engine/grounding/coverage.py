"""How much of a claim's own words stands together in the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.claim import Claim
from trace_inspector.engine.grounding.evidence import Evidence, Origin

_NEWEST: Final = 32  # passages looked at for one word
_PASSAGES: Final = 3


@dataclass(frozen=True, slots=True)
class WordCoverage:
    """Which of some words the passages have, best passage first."""

    words: frozenset[str]
    covered: frozenset[str]
    passages: tuple[int, ...]

    @property
    def share(self) -> float:
        """Covered words among the wanted ones; 1.0 when none is wanted."""
        return len(self.covered) / len(self.words) if self.words else 1.0


def cover(words: frozenset[str], claim: Claim, evidence: Evidence, given: Iterable[int]) -> WordCoverage:
    """Cover the wanted words with the given passages and, for the rest, with the few that have most of them."""
    used = [passage for passage in dict.fromkeys(given) if bears(claim, evidence, passage, has_fact=True)]
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


def bears(claim: Claim, evidence: Evidence, passage: int, *, has_fact: bool = False) -> bool:
    """Whether a passage can bear the claim out.

    What a user asks for states nothing; it bears out only what repeats it. What a user states, or an agent passes to
    a tool, bears out what is said of the conversation, or a fact that stands in it, but nothing else of the world.
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
        if (count > most or (count == most and passage > best)) and bears(claim, evidence, passage):
            best, most = passage, count
    return best, most
