"""States, yes-or-no attributes and missing values that a clause gives to a record, and things that no record has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from operator import attrgetter
from typing import Final

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Name
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.lexicon.state_words import ALSO
from trace_inspector.engine.grounding.lexicon.word_table import tokens_of
from trace_inspector.engine.grounding.records.clauses import RecordClause, SentenceParts
from trace_inspector.engine.grounding.records.figures import Check, is_possible, naming, subject_of
from trace_inspector.engine.grounding.records.meaning import FAMILIES, FieldKind, FieldMeaning, stem_name
from trace_inspector.engine.grounding.records.mentions import RecordIndex, Rows
from trace_inspector.engine.grounding.tables.record import RecordFinding, Table
from trace_inspector.engine.grounding.text.folding import fold_text, folded_words

_LACKS: Final = folded_words("no without lacks kein keine keinen ohne sans aucun aucune sin ninguna sem nenhum senza")


def check_states(clause: RecordClause, rows: Rows, record: int, answered: Set[str]) -> Iterator[Check]:
    """Every state of a clause that a field of the record can confirm or deny, but for words answered already."""
    for cell in rows.cells(record):
        if cell.kind is FieldKind.WORDS and cell.states:
            claimed = [
                hit
                for hit in clause.states
                if _excludes(hit.name, cell)
                and clause.text[hit.start - clause.start : hit.end - clause.start] not in answered
            ]
            longest = max((hit.end - hit.start for hit in claimed), default=0)
            names = {hit.name for hit in claimed if hit.end - hit.start == longest or len(claimed) == 1}
            if names and not any(is_possible(clause, hit.start) for hit in claimed):
                yield _state(clause, cell, names, rows, record)


def _excludes(state: str, cell: FieldMeaning) -> bool:
    """Whether a state is of the same family as the value of a field."""
    return any(not FAMILIES[state].isdisjoint(FAMILIES[own]) for own in cell.states)


def _state(clause: RecordClause, cell: FieldMeaning, names: set[str], rows: Rows, record: int) -> Check:
    reason = f"{subject_of(rows, record)} says {cell.field.text[:120].rstrip('.')}."
    if names & cell.states:
        truth = not clause.is_negated
        rule = "state in other words" if truth else "state denied"
        return Check(truth=truth, rule=rule, reason=reason, is_named=True)
    if clause.is_negated:
        return Check(truth=True, rule="another state", reason=reason, is_named=True)
    if any(name in ALSO.get(own, ()) for own in cell.states for name in names):
        return Check(truth=None)
    return Check(truth=False, rule="another state", reason=reason, is_named=True)


def check_lack(clause: RecordClause, rows: Rows, record: int) -> Iterator[Check]:
    """A clause that denies something of which the record has an empty field: there is no due date."""
    if _LACKS.isdisjoint(token.text for token in tokens_of(clause.text)):
        return
    empty = [cell for cell in rows.cells(record) if naming(cell.key, clause.attributes) >= 1]
    if len(empty) == 1 and empty[0].kind is FieldKind.NOTHING:
        reason = f"{subject_of(rows, record)} says {empty[0].field.text}."
        yield Check(truth=True, rule="missing field", reason=reason, is_named=True)


def check_booleans(clause: RecordClause, rows: Rows, record: int) -> Iterator[tuple[FieldMeaning, Check]]:
    """Every yes-or-no field of the record that a clause names."""
    for cell in rows.cells(record):
        if cell.kind is FieldKind.YES_NO and (sense := _sense(cell, clause)) is not None:
            is_off = any(hit.name == "disabled" for hit in clause.states)
            claimed = (sense != is_off) != clause.is_negated
            reason = f"{subject_of(rows, record)} says {cell.field.text[:120].rstrip('.')}."
            yield cell, Check(truth=claimed == cell.truth, rule="yes or no", reason=reason, is_named=True)


def _sense(cell: FieldMeaning, clause: RecordClause) -> bool | None:
    """Whether a clause, its negation aside, says yes or no to a field; None when it does not name it."""
    own = cell.key.own
    listed = {name for name in own if not name.startswith("=")}
    if any(f"!{name}" in clause.attributes for name in own):
        return cell.key.negates
    if not own or clause.facts:
        return None
    named = own & clause.attributes
    if not named or (listed and not listed & named) or 2 * len(named) < len(own):
        return None
    if any(word.endswith("ed") and stem_name(word) in own - named for word in cell.key.words):
        return None  # a breached agreement is more than an agreement
    if not listed and cell.key.words[-1:] == ("free",) and len(cell.key.words) > 1:
        return any(token.text == "free" for token in tokens_of(clause.text))  # of what it is free, or that it is so
    return not cell.key.negates


_SUBJECT_CHARS: Final = 24  # where a sentence begins with what it speaks of
_DIGITS: Final = re.compile(r"\d+")
_SMALL_LETTERS: Final = re.compile(r"[a-zà-ÿ]+")
_SHOWN: Final = 10
_NOBODY: Final = folded_words("nobody noone niemand keiner personne nadie ninguém nessuno")
_NO_ONE: Final = re.compile(r"\bno one\b|誰も")
_DOERS: Final = frozenset({"by", "assignee", "von", "par", "por"})  # in keys of who did something


def find_absent(reading: SentenceParts, index: RecordIndex, evidence: Evidence) -> RecordFinding | None:
    """A finding when the sentence begins with a code or name that a complete table of such things does not have."""
    if reading.entities or not reading.unknown:
        return None
    for name in _subjects(reading, evidence):
        tables = [rows for rows in index.rows.values() if _lists(rows, name)]
        if len(tables) == 1 and tables[0].table.is_complete:
            return _finding(name, tables[0].table, tables[0].identifying[0])
    return None


def _subjects(reading: SentenceParts, evidence: Evidence) -> Iterator[str]:
    claim = reading.claim
    for fact in claim.facts:
        shown = claim.text[fact.start : fact.end]
        if fact.kind is FactKind.IDENTIFIER and shown in reading.unknown and not _is_known(fact, evidence):
            yield shown
    yield from (code for code in reading.unknown if code.startswith("#"))
    for name in claim.names:
        position = claim.text.find(name.text)
        if (
            name.text in reading.unknown
            and " " in name.text
            and 0 <= position <= _SUBJECT_CHARS
            and not _occurs(name, evidence)
        ):
            yield name.text


def _is_known(fact: Fact, evidence: Evidence) -> bool:
    return any(evidence.with_key(key) for key in (*fact.keys, *fact.implied))


def _occurs(name: Name, evidence: Evidence) -> bool:
    return bool(name.keys) and any(evidence.with_word(key) for key in name.keys)


def _lists(rows: Rows, name: str) -> bool:
    """Whether the first key of a table has only values of the make of this name, and no other text has it."""
    if not rows.identifying or len(rows.table.records) < 2:
        return False
    values = [str(cell.field.value) for _record, cell in rows.column(rows.identifying[0])]
    makes = {_make(value) for value in values}
    if _make(name) not in makes and _make(name.lstrip("#")) not in makes:
        return False
    if not any(char.isdigit() for char in name):
        return all(" " in value and value[:1].isupper() for value in values)
    return True


def _make(value: str) -> str:
    """How a code or name is made: TX-90281 and TX-90445 alike."""
    shape = _DIGITS.sub("9", value)
    return shape if "9" in shape else " ".join(_SMALL_LETTERS.sub("a", word) for word in value.split())


def _finding(name: str, table: Table, key: str) -> RecordFinding:
    values = [str(field.value) for record in table.records for field in record.fields if field.key == key]
    listed = ", ".join(values[:_SHOWN]) + ("…" if len(values) > _SHOWN else "")
    reason = f"{name} is in no record; {key} has: {listed}."
    return RecordFinding(
        SentenceSupport.UNSUPPORTED, "no such record", reason, table.records[0].text[:400], table.source
    )


def check_missing(reading: SentenceParts, index: RecordIndex) -> tuple[Check, tuple[int, int]] | None:
    """Look for the attribute that a sentence calls missing in the records that it names."""
    attributes = frozenset(name for clause in reading.clauses for name in clause.attributes)
    facts = any(clause.facts for clause in reading.clauses)
    if facts or reading.unknown or not attributes:
        return None
    entities = reading.entities
    if len(entities) != 1:
        return None
    found = [
        (check, place)
        for place in entities[0].records[:20]
        if (check := _check(attributes, index.rows[place[0]], place[1]))
    ]
    filled = next((pair for pair in found if pair[0].truth is False), None)
    empty = next((pair for pair in found if pair[0].truth), None)
    return filled or empty


_text_of: Final = attrgetter("text")


@lru_cache(maxsize=1 << 8)
def _says_no_one(text: str) -> bool:
    return _NO_ONE.search(fold_text(text)) is not None


def check_nobody(reading: SentenceParts, index: RecordIndex) -> tuple[Check, tuple[int, int]] | None:
    """Look for who did what a sentence says that nobody did: "no one signed for it" beside `signed_by`."""
    if _NOBODY.isdisjoint(map(_text_of, reading.tokens)) and not _says_no_one(reading.claim.wording):
        return None
    attributes = frozenset(name for clause in reading.clauses for name in clause.attributes)
    entities = reading.entities
    if reading.unknown or len(entities) != 1 or len(entities[0].records) != 1:
        return None
    table, record = place = entities[0].records[0]
    cells = [
        cell
        for cell in index.rows[table].cells(record)
        if not _DOERS.isdisjoint(cell.key.words) and naming(cell.key, attributes) >= 1
    ]
    if len(cells) != 1 or cells[0].kind not in (FieldKind.NOTHING, FieldKind.WORDS):
        return None
    reason = f"{subject_of(index.rows[table], record)} says {cells[0].field.text[:120]}."
    truth = cells[0].kind is FieldKind.NOTHING
    return Check(truth=truth, rule="nobody", reason=reason, is_named=True), place


def _check(attributes: frozenset[str], rows: Rows, record: int) -> Check | None:
    scored = [(score, cell) for cell in rows.cells(record) if (score := naming(cell.key, attributes)) > 0]
    best = max((score for score, _cell in scored), default=0.0)
    if best < 1:
        return None
    cells = [cell for score, cell in scored if score == best]
    states = {cell.kind is FieldKind.NOTHING for cell in cells}
    if len(states) > 1:
        return None
    reason = f"{subject_of(rows, record)} says {cells[0].field.text[:120]}."
    return Check(truth=states.pop(), rule="missing field", reason=reason, is_named=True)
