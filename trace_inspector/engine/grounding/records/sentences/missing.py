"""Sentences that call an attribute missing: rightly when the field is empty or absent, wrongly when it is filled."""

from __future__ import annotations

from trace_inspector.engine.grounding.records.sentences.clauses import Reading
from trace_inspector.engine.grounding.records.sentences.figures import Check, name_of, naming
from trace_inspector.engine.grounding.records.sentences.meaning import Kind
from trace_inspector.engine.grounding.records.sentences.mentions import RecordIndex, Rows


def check_missing(reading: Reading, index: RecordIndex) -> tuple[Check, tuple[int, int]] | None:
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
    filled = next((one for one in found if one[0].truth is False), None)
    empty = next((one for one in found if one[0].truth), None)
    return filled or empty


def _check(attributes: frozenset[str], rows: Rows, record: int) -> Check | None:
    scored = [(score, cell) for cell in rows.cells(record) if (score := naming(cell.key, attributes)) > 0]
    best = max((score for score, _cell in scored), default=0.0)
    name = name_of(rows, record)
    if best < 1:
        return None
    cells = [cell for score, cell in scored if score == best]
    states = {cell.kind is Kind.NOTHING for cell in cells}
    if len(states) > 1:
        return None
    reason = f"The record of {name} says {cells[0].field.text[:120]}."
    return Check(truth=states.pop(), rule="missing field", reason=reason, is_named=True)
