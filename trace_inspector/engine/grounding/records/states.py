"""States and yes-or-no attributes that a clause gives to a record, in other words than the record's."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from trace_inspector.engine.grounding.lexicon.state_words import ALSO
from trace_inspector.engine.grounding.lexicon.word_table import tokens_of
from trace_inspector.engine.grounding.records.clauses import RecordClause
from trace_inspector.engine.grounding.records.figures import Check, is_possible, naming, subject_of
from trace_inspector.engine.grounding.records.meaning import FAMILIES, FieldKind, FieldMeaning, stem_name
from trace_inspector.engine.grounding.records.mentions import Rows
from trace_inspector.engine.grounding.text.folding import folded_words

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
