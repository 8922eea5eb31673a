"""What one sentence claims: its facts, quotations, names and words, and the manner it says them in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.fact import Fact
from trace_inspector.engine.grounding.facts import read_facts
from trace_inspector.engine.grounding.folding import fold, fold_text
from trace_inspector.engine.grounding.names import Name, names_in
from trace_inspector.engine.grounding.negation import denies
from trace_inspector.engine.grounding.sentences import Form
from trace_inspector.engine.grounding.vocabulary import (
    CONVERSATION,
    HEDGES,
    JOINED_HEDGES,
    JOINED_OPINIONS,
    OPINIONS,
    PHRASES,
)
from trace_inspector.engine.grounding.words import find_words, folded_set, is_unspaced, keys_of

MAX_SENTENCE_CHARS: Final = 4_000
_QUOTED: Final = re.compile(
    r"“([^“”\n]{2,400})”|\"([^\"\n]{2,400})\"|«([^«»\n]{2,400})»|„([^“”„\n]{2,400})[“”]|「([^「」\n]{2,400})」|『([^『』\n]{2,400})』"
)
_QUESTION: Final = re.compile(r"[?？؟;]['\"’”»)\]*_`」』]*\s*$")
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
    hedged: bool
    question: bool
    phrase: bool
    opinion: bool
    conversation: bool
    unspaced: bool
    denies: bool


def read_claim(text: str, form: Form) -> Claim:
    """Read one sentence of an answer."""
    mark = _LIST_MARK.match(text)
    begin = mark.end() if mark else 0
    body = " " * begin + text[begin:]
    words = find_words(body)
    known = set(words)
    folded = folded_set(known)
    facts = read_facts(body, folded)
    unspaced = is_unspaced(body)
    return Claim(
        text=text,
        form=form,
        facts=tuple(fact for fact in facts if fact.keys or fact.amount),
        quotations=tuple(
            quote for match in _QUOTED.finditer(body) if _is_quotation(quote := match[match.lastindex or 0])
        ),
        names=() if form in (Form.HEADING, Form.CODE) else names_in(body, begin, facts),
        keys=frozenset(keys_of(known)),
        hedged=not folded.isdisjoint(HEDGES) or any(mark in body for mark in JOINED_HEDGES),
        question=_QUESTION.search(body[-20:]) is not None,
        phrase=_begins_as_phrase(body[begin:]),
        opinion=not folded.isdisjoint(OPINIONS) or (unspaced and any(mark in body for mark in JOINED_OPINIONS)),
        conversation=not folded.isdisjoint(CONVERSATION),
        unspaced=unspaced,
        denies=denies(body, folded),
    )


def _is_quotation(quoted: str) -> bool:
    """Three words or more: shorter ones are names, titles or words held at a distance."""
    words = find_words(quoted)
    return len(words) >= 3 or (len(quoted) >= 8 and is_unspaced(quoted))


def _begins_as_phrase(text: str) -> bool:
    beginning = fold_text(text[:_BEGINNING_CHARS].lstrip(" \t\r\n*_\"'“„«「(¡¿")).replace("’", "'")
    return _PHRASE.match(beginning) is not None
