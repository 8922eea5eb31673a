"""The evidence for answers, added turn by turn and indexed at once."""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, TypeVar

from msgspec import Struct

from trace_inspector.core.trace.parts import Code, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Turn
from trace_inspector.core.values.values import Json, present
from trace_inspector.engine.grounding.evidence.passages import (
    Cut,
    Leaf,
    Passage,
    prose,
    values,
)
from trace_inspector.engine.grounding.facts.fact import Amount, Fact
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.negation import says_nothing
from trace_inspector.engine.grounding.text.units import COUNT, Unit, to_base, unit_of
from trace_inspector.engine.grounding.text.vocabulary import REQUESTS
from trace_inspector.engine.grounding.text.words import find_words, folded_set, split_words

# Of one tool result, message or instruction, and of a trace. What lies beyond is counted, and named in reasons.
MAX_SOURCE_CHARS: Final = 500_000
MAX_TRACE_CHARS: Final = 4_000_000
_NEWEST_RESULTS: Final = 64
_REMEMBERED_CHARS: Final = 80
_T = TypeVar("_T")


class Origin(enum.Enum):
    """Where a passage comes from."""

    USER = "user"
    RESULT = "result"
    CALL = "call"
    INSTRUCTION = "instruction"


_FIRM: Final = (Origin.RESULT, Origin.INSTRUCTION)


class Source(Struct, frozen=True):
    """Where passages come from: in words, and as the pointer of the part."""

    origin: Origin
    words: str
    place: str
    asks: bool = False  # a user's question states nothing that could support an answer


class Spot(Struct, frozen=True, gc=False):
    """A fact in a leaf of a passage, at characters [start, end) of the leaf's text."""

    passage: int
    leaf: int
    start: int
    end: int
    amount: Amount | None


class Evidence:
    """The user's words, instructions, tool results and the arguments of calls; indexed by words, keys and numbers.

    An agent's earlier answers and thoughts are no evidence: an invented figure would support itself.
    """

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self.sources: list[Source] = []
        self.keys: list[frozenset[str]] = []
        self.denying: set[int] = set()  # passages with a negation or a word that has an opposite
        self.with_underscore: set[int] = set()  # passages with a value such as OUTSIDE_14_DAY_WINDOW
        self.results: list[tuple[Source, Json]] = []  # as the tools gave them, for what looks at records
        self.is_firm: list[bool] = []  # of each passage: a result or an instruction, which can support any claim
        self._of_results: list[int] = []
        self.cut = Cut()
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._by_key: defaultdict[str, list[Spot]] = defaultdict(list)
        self._by_value: dict[float, list[Spot]] = {}
        self._values: list[float] = []
        self._by_base: dict[str, dict[float, list[Spot]]] = {}
        self._bases: dict[str, list[float]] = {}
        self._agents: set[tuple[str, str]] = set()
        self.has_results = False
        self.has_instructions = False
        self._worked_out: dict[type, object] = {}

    def add_agents(self, agents: Iterable[Agent]) -> None:
        """Add the instructions of agents; each agent once."""
        for agent in agents:
            description = "\n".join(text for text in (agent.name, agent.description, agent.instruction) if text)
            if (agent.name, description) not in self._agents:
                self._agents.add((agent.name, description))
                self.has_instructions = self.has_instructions or bool(agent.instruction)
                source = Source(Origin.INSTRUCTION, f"instructions of {agent.name or 'the agent'}", agent.place)
                self._add(source, prose(description, self.cut, self._room()))

    def add_turn(self, turn: Turn) -> None:
        """Add the user's words, calls and results of a turn, but not its answer."""
        self.add_agents(turn.agents)
        for part in turn.user:
            if isinstance(part, Text):
                self._add_words(part)
        for event in turn.events:
            self._add_event(event)

    def recall(self, kind: type[_T]) -> _T | None:
        """What was worked out of it and kept, by its type; it lives as long as the evidence."""
        found = self._worked_out.get(kind)
        return found if isinstance(found, kind) else None

    def keep(self, worked_out: object) -> None:
        """Keep what was worked out of it, in place of an earlier one of the same type."""
        self._worked_out[type(worked_out)] = worked_out

    def newest_results(self) -> list[int]:
        """A few passages of the newest tool results, the newest first."""
        return self._of_results[: -_NEWEST_RESULTS - 1 : -1]

    def with_word(self, key: str) -> list[int]:
        """The passages with a word, oldest first."""
        return self._by_word.get(key, [])

    def with_words(self, keys: frozenset[str]) -> Iterator[int]:
        """The passages with all of some words, newest first."""
        rarest = min(keys, key=lambda key: (len(self.with_word(key)), key))
        having = self.with_word(rarest)
        return compress(reversed(having), map(keys.issubset, map(self.keys.__getitem__, reversed(having))))

    def with_key(self, key: str) -> list[Spot]:
        """The places of facts with this key."""
        return self._by_key.get(key, [])

    def with_value(self, value: float) -> list[Spot]:
        """The places of exactly this number, in any unit."""
        return self._by_value.get(value, [])

    def between(self, low: float, high: float) -> Iterator[tuple[float, Spot]]:
        """Numbers from low to high, in any unit."""
        for value in self._values[bisect_left(self._values, low) : bisect_right(self._values, high)]:
            yield from ((value, spot) for spot in self._by_value[value])

    def measured(self, dimension: str, low: float, high: float) -> Iterator[tuple[float, Spot]]:
        """Quantities of one dimension from low to high, in its base."""
        bases = self._bases.get(dimension, [])
        for base in bases[bisect_left(bases, low) : bisect_right(bases, high)]:
            yield from ((base, spot) for spot in self._by_base[dimension][base])

    def _add_event(self, event: Event) -> None:
        for part in event.parts:
            if isinstance(part, ToolResult) and present(part.value):
                self._add_value(Origin.RESULT, f"{part.name or 'tool'} result", part.place, part.value)
            elif isinstance(part, ToolCall) and present(part.args):
                self._add_value(Origin.CALL, f"{part.name or 'tool'} call", part.place, part.args)
            elif isinstance(part, Code) and part.is_result:
                self.has_results = True
                self._add(
                    Source(Origin.RESULT, "output of code", part.place), prose(part.text, self.cut, self._room())
                )
            elif isinstance(part, Text) and (event.role or event.author) == "user":
                self._add_words(part)
        if present(event.grounding):
            self._add_value(Origin.RESULT, "search grounding", event.place, event.grounding)

    def _add_words(self, part: Text) -> None:
        asks = part.text.rstrip().endswith(("?", "？", "؟")) or not REQUESTS.isdisjoint(
            map(fold, find_words(part.text[:40])[:2])
        )
        self._add(Source(Origin.USER, "the user’s words", part.place, asks), prose(part.text, self.cut, self._room()))

    def _add_value(self, origin: Origin, words: str, place: str, value: Json) -> None:
        source = Source(origin, words, place)
        if origin is Origin.RESULT:
            self.has_results = True
            self.results.append((source, value))
        self._add(source, values(value, self.cut, self._room()))

    def _add(self, source: Source, passages: Iterator[Passage]) -> None:
        for passage in passages:
            self._index(passage, source)

    def _room(self) -> int:
        return max(0, min(MAX_SOURCE_CHARS, MAX_TRACE_CHARS - self.cut.read))

    def _index(self, passage: Passage, source: Source) -> None:
        number = len(self.passages)
        stated = _read_leaves(passage.leaves)
        if stated.denies:
            self.denying.add(number)
        if stated.has_underscore:
            self.with_underscore.add(number)
        self._index_facts(number, stated.facts)
        self.passages.append(passage)
        self.is_firm.append(source.origin in _FIRM)
        if source.origin is Origin.RESULT:
            self._of_results.append(number)
        self.sources.append(source)
        self.keys.append(stated.keys)
        by_word = self._by_word
        for key in stated.keys:
            by_word[key].append(number)

    def _index_facts(self, number: int, facts: tuple[tuple[int, _FactOfLeaf], ...]) -> None:
        by_value = self._by_value
        for leaf, fact in facts:
            if fact.keys:
                spot = Spot(number, leaf, fact.start, fact.end, fact.amount)
                for key in fact.keys:
                    self._by_key[key].append(spot)
            if fact.values:
                spot = Spot(number, leaf, fact.start, fact.end, fact.measured)
                for value, bases in fact.values:
                    if (spots := by_value.get(value)) is None:
                        by_value[value] = [spot]
                        insort(self._values, value)
                    else:
                        spots.append(spot)
                    for dimension, base in bases:
                        by_base = self._by_base.get(dimension)
                        if by_base is None:
                            by_base, self._bases[dimension] = self._by_base.setdefault(dimension, {}), []
                        self._place(by_base, self._bases[dimension], base, spot)

    @staticmethod
    def _place(table: dict[float, list[Spot]], order: list[float], value: float, spot: Spot) -> None:
        spots = table.get(value)
        if spots is None:
            table[value] = [spot]
            insort(order, value)
        else:
            spots.append(spot)


class _FactOfLeaf(Struct, frozen=True, gc=False):
    """A fact of a passage, at characters of its leaf's text; a number also with the unit that its record gives it."""

    start: int
    end: int
    keys: tuple[str, ...]
    amount: Amount | None
    measured: Amount | None
    values: tuple[tuple[float, tuple[tuple[str, float], ...]], ...]  # each with what it is in bases of dimensions


class _Stated(Struct, frozen=True, gc=False):
    """What a passage has, wherever it stands."""

    keys: frozenset[str]
    denies: bool
    facts: tuple[tuple[int, _FactOfLeaf], ...]  # with the number of the leaf
    has_underscore: bool


@lru_cache(maxsize=1 << 10)  # results have the same records again and again
def _read_leaves(leaves: tuple[Leaf, ...]) -> _Stated:
    stated = [_remembered_leaf(leaf) if len(leaf.value) <= _REMEMBERED_CHARS else _read_leaf(leaf) for leaf in leaves]
    if any(names_unit(leaf.key) for leaf in leaves):  # then a figure may have the unit that stands beside it
        stated = [_read_leaf(leaf, leaves) for leaf in leaves]
    keys: set[str] = set()
    denies = has_underscore = False
    facts: list[tuple[int, _FactOfLeaf]] = []
    for number, one in enumerate(stated):
        keys |= one.keys
        denies = denies or one.denies
        has_underscore = has_underscore or "_" in leaves[number].value
        if one.facts:
            facts += [(number, fact) for fact in one.facts]
    return _Stated(frozenset(keys), denies, tuple(facts), has_underscore)


class _OfLeaf(Struct, frozen=True, gc=False):
    """What a leaf has."""

    keys: frozenset[str]
    denies: bool
    facts: tuple[_FactOfLeaf, ...]


@lru_cache(maxsize=1 << 11)  # records of one kind have the same words and states
def _remembered_leaf(leaf: Leaf) -> _OfLeaf:
    return _read_leaf(leaf)


def _read_leaf(leaf: Leaf, record: tuple[Leaf, ...] = ()) -> _OfLeaf:
    of_key, of_value = read(leaf.key), read(leaf.value)
    denies = of_key.denies or of_value.denies or (bool(leaf.key) and says_nothing(leaf.value))
    facts = [_fact_of_leaf(fact, 0, leaf, record) for fact in of_key.facts]
    facts += [_fact_of_leaf(fact, leaf.value_start, leaf, record) for fact in of_value.facts]
    return _OfLeaf(of_key.keys | of_value.keys, denies, tuple(facts))


def _fact_of_leaf(fact: Fact, offset: int, leaf: Leaf, record: tuple[Leaf, ...]) -> _FactOfLeaf:
    start, end, keys, amount = fact.start + offset, fact.end + offset, (*fact.keys, *fact.implied), fact.amount
    if amount is None or fact.keys:
        return _FactOfLeaf(start, end, keys, amount, None, ())
    measured = amount
    if not amount.unit and (unit := unit_in_record(record, leaf, fact)):
        measured = Amount(amount.values, amount.step, unit)
    values = tuple([(value, tuple(to_base(value, measured.unit))) for value in amount.values])
    return _FactOfLeaf(start, end, keys, amount, measured, values)


_UNIT_KEYS: Final = folded_words("currency unit units währung devise moneda valuta")
_RATES: Final = frozenset({"per", "pro", "par", "por", "each", "of", "every"})
_MONEY_KEYS: Final = folded_words("""
    amount price total subtotal balance value cost fee tax fare budget sum payment refund salary deposit betrag preis
    montant prix importe precio saldo
""")


def unit_in_record(leaves: Sequence[Leaf], leaf: Leaf, fact: Fact) -> Unit:
    """The unit of a number of one of some leaves without one of its own; the length of a list counts."""
    if fact.start == 1 and leaf.is_count:
        return COUNT
    if fact.start > 1 or not leaf.key:
        return ()
    return _unit_of_key(leaf.key) or _unit_beside(leaves, leaf)


@lru_cache(maxsize=1 << 12)
def _unit_of_key(key: str) -> Unit:
    words = split_words(key)
    if len(words) > 1 and fold(words[-2]) in _RATES:
        return ()  # visitors_per_day are no days
    if not words or words[-1].lower() == "min":
        return ()  # as often the least as minutes
    return unit_of(words[-1])


@lru_cache(maxsize=1 << 12)
def _is_money(label: str) -> bool:
    return not _MONEY_KEYS.isdisjoint(folded_set(split_words(label)))


@lru_cache(maxsize=1 << 12)
def names_unit(key: str) -> bool:
    """Whether the value of a key is the unit of a number beside it, such as `currency`."""
    words = split_words(Leaf(key, "").label)
    return bool(words) and not _UNIT_KEYS.isdisjoint(folded_set(words[-1:]))


def _unit_beside(leaves: Sequence[Leaf], leaf: Leaf) -> Unit:
    """In an object with `amount` and `currency` the second is the unit of the first."""
    for other in leaves:
        if names_unit(other.key) and (unit := unit_of(other.value)):
            same_object = other.label.rpartition(" ")[0] == leaf.label.rpartition(" ")[0]
            if same_object and (_is_money(leaf.label) or not unit[0][0].startswith("money")):
                return unit
    return ()
