"""Looks up a fact, quotation or name of a claim in the evidence, and says why it is not there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from operator import attrgetter
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.evidence.evidence import Evidence, Spot
from trace_inspector.engine.grounding.evidence.passages import Leaf
from trace_inspector.engine.grounding.facts.amounts import rounded
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.text.folding import fold, fold_text, folded_words
from trace_inspector.engine.grounding.text.languages import language_of
from trace_inspector.engine.grounding.text.units import measures, number_words, to_base
from trace_inspector.engine.grounding.text.vocabulary import NEGATIONS
from trace_inspector.engine.grounding.text.words import (
    WORD,
    find_words,
    is_unspaced,
    keys_of,
)

_LOOKED_AT: Final = 24  # occurrences of one value that are considered, from the newest
_SMALL: Final = 12  # whole numbers up to here occur everywhere by chance
# Keys of lists that do not name their content.
_GENERIC: Final = folded_words(
    "result results items data rows entries list content response output hits records values"
)
# Words with which a sentence counts the results of a search.
_WERE_FOUND: Final = folded_words("found here results matches options gefunden trouvé encontré encontrado trovato")
_ROUNDING: Final = 0.05
_LASTING: Final = folded_words("hour hours hr hrs stunde stunden std")  # of time that lasts, and no time of day
_PART_CHARS: Final = 2
_SMALLEST_IN_CODE: Final = 10
_TOKEN: Final = re.compile(r"\w+")
_NEGATION_WORDS: Final = 2  # before a sentence that stands word for word
_ONE: Final = re.compile(r"\bone\b", re.IGNORECASE)  # as often a pronoun, and so no number by itself


class Located(Struct, frozen=True, gc=False):
    """A fact or name in the evidence, at characters [start, end) of the passage's text."""

    words: str
    passage: int
    start: int
    end: int
    leaf: Leaf | None = None
    kind: FactKind = FactKind.NAME


class Missing(Struct, frozen=True, gc=False):
    """A fact or name that is not in the evidence; `instead` is what is there, and where."""

    words: str
    instead: str = ""
    passage: int | None = None
    start: int = 0
    end: int = 0
    kind: FactKind = FactKind.NAME
    elsewhere: bool = False  # the value is there, but without words of the claim near it


def find_fact(fact: Fact, claim: Claim, evidence: Evidence) -> Located | Missing:
    """Look up one fact.

    First by its exact key, then by looser rules in `_FALLBACKS`: what an agent rounds, converts or hedges is still
    supported, and a checker that called it invented would be ignored soon.
    """
    words = f"{fact.kind.value} {short(claim.text[fact.start : fact.end].strip())}"
    spot = _first(_with_keys(fact.keys, evidence), claim, evidence) if fact.keys else None
    spot = spot or _FALLBACKS.get(fact.kind, _nothing)(fact, claim, evidence)
    if spot is None:
        return _missing(fact, words, claim, evidence)
    passage = evidence.passages[spot.passage]
    offset = passage.start_of(spot.leaf)
    return Located(words, spot.passage, offset + spot.start, offset + spot.end, passage.leaves[spot.leaf], fact.kind)


def find_quotation(quoted: str, evidence: Evidence) -> Located | Missing:
    """Look up a quotation word for word, ignoring punctuation and case."""
    shown, plain_quotation = f"quotation “{short(quoted)}”", _plain(quoted)
    keys = frozenset(keys_of(find_words(quoted)))
    for passage in islice(evidence.with_words(keys), _LOOKED_AT) if keys else ():
        if plain_quotation in _plain(evidence.passages[passage].text):
            return Located(shown, passage, 0, len(evidence.passages[passage].text), kind=FactKind.QUOTATION)
    for passage in islice(near_each_other(keys, evidence), _LOOKED_AT) if keys else ():
        if plain_quotation in _plain(
            " ".join(evidence.passages[neighbour].text for neighbour in neighbours(passage, evidence))
        ):
            return Located(shown, passage, 0, len(evidence.passages[passage].text), kind=FactKind.QUOTATION)
    return Missing(shown, kind=FactKind.QUOTATION)


def find_verbatim(text: str, passages: Iterable[int], evidence: Evidence) -> int | None:
    """The first of some passages where a sentence stands word for word, also across two pieces of one prose.

    What a negation stands before is another sentence: "Cards are accepted" is not in "No cards are accepted".
    """
    words = _tokens(text)
    for passage in passages if len(words) > 1 else ():
        near = _tokens(" ".join(evidence.passages[neighbour].text for neighbour in neighbours(passage, evidence)))
        for position in range(len(near) - len(words) + 1):
            before = near[max(0, position - _NEGATION_WORDS) : position]
            if near[position : position + len(words)] == words and NEGATIONS.isdisjoint(before):
                return passage
    return None


def _tokens(text: str) -> list[str]:
    """Words and numbers in order, numbers in words as digits; single characters in scripts without spaces."""
    tokens: list[str] = []
    for token in _TOKEN.findall(fold_text(_in_digits(text))):
        tokens.extend(token if is_unspaced(token) else (token,))
    return tokens


def _in_digits(text: str) -> str:
    """A text with its numbers in words as digits: "one to three" and "1 to 3" are the same words."""
    pieces, last = [], 0
    for start, end, value in number_words(text):
        pieces += [text[last:start], f"{value:g}"]
        last = end
    return _ONE.sub("1", "".join((*pieces, text[last:])))


def first_word(text: str, keys: frozenset[str] | set[str]) -> tuple[int, int]:
    """The span of the first of some words in a text."""
    return next((match.span() for match in WORD.finditer(text) if keys_of((match[0],)) & keys), (0, 0))


def _with_keys(keys: tuple[str, ...], evidence: Evidence) -> Iterator[Spot]:
    for key in keys:
        yield from reversed(evidence.with_key(key)[-_LOOKED_AT:])


def _best(spots: Iterable[Spot], claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """The first spots, ordered by how many words of the claim are around them; the others are rarely asked for."""
    some = list(islice(spots, _LOOKED_AT))
    if len(some) < 2:
        yield from some
        return
    around = map(evidence.keys.__getitem__, map(_passage_of, some))
    shared = list(map(len, map(claim.keys.intersection, around)))
    first = shared.index(max(shared))
    yield some[first]
    for place in sorted(range(len(some)), key=shared.__getitem__, reverse=True):
        if place != first:
            yield some[place]


_passage_of: Final = attrgetter("passage")


def _first(spots: Iterable[Spot], claim: Claim, evidence: Evidence) -> Spot | None:
    return next(_best(spots, claim, evidence), None)


def _number(fact: Fact, claim: Claim, evidence: Evidence) -> Spot | None:
    amount = fact.amount
    if amount is None:
        return None
    looks = _LOOKS_WITH_UNIT if amount.unit else _LOOKS_AT_NUMBERS
    for look in looks:
        if look is _hedged and not claim.bounds:
            continue
        for spot in _best(look(amount, claim, evidence), claim, evidence):
            if _in_context(amount, spot, claim, evidence):
                return spot
    return None


def _exact(amount: Amount, _claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    own = amount.unit
    for value in amount.values:
        spots = evidence.with_value(value)[: -_LOOKED_AT - 1 : -1]
        if own:
            yield from [
                spot
                for spot in spots
                if (stated := spot.amount) and (not stated.unit or own == stated.unit or _same_unit(amount, spot))
            ]
        else:
            yield from [spot for spot in spots if spot.amount]


def _less_precise(amount: Amount, claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """39.8 stated as 40: the evidence has more digits and rounds to it."""
    half = amount.step * 0.5000001
    for value in amount.values:
        for there, spot in evidence.between(value - half, value + half):
            finer = spot.amount is not None and spot.amount.step < amount.step
            near = bool(claim.bounds) or abs(there - value) <= _ROUNDING * abs(there)
            if finer and near and _same_unit(amount, spot):
                yield spot


def _share(amount: Amount, _claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """25 % for 0.25."""
    if any(dimension == "percent" for dimension, _ in amount.unit):
        for value in amount.values:
            yield from (spot for spot in evidence.with_value(rounded(value / 100)) if not _unit(spot))


def _converted(amount: Amount, claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """90 minutes for 1.5 hours."""
    for value in amount.values:
        for (dimension, base), (_same, factor) in zip(to_base(value, amount.unit), amount.unit, strict=True):
            half = max(amount.step * factor * 0.5000001, abs(base) * 1e-9)
            for there, spot in evidence.measured(dimension, base - half, base + half):
                if claim.bounds or abs(there - base) <= _ROUNDING * abs(there):
                    yield spot


def _hedged(amount: Amount, claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """About 40 for 38."""
    for value, (least, most) in product(amount.values, claim.bounds):
        low, high = sorted((value * least, value * most))
        yield from (spot for _, spot in evidence.between(low, high) if _same_unit(amount, spot))
        for dimension, base in to_base(value, amount.unit):
            low, high = sorted((base * least, base * most))
            yield from (spot for _, spot in evidence.measured(dimension, low, high))


def _as_other_kind(amount: Amount, claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """The year or the day of a date, the hour of a time, the digits of an order number."""
    for value in amount.values:
        whole = int(value)
        if value != whole or value < 0:
            continue
        if not measures(amount.unit):
            yield from _with_keys((f"year:{whole}", f"dayofmonth:{whole}", f"id:{whole}"), evidence)
            if whole <= 24:
                yield from _with_keys((f"time:{whole:02}:00", f"time:{whole + 12:02}:00"), evidence)
        elif (
            any(unit == ("time", 3600.0) for unit in amount.unit)
            and whole <= 24
            and _LASTING.isdisjoint(claim.folded)
        ):
            yield from _with_keys((f"time:{whole:02}:00",), evidence)


def _bare_hour(fact: Fact, claim: Claim, evidence: Evidence) -> Spot | None:
    if fact.amount is None:
        return None
    spots = _exact(Amount(fact.amount.values), claim, evidence)
    return _first((spot for spot in spots if not _unit(spot)), claim, evidence)


def _number_in_code(amount: Amount, _claim: Claim, evidence: Evidence) -> Iterator[Spot]:
    """14 for OUTSIDE_14_DAY_WINDOW."""
    newest = list(filter(evidence.with_underscore.__contains__, evidence.newest_results()))
    for value in amount.values if newest else ():
        if value == int(value) and value >= _SMALLEST_IN_CODE:
            digits = str(int(value))
            for passage in newest:
                if digits not in evidence.passages[passage].text:
                    continue
                for index, leaf in enumerate(evidence.passages[passage].leaves):
                    if "_" in leaf.value and digits in leaf.text and (match := _in_code(digits).search(leaf.text)):
                        yield Spot(passage, index, *match.span(), None)


_LOOKS_WITH_UNIT: Final = (_exact, _less_precise, _share, _converted, _hedged, _as_other_kind, _number_in_code)
_LOOKS_AT_NUMBERS: Final = (_exact, _less_precise, _hedged, _as_other_kind, _number_in_code)


@lru_cache(maxsize=64)
def _in_code(digits: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=[a-zA-Z_]){digits}(?=_)|(?<=_){digits}(?![\d.:-])")


def _digits(fact: Fact, claim: Claim, evidence: Evidence) -> Spot | None:
    return _number(fact, claim, evidence) if fact.amount else None


def _date_in_two(fact: Fact, claim: Claim, evidence: Evidence) -> Spot | None:
    """A day without a year in one place and the year in another."""
    for key in fact.keys:
        kind, _, when = key.partition(":")
        year, _, day = when.partition("-")
        if kind == "date" and (evidence.with_key(f"year:{int(year)}") or evidence.with_value(float(year))):
            spot = _first(_with_keys((f"yearless:{day}",), evidence), claim, evidence)
            if spot:
                return spot
    return None


def _part_of_code(fact: Fact, claim: Claim, evidence: Evidence) -> Spot | None:
    """9lkzt for checkout-6f9c-9lkzt: a part between two marks, in a newest result."""
    text = claim.text[fact.start : fact.end].strip(" .,;:")
    if len(text) >= _PART_CHARS:
        pattern = re.compile(rf"(?<![^\W_]){re.escape(text)}(?![^\W_])", re.IGNORECASE)
        for passage in evidence.newest_results():
            for index, leaf in enumerate(evidence.passages[passage].leaves):
                if match := pattern.search(leaf.text):
                    return Spot(passage, index, *match.span(), None)
    return _digits(fact, claim, evidence)


def _nothing(_fact: Fact, _claim: Claim, _evidence: Evidence) -> Spot | None:
    return None


_FALLBACKS: Final[dict[FactKind, Callable[[Fact, Claim, Evidence], Spot | None]]] = {
    FactKind.NUMBER: _number,
    FactKind.TIME: _bare_hour,
    FactKind.DATE: _date_in_two,
    FactKind.IDENTIFIER: _part_of_code,
}


def _unit(spot: Spot) -> bool:
    return spot.amount is not None and measures(spot.amount.unit)


def _same_unit(amount: Amount, spot: Spot) -> bool:
    """Same unit, or none on one side. Different units of one dimension are converted in `_converted`."""
    stated = spot.amount
    return stated is not None and (not amount.unit or not stated.unit or bool(set(amount.unit) & set(stated.unit)))


def _in_context(amount: Amount, spot: Spot, claim: Claim, evidence: Evidence) -> bool:
    """A small number without a unit counts only near words of the claim."""
    if measures(amount.unit) or not claim.keys or not is_small(amount):
        return True
    if language_of(claim.wording) not in ("", "en"):
        return True  # its words may be there in another language
    if claim.keys & evidence.keys[spot.passage]:
        return True
    leaf = evidence.passages[spot.passage].leaves[spot.leaf]
    words = list(map(fold, find_words(leaf.label)))
    if leaf.is_count and not claim.folded.isdisjoint(_WERE_FOUND):
        return True
    if leaf.is_count and _GENERIC.issuperset(words[-1:]):
        return True  # the length of the one list of results
    return not claim.folded.isdisjoint(words)


def is_small(amount: Amount) -> bool:
    """Whether a number is so small that it occurs everywhere by chance."""
    return max(map(abs, amount.values)) <= _SMALL


def _missing(fact: Fact, words: str, claim: Claim, evidence: Evidence) -> Missing:
    """Report what is there instead, where the value has another unit or other words around it."""
    if fact.amount is None or fact.kind is not FactKind.NUMBER:
        return Missing(words, kind=fact.kind)
    for value in fact.amount.values:
        for spot in _best(evidence.with_value(value)[-_LOOKED_AT:], claim, evidence):
            passage = evidence.passages[spot.passage]
            leaf, offset = passage.leaves[spot.leaf], passage.start_of(spot.leaf)
            instead = "it stands there only beside other words"
            agrees = _same_unit(fact.amount, spot)
            if not agrees:
                shown = f"{leaf.label}: {leaf.value}" if leaf.key else leaf.value[spot.start : spot.end]
                instead = f"it stands there as “{short(shown)}”"
            return Missing(words, instead, spot.passage, offset + spot.start, offset + spot.end, fact.kind, agrees)
    return Missing(words, kind=fact.kind)


def near_each_other(keys: frozenset[str], evidence: Evidence) -> Iterator[int]:
    """Passages that together with their neighbours have all of some words."""
    rarest = min(keys, key=lambda key: (len(evidence.with_word(key)), key))
    for passage in reversed(evidence.with_word(rarest)[-_LOOKED_AT:]):
        if keys <= set().union(*(evidence.keys[neighbour] for neighbour in neighbours(passage, evidence))):
            yield passage


def neighbours(passage: int, evidence: Evidence) -> range:
    """The passage with the previous and the next one of the same prose; a record has no neighbours."""
    first = passage - 1 if passage > 0 and _continues(passage - 1, passage, evidence) else passage
    last = (
        passage + 1 if passage + 1 < len(evidence.sources) and _continues(passage, passage + 1, evidence) else passage
    )
    return range(first, last + 1)


def _continues(first: int, second: int, evidence: Evidence) -> bool:
    prose = not evidence.passages[first].is_record and not evidence.passages[second].is_record
    return prose and evidence.sources[first] is evidence.sources[second]


def _plain(text: str) -> str:
    return "".join(char for char in fold_text(text) if char.isalnum())


def short(text: str) -> str:
    """A text short enough for a reason."""
    flat = text if text.isalnum() else " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:59] + "…"
