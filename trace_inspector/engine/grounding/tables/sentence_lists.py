"""Results that are lists of short sentences, each with one attribute of one thing, as records of these things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

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


def records_of_sentences(text: str) -> tuple[Record, ...]:
    """The things that a list of short sentences is about, each with its attributes; nothing of any other text."""
    if not _LEAST_CHARS < len(text) <= _MAX_CHARS or "\n" in text.strip():
        return ()
    sentences = [text[span.start : span.end] for span in split(text)]
    if len(sentences) < _LEAST_SENTENCES:
        return _records_of_alike(sentences)
    if not _LEAST_SENTENCES <= len(sentences) <= _MAX_SENTENCES:
        return ()
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


def _records_of_alike(sentences: Sequence[str]) -> tuple[Record, ...]:
    """The things of a few sentences that differ in a name and a figure only: A costs 10 euros. B costs 12."""
    parts = [part for sentence in sentences if (part := _name_and_figure(sentence))]
    if len(parts) < 2 or len(parts) != len(sentences) or len({rest for _name, rest, _fact in parts}) > 1:
        return ()
    names = [name for name, _rest, _fact in parts]
    key = " ".join(dict.fromkeys(word for word in parts[0][1].split() if word not in STOP_WORDS))[:_MAX_KEY_CHARS]
    if not key or len(set(names)) < len(names):
        return ()
    return tuple(
        Record((Field("name", name, name), Field(key, _value(sentence, fact)[1], sentence)))
        for (name, _rest, fact), sentence in zip(parts, sentences, strict=True)
    )


def _name_and_figure(sentence: str) -> tuple[str, str, Fact] | None:
    """The capitals at the start of a short sentence, its other words without the figure, and its only figure."""
    name = _NAME_AT_START.match(sentence)
    facts = [fact for fact in read(sentence).facts if fact.kind in (FactKind.NUMBER, FactKind.DATE, FactKind.TIME)]
    if name is None or len(sentence) > _MAX_SENTENCE_CHARS or len(facts) != 1 or facts[0].start < name.end():
        return None
    rest = f"{sentence[name.end() : facts[0].start]} {sentence[facts[0].end :]}"
    if is_denied(rest, tokens_of(rest), tokens_of(sentence)):
        return None
    return name[0].strip().removeprefix("The "), " ".join(map(fold, find_words(rest))), facts[0]


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
