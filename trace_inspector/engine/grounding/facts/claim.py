"""What one sentence claims: its facts, quotations, names and words, and how it is phrased."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.facts.facts import read_facts
from trace_inspector.engine.grounding.facts.names import Name, names_in
from trace_inspector.engine.grounding.text.folding import fold, fold_text
from trace_inspector.engine.grounding.text.negation import denies
from trace_inspector.engine.grounding.text.sentences import Form
from trace_inspector.engine.grounding.text.vocabulary import (
    CONVERSATION,
    HEDGES,
    IMPERATIVES,
    JOINED_HEDGES,
    JOINED_JUDGEMENTS,
    JUDGEMENTS,
    PHRASES,
    RESTATING,
)
from trace_inspector.engine.grounding.text.words import find_words, folded_set, is_unspaced, keys_of

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
# What the agent could do or would do, not what it did or found.
_AGENT_OFFERS: Final = re.compile(
    r"\W*(?:(?:i|we)(?: can| could| would|['’]d)(?! (?:see|confirm|find|found|not|only|tell|read|say|access|verify))"
    r"|ich (?:kann|könnte|würde|empfehle)|wir (?:können|könnten)|je (?:peux|pourrais|recommande|conseille)|"
    r"(?:puedo|podría|podemos|posso|poderia|podemos|possiamo|potrei)\b)",
    re.IGNORECASE,
)
_LIST_MARK: Final = re.compile(r"[ \t>]*(?:[-*+•◦▪‣·–—]|\(?(?:\d{1,4}|[a-zA-Z])[.)]|[①-⑳]|#{1,6})[ \t]+")
_BEGINNING_CHARS: Final = 60
_PHRASE: Final = re.compile(
    "(?:"
    + "|".join(
        re.escape(fold(phrase).replace("’", "'")) + (r"(?!\w)" if phrase.isascii() else "") for phrase in PHRASES
    )
    + ")"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence as the rules see it."""

    text: str
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
    """Read one sentence of an answer."""
    mark = _LIST_MARK.match(text)
    begin = mark.end() if mark else 0
    body = " " * begin + text[begin:]
    words = find_words(body)
    vocabulary = set(words)
    folded = folded_set(vocabulary)
    facts = read_facts(body, folded)
    unspaced = is_unspaced(body)
    return Claim(
        text=text,
        form=form,
        facts=tuple(sorted((fact for fact in facts if fact.keys or fact.amount), key=lambda fact: fact.start)),
        quotations=tuple(
            quote for match in _QUOTED.finditer(body) if _is_quotation(quote := match[match.lastindex or 0])
        ),
        names=() if form in (Form.HEADING, Form.CODE) else names_in(body, begin, facts),
        keys=frozenset(keys_of(find_words(_without(body, facts)))),
        folded=frozenset(folded),
        bounds=_bounds(body, folded),
        question=_QUESTION.search(body[-20:]) is not None,
        introduces=body.rstrip(" \t\r\n*_").endswith((":", "：")),
        phrase=_begins_as_phrase(body[begin:]),
        offers=_OFFER.search(body) is not None or _AGENT_OFFERS.match(body) is not None,
        advises=bool(words) and fold(words[0]) in IMPERATIVES,
        judges=not folded.isdisjoint(JUDGEMENTS) or any(mark in body for mark in JOINED_JUDGEMENTS),
        conversation=not folded.isdisjoint(CONVERSATION),
        restating=not folded.isdisjoint(RESTATING),
        unspaced=unspaced,
        denies=denies(body, folded),
    )


def _bounds(text: str, folded: set[str]) -> tuple[tuple[float, float], ...]:
    named = [HEDGES[word] for word in sorted(folded & HEDGES.keys())]
    signs = [bounds for mark, bounds in JOINED_HEDGES.items() if mark in text]
    return tuple(dict.fromkeys((*named, *signs)))


def _without(text: str, facts: list[Fact]) -> str:
    """The text without its facts, whose units and months need not be found once more as words."""
    pieces, last = [], 0
    for start, end in sorted((fact.start, fact.end) for fact in facts):
        pieces.append(text[last:start])
        last = max(last, end)
    return " ".join((*pieces, text[last:]))


def _is_quotation(quoted: str) -> bool:
    """Three words or more: shorter ones are names, titles or scare quotes."""
    words = find_words(quoted)
    return len(words) >= 3 or (len(quoted) >= 8 and is_unspaced(quoted))


def _begins_as_phrase(text: str) -> bool:
    beginning = fold_text(text[:_BEGINNING_CHARS].lstrip(" \t\r\n*_\"'“„«「(¡¿")).replace("’", "'")
    return _PHRASE.match(beginning) is not None
