"""Pairs the expected calls of a turn with those made, and finds missing and extra ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from trace_inspector.core.alignment.sequence_alignment import Order, increasing
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Part, ToolCall, Transfer
from trace_inspector.core.trace.summary import transfer_target
from trace_inspector.core.trace.trace import Steps, Turn, calls_of
from trace_inspector.engine.ces.arguments import ArgumentComparison, compare_arguments
from trace_inspector.engine.ces.assignment import best_pairs
from trace_inspector.engine.ces.identity import same_tool
from trace_inspector.engine.scoring.matching import Matchers

_PartKind = TypeVar("_PartKind", bound=Part)
_MOST_PAIRS = 250_000  # beyond that each expected call takes the first that fits
_MOST_COMPARISONS = 1_000_000  # beyond that each call is searched after the one before


class CallExpectation(Struct, frozen=True):
    """An expected call, with its expectation where the golden has one."""

    call: ToolCall
    expectation: Expectation | None = None

    @property
    def counts(self) -> bool:
        """Whether it is judged; a skipped one is only paired, so that its call is not extra."""
        return self.expectation is None or not self.expectation.skipped

    @property
    def place(self) -> str:
        """Its place in the golden."""
        return self.expectation.place if self.expectation else self.call.place


class PairedCalls(Struct, frozen=True):
    """Expected and observed calls of one turn, paired by tool, and within a tool by likeness of arguments."""

    expectations: tuple[CallExpectation, ...]
    made: tuple[ToolCall, ...]
    pairs: dict[int, int]
    compared: dict[int, ArgumentComparison]

    @property
    def judged(self) -> list[int]:
        """The indexes of the expected calls that count."""
        return [index for index, expectation in enumerate(self.expectations) if expectation.counts]

    @property
    def missing(self) -> list[int]:
        """The indexes of judged expected calls that were not made."""
        return [index for index in self.judged if index not in self.pairs]

    @property
    def extra(self) -> list[ToolCall]:
        """The calls that no expectation covers."""
        taken = set(self.pairs.values())
        return [call for index, call in enumerate(self.made) if index not in taken]


def call_expectations(golden: Turn) -> tuple[CallExpectation, ...]:
    """The calls of a golden's expectations; without expectations, its own calls."""
    if golden.expectations:
        return tuple(
            CallExpectation(call, expectation)
            for expectation in golden.expectations
            if expectation.kind is Expects.CALL and (call := first_of(expectation.parts, ToolCall))
        )
    return tuple(CallExpectation(call) for call in made_calls(golden))


def states_calls(golden: Turn) -> bool:
    """Whether a golden says which calls it expects, even if none."""
    return bool(golden.expectations) or golden.steps is not Steps.ABSENT


def made_calls(turn: Turn) -> list[ToolCall]:
    """The calls of tools, without transfers."""
    return [call for call in calls_of(turn) if not transfer_target(call)]


def transfers_of(turn: Turn) -> Iterator[Transfer]:
    """Every transfer, including those made by a call."""
    for part in parts_of(turn):
        if isinstance(part, Transfer):
            yield part
        elif isinstance(part, ToolCall) and (target := transfer_target(part)):
            yield Transfer(target, part.place)


def parts_of(turn: Turn) -> Iterator[Part]:
    """Everything that the agent's side did in a turn."""
    for event in turn.events:
        yield from event.parts
    yield from turn.final_response or ()


def first_of(parts: Iterable[Part], kind: type[_PartKind]) -> _PartKind | None:
    """The first part of a kind."""
    return next((part for part in parts if isinstance(part, kind)), None)


def pair_calls(golden: Turn, observed: Turn | None, matchers: Matchers) -> PairedCalls:
    """Pair as many as possible; expectations that count before skipped ones."""
    expectations = call_expectations(golden)
    made = tuple(made_calls(observed)) if observed else ()
    order = sorted(range(len(expectations)), key=lambda index: not expectations[index].counts)
    pairs_in_order = _pairs([expectations[index] for index in order], made, matchers)
    pairs = dict(sorted((order[position], made_index) for position, made_index in pairs_in_order.items()))
    compared = {
        index: compare_arguments(expectations[index].call, made[made_index], matchers)
        for index, made_index in pairs.items()
    }
    return PairedCalls(expectations, made, pairs, compared)


def _pairs(expectations: Sequence[CallExpectation], made: Sequence[ToolCall], matchers: Matchers) -> dict[int, int]:
    """Those that count come first in `expectations`, and are paired first.

    Two separate pairings, since a skipped expectation must never take the only call of one that counts."""
    if len(expectations) * len(made) > _MOST_PAIRS:
        return _pair_with_first([expectation.call for expectation in expectations], made)

    def suits(index: int, made_index: int) -> float | None:
        expected = expectations[index].call
        if not same_tool(expected, made[made_index]):
            return None
        return _likeness(compare_arguments(expected, made[made_index], matchers))

    counted = sum(expectation.counts for expectation in expectations)
    pairs = best_pairs(counted, len(made), suits)
    remaining = sorted(set(range(len(made))) - set(pairs.values()))
    more = best_pairs(
        len(expectations) - counted,
        len(remaining),
        lambda index, made_index: suits(index + counted, remaining[made_index]),
    )
    return pairs | {index + counted: remaining[made_index] for index, made_index in more.items()}


def _pair_with_first(expected_calls: Sequence[ToolCall], made: Sequence[ToolCall]) -> dict[int, int]:
    """Each expected call with the first free one of its tool. Equal tools share the last part of their names."""
    by_word: dict[str, deque[int]] = {}
    for made_index, call in enumerate(made):
        for word in _words_of(call):
            by_word.setdefault(word, deque()).append(made_index)
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for index, expected in enumerate(expected_calls):
        near = [_first_free(by_word.get(word, deque()), taken, expected, made) for word in _words_of(expected)]
        partner = min((made_index for made_index in near if made_index is not None), default=None)
        if partner is not None:
            partners[index] = partner
            taken.add(partner)
    return partners


def _first_free(queue: deque[int], taken: set[int], expected: ToolCall, made: Sequence[ToolCall]) -> int | None:
    while queue and queue[0] in taken:
        queue.popleft()
    return next(
        (made_index for made_index in queue if made_index not in taken and same_tool(expected, made[made_index])),
        None,
    )


def _words_of(call: ToolCall) -> set[str]:
    return {call.name, (call.resource or call.name).rpartition("/")[2]}


def _likeness(compared: ArgumentComparison) -> float:
    """How alike two calls are; arguments that only a judge can compare count half."""
    if compared.problem:
        return 0.0
    if not compared.expected:
        return 1.0
    return (compared.expected - len(compared.differing) - compared.undecided / 2) / compared.expected


def call_pairs(golden: Turn, observed: Turn | None, paired: PairedCalls) -> tuple[CallPair, ...]:
    """The same as rows of an alignment, by the indexes of the calls in their turns."""
    expected = {id(call): index for index, call in enumerate(calls_of(golden))}
    places = {call.place: index for index, call in enumerate(calls_of(golden)) if call.place}
    given = {id(call): index for index, call in enumerate(calls_of(observed))} if observed else {}
    kept = set(increasing(sorted(paired.pairs.items())))
    rows = []
    for index, expectation in enumerate(paired.expectations):
        number = expected.get(id(expectation.call), places.get(expectation.call.place))
        if number is None or not expectation.counts:
            continue
        made_index = paired.pairs.get(index)
        if made_index is None:
            rows.append(CallPair(CallMatch.MISSING, number, None))
            continue
        compared = paired.compared[index]
        match = CallMatch.ARGUMENTS if compared.differing else CallMatch.SAME
        order = Order.KEPT if (index, made_index) in kept else Order.MOVED
        rows.append(CallPair(match, number, given[id(paired.made[made_index])], compared.differing, order))
    rows += [CallPair(CallMatch.EXTRA, None, given[id(call)]) for call in paired.extra]
    return tuple(rows)


def longest_in_order(golden: Turn, observed: Turn | None) -> int:
    """How many counting expected calls were made in the expected order, comparing tools only."""
    expected_calls = [expectation.call for expectation in call_expectations(golden) if expectation.counts]
    made = made_calls(observed) if observed else []
    if len(expected_calls) * len(made) > _MOST_COMPARISONS:
        rest = iter(made)
        return sum(any(same_tool(expected, call) for call in rest) for expected in expected_calls)
    best = [0] * (len(expected_calls) + 1)
    for call in made:
        diagonal = 0
        for index, expected in enumerate(expected_calls, 1):
            above = best[index]
            best[index] = diagonal + 1 if same_tool(expected, call) else max(above, best[index - 1])
            diagonal = above
    return best[-1]
