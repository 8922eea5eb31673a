"""The evidence that a model is shown for a sentence: all of it, or the passages that share most with the sentence."""

from __future__ import annotations

import math
from itertools import islice
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.evidence.evidence import Evidence, Origin
from trace_inspector.engine.grounding.evidence.passages import Cut
from trace_inspector.engine.grounding.facts.claim import Claim

_NEWEST: Final = 64  # passages considered for one word or fact, and at the end for the room that is left
_FACT_WEIGHT: Final = 3.0  # a figure or a name that is the same says more than a word


class ShownEvidence(Struct, frozen=True):
    """Passages in their order, one a line, and of how many characters they were chosen."""

    text: str
    whole: int

    @property
    def is_all(self) -> bool:
        """Whether nothing was left out."""
        return len(self.text) >= self.whole


class NearestEvidence:
    """Chooses from the evidence so far, which may grow. A user's question states nothing, and is left out."""

    def __init__(self, evidence: Evidence, most_chars: int) -> None:
        self._evidence = evidence
        self._most_chars = most_chars
        self._texts: dict[int, str] = {}
        self._read = 0  # of the passages
        self._whole = -1  # characters, each text with what parts it from the one before

    @property
    def cut(self) -> Cut:
        """How much of the evidence was read at all."""
        return self._evidence.cut

    def of(self, claim: Claim) -> ShownEvidence:
        """What fits of the passages that are nearest to a claim, then of the newest ones."""
        self._follow()
        if self._whole <= self._most_chars:
            return ShownEvidence("\n".join(self._texts.values()), max(0, self._whole))
        chosen: set[int] = set()
        room = self._most_chars + 1
        newest = islice(reversed(self._texts), _NEWEST)
        for number in dict.fromkeys((*self._nearest(claim), *newest)):
            length = len(self._texts[number]) + 1
            if length <= room:
                chosen.add(number)
                room -= length
        return ShownEvidence("\n".join(self._texts[number] for number in sorted(chosen)), self._whole)

    def _follow(self) -> None:
        """Read the passages that came since."""
        evidence = self._evidence
        for number in range(self._read, len(evidence.passages)):
            source = evidence.sources[number]
            if not (source.origin is Origin.USER and source.asks):
                text = self._texts[number] = evidence.passages[number].text[: self._most_chars]
                self._whole += len(text) + 1
        self._read = len(evidence.passages)

    def _nearest(self, claim: Claim) -> list[int]:
        """Passages by what they share with the claim, the newest first where they share alike."""
        evidence = self._evidence
        hits: dict[int, float] = {}
        for key in sorted(claim.keys):
            having = evidence.with_word(key)
            weight = math.log(1 + (len(evidence.passages) + 1) / (len(having) + 0.5))
            for number in having[-_NEWEST:]:
                hits[number] = hits.get(number, 0.0) + weight
        for fact in claim.facts:
            spots = [spot for key in sorted(fact.keys) for spot in evidence.with_key(key)[-_NEWEST:]]
            for value in fact.amount.values if fact.amount else ():
                spots += evidence.with_value(value)[-_NEWEST:]
            for number in {spot.passage for spot in spots}:
                hits[number] = hits.get(number, 0.0) + _FACT_WEIGHT
        found = (number for number in hits if number in self._texts)
        return sorted(found, key=lambda number: (-hits[number], -number))
