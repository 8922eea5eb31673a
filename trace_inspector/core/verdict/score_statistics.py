"""Scores of many cases in few figures, counted as Vertex AI's SDK counts them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.verdict.figures import is_summable

PASSING = 1.0  # a case passes with this score and no other


class ScoreStatistics(Struct, frozen=True):
    """One metric over all cases. None: there is nothing to count it from."""

    total: int
    valid: int
    mean: float | None = None
    stdev: float | None = None  # of a sample: divided by one less than there are
    pass_rate: float | None = None

    @property
    def errors(self) -> int:
        """Cases without a score."""
        return self.total - self.valid


class WinRates(Struct, frozen=True):
    """How often each candidate alone had the highest score, and how often several had."""

    wins: tuple[float, ...]
    ties: float


def score_statistics(scores: Sequence[float | None]) -> ScoreStatistics:
    """The figures of one metric; a case without a score is an error and counts in nothing else."""
    valid = [score for score in scores if score is not None]
    if not valid:
        return ScoreStatistics(len(scores), 0)
    return ScoreStatistics(
        total=len(scores),
        valid=len(valid),
        mean=statistics.mean(valid),
        stdev=statistics.stdev(valid) if len(valid) > 1 and all(map(is_summable, valid)) else None,
        pass_rate=sum(score == PASSING for score in valid) / len(valid),
    )


def win_rates(cases: Sequence[Sequence[float | None]], candidates: int) -> WinRates | None:
    """Over the cases in which anybody has a score; one who alone has any wins. None where there is no such case."""
    wins, ties, compared = [0] * candidates, 0, 0
    for scores in cases:
        stated = [score for score in scores if score is not None]
        if not stated:
            continue
        compared += 1
        best = [index for index, score in enumerate(scores) if score == max(stated)]
        if len(best) == 1:
            wins[best[0]] += 1
        else:
            ties += 1
    return WinRates(tuple(won / compared for won in wins), ties / compared) if compared else None
