"""Partial credit for calls: how many of them are right, how many were found, and how many arguments agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from trace_inspector.core.alignment.turn_alignment import CallMatch, CallPair
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Turn, calls_of
from trace_inspector.engine.metrics.adk.tool_trajectory import unstated_calls
from trace_inspector.engine.scoring.matched_calls import matched_calls
from trace_inspector.engine.scoring.matching import Matchers, matchers_of
from trace_inspector.engine.scoring.metric import Judged, Method, Subject
from trace_inspector.engine.scoring.scoring import NO_COUNTERPART, TurnScore, compare_turns
from trace_inspector.engine.vertex.trajectory import Trajectory, precision, recall

_Score = Callable[[Sequence[CallPair], Turn, Turn, Matchers], float]


_Whole = Callable[[Sequence[ToolCall], Sequence[ToolCall]], float]


def _share(part: int, whole: int, otherwise: float) -> float:
    return part / whole if whole else otherwise


def _right(pairs: Sequence[CallPair]) -> int:
    return sum(pair.match is CallMatch.SAME for pair in pairs)


def _precision(pairs: Sequence[CallPair], golden: Turn, observed: Turn, _matchers: Matchers) -> float:
    return _share(_right(pairs), len(calls_of(observed)), 0.0 if calls_of(golden) else 1.0)


def _recall(pairs: Sequence[CallPair], golden: Turn, _observed: Turn, _matchers: Matchers) -> float:
    return _share(_right(pairs), len(calls_of(golden)), 1.0)


def _f1(pairs: Sequence[CallPair], golden: Turn, observed: Turn, _matchers: Matchers) -> float:
    return _share(2 * _right(pairs), len(calls_of(golden)) + len(calls_of(observed)), 1.0)


def _arguments(pairs: Sequence[CallPair], golden: Turn, observed: Turn, matchers: Matchers) -> float:
    """The share of expected arguments that agree, whatever the order of calls."""
    expected, made = calls_of(golden), calls_of(observed)
    agree = total = 0
    for pair in pairs:
        if pair.expected is None:
            continue
        call_expected = expected[pair.expected]
        names = _names(call_expected)
        total += len(names)
        if pair.observed is not None and pair.match is not CallMatch.RENAMED:
            wrong = matchers.differing(call_expected, made[pair.observed])
            agree += 0 if wrong == ("",) else len([name for name in names if name not in wrong])
    return _share(agree, total, 1.0)


def _names(call: ToolCall) -> list[str]:
    return list(call.args) if isinstance(call.args, dict) else []


class _Partial(Struct, frozen=True):
    """One figure over the aligned calls of each turn; a value, so that it can be pickled."""

    score: _Score
    whole: _Whole | None = None

    def judge(self, subject: Subject, criterion: Criterion) -> Judged:
        """Compare turn by turn; by Vertex AI's rules, whole conversations where it has the figure."""
        if subject.rules == "vertex" and self.whole is not None:
            return Trajectory(self.whole).judge(subject, criterion)
        comparison = _PartialComparison(self.score, matchers_of(subject.case.matchers if subject.case else ()))
        return compare_turns(
            subject, criterion, unstated=unstated_calls, compare=comparison.compare, missing=comparison.missing
        )


class _PartialComparison(Struct, frozen=True):
    score: _Score
    matchers: Matchers

    def compare(self, golden: Turn, observed: Turn) -> TurnScore:
        """One turn."""
        pairs = matched_calls(golden, observed, self.matchers)
        score = self.score(pairs, golden, observed, self.matchers)
        right, expected, made = _right(pairs), len(calls_of(golden)), len(calls_of(observed))
        reason = f"{right} of {made} calls are right; {expected} were expected" if score < 1.0 else ""
        return TurnScore(score, reason, tuple(pairs))

    def missing(self, _golden: Turn) -> TurnScore:
        """A turn that the trace does not have gets no credit."""
        return TurnScore(0.0, NO_COUNTERPART)


METHODS = {
    "trajectory_precision": Method(_Partial(_precision, precision).judge),
    "trajectory_recall": Method(_Partial(_recall, recall).judge),
    "trajectory_f1": Method(_Partial(_f1).judge),
    "argument_share": Method(_Partial(_arguments).judge),
}
