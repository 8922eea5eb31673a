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
class Coverage:
    """Which of some words the passages have, best passage first."""

    wanted: frozenset[str]
    covered: frozenset[str]
    passages: tuple[int, ...]

    @property
    def share(self) -> float:
        """Covered words among the wanted ones; 1.0 when none is wanted."""
        return len(self.covered) / len(self.wanted) if self.wanted else 1.0


def cover(wanted: frozenset[str], claim: Claim, evidence: Evidence, given: Iterable[int]) -> Coverage:
    """Cover the wanted words with the given passages and, for the rest, with the few that have most of them."""
    used = [at for at in dict.fromkeys(given) if bears(claim, evidence, at, has_fact=True)]
    covered: set[str] = set()
    for at in used:
        covered |= wanted & evidence.keys[at]
    while len(used) < _PASSAGES and (rest := wanted - covered):
        at, hits = _best(rest, claim, evidence)
        together = bool(used) and evidence.sources[at] is evidence.sources[used[0]] if hits else False
        if hits == 0 or (used and hits < 2 and not together):
            break
        used.append(at)
        covered |= wanted & evidence.keys[at]
    return Coverage(wanted, frozenset(covered), tuple(used))


def bears(claim: Claim, evidence: Evidence, at: int, *, has_fact: bool = False) -> bool:
    """Whether a passage can bear the claim out.

    What a user asks for states nothing; it bears out only what repeats it. What a user states, or an agent passes to
    a tool, bears out what is said of the conversation, or a fact that stands in it, but nothing else of the world.
    """
    source = evidence.sources[at]
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
    for at, count in hits.items():
        if (count > most or (count == most and at > best)) and bears(claim, evidence, at):
            best, most = at, count
    return best, most
