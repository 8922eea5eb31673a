"""Whether a figure belongs to the name it is said of, where the evidence is in records."""

from __future__ import annotations

from itertools import islice
from typing import Final

from trace_inspector.engine.grounding.claim import Claim
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.fact import Fact, Kind
from trace_inspector.engine.grounding.names import Name
from trace_inspector.engine.grounding.support import Found, Missing

_FIGURES: Final = frozenset({Kind.NUMBER, Kind.DATE, Kind.TIME})
_LOOKED_AT: Final = 20
_SHOWN_CHARS: Final = 60


def misattributed(fact: Fact, found: Found, claim: Claim, evidence: Evidence) -> Missing | None:
    """What the named record says under the same key, when the figure was found in another record only."""
    name = _said_of(fact, claim)
    if name is None or fact.kind not in _FIGURES or name.keys <= evidence.keys[found.passage]:
        return None
    label = found.leaf.label if found.leaf else ""
    for at in islice(evidence.with_words(name.keys), _LOOKED_AT) if label else ():
        passage = evidence.passages[at]
        for number, leaf in enumerate(passage.leaves):
            if leaf.label == label:
                start = passage.start_of(number)
                instead = f"for {name.text} it says “{label}: {leaf.value[:_SHOWN_CHARS]}”"
                return Missing(found.words, instead, at, start, start + len(leaf.text))
    return None


def _said_of(fact: Fact, claim: Claim) -> Name | None:
    """The last name before the figure, else the only one."""
    before = [name for name in claim.names if claim.text.find(name.text) < fact.start]
    if before:
        return max(before, key=lambda name: claim.text.rfind(name.text, 0, fact.start))
    return claim.names[0] if len(claim.names) == 1 else None
