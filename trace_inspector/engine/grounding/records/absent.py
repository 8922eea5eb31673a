"""What no record has: a thing that a sentence speaks of, and an attribute that a sentence calls missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Name
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.records.clauses import SentenceParts
from trace_inspector.engine.grounding.records.figures import Check, naming, subject_of
from trace_inspector.engine.grounding.records.meaning import FieldKind
from trace_inspector.engine.grounding.records.mentions import RecordIndex, Rows
from trace_inspector.engine.grounding.tables.record import RecordFinding, Table
from trace_inspector.engine.grounding.text.folding import fold_text, folded_words

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


def check_nobody(reading: SentenceParts, index: RecordIndex) -> tuple[Check, tuple[int, int]] | None:
    """Look for who did what a sentence says that nobody did: "no one signed for it" beside `signed_by`."""
    if _NOBODY.isdisjoint(token.text for token in reading.tokens) and not _NO_ONE.search(
        fold_text(reading.claim.text)
    ):
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
