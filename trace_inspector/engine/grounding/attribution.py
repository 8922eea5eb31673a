"""Whether a figure belongs to what it is said of: the right value in the wrong record, or in the wrong clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from trace_inspector.engine.grounding.claim import Claim
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.fact import Amount, Fact, Kind
from trace_inspector.engine.grounding.reading import read
from trace_inspector.engine.grounding.support import Found, Missing, neighbours, short
from trace_inspector.engine.grounding.units import measures

_FIGURES: Final = frozenset({Kind.NUMBER, Kind.DATE, Kind.TIME})
_ANCHORS: Final = frozenset({Kind.IDENTIFIER, Kind.WEEKDAY})
_CLAUSE_END: Final = re.compile(r"(?<=[.;!?])\s+|\n|[。！？।]")
_BORDER: Final = re.compile(r"[,;:–—()、，；：]|\b(?:while|whereas|against|versus|but)\b")
_AFTER: Final = re.compile(_BORDER.pattern + r"|\b(?:and|und|et|y|e)\b")
_LOOKED_AT: Final = 20


@dataclass(frozen=True, slots=True)
class _Anchor:
    """What a sentence speaks of, a name, a code or a weekday, and the passages that have it."""

    words: str
    start: int
    passages: frozenset[int]


def misattributions(claim: Claim, looked_up: Iterable[tuple[Fact, Found]], evidence: Evidence) -> Iterator[Missing]:
    """Figures that stand in the evidence, but beside something else."""
    anchors = _anchors(claim, evidence)
    for fact, found in looked_up:
        if fact.kind in _FIGURES:
            anchor = _said_of(fact, anchors, claim.text)
            missing = _in_record(fact, found, anchor, evidence) if anchor else None
            missing = missing or _in_clause(fact, found, claim, evidence)
            if missing:
                yield missing


def _anchors(claim: Claim, evidence: Evidence) -> list[_Anchor]:
    anchors = [
        _Anchor(name.text, claim.text.find(name.text), frozenset(islice(evidence.with_words(name.keys), _LOOKED_AT)))
        for name in claim.names
    ]
    for fact in claim.facts:
        if fact.kind in _ANCHORS:
            spots = [spot for key in fact.keys for spot in evidence.with_key(key)[-_LOOKED_AT:]]
            words = short(claim.text[fact.start : fact.end])
            anchors.append(_Anchor(words, fact.start, frozenset(spot.passage for spot in spots)))
    return anchors


def _said_of(fact: Fact, anchors: list[_Anchor], text: str) -> _Anchor | None:
    """The last anchor before the figure in its clause, else the first after it there, else the last of all before."""
    before = [anchor for anchor in anchors if anchor.start < fact.start]
    last = max(before, key=lambda anchor: anchor.start, default=None)
    if last and not _BORDER.search(text, last.start, fact.start):
        return last
    after = [anchor for anchor in anchors if anchor.start > fact.start]
    first = min(after, key=lambda anchor: anchor.start, default=None)
    return first if first and not _AFTER.search(text, fact.end, first.start) else last


def _in_record(fact: Fact, found: Found, anchor: _Anchor, evidence: Evidence) -> Missing | None:
    """What the anchor's own record says under the key where the figure was found in another one."""
    label = found.leaf.label if found.leaf else ""
    if not label or any(passage in anchor.passages for passage in _with_figure(fact, found, evidence)):
        return None
    for at in sorted(anchor.passages, reverse=True):
        for number, leaf in enumerate(evidence.passages[at].leaves):
            if leaf.label == label:
                start = evidence.passages[at].start_of(number)
                instead = f"for {anchor.words} it says “{short(f'{label}: {leaf.value}')}”"
                return Missing(found.words, instead, at, start, start + len(leaf.text))
    return None


def _with_figure(fact: Fact, found: Found, evidence: Evidence) -> Iterator[int]:
    yield found.passage
    for key in fact.keys:
        yield from (spot.passage for spot in evidence.with_key(key))
    for value in fact.amount.values if fact.amount and not fact.keys else ():
        yield from (spot.passage for spot in evidence.with_value(value))


def _in_clause(fact: Fact, found: Found, claim: Claim, evidence: Evidence) -> Missing | None:
    """A clause closer to the sentence than the figure's own one, with another figure of the same unit."""
    if fact.amount is None or not measures(fact.amount.unit) or (found.leaf and found.leaf.key):
        return None
    own, rival, rival_at = 0, 0, ("", found.passage)
    for at in neighbours(found.passage, evidence):
        for clause in _CLAUSE_END.split(evidence.passages[at].text):
            reading = read(clause)
            overlap = len(claim.keys & reading.keys)
            amounts = [one.amount for one in reading.facts if one.amount]
            if any(_same(fact.amount, amount) for amount in amounts):
                own = max(own, overlap)
            elif overlap > rival and any(set(fact.amount.unit) & set(amount.unit) for amount in amounts):
                rival, rival_at = overlap, (clause, at)
    if rival <= own or own == 0:
        return None
    clause, at = rival_at
    start = max(0, evidence.passages[at].text.find(clause))
    return Missing(found.words, f"the evidence says “{short(clause)}”", at, start, start + len(clause))


def _same(said: Amount, found: Amount) -> bool:
    return not set(said.values).isdisjoint(found.values)
