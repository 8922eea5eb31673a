"""Attributes that a sentence calls missing and that no result has: "No gate is given."."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence, Origin
from trace_inspector.engine.grounding.lexicon.word_table import tokens_of
from trace_inspector.engine.grounding.records.clauses import SentenceParts
from trace_inspector.engine.grounding.records.figures import naming
from trace_inspector.engine.grounding.records.meaning import ATTRIBUTES, FieldKind, FieldMeaning, stem_name
from trace_inspector.engine.grounding.records.mentions import RecordIndex
from trace_inspector.engine.grounding.tables.record import RecordFinding
from trace_inspector.engine.grounding.text.folding import folded_words
from trace_inspector.engine.grounding.text.languages import language_of
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import find_words, keys_of

_GIVEN: Final = (
    r"(?:given|listed|stated|specified|mentioned|named|indicated|shown|provided|noted|recorded|included|documented|"
    r"on file|set out)"
)
_ANGEGEBEN: Final = r"(?:angegeben|genannt|vermerkt|aufgeführt|hinterlegt)"
_THING: Final = r"(?P<{}>[^\W\d_][\w-]{{0,24}}(?: [^\W\d_][\w-]{{0,24}}){{0,2}}?)"
_GIVE: Final = r"(?:give|list|state|specify|mention|name|indicate|show|include|say)"
_END: Final = r"(?= (?:for|of|at|in|to|de|del|para)\b|\W*$)"
_BE: Final = r"(?:is|are|was|were|has been|have been)"
_WORDS: Final = folded_words("""
    given listed stated specified mentioned named indicated shown provided noted recorded included documented file set
    give list state specify mention name indicate show include say angegeben genannt vermerkt aufgeführt hinterlegt
    indiqué indiquée précisé précisée mentionné mentionnée donné donnée indica especifica menciona
""")
_MAX_RECORDS: Final = 200
_EXCERPT_CHARS: Final = 400


@cache
def _missing() -> re.Pattern[str]:
    """What calls a thing missing; made for the first sentence that may do so, as that takes its time."""
    return re.compile(
        "|".join(
            pattern.format(thing=_THING.format(f"thing{number}"))
            for number, pattern in enumerate(
                (
                    rf"\bno {{thing}} {_BE} {_GIVEN}\b",
                    rf"\b(?:the|its|his|her|their|any) {{thing}} (?:is|are|was|were)(?: not|n['’]t) {_GIVEN}\b",
                    rf"\b(?:do|does|did)(?: not|n['’]t) {_GIVE} (?:an?|any|the|its|their) {{thing}}{_END}",
                    rf"\bkeine?[nrms]? {{thing}} (?:ist |sind |wurde |wird )?{_ANGEGEBEN}\b",
                    rf"\b(?:ist|sind|wird) keine?[nrms]? {{thing}} {_ANGEGEBEN}\b",
                    r"\baucune? {thing} n['’](?:est|a été) (?:indiqué|précisé|mentionné|donné)e?\b",
                    rf"\bno se (?:indica|especifica|menciona) (?:ning[uú]n[ao]?|el|la|un|una) {{thing}}{_END}",
                )
            )
        ),
        re.IGNORECASE,
    )


def check_absent_field(reading: SentenceParts, index: RecordIndex, evidence: Evidence) -> RecordFinding | None:
    """Whether what a sentence calls missing is in no field and no text, or in a field that is empty."""
    claim = reading.claim
    may_be = not claim.folded.isdisjoint(_WORDS)
    match = _missing().search(claim.text) if may_be else None
    if match is None or claim.facts or reading.unknown or evidence.cut.read < evidence.cut.whole:
        return None
    words = [word for word in find_words(match[match.lastgroup or 0]) if word.lower() not in STOP_WORDS]
    if not words:
        return None
    thing = " ".join(words)
    tokens = tokens_of(thing)
    listed = frozenset(hit.name for hit in ATTRIBUTES.find(tokens))
    named = listed | {stem_name(token.text) for token in tokens}
    places = [place for entity in reading.entities for place in entity.records] or [
        (number, record)
        for number, rows in index.rows.items()
        for record in range(min(_MAX_RECORDS, len(rows.table.records)))
    ]
    cells = [
        (cell, place)
        for place in places
        for cell in index.rows[place[0]].cells(place[1])
        if naming(cell.key, named) > 0
    ]
    if cells:
        return _of_fields(cells, named, index)
    if any(naming(cell.key, named) > 0 for rows in index.rows.values() for cell in rows.cells(0)):
        return None
    if any(_is_in_results(key, evidence) for key in keys_of(words)) or (
        not listed and language_of(claim.wording) not in ("", "en")
    ):
        return None
    rows, record = index.rows[places[0][0]], places[0][1]
    reason = f"No result says anything of “{thing}”"
    text = rows.table.records[record].text[:_EXCERPT_CHARS]
    return RecordFinding(SentenceSupport.SUPPORTED, "missing field", reason, text, rows.table.source)


def _is_in_results(key: str, evidence: Evidence) -> bool:
    """Whether a result has a word; that a user asks for a gate gives none."""
    return any(evidence.sources[passage].origin is Origin.RESULT for passage in evidence.with_word(key))


def _of_fields(
    cells: list[tuple[FieldMeaning, tuple[int, int]]], named: frozenset[str], index: RecordIndex
) -> RecordFinding | None:
    """What the fields say that may be meant: all are empty, or the only one that is meant has a value."""
    empty = [cell.kind is FieldKind.NOTHING for cell, _place in cells]
    if any(empty) and not all(empty):
        return None
    if not all(empty) and not all(naming(cell.key, named) >= 1 for cell, _place in cells):
        return None
    cell, place = cells[0]
    table = index.rows[place[0]].table
    support = SentenceSupport.SUPPORTED if empty[0] else SentenceSupport.CONTRADICTORY
    text = table.records[place[1]].text[:_EXCERPT_CHARS]
    return RecordFinding(support, "missing field", f"The result says {cell.field.text[:120]}", text, table.source)
