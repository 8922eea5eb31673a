"""What the records of results say of a sentence, where they say it for sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.lexicon.word_table import SENTENCE_WORDS, tokens_of
from trace_inspector.engine.grounding.records.clauses import RecordClause, SentenceParts, read_sentence
from trace_inspector.engine.grounding.records.every import check_every, quantifiers_of
from trace_inspector.engine.grounding.records.figures import Check, check_facts, check_value
from trace_inspector.engine.grounding.records.mentions import RecordIndex
from trace_inspector.engine.grounding.records.states import (
    check_booleans,
    check_lack,
    check_missing,
    check_nobody,
    check_states,
    find_absent,
)
from trace_inspector.engine.grounding.tables.record import RecordFinding, Table
from trace_inspector.engine.grounding.text.sentences import Form

_MAX_CHARS: Final = 600
# What is only guessed, or was or will be at another time.
_NOT_AS_IT_IS: Final = frozenset({"guess", "shift"})
# What a single record cannot answer.
_BEYOND_ONE_RECORD: Final = frozenset({"compare", "extreme", "sum"})


def check_records(claim: Claim, evidence: Evidence, tables: list[Table]) -> RecordFinding | None:
    """Whether the records support or contradict a sentence; None where that is not sure."""
    if not tables or claim.question or claim.form in (Form.HEADING, Form.CODE) or len(claim.text) > _MAX_CHARS:
        return None
    index = _index_of(evidence, tables)
    reading = read_sentence(claim, index)
    if not reading.manners.isdisjoint(_NOT_AS_IT_IS) or _is_of_the_agent(reading):
        return None
    return _own(reading, index, evidence) or _calculated(claim, tables)


def _calculated(claim: Claim, tables: list[Table]) -> RecordFinding | None:
    """What follows from the records by a calculation; imported for the first sentence that needs it."""
    from trace_inspector.engine.grounding.calculations.calculations import check_calculation

    return check_calculation(claim, tables)


def _absent_field(reading: SentenceParts, index: RecordIndex, evidence: Evidence) -> RecordFinding | None:
    """What is called missing and is in no result; imported for the first sentence that denies something."""
    if not reading.claim.denies:
        return None
    from trace_inspector.engine.grounding.records.absent_fields import check_absent_field

    return check_absent_field(reading, index, evidence)


def _is_of_the_agent(reading: SentenceParts) -> bool:
    """Whether a sentence says what the agent did or is going to do."""
    return bool(reading.tokens) and any(hit.name == "agent" for hit in SENTENCE_WORDS.find(reading.tokens[:1]))


def _own(reading: SentenceParts, index: RecordIndex, evidence: Evidence) -> RecordFinding | None:
    """What the fields themselves say, without a calculation."""
    if "another" in reading.manners and not index.has_key_word("next"):
        return None
    if absent := _absent_field(reading, index, evidence) or find_absent(reading, index, evidence):
        return absent
    if "missing" in reading.manners:
        missing = check_missing(reading, index)
        return _finding(*missing, index) if missing else None
    if nobody := check_nobody(reading, index):
        return _finding(*nobody, index)
    if reading.manners & _BEYOND_ONE_RECORD or ("total" in reading.manners and not reading.entities):
        return None
    if quantifiers := quantifiers_of(reading):
        counted = check_every(reading, index, quantifiers)
        return _finding(counted.check, (counted.table, counted.record), index) if counted else None
    return _of_clauses(reading, index)


class _IndexedTables(Struct):
    tables: list[Table]
    index: RecordIndex


def _index_of(evidence: Evidence, tables: list[Table]) -> RecordIndex:
    known = evidence.recall(_IndexedTables)
    if known is None:
        known = _IndexedTables(tables, RecordIndex(tables))
        evidence.keep(known)
    elif known.tables is not tables:
        known.index.update(tables)
        known.tables = tables
    return known.index


def _of_clauses(reading: SentenceParts, index: RecordIndex) -> RecordFinding | None:
    checks: list[tuple[Check, tuple[int, int]]] = []
    is_whole = not reading.unknown
    for clause in reading.clauses:
        if clause.is_relation or (not clause.facts and _is_hoped(clause, reading)):
            is_whole = False
            continue
        for records in _subjects(clause, reading, index):
            best = _best(reading, clause, index, records)
            checks += best
            is_whole = is_whole and bool(best) and all(check.truth and check.is_named for check, _record in best)
        if not clause.entities and not _sole(index):
            is_whole = False
    # Lines of a log are no things with attributes: what one of them does not say, another one may.
    wrong = next(
        (
            (check, record)
            for check, record in checks
            if check.truth is False and not index.rows[record[0]].table.is_log
        ),
        None,
    )
    if wrong:
        return _finding(*wrong, index)
    if is_whole and checks:
        return _finding(*checks[0], index)
    return None


def _is_hoped(clause: RecordClause, reading: SentenceParts) -> bool:
    """Whether a clause says what should be, not what is."""
    return "hope" in reading.manners and any(
        hit.name == "hope" for hit in SENTENCE_WORDS.find(tokens_of(clause.text))
    )


def _subjects(clause: RecordClause, reading: SentenceParts, index: RecordIndex) -> list[tuple[tuple[int, int], ...]]:
    if clause.entities:
        return [entity.records for entity in clause.entities]
    sole = _sole(index)
    return [sole] if sole and not reading.unknown and not reading.entities else []


def _sole(index: RecordIndex) -> tuple[tuple[int, int], ...]:
    """The only record of all results, which a sentence without a name speaks of."""
    if len(index.rows) != 1:
        return ()
    number, rows = next(iter(index.rows.items()))
    return ((number, 0),) if len(rows.table.records) == 1 else ()


def _best(
    reading: SentenceParts, clause: RecordClause, index: RecordIndex, records: Sequence[tuple[int, int]]
) -> list[tuple[Check, tuple[int, int]]]:
    """The checks against the record that agrees best: of several with one name, one that agrees is enough."""
    best: list[tuple[Check, tuple[int, int]]] = []
    rank = -10_000
    for table, record in records[:20]:
        checks = [(check, (table, record)) for check in _checks(reading, clause, index, table, record)]
        score = sum({True: 1, None: 0, False: -100}[check.truth] for check, _record in checks)
        if score > rank:
            best, rank = checks, score
    return best


def _checks(
    reading: SentenceParts, clause: RecordClause, index: RecordIndex, table: int, record: int
) -> Iterator[Check]:
    rows = index.rows[table]
    yield from check_facts(clause, rows, record, reading.claim.bounds)
    answered = list(check_booleans(clause, rows, record))
    yield from (check for _cell, check in answered)
    words = {word for cell, _check in answered for word in cell.key.words}
    for mention in clause.values:
        if mention.text.lower() not in words:
            yield check_value(mention, clause, table, rows, record)
    yield from check_states(clause, rows, record, words)
    if not answered and clause.is_negated and not clause.facts:
        yield from check_lack(clause, rows, record)


def _finding(check: Check, record: tuple[int, int], index: RecordIndex) -> RecordFinding:
    rows = index.rows[record[0]]
    support = SentenceSupport.SUPPORTED if check.truth else SentenceSupport.CONTRADICTORY
    return RecordFinding(
        support, check.rule, check.reason, rows.table.records[record[1]].text[:400], rows.table.source
    )
