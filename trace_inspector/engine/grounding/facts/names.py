"""Names in a sentence: capitalised words where the language does not ask for a capital."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.text.calendar_words import MONTHS, WEEKDAYS
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.number_words import NUMBER_WORDS
from trace_inspector.engine.grounding.text.units import MULTIPLIERS, UNITS
from trace_inspector.engine.grounding.text.vocabulary import ENGLISH, GERMAN, STOP_WORDS
from trace_inspector.engine.grounding.text.words import STEM_CHARS, UNSPACED, WORD, keys_of, whole_stem

_JOINERS: Final = frozenset(
    {"of", "de", "la", "le", "del", "von", "van", "der", "den", "du", "des", "da", "do", "di", "the"}
)
_GAP: Final = re.compile(r"[ \u00a0]?[&'’.-]?[ \u00a0]?")
_SENTENCE_BREAK: Final = re.compile(r"[:\n|“„«\"(\[*_]")
_TITLES: Final = folded_words("mr mrs ms dr prof sir madam herr frau monsieur madame señor señora sr sra")
_LABEL: Final = re.compile(r"(?:[^\s:.!?\d]{1,30}[ ]){0,2}[^\s:.!?\d]{1,30}:(?=[\s*_]|$)")
_MAX_NAMES: Final = 40


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, the keys of its words, and the stems of those that keys cut short."""

    text: str
    keys: frozenset[str]
    cut: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _NameWord:
    text: str
    start: int
    end: int


def names_in(text: str, begin: int, facts: Sequence[Fact]) -> tuple[Name, ...]:
    """The names of a sentence that begins at `begin`; in German, where nouns have capitals, only longer ones."""
    if not text.isascii():
        text = UNSPACED.sub(lambda match: "、" * len(match[0]), text)
    taken = sorted((fact.start, fact.end) for fact in facts)
    words = [
        _NameWord(match[0], *match.span())
        for match in WORD.finditer(text, begin)
        if not _inside(taken, match.start())
    ]
    if not words or _is_title(words):
        return ()
    german = _is_german(words)
    names: dict[str, Name] = {}
    label_end = _label_end(text, begin)
    for run in _runs(text, words):
        if run[-1].end <= label_end:
            continue
        kept = _trimmed(text, run, begin)
        if not kept or (german and len(kept) < 2):
            continue
        name = _name(text, kept)
        if name.keys:
            names.setdefault(name.text, name)
        if len(names) >= _MAX_NAMES:
            break
    return tuple(names.values())


def _name(text: str, kept: list[_NameWord]) -> Name:
    words = [word.text for word in kept]
    stems = (whole_stem(fold(word)) for word in words if word.isascii())
    cut = frozenset(stem for stem in stems if len(stem) >= STEM_CHARS)
    return Name(text[kept[0].start : kept[-1].end], frozenset(keys_of(words)), cut)


def _label_end(text: str, begin: int) -> int:
    """Where a label such as "Opening Hours:" at the beginning ends, else `begin`."""
    match = _LABEL.match(text, begin)
    return match.end() if match else begin


def _inside(taken: list[tuple[int, int]], position: int) -> bool:
    index = bisect_right(taken, (position, 1 << 60)) - 1
    return index >= 0 and taken[index][0] <= position < taken[index][1]


def _is_title(words: list[_NameWord]) -> bool:
    """Whether a sentence is set like a title, most of its words with a capital."""
    long = [word for word in words if len(word.text) > 3]
    return len(long) > 3 and sum(word.text[0].isupper() for word in long) > 0.8 * len(long)


def _is_german(words: list[_NameWord]) -> bool:
    lowered = {word.text.lower() for word in words if len(word.text) <= 6}
    return len(lowered & GERMAN) > len(lowered & ENGLISH)


def _runs(text: str, words: list[_NameWord]) -> Iterator[list[_NameWord]]:
    run: list[_NameWord] = []
    for word in words:
        touches = (
            bool(run) and word.start - run[-1].end <= 4 and _GAP.fullmatch(text, run[-1].end, word.start) is not None
        )
        capital = word.text[0].isupper()
        if not capital and not (touches and word.text in _JOINERS):
            if run:
                yield run
            run = []
        elif touches:
            run.append(word)
        else:
            if run:
                yield run
            run = [word] if capital else []
    if run:
        yield run


def _trimmed(text: str, run: list[_NameWord], begin: int) -> list[_NameWord]:
    """Without titles, ordinary words at the sentence's beginning, calendar words and joiners at the ends."""
    first = _is_first(text, run[0].start, begin)
    kept = list(run)
    while kept and (_is_plain(kept[0].text) or kept[0].text in _JOINERS):
        kept.pop(0)
        first = False
    while kept and (kept[-1].text in _JOINERS or _is_plain(kept[-1].text)):
        kept.pop()
    if first and len(kept) == 1:
        return []
    if kept and all(len(word.text) <= 3 for word in kept) and "-" in text[kept[0].start : kept[-1].end]:
        return []  # "Wi-Fi"
    if len(kept) == 1 and (len(kept[0].text) < 2 or (kept[0].text.isupper() and len(kept[0].text) <= 5)):
        return []  # initials and abbreviations are words like others
    return kept


def _is_first(text: str, start: int, begin: int) -> bool:
    before = text[max(begin, start - 3) : start].rstrip(" \u00a0")
    return not before or _SENTENCE_BREAK.search(before[-1:]) is not None


def _is_plain(word: str) -> bool:
    folded = fold(word)
    return (
        folded in STOP_WORDS or folded in _TITLES or folded in MONTHS or folded in WEEKDAYS or folded in NUMBER_WORDS
        or folded in MULTIPLIERS or (folded in UNITS and not word.isupper()) or len(word) == 1
    )  # fmt: skip
