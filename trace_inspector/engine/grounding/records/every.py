"""What a sentence says of all records, of none, of both, or of some only, counted over the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.lexicon.word_table import SENTENCE_WORDS
from trace_inspector.engine.grounding.records.clauses import RecordClause, SentenceParts
from trace_inspector.engine.grounding.records.figures import Check, check_value, name_of
from trace_inspector.engine.grounding.records.mentions import RecordIndex, Rows
from trace_inspector.engine.grounding.records.states import check_booleans, check_states
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.units import unit_of

QUANTIFIERS: Final = frozenset({"all", "none", "only"})
_SHOWN: Final = 8
_MAX_RECORDS: Final = 500
# Words that speak of a part, or of what the result does not show.
_OF_A_PART: Final = folded_words("""
    other others rest beyond else outside remaining who which that whose except besides apart where andere anderen
    ubrigen ausser die welche autres autre reste sauf qui dont otros otras demas resto excepto salvo outros outras
    exceto altri altre tranne al almost nearly presque casi quase fast nicht pas
""")


class CountedClaim(Struct, frozen=True):
    """What was counted, and the table and record to show."""

    check: Check
    table: int
    record: int


def quantifiers_of(reading: SentenceParts) -> frozenset[str]:
    """How much of a table a sentence speaks of; "at all" and "every day" speak of none."""
    found = set()
    tokens = reading.tokens
    for hit in SENTENCE_WORDS.find(tokens):
        if hit.name not in QUANTIFIERS:
            continue
        position = next((index for index, token in enumerate(tokens) if token.start == hit.start), 0)
        before = tokens[position - 1].text if position else ""
        after = tokens[position + 1].text if position + 1 < len(tokens) else ""
        is_plain = before in ("at", "above", "in", "after") or (
            hit.name == "all" and any(dimension == "time" for dimension, _factor in unit_of(after))
        )
        if not is_plain and not (hit.name == "only" and not _leads(reading, hit.end)):
            found.add(hit.name)
    return frozenset(found)


def _leads(reading: SentenceParts, end: int) -> bool:
    """Whether "only" stands directly before the first record named."""
    first = min((entity.mention.start for entity in reading.entities), default=-1)
    return 0 <= first - end <= 20 and not any(
        end <= word.start < first for clause in reading.clauses for word in clause.words[1:]
    )


def check_every(reading: SentenceParts, index: RecordIndex, quantifiers: frozenset[str]) -> CountedClaim | None:
    """Count over the table what a sentence says of all, none, both or only some."""
    if len(quantifiers) != 1 or reading.unknown or not _OF_A_PART.isdisjoint(_plain_words(reading, quantifiers)):
        return None
    clauses = [clause for clause in reading.clauses if clause.states or clause.values or clause.attributes]
    clauses = [clause for clause in clauses if clause.words or clause.values]
    if len(clauses) != 1 or ("none" not in quantifiers and clauses[0].is_negated):
        return None
    clause = replace(clauses[0], is_negated=False, facts=[])
    found = [count for count in _counts(reading, clause, clauses[0].facts, index, quantifiers) if count]
    return found[0] if len(found) == 1 else None


def _plain_words(reading: SentenceParts, quantifiers: frozenset[str]) -> set[str]:
    words = {token.text for token in reading.tokens}
    return words - {"nicht", "pas"} if "none" in quantifiers else words


def _counts(
    reading: SentenceParts,
    clause: RecordClause,
    facts: Sequence[Fact],
    index: RecordIndex,
    quantifiers: frozenset[str],
) -> Iterator[CountedClaim | None]:
    entities = reading.entities
    for table, rows in index.rows.items():
        chosen = [record for entity in entities for place, record in entity.records if place == table]
        if (entities and len(chosen) != len(entities)) or len(rows.table.records) > _MAX_RECORDS:
            continue
        is_whole = not entities or "only" in quantifiers
        if is_whole and (not rows.table.is_complete or len(rows.table.records) < 2):
            continue
        truths = _truths(clause, table, rows, range(len(rows.table.records)) if is_whole else chosen)
        if truths and _counts_all(facts, len(chosen) or len(rows.table.records)):
            yield _judged(truths, chosen, rows, table, quantifiers)


def _counts_all(facts: Sequence[Fact], count: int) -> bool:
    """Whether the figures of a clause say only how many records there are: all four."""
    return all(fact.amount and count in fact.amount.values for fact in facts)


def _truths(clause: RecordClause, table: int, rows: Rows, records: Sequence[int]) -> dict[int, Check]:
    """The one statement of a clause for each record; nothing when it makes several, or none that a field answers."""
    truths: dict[int, Check] = {}
    for record in records:
        checks = [
            *check_states(clause, rows, record, frozenset()),
            *(check for _cell, check in check_booleans(clause, rows, record)),
            *(check_value(value, clause, table, rows, record) for value in clause.values),
        ]
        if len({check.truth for check in checks}) > 1:
            return {}
        truths[record] = checks[0] if checks else Check(truth=None)
    return truths if any(check.truth is not None for check in truths.values()) else {}


def _judged(
    truths: dict[int, Check], chosen: Sequence[int], rows: Rows, table: int, quantifiers: frozenset[str]
) -> CountedClaim | None:
    true = [record for record, check in truths.items() if check.truth]
    false = [record for record, check in truths.items() if check.truth is False]
    expected = {"all": set(truths), "none": set(), "only": set(chosen)}[min(quantifiers)]
    against = [record for record in true if record not in expected] + [
        record for record in false if record in expected
    ]
    names = ", ".join(name_of(rows, record) for record in true[:_SHOWN]) + ("…" if len(true) > _SHOWN else "")
    reason = f"True of {len(true)} of {len(truths)} records{': ' if names else ''}{names}."
    if against:
        return CountedClaim(
            Check(truth=False, rule="said of too many", reason=reason, is_named=True), table, against[0]
        )
    if len(true) + len(false) == len(truths):
        return CountedClaim(
            Check(truth=True, rule="counted", reason=reason, is_named=True), table, next(iter(truths))
        )
    return None
