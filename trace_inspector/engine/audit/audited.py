"""What is audited: a verdict with what it is about, and how its parts are called in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status, TurnVerdict

DECIDED = (Status.PASSED, Status.FAILED)
OF_CES = "ces_"


class Audited(Struct, frozen=True):
    """A verdict with what it is about, as far as that is known."""

    verdict: CaseVerdict
    case: Case | None
    observed: int

    def metrics(self) -> Iterator[tuple[TurnVerdict | None, MetricVerdict]]:
        """Every metric, with its turn where it has one."""
        yield from ((None, metric) for metric in self.verdict.metrics)
        for turn in self.verdict.turns:
            yield from ((turn, metric) for metric in turn.metrics)

    def of_turns(self, name: str) -> list[tuple[TurnVerdict, MetricVerdict]]:
        """The verdicts of one metric on each turn."""
        return [(turn, metric) for turn in self.verdict.turns for metric in turn.metrics if metric.metric == name]


def of_turn(turn: TurnVerdict) -> str:
    """Which turn, counted from 1."""
    if turn.index is None:
        return f"golden turn {(turn.golden_index or 0) + 1}"
    return f"turn {turn.index + 1}"


def name_of(turn: TurnVerdict | None, metric: MetricVerdict) -> str:
    """Which metric, of which turn."""
    return f"{metric.metric} in {of_turn(turn)}" if turn else metric.metric


def words(status: Status) -> str:
    """A status inside a sentence."""
    return status.value.lower().replace("_", " ")


def many(count: int, of: int) -> str:
    """So many turns of so many."""
    return f"{count} of {of} turns" if of != 1 else "its turn"
