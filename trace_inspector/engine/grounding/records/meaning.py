"""What the key and the value of a field mean: its attribute, its unit, its date or time, its state."""

from __future__ import annotations

import enum
from collections import Counter
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.lexicon.attribute_words import ATTRIBUTE_WORDS
from trace_inspector.engine.grounding.lexicon.state_words import STATE_WORDS
from trace_inspector.engine.grounding.lexicon.word_table import WordTable, is_denied, key_tokens, tokens_of
from trace_inspector.engine.grounding.tables.record import Field, Record, Scalar
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.units import Unit, unit_of
from trace_inspector.engine.grounding.text.words import whole_stem

ATTRIBUTES: Final = WordTable(ATTRIBUTE_WORDS)
_KEYS: Final = WordTable(ATTRIBUTE_WORDS, for_keys=True)
STATES: Final = WordTable(
    "\n".join(line.partition(":")[2].strip() for line in STATE_WORDS.strip().splitlines()), inflects=False
)
FAMILIES: Final = {
    line.partition(":")[2].partition("|")[0].strip(): frozenset(line.partition(":")[0].strip().split(","))
    for line in STATE_WORDS.strip().splitlines()
}
_SHORT_UNITS: Final = {"c": "°c", "f": "°f", "pct": "%", "hrs": "h", "secs": "s", "mins": "min", "kph": "km/h"}
_LAST_ONLY: Final = frozenset({"c", "f", "m", "s", "h", "g", "l", "t", "d", "w", "kr", "min", "sec", "mi", "ft"})
_NO_UNITS: Final = folded_words("""
    second minute hour day week month year an won real degree star inch jour tag monat jahr p b rub mw yuan hora heure
    stunde mes dia ano mois
""")
_RATES: Final = frozenset({"per", "pro", "par", "por"})
_EMPTY_WORDS: Final = folded_words("""
    at in of is has was be been being the a an local ytd current currently value per my s are can must needs need
    still total no number num nr utc by for and or allowed included required enabled flag
""")
_NEGATING: Final = frozenset({"no", "non", "not", "un", "without", "never"})
_UNIT_KEYS: Final = folded_words("currency unit units devise moneda wahrung moeda valuta")
_TRUE: Final = folded_words("true yes y ja oui si sim")
_FALSE: Final = folded_words("false no n nein non nao")
_NOTHING: Final = folded_words("null none n/a na - nil nan undefined unknown tbd")
_MAX_STATE_WORDS: Final = 5
_AGENT_CHARS: Final = 6
# What a key that is but a unit names.
_NAMES_OF_UNITS: Final = {"time": "duration", "mass": "weight", "length": "distance"}


class FieldKind(enum.Enum):
    """What sort of value a field has."""

    NUMBER = "number"
    MOMENT = "moment"  # a date, a time or both
    YES_NO = "yes or no"
    WORDS = "words"
    NOTHING = "nothing"


class KeyMeaning(Struct, frozen=True):
    """The attributes that a key names: those that tell it from others, and those that many keys share."""

    own: frozenset[str]
    shared: frozenset[str]
    unit: Unit
    negates: bool
    words: tuple[str, ...]
    stems: frozenset[str]  # of its words that are no units, as a sentence may have them all


class FieldMeaning(Struct, frozen=True):
    """A field with its meaning."""

    field: Field
    key: KeyMeaning
    kind: FieldKind
    facts: tuple[Fact, ...] = ()
    unit: Unit = ()
    words: tuple[str, ...] = ()
    states: frozenset[str] = frozenset()
    truth: bool = False


@lru_cache(maxsize=1 << 7)
def cells_of(record: Record, *, of_sentences: bool = False) -> tuple[FieldMeaning, ...]:
    """The fields of a record with their meanings; a `currency` or `unit` beside a number is its unit.

    What a list of sentences says without a figure, such as "is shipped", is a key that is true: a state.
    """
    beside: Unit = next(
        (
            unit
            for field in record.fields
            if isinstance(field.value, str)
            and key_meaning(field.key).words[-1:]
            and key_meaning(field.key).words[-1] in _UNIT_KEYS
            and (unit := unit_of(field.value))
        ),
        (),
    )
    cells = tuple([cell_of(field, beside) for field in record.fields])
    return _without_nouns(tuple(map(_as_said, cells))) if of_sentences else cells


def _without_nouns(cells: tuple[FieldMeaning, ...]) -> tuple[FieldMeaning, ...]:
    """Keys made of sentences, without the words that most of them have: those name the thing, not an attribute."""
    counts = Counter(name for cell in cells for name in cell.key.own)
    nouns = {name for name, count in counts.items() if count > 2 and 2 * count > len(cells) - 1}
    return tuple(replace(cell, key=replace(cell.key, own=cell.key.own - nouns)) for cell in cells) if nouns else cells


def _as_said(cell: FieldMeaning) -> FieldMeaning:
    tokens = tokens_of(cell.field.text)
    if cell.kind is FieldKind.YES_NO and not cell.truth and not is_denied(cell.field.text, tokens, tokens):
        cell = replace(cell, truth=True)
    states = {hit.name for hit in STATES.find(key_tokens(cell.field.key))} if cell.truth else set()
    return replace(cell, kind=FieldKind.WORDS, states=frozenset(states)) if len(states) == 1 else cell


@lru_cache(maxsize=1 << 12)
def key_meaning(key: str) -> KeyMeaning:
    """What a key names and measures."""
    tokens = key_tokens(key)
    words = tuple(token.text for token in tokens)
    hits = _KEYS.find(tokens)
    named = {token.start for token in tokens for hit in hits if hit.start <= token.start < hit.end}
    rest = {
        stem_name(token.text)
        for token in tokens
        if token.start not in named and token.text not in _EMPTY_WORDS and not unit_of(token.text)
        and token.text not in _SHORT_UNITS and not token.text.isdigit()
    }  # fmt: skip
    own = frozenset(hit.name for hit in hits if not hit.name.startswith("~")) | rest
    shared = frozenset(hit.name for hit in hits if hit.name.startswith("~"))
    unit = _unit(words)
    if unit and words[-1] == "min":
        own -= {"low"}
    if unit and not own and not shared and (name := _NAMES_OF_UNITS.get(unit[0][0])):
        own = frozenset({name})  # "minutes" alone are a duration
    stems = frozenset(stem_name(word) for word in words if word not in _EMPTY_WORDS and not _is_unit(word))
    return KeyMeaning(own, shared, unit, bool(words) and words[0] in _NEGATING, words, stems)


def _is_unit(word: str) -> bool:
    return bool(unit_of(word)) or word in _SHORT_UNITS or word.isdigit()


@lru_cache(maxsize=1 << 14)
def stem_name(word: str) -> str:
    """The name of a word that is in no list: its stem, so that a key names what a sentence names alike."""
    if word.endswith("er") and len(word) > _AGENT_CHARS:
        return "=" + word[:10]  # a publisher is not what was published
    return "=" + whole_stem(whole_stem(word))[:8]


@lru_cache(maxsize=1 << 13)
def states_of(text: str) -> frozenset[str]:
    """The states that a short value names."""
    tokens = tokens_of(text.replace("_", " "))
    if not tokens or len(tokens) > _MAX_STATE_WORDS:
        return frozenset()
    hits = STATES.find(tokens)
    longest = max((hit.end - hit.start for hit in hits), default=0)
    return frozenset(hit.name for hit in hits if hit.end - hit.start == longest)


@lru_cache(maxsize=1 << 12)
def words_of(text: str) -> tuple[str, ...]:
    """The folded words and numbers of a value."""
    return tuple(token.text for token in tokens_of(text.replace("_", " ")))


def cell_of(field: Field, beside: Unit = ()) -> FieldMeaning:
    """A field with its meaning, and the unit that stands beside it."""
    key = key_meaning(field.key)
    value: Scalar = field.value
    if isinstance(value, bool):
        return FieldMeaning(field, key, FieldKind.YES_NO, truth=value)
    if isinstance(value, int | float):
        unit = key.unit or (beside if "~price" in key.shared or not beside[:1] or not _is_money(beside) else ())
        return FieldMeaning(field, key, FieldKind.NUMBER, (_number(value),), unit)
    if value is None or fold(value.strip()) in _NOTHING or not value.strip():
        return FieldMeaning(field, key, FieldKind.NOTHING)
    return _text_cell(field, key, value.strip())


def _is_money(unit: Unit) -> bool:
    return unit[0][0].startswith("money")


def _number(value: float) -> Fact:
    try:
        text = repr(value)
        number = float(value)
    except (OverflowError, ValueError):
        return Fact(FactKind.NUMBER, 0, 0)
    decimals = len(text.partition(".")[2]) if "e" not in text else 9
    step = 10.0**-decimals if isinstance(value, float) and not text.endswith(".0") else 1.0
    return Fact(FactKind.NUMBER, 0, len(text), amount=Amount((number,), step))


def _text_cell(field: Field, key: KeyMeaning, value: str) -> FieldMeaning:
    folded = fold(value) if len(value) < 10 else ""
    if folded in _TRUE or folded in _FALSE:
        return FieldMeaning(field, key, FieldKind.YES_NO, truth=folded in _TRUE)
    words = words_of(value[:200])
    facts = read(value).facts if len(value) <= 40 else ()
    covered = sum(fact.end - fact.start for fact in facts)
    moments = tuple(fact for fact in facts if fact.kind in (FactKind.DATE, FactKind.TIME))
    if moments and covered >= len(value) - 8:
        return FieldMeaning(field, key, FieldKind.MOMENT, moments, words=words)
    first = facts[0] if facts else None
    if first and first.kind is FactKind.NUMBER and first.amount and covered >= len(value.rstrip(".")) - 1:
        return FieldMeaning(field, key, FieldKind.NUMBER, (first,), first.amount.unit or key.unit, words)
    return FieldMeaning(
        field, key, FieldKind.WORDS, words=words, states=states_of(value) if len(value) <= 60 else frozenset()
    )


def _unit(words: tuple[str, ...]) -> Unit:
    """The unit in a key: price_usd, km_to_center, length_minutes; but visitors_per_day are no days."""
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        is_last = index == len(words) - 1
        if word in _NO_UNITS or (index and words[index - 1] in _RATES) or (word in _LAST_ONLY and not is_last):
            continue
        if word in _LAST_ONLY and (len(words) == 1 or (word == "min" and _is_least(words))):
            continue
        if unit := unit_of(_SHORT_UNITS.get(word, word)):
            return unit
    return ()


def _is_least(words: tuple[str, ...]) -> bool:
    return not set(words).isdisjoint({"temp", "temperature", "price", "temperatura", "low", "max", "order", "age"})
