"""What differs between two sides, in numbers and in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from trace_inspector.core.alignment.sequence_alignment import Order
from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.engine.trace_diff.compared import ConversationPair, seconds_of, tokens_of
from trace_inspector.engine.trace_diff.compared_turn import ComparedTurn

_LEAST_S = 0.05  # that are told in seconds
Number = TypeVar("Number", int, float)


class Parts(Struct, frozen=True):
    """Where two sides part first, counted from 1. `case` is "" where there is only one."""

    turn: int
    call: int | None = None
    case: str = ""

    @property
    def words(self) -> str:
        """In words."""
        call = f", call {self.call}" if self.call is not None else ""
        case = f" of {one_line(self.case)}" if self.case else ""
        return f"turn {self.turn}{call}{case}"


class Counted(Struct, frozen=True):
    """Everything that differs. A renamed call is one missing and one extra; calls of whole turns count with those."""

    calls: int = 0
    matching: int = 0
    arguments: int = 0
    missing: int = 0
    extra: int = 0
    moved: int = 0
    hand_offs: int = 0  # without a call, that differ
    answers: int = 0
    missing_turns: int = 0
    extra_turns: int = 0
    parts: Parts | None = None
    seconds: float | None = None  # how much longer the second side took
    tokens: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the rule is broken anywhere."""
        return self.parts is not None


def counted(pairs: Sequence[ConversationPair], took: tuple[float | None, int | None] | None = None) -> Counted:
    """All pairs of conversations together. `took` are the seconds and tokens more, where they are known."""
    turns = [turn for pair in pairs for turn in pair.turns]
    seconds, tokens = took or _took(turns)
    calls = [pair for turn in turns if turn.left and turn.right for pair in turn.compared_pairs]
    moved = sum(len(turn.gone) for turn in turns)  # to another turn: neither missing here nor extra there
    return Counted(
        calls=sum(turn.expected_calls for turn in turns if not turn.unstated),
        hand_offs=sum(len(turn.hand_overs) for turn in turns),
        matching=sum(pair.match is CallMatch.SAME for pair in calls) + moved,
        arguments=sum(_arguments(pair) for pair in calls),
        missing=sum(pair.match in (CallMatch.MISSING, CallMatch.RENAMED) for pair in calls) - moved,
        extra=sum(pair.match in (CallMatch.EXTRA, CallMatch.RENAMED) for pair in calls) - moved,
        moved=sum(pair.match is CallMatch.SAME and pair.order is not Order.KEPT for pair in calls) + moved,
        answers=sum(turn.answers_differ for turn in turns),
        missing_turns=sum(turn.right is None for turn in turns),
        extra_turns=sum(turn.left is None for turn in turns),
        parts=_parts(pairs),
        seconds=seconds,
        tokens=tokens,
    )


def _took(turns: Sequence[ComparedTurn]) -> tuple[float | None, int | None]:
    sides = [turn.left for turn in turns if turn.left], [turn.right for turn in turns if turn.right]
    return difference(*sides, seconds_of), difference(*sides, tokens_of)


def sentence(what: Counted) -> str:
    """One sentence, for people and for scripts alike."""
    parts = [f"{what.matching} of {what.calls} calls match"]
    parts += [_so_many(number, singular, many) for number, singular, many in _terms(what) if number]
    if what.parts is not None:
        parts.append(f"parts at {what.parts.words}")
    if what.seconds:
        parts += seconds_text(what.seconds)
    if what.tokens:
        parts.append(f"{what.tokens:+,} tokens")
    return "; ".join(parts)


def seconds_text(seconds: float) -> list[str]:
    """With one decimal, what is shorter in milliseconds; what is shorter still is no difference."""
    if abs(seconds) >= _LEAST_S:
        return [f"{seconds:+,.1f} s"]
    milliseconds = round(seconds * 1000)
    return [f"{milliseconds:+} ms"] if milliseconds else []


def _terms(what: Counted) -> Iterator[tuple[int, str, str]]:
    yield what.arguments, "argument differs", "arguments differ"
    yield what.missing, "call missing", "calls missing"
    yield what.extra, "extra call", "extra calls"
    yield what.moved, "moved", "moved"
    yield what.hand_offs, "hand-off differs", "hand-offs differ"
    yield what.answers, "answer differs", "answers differ"
    yield what.missing_turns, "turn missing", "turns missing"
    yield what.extra_turns, "extra turn", "extra turns"


def _so_many(number: int, singular: str, many: str) -> str:
    return f"{number} {singular if number == 1 else many}"


def _arguments(pair: CallPair) -> int:
    """How many arguments differ; one where the whole is of another kind."""
    return max(1, len(pair.differing)) if pair.match is CallMatch.ARGUMENTS else 0


def first_parting(pairs: Sequence[ConversationPair]) -> tuple[int, ComparedTurn] | None:
    """The pair and its turn where they do other things; only where they do the same, where they say it otherwise."""
    turns = [(number, turn) for number, pair in enumerate(pairs) if (turn := pair.parting) is not None]
    return min(turns, key=lambda numbered_turn: not numbered_turn[1].parts, default=None)


def _parts(pairs: Sequence[ConversationPair]) -> Parts | None:
    parting = first_parting(pairs)
    if parting is None:
        return None
    number, turn = parting
    return Parts(turn.number, parting_call(turn), pairs[number].name if len(pairs) > 1 else "")


def parting_call(turn: ComparedTurn) -> int | None:
    """The call at which a turn parts, counted from 1: on the first side, or on the second where it has none."""
    if turn.parting is None:
        return None
    pair = turn.pairs[turn.parting]
    index = pair.observed if pair.expected is None else pair.expected
    return None if index is None else index + 1


def difference(
    before: Sequence[Turn], after: Sequence[Turn], measure: Callable[[Sequence[Turn]], Number | None]
) -> Number | None:
    """How much more the later turns took; None unless all of them say so."""
    left, right = measure(before), measure(after)
    return None if left is None or right is None else right - left
