"""Of what the sentences of a text speak: order A-100, room B, Tilly; what is said of one is not said of another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.support import neighbours
from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.negation import is_negated
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import find_words, folded_set, keys_of

_LEAST_CHARS: Final = 30  # of a text with two sentences
_MAX_CHARS: Final = 4_000
_MAX_SENTENCES: Final = 60
_DIGITS: Final = re.compile(r"\d+")
# A code, or a number or a single capital behind a noun: Order A-100, screen 2, Room B, LH400.
_NUMBERED: Final = re.compile(
    r"\W{0,4}(?:(?:[Tt]he|[Oo]ur|[Yy]our|[Dd]er|[Dd]ie|[Dd]as|[Ll]e|[Ll]a|[Ee]l|[Oo]|[Aa]s?) )?"
    r"(?P<head>[^\W\d_]{2,20} )?"
    r"(?P<label>#?(?:[A-Za-z]{1,8}[-_/]?)?\d[\w/-]{0,20}|[A-Z]|(?<=[^\W\d_] )(?:One|Two|Three|Four|Five|Six))"
    r"(?![\w.,:;%-]?\w|%)"
)
_NAMED: Final = re.compile(
    r"\W{0,4}(?:[Tt]he )?(?P<name>[A-ZÀ-Þ][\w'’-]{1,30}(?: (?:(?:of|de|la|von|van) )?[A-ZÀ-Þ][\w'’-]{0,30}){0,3})"
    r"(?=,? [a-zà-ÿ])"
)


# A line of a log that gives first of what it speaks: 06:40:00 bay=2 valve opened.
_LINE: Final = re.compile(r"\W{0,2}\d[\d:.,TZ+/ -]{4,40}\W{0,3}([a-z][\w.]{1,20})=\"?([\w./-]{1,40})")
_CODE_CHARS: Final = 3


class Thing(NamedTuple):
    """What a sentence begins with: a noun and a code, or a name without a noun; and where it stands."""

    head: str
    label: str
    start: int
    end: int

    @property
    def is_numbered(self) -> bool:
        """Whether it is no mere name."""
        return bool(self.head) or any(char.isdigit() for char in self.label)

    def is_other_than(self, other: Thing) -> bool:
        """Whether both are things of one kind, and not the same one."""
        if not self.is_like(other) or self.label == other.label:
            return False
        names = (self.label.split(), other.label.split())
        return not (set(names[0]) <= set(names[1]) or set(names[1]) <= set(names[0]))

    def is_like(self, other: Thing) -> bool:
        """Whether both are things of one kind: of one noun, with codes of one make, or with names."""
        if self.head and other.head:
            return self.head == other.head
        return _make(self.label) == _make(other.label)


class _Said(NamedTuple):
    """A sentence of the evidence, with its subject where it begins with one."""

    text: str
    subject: Thing | None
    keys: frozenset[str]
    facts: tuple[Fact, ...]
    is_negated: bool
    is_line: bool  # of a log


class OfAnother(NamedTuple):
    """What the evidence says of another thing, what it says of the one that is meant, and in which passage."""

    said: str
    own: str
    passage: int


def are_numbered_apart(first: str, second: str) -> bool:
    """Whether two clauses begin with different things of one kind, which are more than names."""
    one, other = subject_of(first), subject_of(second)
    return bool(one and other and one.is_numbered and other.is_numbered and one.is_other_than(other))


@lru_cache(maxsize=1 << 10)
def subject_of(text: str) -> Thing | None:
    """What a sentence or a clause begins with, where that is a code, a numbered thing or a name."""
    if match := _NUMBERED.match(text):
        head, label = fold((match["head"] or "").strip()), match["label"]
        plain = label.isdecimal() or not any(char.isdigit() for char in label)
        if (head and head not in STOP_WORDS) or not plain:
            return Thing("" if head in STOP_WORDS else head, label.lower(), 0, match.end())
    match = _NAMED.match(text)
    if match is None:
        return None
    first = fold(match["name"].split()[0])
    return None if first in STOP_WORDS else Thing("", fold(match["name"]), 0, match.end())


def said_of_another(claim: Claim, passages: Iterable[int], evidence: Evidence) -> OfAnother | None:
    """What the evidence says of another thing in the very words of a sentence, and not of the one it is about."""
    begins_with = subject_of(claim.text)
    named = keys_of(find_words(claim.text[: begins_with.end])) if begins_with else frozenset()
    content = frozenset(claim.keys - named)
    denies = is_negated(claim.text, claim.folded)
    looked_at: set[int] = set()
    for passage in passages:
        near = [number for number in neighbours(passage, evidence) if number not in looked_at]
        looked_at.update(near)
        if not _may_say(near, begins_with, frozenset() if claim.facts else content, evidence):
            continue
        said = [one for number in near for one in _said_in(number, evidence)]
        subject = begins_with or _of_lines(claim.text, said)
        if subject is None:
            continue
        facts = [fact for fact in claim.facts if fact.start >= subject.end or fact.end <= subject.start]
        keys = frozenset(claim.keys - keys_of(find_words(claim.text[subject.start : subject.end])))
        if not keys and not facts:
            continue
        own = [one for one in said if _speaks_of(one, subject)]
        kinds = [one.subject for one in own if one.subject]
        if not kinds or any(one.is_negated is denies and _has(one, keys, facts) for one in own):
            continue
        others = [
            one
            for one in said
            if one.subject and one.is_negated is denies and any(one.subject.is_other_than(kind) for kind in kinds)
            and not _speaks_of(one, subject)
        ]  # fmt: skip
        # Beside a figure, words that are nowhere say nothing of where it belongs.
        known = keys & frozenset[str]().union(*(one.keys for one in said)) if facts else keys
        for one in others:
            if _has(one, known, facts) and _is_distinct(known, facts, one, said, others, own):
                return OfAnother(one.text, own[0].text, passage)
    return None


def _may_say(passages: Iterable[int], subject: Thing | None, content: Set[str], evidence: Evidence) -> bool:
    """Whether some passages have all the words, and the thing; most have not, and are not read for it."""
    passages = list(passages)
    if content and not content <= frozenset[str]().union(*map(evidence.keys.__getitem__, passages)):
        return False
    texts = [leaf.value for passage in passages for leaf in evidence.passages[passage].leaves]
    if subject is None:
        return any("=" in text for text in texts)
    return any(subject.label in fold(text) for text in texts if len(text) >= _LEAST_CHARS)


def _of_lines(text: str, said: Iterable[_Said]) -> Thing | None:
    """The one thing of the lines of a log, by what they give first, that a sentence names wherever it does."""
    folded = fold(text)
    found: dict[str, Thing] = {}
    for one in said:
        if one.subject and one.is_line and one.subject.label not in found:
            name = _name_of(one.subject)
            start = _place(folded, name)
            if start >= 0:
                found[one.subject.label] = one.subject._replace(start=start, end=start + len(name))
    return next(iter(found.values())) if len(found) == 1 else None


def _is_distinct(
    keys: frozenset[str], facts: list[Fact], one: _Said, said: list[_Said], others: list[_Said], own: list[_Said]
) -> bool:
    """Whether something of the sentence is said of other things only, and of nothing that may be the one meant.

    Of a figure it is so only where the thing itself has another one of its kind.
    """
    rest = [each for each in said if each is not one and each not in others]
    if keys - frozenset[str]().union(*(each.keys for each in rest)):
        return True
    stated = [fact for each in rest for fact in each.facts]
    kinds = {fact.kind for each in own for fact in each.facts}
    return any(fact.kind in kinds and not any(_is_same(fact, other) for other in stated) for fact in facts)


def _has(one: _Said, keys: frozenset[str], facts: list[Fact]) -> bool:
    return keys <= one.keys and all(any(_is_same(fact, other) for other in one.facts) for fact in facts)


def _is_same(fact: Fact, other: Fact) -> bool:
    if fact.amount and other.amount and not fact.keys:
        return not set(fact.amount.values).isdisjoint(other.amount.values)
    return not set(fact.keys).isdisjoint(other.keys)


def _speaks_of(one: _Said, subject: Thing) -> bool:
    """Whether a sentence names a thing, wherever it does."""
    if one.subject and one.subject.label == subject.label and one.subject.is_like(subject):
        return True
    return not one.is_line and _place(fold(one.text), _name_of(subject)) >= 0


def _name_of(subject: Thing) -> str:
    """A thing as texts call it: a short code says little without its noun."""
    return f"{subject.head} {subject.label}".strip() if len(subject.label) < _CODE_CHARS else subject.label


def _place(text: str, name: str) -> int:
    """Where a name stands by itself, -1 where it does not."""
    start = text.find(name)
    while start >= 0:
        if not text[start - 1 : start].isalnum() and not text[start + len(name) : start + len(name) + 1].isalnum():
            return start
        start = text.find(name, start + 1)
    return -1


def _said_in(passage: int, evidence: Evidence) -> Iterator[_Said]:
    for leaf in evidence.passages[passage].leaves:
        if len(leaf.value) >= _LEAST_CHARS:
            yield from _sentences(leaf.value)


@lru_cache(maxsize=1 << 8)
def _sentences(text: str) -> tuple[_Said, ...]:
    if len(text) > _MAX_CHARS:
        return ()
    lines = text.split("\n")[:_MAX_SENTENCES]
    pieces = (line[span.start : span.end] for line in lines for span in split(line))
    return tuple(map(_said, islice(filter(str.strip, pieces), _MAX_SENTENCES)))


def _said(sentence: str) -> _Said:
    text = sentence.strip(' "')
    reading = read(text)
    line = _LINE.match(text)
    subject = Thing(fold(line[1]), line[2].lower(), line.start(1), line.end()) if line else subject_of(text)
    denies = is_negated(text, folded_set(find_words(text)))
    return _Said(text, subject, reading.keys, reading.facts, denies, is_line=line is not None)


def _make(label: str) -> str:
    """How a code is made: A-100 and A-200 alike; names are all alike."""
    return _DIGITS.sub("9", re.sub(r"[a-z]", "a", label)) if any(char.isdigit() for char in label) else ""
