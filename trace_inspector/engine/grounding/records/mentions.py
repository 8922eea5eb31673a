"""Where a sentence mentions values of records: ids, codes, names, titles, cities, paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from msgspec import Struct, field

from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.lexicon.word_table import Token
from trace_inspector.engine.grounding.records.meaning import (
    ATTRIBUTES,
    STATES,
    FieldKind,
    FieldMeaning,
    cells_of,
    key_meaning,
    states_of,
    words_of,
)
from trace_inspector.engine.grounding.tables.record import Record, Scalar, Table
from trace_inspector.engine.grounding.tables.tables import SENTENCES
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS

_MAX_VALUE_CHARS: Final = 80
_MAX_VALUE_WORDS: Final = 8
_BESIDE_CAPITAL: Final = re.compile(r"[A-ZÀ-Þ][^\W\d_]{2,20}[ ]$")
_CAPITAL: Final = re.compile(r"[ ][A-ZÀ-Þ]")
_SHORT_CODE: Final = 4
_SHORT_WORD: Final = 2
_MAX_NAME_WORDS: Final = 4
_MAX_TIMES: Final = 3  # that a name occurs in each table, on average
_ID_KEYS: Final = frozenset(
    {"id", "number", "no", "nr", "ref", "reference", "code", "key", "issue", "sku", "version"}
)


class Place(Struct, frozen=True, gc=False):
    """A value in the tables: of which record of which table, under which key."""

    table: int
    record: int
    key: str


class ValueMention(Struct, frozen=True, gc=False):
    """A value of some records at characters [start, end) of a sentence."""

    text: str
    start: int
    end: int
    places: tuple[Place, ...]


class Rows(Struct):
    """A table with what its fields mean, read when first asked for, and which keys tell its records apart."""

    table: Table
    identifying: tuple[str, ...]
    values: tuple[tuple[tuple[str, ...], str, int, str], ...]  # words, spelling, record and key of each value
    key_words: frozenset[str]
    _cells: dict[int, tuple[FieldMeaning, ...]] = field(default_factory=dict)

    def cells(self, record: int) -> tuple[FieldMeaning, ...]:
        """The fields of a record with their meanings."""
        cells = self._cells.get(record)
        if cells is None:
            of_sentences = self.table.name == SENTENCES
            cells = self._cells[record] = cells_of(self.table.records[record], of_sentences=of_sentences)
        return cells

    def cell(self, record: int, key: str) -> FieldMeaning | None:
        """One field of a record."""
        return next((cell for cell in self.cells(record) if cell.field.key == key), None)

    def column(self, key: str) -> Iterator[tuple[int, FieldMeaning]]:
        """One field of every record that has it."""
        for record in range(len(self.table.records)):
            cell = self.cell(record, key)
            if cell is not None:
                yield record, cell


class RecordIndex:
    """The values of tables by their words; tables come and go, each under a number of its own."""

    def __init__(self, tables: Sequence[Table] = ()) -> None:
        self.rows: dict[int, Rows] = {}
        self._numbers: dict[int, int] = {}  # of tables, by the identity of each
        self._next = 0
        self._values: dict[tuple[str, ...], list[tuple[Place, str]]] = {}  # with the spelling of each
        self._by_beginning: dict[tuple[str, ...], list[tuple[str, ...]]] = {}  # of two words, where there are two
        self._begun: Counter[str] = Counter()  # how many values begin with a word
        self._by_word: dict[str, dict[tuple[str, ...], None]] = {}  # names of several words, by each of them
        self._meant: dict[str, list[tuple[str, ...]]] = {}  # by single words, as long as the tables are these
        self.update(tables)

    def update(self, tables: Sequence[Table]) -> None:
        """Take in new tables behind those known, and let go of those that are no longer there."""
        there = {id(table): table for table in tables}
        self._meant.clear()
        for gone in self._numbers.keys() - there.keys():
            self._remove(self._numbers.pop(gone))
        for identity, table in there.items():
            if identity not in self._numbers:
                self._numbers[identity] = self._add(table)

    def has_key_word(self, word: str) -> bool:
        """Whether a key of any table has a word."""
        return any(word in rows.key_words for rows in self.rows.values())

    def _add(self, table: Table) -> int:
        number, self._next = self._next, self._next + 1
        rows = self.rows[number] = _rows_of(table)
        for words, spelling, record, key in rows.values:
            values = self._values.get(words)
            if values is None:
                values = self._values[words] = []
                self._begun[words[0]] += 1
                alike = self._by_beginning.setdefault(words[:2], [])
                alike.append(words)
                if len(alike) > 1:
                    alike.sort(key=len, reverse=True)
                for word in words if 2 <= len(words) <= _MAX_NAME_WORDS else ():
                    self._by_word.setdefault(word, {})[words] = None
            values.append((Place(number, record, key), spelling))
        return number

    def _remove(self, number: int) -> None:
        for words in dict.fromkeys(value[0] for value in self.rows.pop(number).values):
            values = self._values[words] = [entry for entry in self._values[words] if entry[0].table != number]
            if values:
                continue
            del self._values[words]
            self._begun[words[0]] -= 1
            if not self._begun[words[0]]:
                del self._begun[words[0]]
            self._by_beginning[words[:2]].remove(words)
            for word in set(words) if 2 <= len(words) <= _MAX_NAME_WORDS else ():
                del self._by_word[word][words]

    def mentions(self, text: str, tokens: Sequence[Token]) -> list[ValueMention]:
        """The values that a sentence mentions, in order; the longest where they overlap."""
        found: list[ValueMention] = []
        index = 0
        begun, by_word = self._begun, self._by_word
        while index < len(tokens):
            token = tokens[index]
            words = self._at(text, tokens, index) if token.text in begun else ()
            if words:
                start, end = token.start, tokens[index + len(words) - 1].end
                found.append(ValueMention(text[start:end], start, end, self._places(words)))
                index += len(words)
                continue
            if token.text in by_word and (part := self._part(text, token)):
                found.append(part)
            index += 1
        return found

    def _places(self, words: tuple[str, ...]) -> tuple[Place, ...]:
        return tuple(place for place, _spelling in self._values[words])

    def _spelling(self, words: tuple[str, ...]) -> str:
        return self._values[words][0][1]

    def _wholes(self, word: str) -> list[tuple[str, ...]]:
        """The names that a single word may stand for, two at most: a first name, the last word of a dish."""
        if len(word) <= _SHORT_WORD or word in STOP_WORDS:
            return []
        meant = self._meant.get(word)
        if meant is None:
            meant = list(islice((words for words in self._by_word.get(word, ()) if self._is_part(word, words)), 2))
            self._meant[word] = meant
        return meant

    def _is_part(self, word: str, words: tuple[str, ...]) -> bool:
        values = self._values[words]
        spelling = _in_letters(values[0][1], len(words))
        if not spelling or len(values) > _MAX_TIMES * len(self.rows):
            return False
        if any(shown[:1].isupper() for shown, own in zip(spelling, words, strict=True) if own == word):
            return True
        is_first = any(place.key in self.rows[place.table].identifying[:1] for place, _spelling in values)
        return is_first and len(words) < _MAX_NAME_WORDS and len(word) > _SHORT_WORD + 1 and _means_nothing(word)

    def _at(self, text: str, tokens: Sequence[Token], index: int) -> tuple[str, ...]:
        first = tokens[index].text
        if index + 1 < len(tokens):
            for words in self._by_beginning.get((first, tokens[index + 1].text), ()):
                last = index + len(words) - 1
                if last >= len(tokens):
                    continue
                if len(words) > 2 and words[2:] != tuple([token.text for token in tokens[index + 2 : last + 1]]):
                    continue
                if self._is_spelled(text, words, tokens[index], tokens[last]):
                    return words
        for words in self._by_beginning.get((first,), ()):
            if self._is_spelled(text, words, tokens[index], tokens[index]):
                return words
        return ()

    def _is_spelled(self, text: str, words: tuple[str, ...], first: Token, last: Token) -> bool:
        """Whether a single word is written as the name or code that it is taken for."""
        if len(words) > 1:
            gaps = text[first.start : last.end]
            return len(gaps) <= len(self._spelling(words)) + len(words) + 2
        spelling, shown = self._spelling(words).strip("#"), text[first.start : first.end]
        if spelling.isdigit():
            return len(spelling) > 2 and (text[first.start - 1 : first.start] == "#" or len(spelling) > 3)
        if spelling.isupper() and len(spelling) <= _SHORT_CODE and not states_of(spelling):
            return shown.isupper()
        return not spelling[:1].isupper() or spelling.isupper() or shown[:1].isupper() or bool(states_of(spelling))

    def _part(self, text: str, token: Token) -> ValueMention | None:
        wholes = self._wholes(token.text)
        if len(wholes) != 1:
            return None
        words = wholes[0]
        shown = self._spelling(words).split()[words.index(token.text)]
        if shown[:1].isupper() and not text[token.start].isupper():
            return None
        if _BESIDE_CAPITAL.search(text, max(0, token.start - 24), token.start) or _CAPITAL.match(text, token.end):
            return None  # of a longer name that is not the one of the records
        return ValueMention(text[token.start : token.end], token.start, token.end, self._places(words))


@lru_cache(maxsize=1 << 11)
def _in_letters(spelling: str, count: int) -> tuple[str, ...]:
    """The words of a name, as many as are given and all of letters; none of any other."""
    words = tuple(spelling.split())
    return words if len(words) == count and all(word.isalpha() for word in words) else ()


def _means_nothing(word: str) -> bool:
    """Whether a word names neither an attribute nor a state, so that it may stand for a thing."""
    token = [Token(word, 0, len(word))]
    return not ATTRIBUTES.find(token) and not STATES.find(token)


def _is_figure(value: str, key: str) -> bool:
    """Whether a value is a date, a time or a quantity, which sentences spell in many ways."""
    if len(value) > 32 or not any(char.isdigit() for char in value):
        return False
    facts = read(value).facts
    if any(fact.kind in (FactKind.DATE, FactKind.TIME) for fact in facts):
        return True
    covered = sum(fact.end - fact.start for fact in facts if fact.kind is FactKind.NUMBER)
    return covered >= len(value.strip()) - 1 and not _is_id(key) and value[:1] != "#"


def _rows_of(table: Table) -> Rows:
    return Rows(
        table,
        _identifying(table),
        tuple(
            (words, spelling, number, key)
            for number, record in enumerate(table.records)
            for words, spelling, key in _values_of(record)
        ),
        frozenset(word for item in table.records[0].fields for word in key_meaning(item.key).words),
    )


@lru_cache(maxsize=1 << 7)  # results have the same records again and again
def _values_of(record: Record) -> tuple[tuple[tuple[str, ...], str, str], ...]:
    """The words, the spelling and the key of each value that a sentence may mention."""
    values: list[tuple[tuple[str, ...], str, str]] = []
    for item in record.fields:
        value = item.value
        if isinstance(value, int | float) and not isinstance(value, bool) and _is_id(item.key):
            value = str(value) if value >= 100 or isinstance(value, float) else None
        if not isinstance(value, str) or len(value) > _MAX_VALUE_CHARS or _is_figure(value, item.key):
            continue
        words = words_of(value)
        if words and len(words) <= _MAX_VALUE_WORDS and (len(words) > 1 or words[0] not in STOP_WORDS):
            values.append((words, value, item.key))
    return tuple(values)


def _identifying(table: Table) -> tuple[str, ...]:
    """The keys whose values are names or codes that tell the records apart, in the order of the fields."""
    keys: list[str] = []
    fields, count = table.records[0].fields, len(table.records)
    values_of: dict[str, list[Scalar]] = {item.key: [] for item in fields}
    for record in table.records:
        for item in record.fields:
            if item.key in values_of:
                values_of[item.key].append(item.value)
    for key, values in values_of.items():
        is_id = _is_id(key)
        texts = [
            str(value) for value in values if isinstance(value, str) or (is_id and isinstance(value, int | float))
        ]
        if not len(texts) == count == len(set(texts)):
            continue
        is_name = not keys or not any(text.islower() and text.isalpha() for text in texts)
        if is_name and _is_name(
            next(cell for cell in cells_of(table.records[0], of_sentences=False) if cell.field.key == key)
        ):
            keys.append(key)
    return tuple(keys)


@lru_cache(maxsize=1 << 10)
def _is_id(key: str) -> bool:
    return key.lower() in _ID_KEYS


def _is_name(cell: FieldMeaning) -> bool:
    """Whether a value could name a thing: no date, number, state or long text."""
    if cell.kind is FieldKind.NUMBER and not _is_id(cell.field.key) and not str(cell.field.value).startswith("#"):
        return False
    return (
        cell.kind in (FieldKind.WORDS, FieldKind.NUMBER)
        and not cell.states
        and 0 < len(str(cell.field.value)) <= _MAX_VALUE_CHARS
    )
