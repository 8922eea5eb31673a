"""Feedback on runs of LangSmith as verdicts on the turn of the run; what was given in its app is a person's.

It stands in a list `feedback` beside the runs, or inside a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, Status, TurnVerdict
from trace_inspector.formats.common.fields import Fields, Report, number_of

_LIST = "feedback"
_BY_PEOPLE = "app"
_NAMES = ("user_name", "user_id")
_LONGEST = 4_000


class Feedback(Struct):
    """What is said of runs, by their ids."""

    of_runs: dict[str, list[MetricVerdict]] = field(default_factory=dict)
    count: int = 0

    def take(self, value: Json, place: str, report: Report, run: str = "") -> None:
        """The feedback of a run, or in a list beside all of them, each of which names its run."""
        if not isinstance(value, dict) or not isinstance(value.get(_LIST), list):
            return
        for stated in report.bounded(Fields(value, place), _LIST):
            about = stated.text("run_id") or run
            if about and stated.text("key"):
                self.of_runs.setdefault(about, []).append(_verdict(stated))
                self.count += 1

    def reported(self, items: Iterable[Item]) -> Iterator[Item]:
        """The same items, behind each conversation the feedback on its turns."""
        trace: Trace | None = None
        turns: list[TurnVerdict] = []
        for item in items:
            if isinstance(item, Trace):
                yield from _of_conversation(trace, turns)
                trace, turns = item, []
            elif isinstance(item, Turn) and self.of_runs:
                turns += self._of_turn(item)
            yield item
        yield from _of_conversation(trace, turns)

    def _of_turn(self, turn: Turn) -> Iterator[TurnVerdict]:
        metrics = tuple(metric for span in turn.spans for metric in self.of_runs.pop(span.id, ()))
        if metrics:
            yield TurnVerdict(turn.index, None, Status.NOT_EVALUATED, metrics, provenance=Provenance.REPORTED)


def _of_conversation(trace: Trace | None, turns: list[TurnVerdict]) -> Iterator[CaseVerdict]:
    if trace is not None and turns:
        yield CaseVerdict("", "", trace.id, Status.NOT_EVALUATED, turns=tuple(turns), trace_place=trace.place)


def _verdict(stated: Fields) -> MetricVerdict:
    """A number alone neither passes nor fails, yes and no do."""
    score = stated.get("score")
    source = stated.object("feedback_source") or Fields({}, "")
    by_people = source.text("type") == _BY_PEOPLE
    told = (stated.text("value"), stated.text("comment"))
    return MetricVerdict(
        metric=stated.text("key") or "",
        score=_number(score),
        status=_status(score),
        reason="; ".join(part for part in told if part)[:_LONGEST],
        provenance=Provenance.HUMAN if by_people else Provenance.REPORTED,
        by=next((text for name in _NAMES if (text := source.text(name))), "") if by_people else "",
    )


def _number(score: Json | Absent) -> float | None:
    return float(score) if isinstance(score, bool) else number_of(score)


_YES_OR_NO: Mapping[bool, Status] = {True: Status.PASSED, False: Status.FAILED}


def _status(score: Json | Absent) -> Status:
    if isinstance(score, bool):
        return _YES_OR_NO[score]
    return Status.INFORMATIONAL if number_of(score) is not None else Status.NOT_EVALUATED
