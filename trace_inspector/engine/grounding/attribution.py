"""Whether a figure belongs to what it is said of: the right value in the wrong record, or in the wrong clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from trace_inspector.engine.grounding.claim import Claim
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.fact import Amount, Fact, Kind
from trace_inspector.engine.grounding.reading import read
from trace_inspector.engine.grounding.record_units import unit_in_record
from trace_inspector.engine.grounding.support import Found, Missing, find_together, neighbours, short
from trace_inspector.engine.grounding.units import measures
from trace_inspector.engine.grounding.words import find_words, keys_of

_FIGURES: Final = frozenset({Kind.NUMBER, Kind.DATE, Kind.TIME})
_ANCHORS: Final = frozenset({Kind.IDENTIFIER, Kind.WEEKDAY})
_CLAUSE_END: Final = re.compile(r"(?<=[.;!?])\s+|\n|[。！？।]")
_BORDER: Final = re.compile(r"[,;:–—()、，；：]|\b(?:while|whereas|against|versus|but)\b")
_AFTER: Final = re.compile(_BORDER.pattern + r"|\b(?:and|und|et|y|e)\b")
_IN_A_ROW: Final = re.compile(r"\W*(?:and|or|und|oder|y|o|et|ou|e)?\W*(?:the )?")
_AFTER_CHARS: Final = 40
_AFTER_WORDS: Final = 2
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
            missing = missing or _under_key(fact, found, claim, evidence) or _in_clause(fact, found, claim, evidence)
            if missing:
                yield missing


def names_apart(claim: Claim, looked_up: Sequence[Found | Missing], evidence: Evidence) -> Iterator[Missing]:
    """Two names that a sentence without figures brings together, and no passage does."""
    found = [one for one in looked_up if isinstance(one, Found)]
    if claim.facts or claim.quotations or len(claim.names) != 2 or len(found) != 2:
        return
    one, other = claim.names
    between = claim.text[claim.text.find(one.text) + len(one.text) : claim.text.find(other.text)]
    if _IN_A_ROW.fullmatch(between) or find_together(one.keys | other.keys, evidence) is not None:
        return
    there = found[1]
    yield Missing(there.words, f"it stands there apart from {one.text}", there.passage, there.start, there.end)


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


def _under_key(fact: Fact, found: Found, claim: Claim, evidence: Evidence) -> Missing | None:
    """Another value of the same unit in the record, under a key that the sentence names; the figure's own is not."""
    amount = fact.amount
    if amount is None or fact.kind is not Kind.NUMBER or found.leaf is None or not found.leaf.key:
        return None
    if not claim.keys.isdisjoint(read(found.leaf.label).keys):
        return None
    said = {value for one in claim.facts if one.amount for value in one.amount.values}
    passage = evidence.passages[found.passage]
    for number, leaf in enumerate(passage.leaves):
        values = read(leaf.value).facts
        if (
            len(values) != 1
            or values[0].amount is None
            or values[0].keys
            or not said.isdisjoint(values[0].amount.values)
        ):
            continue
        unit = values[0].amount.unit or unit_in_record(passage, leaf, values[0])
        if unit and set(unit) & set(amount.unit) and not claim.keys.isdisjoint(read(leaf.label).keys):
            start, shown = passage.start_of(number), f"{leaf.label}: {leaf.value}"
            return Missing(found.words, f"it says “{short(shown)}”", found.passage, start, start + len(leaf.text))
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
    wanted = _word_after(claim.text, fact.end)
    own, rival, rival_at = 0, 0, ("", found.passage)
    for at in neighbours(found.passage, evidence):
        for clause in _CLAUSE_END.split(evidence.passages[at].text):
            reading = read(clause)
            overlap = len(claim.keys & reading.keys)
            alike = [one for one in reading.facts if one.amount and set(fact.amount.unit) & set(one.amount.unit)]
            followed = [one for one in alike if wanted and _word_after(clause, one.end) == wanted]
            is_there = any(_is_same(fact.amount, one) for one in reading.facts)
            if is_there:
                own = max(own, overlap + any(_is_same(fact.amount, one) for one in followed))
            if overlap + bool(followed) > rival and alike and (followed or not is_there):
                rival, rival_at = overlap + bool(followed), (clause, at)
    if rival <= own or own == 0:
        return None
    clause, at = rival_at
    start = max(0, evidence.passages[at].text.find(clause))
    return Missing(found.words, f"the evidence says “{short(clause)}”", at, start, start + len(clause))


def _word_after(text: str, end: int) -> frozenset[str]:
    """The first content word after a figure: what it is a figure of."""
    words = find_words(text[end : end + _AFTER_CHARS])[:_AFTER_WORDS]
    return next((keys for word in words if (keys := frozenset(keys_of((word,))))), frozenset())


def _is_same(said: Amount, found: Fact) -> bool:
    return found.amount is not None and not set(said.values).isdisjoint(found.amount.values)
