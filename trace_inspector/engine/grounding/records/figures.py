"""Numbers, dates, times and names that a clause gives to a record, against the record's fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.lexicon.word_table import SENTENCE_WORDS, tokens_of
from trace_inspector.engine.grounding.records.clauses import RecordClause
from trace_inspector.engine.grounding.records.comparing import Match, compare, fact_unit
from trace_inspector.engine.grounding.records.meaning import (
    ATTRIBUTES,
    FieldKind,
    FieldMeaning,
    KeyMeaning,
    key_meaning,
    stem_name,
    words_of,
)
from trace_inspector.engine.grounding.records.mentions import Rows, ValueMention
from trace_inspector.engine.grounding.text.folding import folded_words

_OF_ONE_NUMBER: Final = frozenset({"other value", "value of another field"})  # 3-1 has the figures of two fields
_NAMES: Final = frozenset({"name", "title", "label"})
_FEW_WORDS: Final = 2
_LIMIT_CHARS: Final = 14
_POSSIBLE_CHARS: Final = 24
# What makes another attribute of one: the lowest temperature is not the temperature.
_MODIFIERS: Final = frozenset({"low", "high", "feels", "median", "~average"})
# Verbs that stop words hide, and that say what a bare figure is: it made $20 million.
_LIGHT_VERBS: Final = folded_words(
    "made make makes take takes took get gets got give gives gave need needs use uses used"
)


class Check(Struct, frozen=True, gc=False):
    """Whether one statement is true of a record; None where the record does not tell for sure."""

    truth: bool | None
    rule: str = ""
    reason: str = ""
    is_named: bool = False  # the sentence names the attribute, not only its value


UNSURE: Final = Check(truth=None)


def check_facts(
    clause: RecordClause, rows: Rows, record: int, bounds: Sequence[tuple[float, float]]
) -> Iterator[Check]:
    """Compare each figure of a clause; of two numbers one may multiply the other, so that neither is just wrong."""
    numbers = sum(fact.kind is FactKind.NUMBER for fact in clause.facts)
    for fact in clause.facts:
        if clause.is_negated or is_limit(clause, fact):
            yield UNSURE
            continue
        check = check_fact(fact, clause, rows, record, bounds)
        is_doubtful = check.rule in _OF_ONE_NUMBER and fact.kind is FactKind.NUMBER and (
            numbers > 1 or len(clause.entities) > 1
        )  # fmt: skip
        yield UNSURE if is_doubtful else check


def check_fact(
    fact: Fact, clause: RecordClause, rows: Rows, record: int, bounds: Sequence[tuple[float, float]]
) -> Check:
    """Compare one figure of a clause with the fields of one record."""
    cells = rows.cells(record)
    matches: list[tuple[FieldMeaning, Match]] = [(cell, compare(fact, cell, bounds)) for cell in cells]
    comparable: list[tuple[FieldMeaning, Match]] = [pair for pair in matches if pair[1] is not Match.NEITHER]
    ranked = sorted(
        ((naming(cell.key, clause.attributes), cell, match) for cell, match in comparable), key=lambda x: -x[0]
    )
    best = ranked[0][0] if ranked else 0.0
    if best > 0:
        top = [(cell, match) for score, cell, match in ranked if score == best]
        return _named(fact, clause, rows, record, top, comparable, is_strong=best >= 1)
    return _unnamed(fact, clause, rows, record, comparable)


def is_limit(clause: RecordClause, fact: Fact) -> bool:
    """Whether a word before a figure makes it a limit: after 8 pm, more than 20."""
    offset = fact.start - clause.start
    before = clause.text[max(0, offset - _LIMIT_CHARS) : max(0, offset)]
    return any(hit.name == "bound" for hit in SENTENCE_WORDS.find(tokens_of(before)))


def is_possible(clause: RecordClause, start: int) -> bool:
    """Whether a word before a state makes it what may, must or will be, not what is."""
    before = clause.text[max(0, start - clause.start - _POSSIBLE_CHARS) : max(0, start - clause.start)]
    return any(hit.name == "may" for hit in SENTENCE_WORDS.find(tokens_of(before)))


def naming(key: KeyMeaning, attributes: frozenset[str]) -> float:
    """How surely words name a key: 1 or more by what tells it from other keys, below 1 otherwise, 0 not at all."""
    own = [name for name in key.own if not name.startswith("=")]
    if (attributes & _MODIFIERS) - key.own - key.shared:
        return 0.4 if (key.own | key.shared) & attributes else 0.0
    if key.stems and key.stems <= attributes:
        return 1.5 + len(key.stems)
    mine = [name for name in key.own if name in attributes]
    shared = len(key.shared & attributes)
    if mine:
        listed = sum(not name.startswith("=") for name in mine)
        return (1 if listed or not own else 0.4) + listed + 0.3 * shared - 0.2 * (len(own) - listed)
    if shared and not own:
        foreign = [name for name in attributes if not name.startswith(("=", "~"))]
        return 0.6 if foreign else 1.1
    return 0.3 if shared else 0.0


def _named(
    fact: Fact,
    clause: RecordClause,
    rows: Rows,
    record: int,
    top: list[tuple[FieldMeaning, Match]],
    comparable: list[tuple[FieldMeaning, Match]],
    *,
    is_strong: bool,
) -> Check:
    same = next((cell for cell, match in top if match is Match.SAME), None)
    if same:
        return Check(truth=True, rule="record says so", reason=_says(rows, record, same), is_named=is_strong)
    if not is_strong or len(top) > 1:
        return UNSURE
    cell, match = top[0]
    if match is Match.OTHER and _counts_something_else(fact, clause, cell):
        return UNSURE
    other = next((candidate for candidate, how in comparable if how is Match.SAME), None)
    if other is None and match is Match.OTHER and _may_be_another(fact, clause, cell):
        return _wrong(fact, rows, record, cell, match, None, is_swap=True)
    return _wrong(fact, rows, record, cell, match, other)


def _may_be_another(fact: Fact, clause: RecordClause, cell: FieldMeaning) -> bool:
    """Whether a key is named only by what is counted or by "price", while other words may say what else is meant."""
    if not any(not name.startswith("=") for name in cell.key.own) and cell.key.shared:
        others = [word for word in clause.words if stem_name(word.text) not in cell.key.own]
        return len(others) > _FEW_WORDS
    if fact.kind is not FactKind.NUMBER or fact_unit(fact):
        return False
    return any(
        stem_name(word.text) not in cell.key.own for word in clause.words if word.start < fact.start
    ) and not any(not name.startswith("=") for name in cell.key.own & clause.attributes)


def _counts_something_else(fact: Fact, clause: RecordClause, cell: FieldMeaning) -> bool:
    """Whether a number without a known unit stands before a word that may be a unit of its own."""
    if fact.kind is not FactKind.NUMBER or fact_unit(fact) or not cell.unit:
        return False
    after = clause.text[fact.end - clause.start :]
    return after.lstrip()[:1].isalpha()


def _unnamed(
    fact: Fact, clause: RecordClause, rows: Rows, record: int, comparable: list[tuple[FieldMeaning, Match]]
) -> Check:
    """A figure whose attribute no word names: only its unit or kind says which field could be meant."""
    fitting = [(cell, match) for cell, match in comparable if _fits(fact, cell)]
    same = [cell for cell, match in fitting if match is Match.SAME]
    foreign = [name for name in clause.attributes if not name.startswith(("=", "~"))]
    if same:
        names = {name for each in rows.cells(record) for name in (*each.key.own, *each.key.shared)}
        is_only = len(fitting) == 1 and (not foreign or not names.isdisjoint(foreign))
        is_only = is_only or (len(same) == 1 and not clause.words)
        return Check(truth=True, rule="record says so", reason=_says(rows, record, same[0]), is_named=is_only)
    if len(fitting) != 1 or foreign or len(clause.words) > _FEW_WORDS:
        return UNSURE
    cell, match = fitting[0]
    return _wrong(
        fact,
        rows,
        record,
        cell,
        match,
        None,
        is_swap=bool(clause.words) or not _LIGHT_VERBS.isdisjoint(words_of(clause.text)),
    )


def _wrong(
    fact: Fact,
    rows: Rows,
    record: int,
    cell: FieldMeaning,
    match: Match,
    other: FieldMeaning | None,
    *,
    is_swap: bool = False,
) -> Check:
    """A contradiction; with `is_swap` only if the figure is that of another record."""
    says = _says(rows, record, cell)
    if match is Match.UNIT:
        return Check(truth=False, rule="other unit", reason=f"{says}: another unit.", is_named=True)
    if other is not None:
        reason = f"{says}; the figure is its {other.field.key}."
        return Check(truth=False, rule="value of another field", reason=reason, is_named=True)
    for index, elsewhere in rows.column(cell.field.key):
        if index != record and compare(fact, elsewhere, ()) is Match.SAME:
            reason = f"{says}; the figure is that of {name_of(rows, index)}."
            return Check(truth=False, rule="value of another record", reason=reason, is_named=True)
    return UNSURE if is_swap else Check(truth=False, rule="other value", reason=f"{says}.", is_named=True)


def _says(rows: Rows, record: int, cell: FieldMeaning) -> str:
    return f"{subject_of(rows, record)} says {cell.field.text[:120].rstrip('.')}"


def name_of(rows: Rows, record: int) -> str:
    """What a record is called in reasons."""
    named = [key for key in rows.identifying if not _NAMES.isdisjoint(key_meaning(key).words)]
    key = next(iter((*named, *rows.identifying)), "")
    cell = rows.cell(record, key) or (rows.cells(record)[0] if rows.cells(record) else None)
    return str(cell.field.value)[:60] if cell else "this"


def subject_of(rows: Rows, record: int) -> str:
    """A record as the subject of a reason: by its name where it has one."""
    return f"The record of {name_of(rows, record)}" if rows.identifying else "The result"


def _fits(fact: Fact, cell: FieldMeaning) -> bool:
    """Whether the kind or the unit alone tells that a figure is meant for a field."""
    if fact.kind is not FactKind.NUMBER:
        return True
    return bool(fact_unit(fact)) and bool(cell.unit)


def check_value(mention: ValueMention, clause: RecordClause, table: int, rows: Rows, record: int) -> Check:
    """Compare a name or word in a clause, which is a value somewhere in the table, with the record."""
    keys = list(dict.fromkeys(place.key for place in mention.places if place.table == table))
    if not keys:
        return UNSURE
    here = next((p.key for p in mention.places if p.table == table and p.record == record), "")
    named = [key for key in keys if (cell := rows.cell(record, key)) and naming(cell.key, clause.attributes) >= 1]
    is_state = mention.text.islower()
    if is_state and is_possible(clause, mention.start):
        return UNSURE
    if here and not named and (others := _others_named(clause, rows, record)):
        if is_state or len(others) > 1 or others[0].states or clause.is_negated:
            return UNSURE
        reason = f"{_says(rows, record, others[0])}; {mention.text} is its {here}."
        return Check(truth=False, rule="value of another field", reason=reason, is_named=True)
    if here and (here in named or not named):
        cell = rows.cell(record, here)
        truth = not clause.is_negated
        reason = f"{_says(rows, record, cell)}." if cell else ""
        is_named = here in named or is_state or not _unexplained(clause, rows, record)
        return Check(truth=truth, rule="record says so" if truth else "denied", reason=reason, is_named=is_named)
    key = (named or keys)[0]
    cell = rows.cell(record, key)
    if cell is None or cell.kind is not FieldKind.WORDS or len(named or keys) > 1:
        return UNSURE
    if clause.is_negated:
        reason = f"{_says(rows, record, cell)}."
        return Check(truth=True, rule="record says otherwise", reason=reason, is_named=bool(named) or is_state)
    owner = next((name_of(rows, p.record) for p in mention.places if p.table == table), "")
    reason = f"{_says(rows, record, cell)}; {mention.text} belongs to {owner}."
    return Check(truth=False, rule="value of another record", reason=reason, is_named=True)


def _unexplained(clause: RecordClause, rows: Rows, record: int) -> bool:
    """Whether a clause has a word that no key of the record has: a verb that may say anything."""
    known = {name for cell in rows.cells(record) for name in (*cell.key.own, *map(stem_name, cell.key.words))}
    hits = {(hit.start, hit.name in known) for hit in ATTRIBUTES.find(clause.words)}
    explained = {start for start, is_known in hits if is_known}
    return any(word.start not in explained and stem_name(word.text) not in known for word in clause.words)


def _others_named(clause: RecordClause, rows: Rows, record: int) -> list[FieldMeaning]:
    """Fields of words that a clause names, but whose value it does not mention; not the name of the record."""
    mentioned = {place.key for value in clause.values for place in value.places if place.record == record}
    return [
        cell
        for cell in rows.cells(record)
        if cell.kind is FieldKind.WORDS
        and cell.field.key not in mentioned
        and cell.field.key not in rows.identifying[:1]
        and naming(cell.key, clause.attributes) >= 1
    ]
