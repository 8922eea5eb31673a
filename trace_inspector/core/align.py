"""Two conversations, one alignment: turns first, then the calls inside a pair of turns."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from trace_inspector.core.aligned import Aligned, Order, align_steps
from trace_inspector.core.likeness import SameStep
from trace_inspector.core.parts import ToolCall
from trace_inspector.core.sequence import NEVER, Link, link
from trace_inspector.core.steps import call_steps
from trace_inspector.core.trace import Steps, Turn, user_text
from trace_inspector.core.values import ABSENT, Absent, Json, JsonObject, present
from trace_inspector.core.words import ascii_words

SameCall: TypeAlias = Callable[[ToolCall, ToolCall], bool]
_MOST_ASKED = 100  # arguments of a call that differ, about each of which a rule is asked


class Match(enum.Enum):
    """How an expected and an observed thing relate."""

    SAME = "same"
    ARGUMENTS = "arguments differ"
    RENAMED = "another tool"
    MISSING = "missing"
    EXTRA = "extra"


class Policy(enum.Enum):
    """What of an alignment counts against the observed side."""

    EXACT = "exact"
    IN_ORDER = "in order"
    ANY_ORDER = "any order"
    NO_OTHERS = "any order and no others"  # CES's: order has no outcome there, a call that nobody expects has

    @property
    def wants_order(self) -> bool:
        """Whether calls must come in the expected order."""
        return self in (Policy.EXACT, Policy.IN_ORDER)

    @property
    def takes_others(self) -> bool:
        """Whether calls that nobody expects may be made."""
        return self in (Policy.IN_ORDER, Policy.ANY_ORDER)


@dataclass(frozen=True, slots=True)
class TurnPair:
    """Indices into the golden's and the trace's turns; None on one side is a missing or an extra turn."""

    golden: int | None
    observed: int | None


@dataclass(frozen=True, slots=True)
class CallPair:
    """Indices into the expected and observed calls of a turn, and the argument names that differ."""

    match: Match
    expected: int | None
    observed: int | None
    differing: tuple[str, ...] = ()
    order: Order = Order.KEPT

    def counts(self, policy: Policy) -> bool:
        """Whether this pair breaks the rule that calls are held against."""
        if self.match is Match.EXTRA:
            return not policy.takes_others
        return self.match is not Match.SAME or (policy.wants_order and self.order is not Order.KEPT)


def first_divergence(pairs: Sequence[CallPair], policy: Policy) -> int | None:
    """Which row is the first that breaks the rule; None when none does."""
    for at, pair in enumerate(pairs):
        if pair.counts(policy) or (policy is Policy.EXACT and pair.observed != at):  # what moved came before it
            return at
    return None


def align_turns(golden: Sequence[Turn], observed: Sequence[Turn]) -> list[TurnPair]:
    """Pair turns in order: the surest evidence first, and what lies between two sure pairs by weaker evidence.

    Ids alone come late: many systems just number their turns. Where nothing agrees, equally many turns on both sides
    are reworded questions and pair by position; unequal numbers leave them missing and extra.
    """
    left, right = [_question(turn) for turn in golden], [_question(turn) for turn in observed]
    # Of two pairings equally good the same one is found from both sides.
    if (len(right), right) < (len(left), left):
        links = [(at, to) for to, at in _pair_turns(right, left, range(len(right)), range(len(left)), _EVIDENCE)]
    else:
        links = _pair_turns(left, right, range(len(left)), range(len(right)), _EVIDENCE)
    pairs: list[TurnPair] = []
    last_golden = last_observed = 0
    for at, to in (*links, (len(left), len(right))):
        pairs.extend(TurnPair(missing, None) for missing in range(last_golden, at))
        pairs.extend(TurnPair(None, extra) for extra in range(last_observed, to))
        if at < len(left):
            pairs.append(TurnPair(at, to))
        last_golden, last_observed = at + 1, to + 1
    return pairs


@dataclass(frozen=True, order=True)
class _Question:
    text: str
    id: str

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.text.split())


def _question(turn: Turn) -> _Question:
    return _Question(normalised(user_text(turn)), turn.id or "")


_ALIKE = 0.6  # of the words of two questions that ask the same in other words


def _alike(left: _Question, right: _Question) -> bool:
    common = len(left.words & right.words)
    return bool(common) and 2 * common >= _ALIKE * (len(left.words) + len(right.words))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What two turns must share to be a pair: a key, or, where no keys are equal, something looser."""

    key: Callable[[_Question], Hashable]  # "" is none
    agrees: Callable[[_Question, _Question], bool] | None = None


_EVIDENCE = (
    _Evidence(lambda asked: asked.id and asked.text and (asked.id, asked.text)),
    _Evidence(lambda asked: asked.text),
    _Evidence(lambda asked: asked.id),
    _Evidence(lambda _asked: "", _alike),
)


def _pair_turns(
    left: Sequence[_Question],
    right: Sequence[_Question],
    golden: range,
    observed: range,
    all_evidence: Sequence[_Evidence],
) -> list[Link]:
    if not (golden and observed and all_evidence):
        return list(zip(golden, observed, strict=True)) if len(golden) == len(observed) else []
    evidence = all_evidence[0]
    # Where a question has no key, it gets one that is like no other.
    here = [evidence.key(left[at]) or ("left", at) for at in golden]
    there = [evidence.key(right[to]) or ("right", to) for to in observed]

    agrees = evidence.agrees
    if agrees is None and not set(here) & set(there):
        return _pair_turns(left, right, golden, observed, all_evidence[1:])

    def costs(rows: range, columns: range) -> list[list[int]]:
        if agrees is None:
            return [[0 if here[at] == there[to] else NEVER for to in columns] for at in rows]
        asked = [right[observed[to]] for to in columns]
        return [[0 if agrees(left[golden[at]], other) else NEVER for other in asked] for at in rows]

    links: list[Link] = []
    last_golden = last_observed = 0
    for at, to in (*link(here, there, costs).links, (len(golden), len(observed))):
        between = golden[last_golden:at], observed[last_observed:to]
        links.extend(_pair_turns(left, right, *between, all_evidence[1:]))
        if at < len(golden):
            links.append((golden[at], observed[to]))
        last_golden, last_observed = at + 1, to + 1
    return links


def call_groups(turn: Turn) -> list[int]:
    """For each call of a turn the group it came in: calls of one event were asked for at once.

    ADK's old form knows no events, so there each call stands for itself.
    """
    if turn.steps is not Steps.EVENTS:
        return []
    return [at for at, event in enumerate(turn.events) for part in event.parts if isinstance(part, ToolCall)]


def align_calls(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    *,
    groups: tuple[Sequence[int], Sequence[int]] = ((), ()),
    names_only: bool = False,
    same: SameCall | None = None,
) -> list[CallPair]:
    """Pair calls: equal ones first, then calls of the same tool whose arguments differ, then a tool renamed.

    `same` may call more calls of one tool equal, as a golden's matchers do.
    """
    alike = (lambda at, to: same(expected[at], observed[to])) if same else None
    rows = _in_place(expected, observed, same_name if names_only else same_call, alike)
    if rows is None:
        steps = (
            call_steps(expected, groups[0], names_only=names_only),
            call_steps(observed, groups[1], names_only=names_only),
        )
        rows = align_steps(*steps, alike).rows
    return [_call_pair(row, expected, observed, same) for row in rows]


def _in_place(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    equal: Callable[[ToolCall, ToolCall], bool],
    alike: SameStep | None,
) -> Sequence[Aligned] | None:
    """The rows where nothing, or the arguments of one call, differ, as in most turns: nothing could be better."""
    if len(expected) != len(observed):
        return None
    apart = [*islice((at for at in range(len(expected)) if not equal(expected[at], observed[at])), 2)]
    if len(apart) == 2 or (apart and expected[apart[0]].name != observed[apart[0]].name):
        return None
    return [Aligned(at, at, at not in apart or (alike is not None and alike(at, at))) for at in range(len(expected))]


def _call_pair(
    row: Aligned, expected: Sequence[ToolCall], observed: Sequence[ToolCall], same: SameCall | None
) -> CallPair:
    if row.left is None or row.right is None:
        return CallPair(Match.MISSING if row.right is None else Match.EXTRA, row.left, row.right)
    if row.equal:
        return CallPair(Match.SAME, row.left, row.right, order=row.order)
    wanted, made = expected[row.left], observed[row.right]
    match = Match.ARGUMENTS if wanted.name == made.name else Match.RENAMED
    return CallPair(match, row.left, row.right, differing_arguments(wanted, made, same), row.order)


def same_call(expected: ToolCall, observed: ToolCall) -> bool:
    """Equal names and, by value, equal arguments; ids are never compared."""
    return expected.name == observed.name and _plain(expected) == _plain(observed)


def same_name(expected: ToolCall, observed: ToolCall) -> bool:
    """The same tool, with whatever arguments."""
    return expected.name == observed.name


def differing_arguments(expected: ToolCall, observed: ToolCall, same: SameCall | None = None) -> tuple[str, ...]:
    """The names of the top-level arguments that differ; empty when the whole value is of another kind.

    Where `same` says which calls are equal, those alone that keep these two from being it.
    """
    left, right = _plain(expected), _plain(observed)
    if not isinstance(left, dict) or not isinstance(right, dict):
        return ()
    names = [*left, *(name for name in right if name not in left)]
    differ = [name for name in names if left.get(name, ABSENT) != right.get(name, ABSENT)]
    if same is None or expected.name != observed.name or not 1 < len(differ) <= _MOST_ASKED:
        return tuple(differ)
    # With one argument as observed and all others as expected, a rule says whether it looks at that one.
    alone = (replace(observed, args=_with(left, name, right.get(name, ABSENT))) for name in differ)
    return tuple(name for name, call in zip(differ, alone, strict=True) if not same(expected, call)) or tuple(differ)


def _with(args: JsonObject, name: str, value: Json | Absent) -> JsonObject:
    return {**args, name: value} if present(value) else {key: held for key, held in args.items() if key != name}


def normalised(text: str) -> str:
    """Words alone: case, punctuation and spacing do not make another question."""
    if text.isascii():
        return " ".join(ascii_words(text))
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(char if char.isalnum() else " " for char in folded).split())


def _plain(call: ToolCall) -> Json:
    return None if call.args is ABSENT else call.args
