"""The checkable facts of a text. The same reading serves answers and evidence, so both spell a value alike."""

from __future__ import annotations

import re
from typing import Final

from trace_inspector.engine.grounding.amounts import amounts, take_fractions, worded_amounts
from trace_inspector.engine.grounding.dates import has_month, noons, take_dates, take_times, weekdays
from trace_inspector.engine.grounding.fact import Fact, Make
from trace_inspector.engine.grounding.identifiers import take_addresses, take_codes
from trace_inspector.engine.grounding.number_words import is_number_word

_DIGIT: Final = re.compile(r"[\d½¼¾⅓⅔]")
_NOON_WORDS: Final = frozenset(
    {"noon", "midday", "midnight", "mittags", "mitternacht", "minuit", "mediodía", "medianoche"}
)


def read_facts(text: str, words: set[str]) -> list[Fact]:
    """Every fact of a text, whose words are given too, in no particular order."""
    reading = _Reading(text)
    if "@" in text or "://" in text or "www." in text:
        take_addresses(reading.take)
    if _DIGIT.search(text):
        take_dates(reading.take, months=has_month(words))
        take_times(reading.take)
        take_codes(reading.take)
        take_fractions(reading.take)
        reading.facts.extend(amounts(reading.text))
    found = reading.facts
    if any(map(is_number_word, words)) or not text.isascii() or "half" in words:
        found.extend(worded_amounts(reading.text))
    found.extend(weekdays(text, words))
    if not _NOON_WORDS.isdisjoint(map(str.lower, words)):
        found.extend(noons(text))
    return found


class _Reading:
    """The text with what was read blanked out, so that no part of a date is a number too."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.facts: list[Fact] = []

    def take(self, pattern: re.Pattern[str], make: Make) -> None:
        self.text = pattern.sub(lambda match: self._keep(match, make), self.text)

    def _keep(self, match: re.Match[str], make: Make) -> str:
        made = make(match)
        if made is None:
            return match[0]
        self.facts.extend(made if isinstance(made, tuple) else (made,))
        return " " * len(match[0])
