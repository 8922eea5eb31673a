"""Two trajectories, one alignment: turns first, then the calls inside a pair of turns."""

from __future__ import annotations

import enum
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from trace_inspector.core.parts import ToolCall
from trace_inspector.core.trace import Turn, user_text
from trace_inspector.core.values import ABSENT, Json


class Match(enum.Enum):
    """How an expected and an observed thing relate."""

    SAME = "same"
    ARGUMENTS = "arguments differ"
    MISSING = "missing"
    EXTRA = "extra"


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


def align_turns(golden: Sequence[Turn], observed: Sequence[Turn]) -> list[TurnPair]:
    """Pair turns in order: the surest evidence first, and what lies between two sure pairs by weaker evidence.

    Ids alone come late: many systems just number their turns. Where nothing agrees, equally many turns on both sides
    are reworded questions and pair by position; unequal numbers leave them missing and extra.
    """
    left, right = [_question(turn) for turn in golden], [_question(turn) for turn in observed]
    tests = [
        lambda at, to: left[at].id == right[to].id != "" and left[at].text == right[to].text != "",
        lambda at, to: left[at].text == right[to].text != "",
        lambda at, to: left[at].id == right[to].id != "",
        lambda at, to: _alike(left[at].words, right[to].words),
    ]
    return _pair_turns(range(len(left)), range(len(right)), tests)


Agrees: TypeAlias = Callable[[int, int], bool]


def _pair_turns(golden: range, observed: range, tests: Sequence[Agrees]) -> list[TurnPair]:
    if not (golden and observed and tests):
        return _between(golden, observed)
    agrees = tests[0]
    anchors = _longest_common(len(golden), len(observed), lambda at, to: agrees(golden[at], observed[to]))
    pairs: list[TurnPair] = []
    last_golden = last_observed = 0
    for at, to in [*anchors, (len(golden), len(observed))]:
        pairs.extend(_pair_turns(golden[last_golden:at], observed[last_observed:to], tests[1:]))
        if at < len(golden):
            pairs.append(TurnPair(golden[at], observed[to]))
        last_golden, last_observed = at + 1, to + 1
    return pairs


@dataclass(frozen=True, slots=True)
class _Question:
    id: str
    text: str
    words: frozenset[str]


def _question(turn: Turn) -> _Question:
    text = normalised(user_text(turn))
    return _Question(turn.id or "", text, frozenset(text.split()))


_ALIKE = 0.6  # of the words of two questions that ask the same in other words


def _alike(left: frozenset[str], right: frozenset[str]) -> bool:
    return bool(left) and 2 * len(left & right) >= _ALIKE * (len(left) + len(right))


SameCall: TypeAlias = Callable[[ToolCall, ToolCall], bool]


def align_calls(
    expected: Sequence[ToolCall],
    observed: Sequence[ToolCall],
    *,
    same: SameCall | None = None,
    any_order: bool = False,
) -> list[CallPair]:
    """Pair calls: equal ones first, then calls of the same tool whose arguments differ.

    `same` says which calls are equal, by name and arguments when not given. Pairs stand in order unless any order is
    right; then every call may pair with every other.
    """
    equal = same or same_call
    if any_order:
        return _any_order(expected, observed, equal)
    anchors = _longest_common(len(expected), len(observed), lambda at, to: equal(expected[at], observed[to]))
    pairs: list[CallPair] = []
    last_expected = last_observed = 0
    for at, to in [*anchors, (len(expected), len(observed))]:
        pairs.extend(_calls_between(expected, observed, range(last_expected, at), range(last_observed, to)))
        if at < len(expected):
            pairs.append(CallPair(Match.SAME, at, to))
        last_expected, last_observed = at + 1, to + 1
    return pairs


def same_call(expected: ToolCall, observed: ToolCall) -> bool:
    """Equal names and, by value, equal arguments; ids are never compared."""
    return expected.name == observed.name and _plain(expected) == _plain(observed)


def differing_arguments(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
    """The names of the top-level arguments that differ; empty when the whole value is of another kind."""
    left, right = _plain(expected), _plain(observed)
    if not isinstance(left, dict) or not isinstance(right, dict):
        return ()
    names = [*left, *(name for name in right if name not in left)]
    return tuple(name for name in names if left.get(name, ABSENT) != right.get(name, ABSENT))


def normalised(text: str) -> str:
    """Words alone: case, punctuation and spacing do not make another question."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(char if char.isalnum() else " " for char in folded).split())


def _plain(call: ToolCall) -> Json:
    return None if call.args is ABSENT else call.args


def _between(golden: range, observed: range) -> list[TurnPair]:
    if len(golden) == len(observed):
        return [TurnPair(at, to) for at, to in zip(golden, observed, strict=True)]
    return [*(TurnPair(at, None) for at in golden), *(TurnPair(None, to) for to in observed)]


def _any_order(expected: Sequence[ToolCall], observed: Sequence[ToolCall], equal: SameCall) -> list[CallPair]:
    left = list(range(len(observed)))
    found: dict[int, CallPair] = {}
    for at, wanted in enumerate(expected):
        to = next((to for to in left if equal(wanted, observed[to])), None)
        if to is not None:
            left.remove(to)
            found[at] = CallPair(Match.SAME, at, to)
    for at, wanted in enumerate(expected):
        if at in found:
            continue
        to = next((to for to in left if wanted.name == observed[to].name), None)
        if to is None:
            found[at] = CallPair(Match.MISSING, at, None)
        else:
            left.remove(to)
            found[at] = CallPair(Match.ARGUMENTS, at, to, differing_arguments(wanted, observed[to]))
    return [*(found[at] for at in range(len(expected))), *(CallPair(Match.EXTRA, None, to) for to in left)]


def _calls_between(
    expected: Sequence[ToolCall], observed: Sequence[ToolCall], left: range, right: range
) -> list[CallPair]:
    named = _longest_common(len(left), len(right), lambda at, to: expected[left[at]].name == observed[right[to]].name)
    pairs: list[CallPair] = []
    last_left = last_right = 0
    for at, to in [*named, (len(left), len(right))]:
        pairs.extend(CallPair(Match.MISSING, left[i], None) for i in range(last_left, at))
        pairs.extend(CallPair(Match.EXTRA, None, right[i]) for i in range(last_right, to))
        if at < len(left):
            i, j = left[at], right[to]
            pairs.append(CallPair(Match.ARGUMENTS, i, j, differing_arguments(expected[i], observed[j])))
        last_left, last_right = at + 1, to + 1
    return pairs


# A table of that many cells is the limit for an exact answer; beyond it the middle is paired greedily.
_MAX_CELLS = 1_000_000


def _longest_common(rows: int, columns: int, same: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """The longest common subsequence as index pairs, with equal ends taken first."""
    head = 0
    while head < min(rows, columns) and same(head, head):
        head += 1
    tail = 0
    while tail < min(rows, columns) - head and same(rows - 1 - tail, columns - 1 - tail):
        tail += 1
    middle_rows, middle_columns = rows - head - tail, columns - head - tail
    if middle_rows * middle_columns > _MAX_CELLS:
        middle = _greedy(middle_rows, middle_columns, lambda at, to: same(at + head, to + head))
    else:
        middle = _table(middle_rows, middle_columns, lambda at, to: same(at + head, to + head))
    return [
        *((at, at) for at in range(head)),
        *((at + head, to + head) for at, to in middle),
        *((rows - at, columns - at) for at in range(tail, 0, -1)),
    ]


def _table(rows: int, columns: int, same: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    lengths = [[0] * (columns + 1) for _ in range(rows + 1)]
    for at in range(rows - 1, -1, -1):
        here, below = lengths[at], lengths[at + 1]
        for to in range(columns - 1, -1, -1):
            here[to] = below[to + 1] + 1 if same(at, to) else max(below[to], here[to + 1])
    pairs, at, to = [], 0, 0
    while at < rows and to < columns:
        if same(at, to):
            pairs.append((at, to))
            at, to = at + 1, to + 1
        elif lengths[at + 1][to] >= lengths[at][to + 1]:
            at += 1
        else:
            to += 1
    return pairs


_LOOK_AHEAD = 200


def _greedy(rows: int, columns: int, same: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    pairs, start = [], 0
    for at in range(rows):
        for to in range(start, min(columns, start + _LOOK_AHEAD)):
            if same(at, to):
                pairs.append((at, to))
                start = to + 1
                break
    return pairs
