"""Results that are lists of short sentences, each with one attribute of one thing, as records of these things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.lexicon.concepts import CONCEPTS, concepts_in_words
from trace_inspector.engine.grounding.lexicon.word_table import is_denied, tokens_of
from trace_inspector.engine.grounding.tables.record import Field, Record, Scalar
from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.sentences import split
from trace_inspector.engine.grounding.text.units import COUNT
from trace_inspector.engine.grounding.text.vocabulary import NEGATIONS, STOP_WORDS
from trace_inspector.engine.grounding.text.words import find_words

_MAX_CHARS: Final = 40_000
_LEAST_SENTENCES: Final = 6
_LEAST_CHARS: Final = 20
_MAX_SENTENCES: Final = 600
_MAX_SENTENCE_CHARS: Final = 140
_MAX_WORDS: Final = 16
_LEAST_OF_ONE: Final = 3
_LEAST_SHARE: Final = 0.8  # of the sentences of a thing that name it
_LEAST_DENSITY: Final = 0.5
_MAX_RANGE: Final = 0.7
_MAX_KEY_CHARS: Final = 60
_NAME_AT_END: Final = re.compile(
    r"(?<=\s)((?:[A-Z][^\W_]{0,3}\.\s{1,4})?(?:[A-Z#][\w'’./#-]{0,40}|[\w/-]{0,40}\d[\w-]{0,20})"
    r"(?:\s{1,4}[A-Z][\w'’./#-]{0,40}){0,4})\.?\s{0,40}$"
)
_NAME_AT_START: Final = re.compile(r"(?:[A-Z0-9][\w'’./#-]{0,40}\s){1,4}")
_FIRST_CLAUSE: Final = re.compile(r"[,;] | (?:and|but|und|aber|et|mais|y|pero) (?=\w+ )")
_STATE: Final = re.compile(
    r"(?:The )?(?P<head>[A-Z][a-z]{1,20}) (?P<code>[A-Z]{0,6}[-_/]?\d[\w/-]{0,20}|[A-Z])"
    r" (?:is|was|are|were|has been|ist|wurde|est|a été|está|fue|é|foi)"
    r"(?: currently| now| still| already)? (?P<state>[a-zà-ÿ]+(?: [a-zà-ÿ]+)?)"
    r"(?: (?:for|at|on|by|since|until) .{1,60})?"
)
_NUMBERED: Final = re.compile(r"(?:The )?[A-Z][a-z]{1,20} (?:[A-Z]{0,6}[-_/]?\d|[A-Z] )")
_CODE: Final = re.compile(r"[A-Z]{1,6}[-_/]?\d[\w/-]{0,20}")
_TOKEN: Final = re.compile(r"#?[^\W_](?:[\w/#-]*\w)?")


class _Attribute(Struct):
    """An attribute under the words of all the sentences that state it."""

    kind: str
    concepts: frozenset[str]
    words: list[str]
    values: dict[int, tuple[Scalar, str]] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return " ".join(dict.fromkeys(self.words))[:_MAX_KEY_CHARS].strip() or self.kind


class _Topic(Struct, frozen=True):
    """The tokens that a run of sentences has in common, and its range."""

    tokens: tuple[str, ...]
    first: int
    last: int


class SentenceTable(NamedTuple):
    """Records read from sentences; whether these are all that the text has."""

    records: tuple[Record, ...]
    is_whole: bool


def tables_of_sentences(text: str) -> list[SentenceTable]:
    """The things that short sentences are about, each with its attributes: of all of a text, or of those alike."""
    if not _LEAST_CHARS < len(text) <= _MAX_CHARS:
        return []
    sentences = [text[span.start : span.end].strip(' "') for span in split(text)]
    if not 2 <= len(sentences) <= _MAX_SENTENCES:
        return []
    records = _records_of_topics(sentences) if len(sentences) >= _LEAST_SENTENCES and "\n" not in text.strip() else ()
    return [SentenceTable(records, is_whole=True)] if records else _tables_of_alike(sentences)


def _records_of_topics(sentences: Sequence[str]) -> tuple[Record, ...]:
    """The things of a list in which every sentence is about one of them."""
    if any(len(sentence) > _MAX_SENTENCE_CHARS or len(sentence.split()) > _MAX_WORDS for sentence in sentences):
        return ()
    tokens = [[fold(token[0]) for token in _TOKEN.finditer(sentence)] for sentence in sentences]
    subjects = _subjects(tokens)
    if not subjects:
        return ()
    attributes: list[_Attribute] = []
    for number, subject in enumerate(subjects):
        taken = {*subject.tokens, *_aliases(tokens, subject)}
        for sentence in sentences[subject.first : subject.last + 1]:
            _read_sentence(sentence, taken, attributes, number)
    keys = _keys(attributes)
    names = [_written(sentences[subject.first : subject.last + 1], subject) for subject in subjects]
    return tuple(
        Record(
            (
                Field("name", name, name),
                *(
                    Field(key, *attribute.values[number])
                    for key, attribute in zip(keys, attributes, strict=True)
                    if number in attribute.values
                ),
            )
        )
        for number, name in enumerate(names)
    )  # fmt: skip


def _tables_of_alike(sentences: Sequence[str]) -> list[SentenceTable]:
    """The things of sentences that differ in a name and a figure or a state only, two of them at least.

    A costs 10 euros, B costs 12; order A-100 was shipped, order A-200 was cancelled.
    """
    groups: dict[str, dict[str, Record]] = {}
    for sentence in sentences:
        if len(sentence) <= _MAX_SENTENCE_CHARS and (part := _name_and_figure(sentence) or _name_and_state(sentence)):
            key, name, record = part
            groups.setdefault(key, {}).setdefault(name, record)
    return [
        SentenceTable(tuple(records.values()), is_whole=len(records) == len(sentences))
        for records in groups.values()
        if len(records) >= 2
    ]


def _name_and_figure(sentence: str) -> tuple[str, str, Record] | None:
    """What a short sentence has beside a name and a figure, this name, and a record of both."""
    start = _NAME_AT_START.match(sentence)
    if start is None:
        return None
    clause = _FIRST_CLAUSE.split(sentence, maxsplit=1)[0]
    facts = [
        fact
        for fact in read(clause).facts
        if fact.kind in (FactKind.NUMBER, FactKind.DATE, FactKind.TIME) and fact.start >= start.end()
    ]
    if len(facts) != 1:
        return None
    fact = facts[0]
    rest = f"{clause[start.end() : fact.start]} {clause[fact.end :]}"
    if is_denied(rest, tokens_of(rest), tokens_of(clause)):
        return None
    words = list(map(fold, find_words(rest)))
    key = " ".join(dict.fromkeys(word for word in words if word not in STOP_WORDS))[:_MAX_KEY_CHARS]
    kind, value = _value(clause, fact)
    if not key:
        if kind == "number":
            return None
        key = kind
    name = start[0].strip().removeprefix("The ")
    return f"{kind} {' '.join(words)}", name, Record((*_named(name), Field(key, value, clause.strip(" ."))))


def _name_and_state(sentence: str) -> tuple[str, str, Record] | None:
    """What "Order A-100 was shipped." has beside code and state, this code, and a record of both."""
    if _NUMBERED.match(sentence) is None:
        return None
    match = _STATE.fullmatch(_FIRST_CLAUSE.split(sentence, maxsplit=1)[0].rstrip(" ."))
    if match is None or read(match["state"]).facts or is_denied(sentence, tokens_of(sentence), tokens_of(sentence)):
        return None
    name = f"{match['head']} {match['code']}"
    fields = (*_named(name), Field("status", match["state"], match[0]))
    return f"state {fold(match['head'])}", name, Record(fields)


def _named(name: str) -> tuple[Field, ...]:
    """A name as fields: order A-100 is called A-100, too."""
    code = name.rpartition(" ")[2]
    whole = Field("name", name, name)
    return (whole, Field("code", code, code)) if code != name and _CODE.fullmatch(code) else (whole,)


def _subjects(tokens: Sequence[Sequence[str]]) -> list[_Topic]:
    """The things that runs of sentences are about, when every sentence is about one of them."""
    places: dict[str, list[int]] = {}
    for number, words in enumerate(tokens):
        for word in set(words):
            if word not in STOP_WORDS and len(word) > 1:
                places.setdefault(word, []).append(number)
    runs: dict[tuple[int, int], list[str]] = {}
    counts: dict[str, int] = {}
    for word, numbers in places.items():
        length = numbers[-1] - numbers[0] + 1
        if len(numbers) >= 2 and len(numbers) >= _LEAST_DENSITY * length and length <= _MAX_RANGE * len(tokens):
            runs.setdefault((numbers[0], numbers[-1]), []).append(word)
            counts[word] = len(numbers)
    chosen: list[_Topic] = []
    for (first, last), words in sorted(
        runs.items(), key=lambda run: (run[0][0] - run[0][1], -max(counts[word] for word in run[1]))
    ):
        best = max(counts[word] for word in words)
        if any(first <= other.last and other.first <= last for other in chosen):
            continue
        same = [word for word in words if counts[word] == best]
        order = next(line for line in tokens if same[0] in line)
        chosen.append(
            _Topic(tuple(sorted(same, key=lambda word: order.index(word) if word in order else 99)), first, last)
        )
    chosen.sort(key=lambda subject: subject.first)
    covered = sum(subject.last - subject.first + 1 for subject in chosen)
    naming = 0
    for subject in chosen:
        names = {*subject.tokens, *_aliases(tokens, subject)}
        naming += sum(not names.isdisjoint(words) for words in tokens[subject.first : subject.last + 1])
    if covered < len(tokens) or naming < _LEAST_SHARE * covered or covered < _LEAST_OF_ONE * len(chosen):
        return []
    return chosen


def _keys(attributes: Sequence[_Attribute]) -> list[str]:
    """A key for each attribute, with its kind where two have the same words."""
    keys: list[str] = []
    for attribute in attributes:
        key = attribute.key if attribute.key not in keys else f"{attribute.key} {attribute.kind}"
        keys.append(key if key not in keys else f"{key} {len(keys)}")
    return keys


def _aliases(tokens: Sequence[Sequence[str]], subject: _Topic) -> set[str]:
    """Names that stand in for the thing in sentences without its own."""
    inside = tokens[subject.first : subject.last + 1]
    missing = [set(words) for words in inside if subject.tokens[0] not in words]
    if not missing:
        return set()
    outside = {word for words in (*tokens[: subject.first], *tokens[subject.last + 1 :]) for word in words}
    named = {word for words in inside if subject.tokens[0] in words for word in words}
    return {word for words in missing for word in words & named - outside}


def _written(sentences: Sequence[str], subject: _Topic) -> str:
    """The name of a thing as its sentences write it."""
    for sentence in sentences:
        found = [token for token in _TOKEN.finditer(sentence) if fold(token[0]) in subject.tokens]
        if len(found) >= len(subject.tokens):
            return sentence[found[0].start() : found[len(subject.tokens) - 1].end()]
    return subject.tokens[0]


def _read_sentence(sentence: str, taken: set[str], attributes: list[_Attribute], number: int) -> None:
    """Add what a sentence says of thing `number` to the attribute it is about."""
    spans = [token.span() for token in _TOKEN.finditer(sentence) if fold(token[0]) in taken]
    facts = [
        fact
        for fact in read(sentence).facts
        if fact.kind in (FactKind.NUMBER, FactKind.DATE, FactKind.TIME)
        and not any(start < fact.end and fact.start < end for start, end in spans)
    ]
    if len(facts) > 1:
        return
    cut = [*spans, *((fact.start, fact.end) for fact in facts)]
    rest = "".join(
        " " if any(start <= index < end for start, end in cut) else char for index, char in enumerate(sentence)
    )
    negated = is_denied(rest, tokens_of(rest), tokens_of(sentence))
    name = None if facts or negated else _NAME_AT_END.search(rest)
    if name and name.start() > 0:
        rest = rest[: name.start()]
    words = [word for word in map(fold, find_words(rest)) if word not in STOP_WORDS]
    if facts:
        kind, value = _value(sentence, facts[0])
    elif name and words:
        kind, value = "name", name[1].strip(" .")
    else:
        kind, value = "state", not negated
        words = [word for word in words if word not in NEGATIONS]
    if not words:
        return
    attribute = _attribute(attributes, kind, words, number)
    attribute.values[number] = (value, sentence)


def _value(sentence: str, fact: Fact) -> tuple[str, Scalar]:
    """What a fact is of, and its value as a field has it."""
    if fact.kind is FactKind.TIME:
        return "time", fact.keys[0].removeprefix("time:")
    if fact.kind is FactKind.DATE:
        day = next((key.removeprefix("date:") for key in fact.keys if key.startswith("date:")), "")
        return "date", day or sentence[fact.start : fact.end]
    if fact.amount is None or fact.amount.unit in ((), COUNT):
        return "number", fact.amount.values[0] if fact.amount else None
    return fact.amount.unit[0][0].split()[0], sentence[fact.start : fact.end]


def _attribute(attributes: list[_Attribute], kind: str, words: list[str], number: int) -> _Attribute:
    """The attribute that words are about: the likest of its kind that the thing does not have yet, or a new one."""
    concepts = concepts_in_words(words)
    free = [attribute for attribute in attributes if attribute.kind == kind and number not in attribute.values]
    best, best_score = None, 0.0
    for attribute in free:
        if kind == "state" and attribute.words != words:
            continue
        score = sum(2.0 if concept in CONCEPTS else 1.0 for concept in attribute.concepts & concepts)
        if score > best_score:
            best, best_score = attribute, score
    if best is None and len(free) == 1 and kind not in ("state", "number"):
        best = free[0]
    if best is None:
        best = _Attribute(kind, concepts, [])
        attributes.append(best)
    if kind != "state" or not best.words:
        best.words.extend(words)
    best.concepts |= concepts
    return best
