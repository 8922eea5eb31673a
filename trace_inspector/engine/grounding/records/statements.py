"""A text result that is a list of short statements about named things, read as a record for each thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from trace_inspector.engine.grounding.evidence.evidence import Source
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.records.record import Field, Record, Scalar, Table
from trace_inspector.engine.grounding.records.sentences.meaning import STATES
from trace_inspector.engine.grounding.records.words.word_table import Token, tokens_of
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.negation import is_negated
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.engine.grounding.text.vocabulary import GERMAN, NEGATIONS

_MAX_CHARS: Final = 20_000
_MIN_SENTENCES: Final = 4
_MAX_SENTENCES: Final = 300
_MEAN_WORDS: Final = 12
_MAX_WORDS: Final = 24
_NAME_WORDS: Final = 3
_NAMED_SHARE: Final = 0.85
_NOUN_SHARE: Final = 0.4  # words in so many sentences name the kind of thing, not an attribute
_ARTICLES: Final = folded_words("the a an le la les l der die das el los las o a os as il lo i gli")
_SWITCHES: Final = {"enabled": True, "disabled": False}
_OMITTED: Final = _ARTICLES | NEGATIONS
_CODE: Final = re.compile(r"#\d{2,12}(?!\w)|(?<![\w-])[A-Z][A-Za-z]{0,7}-?\d{1,8}(?![\w-])")
_TRAILING_NAME: Final = re.compile(
    r"(?:Dr\. )?[A-ZÀ-Þ][\w’'-]{0,24}(?:(?: & | )[A-ZÀ-Þ][\w’'-]{0,24}){0,3}(?=[.。]?$)"
)
_VALUES: Final = frozenset({FactKind.NUMBER, FactKind.DATE, FactKind.TIME, FactKind.IDENTIFIER})


def statement_table(source: Source, text: str) -> Table | None:
    """A table of the things that a list of statements is about; None of any other text."""
    if len(text) > _MAX_CHARS:
        return None
    sentences = [text[span.start : span.end] for span in split(text)][:_MAX_SENTENCES]
    words = [tokens_of(sentence) for sentence in sentences]
    if len(sentences) < _MIN_SENTENCES or max(map(len, words)) > _MAX_WORDS:
        return None
    if sum(map(len, words)) > _MEAN_WORDS * len(sentences):
        return None
    plain = f" {text} "
    names = [
        name.lower() if f" {name.lower()} " in plain else name
        for name in _with_aliases(sentences, _names(sentences, words))
    ]
    if sum(name != "" for name in names) < _NAMED_SHARE * len(sentences) or len(set(filter(None, names))) < 2:
        return None
    things: dict[str, list[Field]] = {}
    counts = Counter(token.text for tokens in words for token in tokens)
    nouns = {word for word, count in counts.items() if count > _NOUN_SHARE * len(sentences)}
    for sentence, name in zip(sentences, names, strict=True):
        if name:
            fields = things.setdefault(name, [Field("name", name, f"name: {name}")])
            fields.append(_field(sentence, name, nouns))
    return Table(source, "statements", tuple(Record(tuple(fields)) for fields in things.values()))


def _names(sentences: Sequence[str], words: Sequence[Sequence[Token]]) -> list[str]:
    """The thing that each sentence is about: a code that comes again, or else words that several begin with."""
    codes = Counter(code for sentence in sentences for code in set(_CODE.findall(sentence)))
    coded = [next((code for code in _CODE.findall(sentence) if codes[code] > 1), "") for sentence in sentences]
    if 3 * sum(code != "" for code in coded) >= len(sentences):
        return [
            code or next(iter(_CODE.findall(sentence)), "") for code, sentence in zip(coded, sentences, strict=True)
        ]
    beginnings = [_beginnings(sentence, tokens) for sentence, tokens in zip(sentences, words, strict=True)]
    counts = Counter(name.lower() for some in beginnings for name in some)
    chosen = [
        max(
            (name for name in some if counts[name.lower()] > 1), key=lambda x: (counts[x.lower()], len(x)), default=""
        )
        for some in beginnings
    ]
    spelled = {name.lower(): name for name in chosen if name}
    return [spelled[name.lower()] if name else "" for name in chosen]


def _beginnings(sentence: str, tokens: Sequence[Token]) -> list[str]:
    """The first words of a sentence after an article, as the names that they may be."""
    first = 1 if tokens and tokens[0].text in _ARTICLES else 0
    some = tokens[first : first + _NAME_WORDS]
    return [sentence[some[0].start : token.end] for token in some] if some else []


def _with_aliases(sentences: Sequence[str], names: list[str]) -> list[str]:
    """Sentences about "the flight to X" are about the thing that another sentence says goes to X."""
    owners: dict[str, str] = {}
    for sentence, name in zip(sentences, names, strict=True):
        match = _TRAILING_NAME.search(sentence)
        if name and match and match[0] != name:
            owners.setdefault(match[0], name)
    lowered = {name.lower(): name for name in names if name}
    found = []
    for sentence, name in zip(sentences, names, strict=True):
        plain = sentence.lower()
        alias = "" if name else next((owner for alias, owner in owners.items() if alias in sentence), "")
        found.append(name or alias or next((one for key, one in lowered.items() if key in plain), ""))
    return found


def _field(sentence: str, name: str, nouns: set[str]) -> Field:
    """What a sentence says of its thing: its value, and the words around it as the key."""
    rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", sentence, flags=re.IGNORECASE)
    facts = [fact for fact in read(sentence).facts if _is_value(fact, sentence[fact.start : fact.end], name)]
    if len(facts) == 1:
        shown = sentence[facts[0].start : facts[0].end]
        return Field(_key(rest.replace(shown, " "), nouns), shown, sentence)
    tokens = tokens_of(sentence)
    negated = is_negated(sentence, {token.text for token in tokens})
    trailing = _TRAILING_NAME.search(rest)
    if trailing and " " not in trailing[0] and not GERMAN.isdisjoint(token.text for token in tokens):
        trailing = None  # German nouns have capitals too
    value: Scalar = not negated
    if facts or (trailing and not negated):
        value = trailing[0] if trailing else None
        return Field(_key(rest.replace(trailing[0], " ") if trailing else rest, nouns), value, sentence)
    states = [] if negated else STATES.find(tokens)
    if states:
        longest = max(states, key=lambda hit: hit.end - hit.start)
        if longest.name in _SWITCHES:
            return Field(_key(rest, nouns), _SWITCHES[longest.name], sentence)
        return Field("state", sentence[longest.start : longest.end], sentence)
    return Field(_key(rest, nouns), value, sentence)


def _is_value(fact: Fact, shown: str, name: str) -> bool:
    """Whether a fact is what is said; a code only when it is written like one, and never the name itself."""
    if fact.kind is FactKind.IDENTIFIER and shown[0].islower() and "-" not in shown:
        return False
    return fact.kind in _VALUES and shown not in name and name not in shown


def _key(text: str, nouns: set[str]) -> str:
    words = [token.text for token in tokens_of(text) if token.text not in nouns and token.text not in _OMITTED]
    return " ".join(words)[:80]
