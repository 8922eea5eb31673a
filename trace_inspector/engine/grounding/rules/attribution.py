"""Finds misattributed figures: the right value, but from the wrong record or the wrong clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence, unit_in_record
from trace_inspector.engine.grounding.evidence.passages import Leaf
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.support import (
    Located,
    Missing,
    is_small,
    neighbours,
    short,
)
from trace_inspector.engine.grounding.rules.word_lookup import find_together
from trace_inspector.engine.grounding.text.units import measures
from trace_inspector.engine.grounding.text.words import find_words, keys_of

_FIGURES: Final = (FactKind.NUMBER, FactKind.DATE, FactKind.TIME)
_ANCHORS: Final = (FactKind.IDENTIFIER, FactKind.WEEKDAY)
_CLAUSE_END: Final = re.compile(r"(?<=[.;!?])\s+|\n|[。！？।]")
_BORDER: Final = re.compile(r"[,;:–—()、，；：]|\b(?:while|whereas|against|versus|but)\b")
_AFTER: Final = re.compile(_BORDER.pattern + r"|\b(?:and|und|et|y|e)\b")
_IN_A_ROW: Final = re.compile(r"\W*(?:and|or|und|oder|y|o|et|ou|e)?\W*(?:the )?")
_AFTER_CHARS: Final = 40
_AFTER_WORDS: Final = 2
_LOOKED_AT: Final = 20


class _Anchor(NamedTuple):
    """A name, a code or a weekday in a sentence, and the passages that contain it."""

    words: str
    start: int
    passages: frozenset[int]


def misattributions(claim: Claim, looked_up: Iterable[tuple[Fact, Located]], evidence: Evidence) -> Iterator[Missing]:
    """Figures that are in the evidence, but belong to something else there.

    A value alone proves little, as a table has many: “flight LH12 costs 300” is wrong where 300 is the price of LH14.
    Three rules look for the figure's own context, from the most certain to the vaguest: the record of the name
    beside it, the key that the sentence names, and the clause that shares the most words with it."""
    anchors = _anchors(claim, evidence)
    for fact, located in looked_up:
        if fact.kind in _FIGURES:
            anchor = _nearest_anchor(fact, anchors, claim.text)
            missing = _in_record(fact, located, anchor, claim, evidence) if anchor else None
            missing = (
                missing or _under_key(fact, located, claim, evidence) or _in_clause(fact, located, claim, evidence)
            )
            if missing:
                yield missing


def names_apart(claim: Claim, looked_up: Sequence[Located | Missing], evidence: Evidence) -> Iterator[Missing]:
    """Two names that occur together in a sentence without figures, and in no passage."""
    located = [result for result in looked_up if isinstance(result, Located)]
    if claim.facts or claim.quotations or len(claim.names) != 2 or len(located) != 2:
        return
    first, second = claim.names
    between = claim.text[claim.text.find(first.text) + len(first.text) : claim.text.find(second.text)]
    if _IN_A_ROW.fullmatch(between) or find_together(first.keys | second.keys, evidence) is not None:
        return
    there = located[1]
    yield Missing(there.words, f"it stands there apart from {first.text}", there.passage, there.start, there.end)


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


def _nearest_anchor(fact: Fact, anchors: list[_Anchor], text: str) -> _Anchor | None:
    """The last anchor before the figure in its clause, else the first after it there, else the last before it."""
    before = [anchor for anchor in anchors if anchor.start < fact.start]
    last = max(before, key=lambda anchor: anchor.start, default=None)
    if last and not _BORDER.search(text, last.start, fact.start):
        return last
    after = [anchor for anchor in anchors if anchor.start > fact.start]
    first = min(after, key=lambda anchor: anchor.start, default=None)
    return first if first and not _AFTER.search(text, fact.end, first.start) else last


def _in_record(fact: Fact, located: Located, anchor: _Anchor, claim: Claim, evidence: Evidence) -> Missing | None:
    """The value in the anchor's own record, under the key that has the figure in another record."""
    label = located.leaf.label if located.leaf else ""
    # Two of them, three times as many: a small number may count anything, and is a value where its key is named.
    counts = fact.amount is not None and is_small(fact.amount) and not measures(fact.amount.unit)
    if counts and claim.keys.isdisjoint(read(label).keys):
        return None
    if not label or not anchor.passages or _is_in(fact, located, anchor.passages, evidence):
        return None
    for passage in sorted(anchor.passages, reverse=True):
        for number, leaf in enumerate(evidence.passages[passage].leaves):
            if leaf.label == label:
                start = evidence.passages[passage].start_of(number)
                instead = f"for {anchor.words} it says “{short(f'{label}: {leaf.value}')}”"
                return Missing(located.words, instead, passage, start, start + len(leaf.text))
    return None


def _under_key(fact: Fact, located: Located, claim: Claim, evidence: Evidence) -> Missing | None:
    """Another value of the same unit in the record, whose key the sentence names; it does not name the figure's."""
    amount = fact.amount
    if amount is None or not amount.unit or fact.kind is not FactKind.NUMBER:
        return None
    if located.leaf is None or not located.leaf.key:
        return None
    if not claim.keys.isdisjoint(_words_of_key(located.leaf.key)):
        return None
    passage = evidence.passages[located.passage]
    for number, leaf in enumerate(passage.leaves):
        if claim.keys.isdisjoint(_words_of_key(leaf.key)):
            continue
        values = read(leaf.value).facts
        claimed_values = {value for claimed in claim.facts if claimed.amount for value in claimed.amount.values}
        if (
            len(values) != 1
            or values[0].amount is None
            or values[0].keys
            or not claimed_values.isdisjoint(values[0].amount.values)
        ):
            continue
        unit = values[0].amount.unit or unit_in_record(passage.leaves, leaf, values[0])
        if unit and set(unit) & set(amount.unit):
            start, shown = passage.start_of(number), f"{leaf.label}: {leaf.value}"
            return Missing(located.words, f"it says “{short(shown)}”", located.passage, start, start + len(leaf.text))
    return None


@lru_cache(maxsize=1 << 12)
def _words_of_key(key: str) -> frozenset[str]:
    """The keys of the words of a leaf's key, without those of the list around its record."""
    return read(Leaf(key, "").label).keys


def _is_in(fact: Fact, located: Located, passages: frozenset[int], evidence: Evidence) -> bool:
    """Whether one of some passages, which are among the newest, has the figure."""
    if located.passage in passages:
        return True
    oldest = min(passages)
    values = fact.amount.values if fact.amount and not fact.keys else ()
    for spots in chain(map(evidence.with_key, fact.keys), map(evidence.with_value, values)):
        for spot in reversed(spots):
            if spot.passage in passages:
                return True
            if spot.passage < oldest:
                break
    return False


def _in_clause(fact: Fact, located: Located, claim: Claim, evidence: Evidence) -> Missing | None:
    """A clause with another figure of the unit that shares more words with the sentence than the figure's own."""
    if fact.amount is None or not measures(fact.amount.unit) or (located.leaf and located.leaf.key):
        return None
    next_word = _word_after(claim.text, fact.end)
    own, rival, rival_at = 0, 0, ("", located.passage)
    for passage in neighbours(located.passage, evidence):
        for clause in _CLAUSE_END.split(evidence.passages[passage].text):
            reading = read(clause)
            overlap = len(claim.keys & reading.keys)
            alike = [
                candidate
                for candidate in reading.facts
                if candidate.amount and set(fact.amount.unit) & set(candidate.amount.unit)
            ]
            followed = [
                candidate for candidate in alike if next_word and _word_after(clause, candidate.end) == next_word
            ]
            is_there = any(_is_same(fact.amount, candidate) for candidate in reading.facts)
            if is_there:
                own = max(own, overlap + any(_is_same(fact.amount, candidate) for candidate in followed))
            if overlap + bool(followed) > rival and alike and (followed or not is_there):
                rival, rival_at = overlap + bool(followed), (clause, passage)
    if rival <= own or own == 0:
        return None
    clause, passage = rival_at
    start = max(0, evidence.passages[passage].text.find(clause))
    return Missing(located.words, f"the evidence says “{short(clause)}”", passage, start, start + len(clause))


def _word_after(text: str, end: int) -> frozenset[str]:
    """The first content word after a figure, usually what is counted."""
    words = find_words(text[end : end + _AFTER_CHARS])[:_AFTER_WORDS]
    return next((keys for word in words if (keys := frozenset(keys_of((word,))))), frozenset())


def _is_same(amount: Amount, fact: Fact) -> bool:
    return fact.amount is not None and not set(amount.values).isdisjoint(fact.amount.values)
