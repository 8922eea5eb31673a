"""The checkable facts of a text. Answers and evidence are read alike, so that equal values get equal keys."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from trace_inspector.engine.grounding.facts.amounts import fraction_at, number_at, worded_amounts
from trace_inspector.engine.grounding.facts.dates import (
    NOON_WORDS,
    date_at,
    noons,
    take_named_dates,
    times_at,
    weekdays,
)
from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.facts.identifiers import code_at, take_addresses
from trace_inspector.engine.grounding.text.calendar_words import MONTHS
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.number_words import NUMBER_WORDS

_DIGITS: Final = re.compile(r"\d+|[½¼¾⅓⅔]")
_PARTS: Final = folded_words("half halbe demi media quarter")


def read_facts(text: str, folded: Set[str]) -> list[Fact]:
    """Every fact of a text, whose folded words are given too, in no particular order."""
    facts: list[Fact] = []
    plain = text
    if "@" in text or "://" in text or "www." in text:
        plain = take_addresses(plain, facts)
    if not folded.isdisjoint(MONTHS):
        plain = take_named_dates(plain, facts)
    _read_digits(plain, facts)
    if not folded.isdisjoint(NUMBER_WORDS) or not folded.isdisjoint(_PARTS) or not text.isascii():
        facts.extend(worded_amounts(plain))
    facts.extend(weekdays(text, folded))
    if not folded.isdisjoint(NOON_WORDS):
        facts.extend(noons(text))
    return facts


def _read_digits(text: str, facts: list[Fact]) -> None:
    """What the digits of a text mean; the first reading in this order that fits takes them."""
    floor = 0
    match = _DIGITS.search(text)
    while match:
        start = match.start()
        times = None
        fact = date_at(text, start)
        if fact is None:
            times = times_at(text, start)
        if times:
            facts.extend(times)
            floor = times[-1].end
        else:
            fact = fact or code_at(text, start, floor) or fraction_at(text, start) or number_at(text, start)
            if fact:
                facts.append(fact)
            floor = max(fact.end if fact else 0, match.end())
        match = _DIGITS.search(text, floor)
