"""A sentence cut into clauses: of which records each speaks, and what it says of them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.lexicon.word_table import SENTENCE_WORDS, Hit, Token, is_denied, tokens_of
from trace_inspector.engine.grounding.records.meaning import ATTRIBUTES, STATES, stem_name
from trace_inspector.engine.grounding.records.mentions import RecordIndex, ValueMention
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import Breaks

_BREAKS: Final = Breaks(
    r"[,;:](?=\s)|[、。；：]|\s[-–—]\s",
    """
    and but while whereas though although und aber sowie während et mais tandis y e pero mientras mas enquanto ma
    mentre because weil denn parce puisque porque perche perché with mit avec con com
    """,
)
_WITH: Final = frozenset({"with", "mit", "avec", "con", "com"})
_HASH: Final = re.compile(r"#\d{2,12}(?!\w)")
_EMPTY_WORDS: Final = STOP_WORDS - {"won"}  # which is a stop word for the sake of "won't"
_PHRASE_CHARS: Final = 4
_SPEED: Final = re.compile(r"\s?(?:per|an|a|pro|par|por|/)\s?(?:hour|h|stunde|heure|hora)\b", re.IGNORECASE)
_FAHRENHEIT: Final = (("temperature F", 1.0),)


class Entity(NamedTuple):
    """The records that one mention may mean, as (table, record)."""

    mention: ValueMention
    records: tuple[tuple[int, int], ...]
    is_first_key: bool


class RecordClause(Struct):
    """A part of a sentence with what it says, and of what."""

    start: int
    end: int
    text: str
    entities: list[Entity] = field(default_factory=list)
    values: list[ValueMention] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    attributes: frozenset[str] = frozenset()
    states: list[Hit] = field(default_factory=list)
    words: list[Token] = field(default_factory=list)  # content words that are neither facts nor mentions
    is_negated: bool = False
    is_relation: bool = False  # speaks of two records at once
    leads_on: bool = False  # ends before a "with"

    @property
    def is_empty(self) -> bool:
        """Whether it has at most a verb, which says nothing alone: "The tour comes" with a guide."""
        named = any(not name.startswith("=") for name in self.attributes)
        return not (self.facts or self.values or self.states or named or len(self.words) > 1)


class SentenceParts(NamedTuple):
    """A sentence as the records see it."""

    claim: Claim
    tokens: tuple[Token, ...]
    clauses: tuple[RecordClause, ...]
    manners: frozenset[str]  # how it is meant: compare, sum, guess, all, none, only, missing
    unknown: tuple[str, ...]  # codes and names that no record has

    @property
    def entities(self) -> list[Entity]:
        """The records that the sentence names, each once."""
        return list({entity.mention.start: entity for clause in self.clauses for entity in clause.entities}.values())


def read_sentence(claim: Claim, index: RecordIndex) -> SentenceParts:
    """Cut a sentence into clauses and find the records that each speaks of."""
    tokens = _tokens(claim.text)
    mentions = index.mentions(claim.text, tokens)
    stated: Sequence[Fact] = claim.facts
    if mentions and stated:
        numbers = [fact for fact in stated if fact.kind is FactKind.NUMBER and fact.amount]
        mentions = [m for m in mentions if not any(f.start <= m.start and m.end < f.end for f in numbers)]
        stated = [fact for fact in stated if not any(m.start < fact.end and fact.start < m.end for m in mentions)]
    facts = [_in_context(claim.text, fact) for fact in stated]
    named = [(m.start, m.end) for m in mentions if not (m.text.islower() and m.text.isalpha())]
    taken = sorted(named + [(fact.start, fact.end) for fact in facts])
    free = list(_free(tokens, taken))
    clauses = _cut(claim, taken)
    _fill(clauses, claim.text, mentions, facts, free, index)
    clauses = _joined(clauses)
    manners = frozenset(hit.name for hit in SENTENCE_WORDS.find(free))
    return SentenceParts(claim, tokens, tuple(clauses), manners, _unknown(claim, mentions))


@lru_cache(maxsize=1 << 8)
def _tokens(sentence: str) -> tuple[Token, ...]:
    return tuple(tokens_of(sentence))


@lru_cache(maxsize=1 << 8)
def _breaks(sentence: str) -> tuple[tuple[int, int, bool], ...]:
    """Where a sentence may be cut, and whether there is a "with"."""
    return tuple((*match.span(), match[0].lower() in _WITH) for match in _BREAKS.places(sentence))


def _is_negated(text: str, own: Sequence[Token], free: Sequence[Token]) -> bool:
    """Whether the words of a clause, without names and figures, deny; the Portuguese "no" means "in the"."""
    plain = " ".join(text[token.start : token.end] for token in own).replace(" t ", "'t ")
    return is_denied(plain, own, free)


def _unknown(claim: Claim, mentions: Sequence[ValueMention]) -> tuple[str, ...]:
    known = {word for mention in mentions for word in mention.text.split()}
    codes = [
        claim.text[fact.start : fact.end]
        for fact in claim.facts
        if fact.kind in (FactKind.IDENTIFIER, FactKind.ADDRESS)
        and not any(m.start < fact.end and fact.start < m.end for m in mentions)
    ]
    codes += [
        match[0] for match in _HASH.finditer(claim.text) if not any(m.start < match.end() <= m.end for m in mentions)
    ]
    names = [name.text for name in claim.names if known.isdisjoint(name.text.split())]
    return (*codes, *names)


def _free(tokens: Sequence[Token], taken: list[tuple[int, int]]) -> Iterator[Token]:
    """The words outside mentions and facts; of a run without spaces what is left of it."""
    position, last = -1, len(taken) - 1
    for token in tokens:
        start = token.start
        if token.text.isascii() or not token.is_unspaced:
            while position < last and taken[position + 1][0] <= start:
                position += 1
            if position < 0 or start >= taken[position][1]:
                yield token
            continue
        for begin, end in taken:
            if begin < token.end and start < end:
                if start < begin:
                    yield Token(token.text[start - token.start : begin - token.start], start, begin)
                start = end
        if start < token.end:
            yield Token(token.text[start - token.start :], start, token.end)


def _in_context(text: str, stated: Fact) -> Fact:
    """A figure with what stands around it: a length per hour is a speed, degrees may be of Fahrenheit."""
    fact = stated
    if fact.amount and (speed := _SPEED.match(text, fact.end)):
        fact = _per_hour(fact, speed.end())
    if fact.amount and text[max(0, fact.start - 2) : fact.start] == "華氏":
        fact = replace(fact, amount=replace(fact.amount, unit=_FAHRENHEIT))
    return fact


def _per_hour(fact: Fact, end: int) -> Fact:
    """A length per hour as a speed."""
    amount = fact.amount
    length = next((factor for dimension, factor in amount.unit if dimension == "length"), 0.0) if amount else 0.0
    if amount is None or not length:
        return fact
    return replace(fact, end=end, amount=replace(amount, unit=(("speed", length / 1000),)))


def _cut(claim: Claim, taken: list[tuple[int, int]]) -> list[RecordClause]:
    clauses, start, text = [], 0, claim.text
    for begin, end, leads_on in _breaks(claim.wording):
        position = bisect_right(taken, (begin, 1 << 60)) - 1
        if position >= 0 and begin < taken[position][1]:
            continue
        if begin > start:
            clauses.append(RecordClause(start, end, text[start:begin], leads_on=leads_on))
            start = end
    clauses.append(RecordClause(start, len(text), text[start:]))
    return clauses


def _fill(
    clauses: list[RecordClause],
    text: str,
    mentions: list[ValueMention],
    facts: list[Fact],
    free: list[Token],
    index: RecordIndex,
) -> None:
    attributes, states = ATTRIBUTES.find(free), STATES.find(free)
    phrases = [hit for hit in attributes if hit.end - hit.start > _PHRASE_CHARS] if states else []
    places = list(map(_start_of, free))
    for clause in clauses:
        start, end = clause.start, clause.end
        own = free[bisect_left(places, start) : bisect_left(places, end)]
        if facts:
            clause.facts = [fact for fact in facts if start <= fact.start < end]
        clause.words = [token for token in own if token.text not in _EMPTY_WORDS and len(token.text) > 1]
        named = {hit.name for hit in attributes if start <= hit.start < end}
        named.update(
            [stem_name(token.text) for token in clause.words if token.text.isascii() or not token.is_unspaced]
        )
        clause.attributes = frozenset(named)
        if states:
            clause.states = [
                hit
                for hit in states
                if start <= hit.start < end
                and not any(
                    p.start <= hit.start and hit.end <= p.end and p.end - p.start > hit.end - hit.start
                    for p in phrases
                )
            ]
        clause.is_negated = _is_negated(text, own, free)
        if mentions:
            _share(clause, [m for m in mentions if start <= m.start < end], index)


_start_of: Final = attrgetter("start")


def _share(clause: RecordClause, mentions: list[ValueMention], index: RecordIndex) -> None:
    """Which mentions are what a clause speaks of, and which are what it says."""
    entities = [entity for mention in mentions if (entity := _entity(mention, index))]
    first = next((entity for entity in entities if entity.is_first_key), entities[0] if entities else None)
    for mention in mentions:
        entity = next((candidate for candidate in entities if candidate.mention is mention), None)
        if entity is None or (first is not None and entity is not first and _is_value(mention, first)):
            clause.values.append(mention)
            _add_states(clause, mention)
            continue
        if not entity.is_first_key and len(entity.records) == 1 and _is_single(entity, index):
            clause.values.append(mention)
        clause.is_relation = clause.is_relation or bool(clause.entities)
        clause.entities.append(entity)


def _is_single(entity: Entity, index: RecordIndex) -> bool:
    """Whether the record named is the only one of its table: then a value of it is said of it, too."""
    return len(index.rows[entity.records[0][0]].table.records) == 1


def _add_states(clause: RecordClause, mention: ValueMention) -> None:
    tokens = [
        Token(token.text, mention.start + token.start, mention.start + token.end) for token in tokens_of(mention.text)
    ]
    clause.states += STATES.find(tokens)


def _entity(mention: ValueMention, index: RecordIndex) -> Entity | None:
    places = [place for place in mention.places if place.key in index.rows[place.table].identifying]
    if not places:
        return None
    is_first = any(place.key == index.rows[place.table].identifying[0] for place in places)
    chosen = (
        [place for place in places if place.key == index.rows[place.table].identifying[0]] if is_first else places
    )
    return Entity(mention, tuple(dict.fromkeys((place.table, place.record) for place in chosen)), is_first)


def _is_value(mention: ValueMention, subject: Entity) -> bool:
    """Whether a mention is a value of another field in the tables of the subject."""
    tables = {table for table, _record in subject.records}
    keys = {place.key for place in subject.mention.places if place.table in tables}
    return any(place.table in tables and place.key not in keys for place in mention.places)


def _joined(clauses: list[RecordClause]) -> list[RecordClause]:
    """Clauses with a subject each: a list of names belongs to the words after it, or before a colon."""
    joined: list[RecordClause] = []
    waiting: list[Entity] = []
    for clause in clauses:
        says = clause.facts or clause.values or clause.words or clause.states
        if clause.entities and not says:
            if joined and not joined[-1].entities and not waiting:
                joined[-1].entities += clause.entities
            else:
                waiting += clause.entities
                joined.append(replace(clause, entities=[]))
            continue
        if not clause.entities and not waiting and joined:
            clause.entities = list(joined[-1].entities)
        clause.entities = [*waiting, *clause.entities]
        waiting = []
        joined.append(clause)
    if waiting:
        target = next((clause for clause in reversed(joined) if clause.words), None)
        if target:
            target.entities += waiting
    kept = [clause for clause in joined if clause.facts or clause.values or clause.words or clause.states]
    kept = [clause for clause in kept if not (clause.leads_on and clause.is_empty)]
    for before, clause in pairwise(kept):
        named = {name for name in clause.attributes if not name.startswith("=")}
        if not named and not clause.states and clause.facts:
            clause.attributes |= before.attributes
    return kept
