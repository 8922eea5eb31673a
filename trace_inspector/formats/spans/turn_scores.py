"""Scores that a platform keeps of its spans and traces, as verdicts on the turns that these became."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.finding import Finding, info
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    Status,
    TurnVerdict,
)
from trace_inspector.formats.common.fields import number_of

_LONGEST = 4_000
_YES_OR_NO: Mapping[bool, Status] = {True: Status.PASSED, False: Status.FAILED}


class TurnScores(Struct):
    """What is said of spans and of whole traces, by their ids."""

    by_id: dict[str, list[MetricVerdict]] = field(default_factory=dict)
    count: int = 0

    def add(self, about: str, verdict: MetricVerdict) -> None:
        """Another score of a span or a trace."""
        self.by_id.setdefault(about, []).append(verdict)
        self.count += 1

    def reported(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items, behind each conversation the scores of its turns."""
        trace: Trace | None = None
        turns: list[TurnVerdict] = []
        for item in items:
            if isinstance(item, Trace):
                yield from _of_conversation(trace, turns)
                trace, turns = item, []
            elif isinstance(item, Turn) and self.by_id:
                turns += self._of_turn(item)
            yield item
        yield from _of_conversation(trace, turns)
        if left := sum(map(len, self.by_id.values())):
            yield _about_no_turn(left)

    def _of_turn(self, turn: Turn) -> Iterator[TurnVerdict]:
        ids = (*(span.id for span in turn.spans), turn.trace_id)
        metrics = tuple(metric for about in ids for metric in self.by_id.pop(about, ()))
        if metrics:
            yield TurnVerdict(turn.index, None, Status.NOT_EVALUATED, metrics, provenance=Provenance.REPORTED)


def _about_no_turn(count: int) -> Finding:
    """What became of scores of spans and traces that are not in the file, or are no part of a turn."""
    scores = "1 score is" if count == 1 else f"{count:,} scores are"
    return info("scores-without-turn", f"{scores} about no turn of this file, and not shown.")


def _of_conversation(trace: Trace | None, turns: list[TurnVerdict]) -> Iterator[CaseVerdict]:
    if trace is not None and turns:
        yield CaseVerdict("", "", trace.id, Status.NOT_EVALUATED, turns=tuple(turns), trace_place=trace.place)


def score_of(metric: str, score: Json | Absent, words: Iterable[str | None], by: str | None = None) -> MetricVerdict:
    """A score with what is said of it: a number alone neither passes nor fails, yes and no do; `by` is a person."""
    return MetricVerdict(
        metric=metric,
        score=float(score) if isinstance(score, bool) else number_of(score),
        status=_status(score),
        reason="; ".join(part for part in words if part)[:_LONGEST],
        provenance=Provenance.REPORTED if by is None else Provenance.HUMAN,
        by=by or "",
    )


def _status(score: Json | Absent) -> Status:
    if isinstance(score, bool):
        return _YES_OR_NO[score]
    return Status.INFORMATIONAL if number_of(score) is not None else Status.NOT_EVALUATED
