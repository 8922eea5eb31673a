"""What a run was about, for reports that show more than verdicts: conversations, and what files say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict

# Path and place in the file, then the id: two cases of one file may carry the same id, and a trace may have no place.
Key: TypeAlias = tuple[str, str, str]
Reported: TypeAlias = Mapping[Key, CaseVerdict]  # what files themselves say, by the trace that it is about


def _nowhere(_path: str, _place: str) -> tuple[int, int]:
    return (0, 0)


class Sources(Struct, frozen=True):
    """Everything by where it came from. `where` tells line and column of a place in a file, 0 when unknown."""

    cases: Mapping[Key, Case] = field(default_factory=dict)
    traces: Mapping[Key, Trace] = field(default_factory=dict)
    reported: Reported = field(default_factory=dict)
    where: Callable[[str, str], tuple[int, int]] = _nowhere
    judges: tuple[str, ...] = ()  # how far each judge agrees with people, a line each

    def case_of(self, verdict: CaseVerdict) -> Case | None:
        """The golden of a verdict."""
        return self.cases.get((verdict.golden_path, verdict.golden_place, verdict.case_id))

    def trace_of(self, verdict: CaseVerdict) -> Trace | None:
        """The trace of a verdict."""
        return self.traces.get(trace_key(verdict))

    def reported_of(self, verdict: CaseVerdict) -> CaseVerdict | None:
        """What the trace's own file says of it."""
        return reported_of(verdict, self.reported)

    def turns_of(self, verdict: CaseVerdict, turn: TurnVerdict) -> tuple[Turn | None, Turn | None]:
        """The golden and the observed turn."""
        case, trace = self.case_of(verdict), self.trace_of(verdict)
        return (
            _turn_of(case.turns if case else (), turn.golden_index),
            _turn_of(trace.turns if trace else (), turn.index),
        )


def reported_of(verdict: CaseVerdict, reported: Reported) -> CaseVerdict | None:
    """What the trace's own file says of it."""
    return reported.get(trace_key(verdict))


def trace_key(verdict: CaseVerdict) -> Key:
    """Which trace a verdict is about."""
    return (verdict.trace_path, verdict.trace_place, verdict.trace_id or "")


def _turn_of(turns: tuple[Turn, ...], index: int | None) -> Turn | None:
    if index is None:
        return None
    near = turns[index] if index < len(turns) else None
    return near if near and near.index == index else next((turn for turn in turns if turn.index == index), None)
