"""What one sentence claims: its facts, quotations, names and words, and how it is phrased."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from functools import cache, lru_cache
from operator import attrgetter
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.facts.reading import read_facts
from trace_inspector.engine.grounding.text.folding import fold, fold_text, folded_words, may_have, without_figures
from trace_inspector.engine.grounding.text.negation import denies
from trace_inspector.engine.grounding.text.sentences import Form
from trace_inspector.engine.grounding.text.units import MULTIPLIERS, NUMBER_WORDS, UNITS
from trace_inspector.engine.grounding.text.vocabulary import (
    CONVERSATION,
    ENGLISH,
    GERMAN,
    HEDGES,
    IMPERATIVES,
    JOINED_HEDGES,
    JOINED_JUDGEMENTS,
    JUDGEMENTS,
    MONTHS,
    PHRASES,
    RESTATING,
    STOP_WORDS,
    WEEKDAYS,
)
from trace_inspector.engine.grounding.text.words import (
    STEM_CHARS,
    UNSPACED,
    WORD,
    find_words,
    folded_set,
    is_unspaced,
    keys_of,
    whole_stem,
)

_JOINERS: Final = frozenset(
    {"of", "de", "la", "le", "del", "von", "van", "der", "den", "du", "des", "da", "do", "di", "the"}
)
_GAP: Final = re.compile(r"[ \u00a0]?[&'’.-]?[ \u00a0]?")
_SENTENCE_BREAK: Final = re.compile(r"[:\n|“„«\"(\[*_]")
_TITLES: Final = folded_words("mr mrs ms dr prof sir madam herr frau monsieur madame señor señora sr sra")
_LABEL: Final = re.compile(r"(?:[^\s:.!?\d]{1,30}[ ]){0,2}[^\s:.!?\d]{1,30}:(?=[\s*_]|$)")
_MAX_NAMES: Final = 40


class Name(Struct, frozen=True, gc=False):
    """A name as written, the keys of its words, and the stems of those that keys cut short."""

    text: str
    keys: frozenset[str]
    cut: frozenset[str] = frozenset()


class _NameWord(Struct, frozen=True, gc=False):
    text: str
    start: int
    end: int


def names_in(text: str, begin: int, taken: Sequence[tuple[int, int]]) -> tuple[Name, ...]:
    """The names of a sentence that begins at `begin`, outside its facts, whose places are taken, in order.

    In German, where nouns have capitals, only longer ones.
    """
    if not text.isascii():
        text = UNSPACED.sub(lambda match: "、" * len(match[0]), text)
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


def _inside(taken: Sequence[tuple[int, int]], position: int) -> bool:
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


MAX_SENTENCE_CHARS: Final = 4_000
_QUOTED: Final = re.compile(
    r"“([^“”\n]{2,400})”|\"([^\"\n]{2,400})\"|«([^«»\n]{2,400})»|„([^“”„\n]{2,400})[“”]|「([^「」\n]{2,400})」|『([^『』\n]{2,400})』"
)
_QUESTION: Final = re.compile(r"[?？؟;]\W*$")
# An offer or a request to the user, wherever in a sentence it stands.
_OFFER: Final = re.compile(
    r"\b(?:let me know|feel free to|would you like|do you want|shall i|i can (?:also )?(?:help|send|check|look|give)|"
    r"lassen sie (?:es )?mich wissen|sagen sie mir|dites[- ]moi|faites[- ]moi savoir|av[ií]s(?:ame|eme)|"
    r"hágame saber)\b|\bnot (?:\w+ )?advice\b|(?:ください|くださいね|いたします|いたしましょう|ましょうか)[。！!]?$",
    re.IGNORECASE,
)
_IN_OFFERS: Final = (
    "let me know", "feel free", "would you like", "do you want", "shall i", "i can ", "lassen sie", "sagen sie",
    "dites", "faites", "avis", "advice",
)  # fmt: skip
# What the agent could do or would do, not what it did or found.
_AGENT_OFFERS: Final = re.compile(
    r"\W*(?:(?:i|we)(?: can| could| would|['’]d)(?! (?:see|confirm|find|found|not|only|tell|read|say|access|verify))"
    r"|ich (?:kann|könnte|würde|empfehle)|wir (?:können|könnten)|je (?:peux|pourrais|recommande|conseille)|"
    r"(?:puedo|podría|podemos|posso|poderia|podemos|possiamo|potrei)\b)",
    re.IGNORECASE,
)
_LIST_MARK: Final = re.compile(r"[ \t>]*(?:[-*+•◦▪‣·–—]|\(?(?:\d{1,4}|[a-zA-Z])[.)]|[①-⑳]|#{1,6})[ \t]+")
_BEGINNING_CHARS: Final = 60
_REMEMBERED_CHARS: Final = 400


@cache
def _phrases(first: str) -> re.Pattern[str]:
    """The phrases that begin with a character."""
    folded = ((phrase, fold(phrase).replace("’", "'")) for phrase in PHRASES)
    return re.compile(
        "|".join(
            re.escape(beginning) + (r"(?!\w)" if phrase.isascii() else "")
            for phrase, beginning in folded
            if beginning[0] == first
        )
        or r"(?!)"
    )


class Claim(Struct, frozen=True, eq=False):
    """A sentence as the rules see it; the same object for the same sentence, where it was read lately."""

    text: str
    wording: str  # the text for what asks nothing of its figures, which is then read once for all alike
    form: Form
    facts: tuple[Fact, ...]
    quotations: tuple[str, ...]
    names: tuple[Name, ...]
    keys: frozenset[str]
    folded: frozenset[str]
    bounds: tuple[tuple[float, float], ...]
    question: bool
    introduces: bool
    phrase: bool
    offers: bool
    advises: bool
    judges: bool
    conversation: bool
    restating: bool
    unspaced: bool
    denies: bool


def read_claim(text: str, form: Form) -> Claim:
    """Read one sentence of an answer; short ones are remembered, as answers have the same ones again and again."""
    return _remembered_claim(text, form) if len(text) <= _REMEMBERED_CHARS else _read_claim(text, form)


@lru_cache(maxsize=1 << 10)
def _remembered_claim(text: str, form: Form) -> Claim:
    return _read_claim(text, form)


class _Phrasing(Struct, frozen=True):
    """What a sentence says whatever its figures are."""

    begin: int  # behind the mark of a list
    quoted: tuple[tuple[int, int], ...]
    folded: frozenset[str]
    bounds: tuple[tuple[float, float], ...]
    question: bool
    introduces: bool
    phrase: bool
    offers: bool
    advises: bool
    judges: bool
    conversation: bool
    restating: bool
    unspaced: bool
    denies: bool


def _read_claim(text: str, form: Form) -> Claim:
    alike = without_figures(text)
    is_short = len(text) <= _REMEMBERED_CHARS
    said = _remembered_phrasing(alike) if is_short else _phrasing(alike)
    body = " " * said.begin + text[said.begin :]
    facts = read_facts(body, said.folded)
    spans = tuple(sorted([(fact.start, fact.end) for fact in facts]))
    has_names = form not in (Form.HEADING, Form.CODE)
    names, keys = (_remembered_words if is_short else _other_words)(alike, said.begin, spans, has_names)
    return Claim(
        text=text,
        wording=alike,
        form=form,
        facts=tuple(sorted([fact for fact in facts if fact.keys or fact.amount], key=_start)),
        quotations=tuple([body[start:end] for start, end in said.quoted]),
        names=names,
        keys=keys,
        folded=said.folded,
        bounds=said.bounds,
        question=said.question,
        introduces=said.introduces,
        phrase=said.phrase,
        offers=said.offers,
        advises=said.advises,
        judges=said.judges,
        conversation=said.conversation,
        restating=said.restating,
        unspaced=said.unspaced,
        denies=said.denies,
    )


_start: Final = attrgetter("start")


@lru_cache(maxsize=1 << 9)
def _remembered_phrasing(text: str) -> _Phrasing:
    return _phrasing(text)


def _phrasing(text: str) -> _Phrasing:
    mark = _LIST_MARK.match(text)
    begin = mark.end() if mark else 0
    body = " " * begin + text[begin:]
    words = find_words(body)
    folded = frozenset(folded_set(words))
    quotes = (match.span(match.lastindex or 0) for match in _QUOTED.finditer(body))
    return _Phrasing(
        begin=begin,
        quoted=tuple((start, end) for start, end in quotes if _is_quotation(body[start:end])),
        folded=folded,
        bounds=_bounds(body, folded),
        question=_QUESTION.search(body[-20:]) is not None,
        introduces=body.rstrip(" \t\r\n*_").endswith((":", "：")),
        phrase=_begins_as_phrase(body[begin:]),
        offers=(may_have(body, _IN_OFFERS) and _OFFER.search(body) is not None)
        or _AGENT_OFFERS.match(body) is not None,
        advises=bool(words) and fold(words[0]) in IMPERATIVES,
        judges=not folded.isdisjoint(JUDGEMENTS)
        or (not body.isascii() and any(mark in body for mark in JOINED_JUDGEMENTS)),
        conversation=not folded.isdisjoint(CONVERSATION),
        restating=not folded.isdisjoint(RESTATING),
        unspaced=is_unspaced(body),
        denies=denies(body, folded),
    )


@lru_cache(maxsize=1 << 9)
def _remembered_words(
    text: str, begin: int, facts: tuple[tuple[int, int], ...], has_names: bool
) -> tuple[tuple[Name, ...], frozenset[str]]:
    return _other_words(text, begin, facts, has_names)


def _other_words(
    text: str, begin: int, facts: tuple[tuple[int, int], ...], has_names: bool
) -> tuple[tuple[Name, ...], frozenset[str]]:
    """The names of a sentence, and the keys of its words, outside the places of its facts."""
    body = " " * begin + text[begin:]
    names = names_in(body, begin, facts) if has_names else ()
    return names, frozenset(keys_of(find_words(_without(body, facts))))


def _bounds(text: str, folded: Set[str]) -> tuple[tuple[float, float], ...]:
    named = [HEDGES[word] for word in sorted(folded & HEDGES.keys())]
    signs = [bounds for mark, bounds in JOINED_HEDGES.items() if mark in text]
    return tuple(dict.fromkeys((*named, *signs)))


def _without(text: str, facts: Sequence[tuple[int, int]]) -> str:
    """The text without its facts, whose units and months need not be found once more as words."""
    pieces, last = [], 0
    for start, end in facts:
        pieces.append(text[last:start])
        last = max(last, end)
    return " ".join((*pieces, text[last:]))


def _is_quotation(quoted: str) -> bool:
    """Three words or more: shorter ones are names, titles or scare quotes."""
    words = find_words(quoted)
    return len(words) >= 3 or (len(quoted) >= 8 and is_unspaced(quoted))


def _begins_as_phrase(text: str) -> bool:
    beginning = fold_text(text[:_BEGINNING_CHARS].lstrip(" \t\r\n*_\"'“„«「(¡¿")).replace("’", "'")
    return bool(beginning) and _phrases(beginning[0]).match(beginning) is not None
