"""From the verdicts of metrics to those of turns and of the case."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace, user_text
from trace_inspector.core.verdict.verdict import CaseVerdict, Status, TurnVerdict, compose, hidden_by
from trace_inspector.engine.criteria.rules import rules_named
from trace_inspector.engine.scoring.metric import Judged, PairedTurn

_QUESTION_CHARS = 60


class Frame(Struct, frozen=True):
    """The context of a case in a run: the rules, how it was paired, and the files of both sides."""

    rules: str = ""
    extra_turns_fail: bool = True
    paired_by: str = ""
    reason: str = ""
    golden_path: str = ""
    trace_path: str = ""


def compose_case(
    case: Case | None, trace: Trace | None, rows: Sequence[PairedTurn], judged: Sequence[Judged], frame: Frame
) -> CaseVerdict:
    """The verdict of a case; missing and extra turns are verdicts of their own where the rules count them."""
    turns = tuple(_turn(index, row, case, judged, frame) for index, row in enumerate(rows))
    scripted = case is not None and case.scenario is None
    missing = tuple(row.golden.index for row in rows if row.golden and row.observed is None)
    extra = tuple(row.observed.index for row in rows if scripted and row.observed and row.golden is None)
    metrics = tuple(result.overall for result in judged)
    counted = rules_named(frame.rules).counts_turns
    own = [Status.FAILED] * bool(counted and (missing or (extra and frame.extra_turns_fail)))
    return CaseVerdict(
        case_id=case.id if case else (trace.case_id or trace.id if trace else ""),
        suite_id=case.suite_id if case else (trace.suite_id or "" if trace else ""),
        trace_id=trace.id if trace else None,
        status=compose([*own, *(verdict.status for verdict in metrics)]),
        metrics=metrics,
        turns=turns,
        missing_turns=missing,
        extra_turns=extra,
        hides=hidden_by(metrics),
        paired_by=frame.paired_by,
        reason=frame.reason,
        golden_path=frame.golden_path if case else "",
        golden_place=case.place if case else "",
        trace_path=frame.trace_path if trace else "",
        trace_place=trace.place if trace else "",
        session_id=trace.session_id if trace else None,
        candidate=trace.candidate if trace else "",
        persona=trace.persona if trace else "",
    )


def _turn(index: int, row: PairedTurn, case: Case | None, judged: Sequence[Judged], frame: Frame) -> TurnVerdict:
    metrics = tuple(verdict for result in judged if (verdict := result.turns[index]) is not None)
    status = compose(verdict.status for verdict in metrics)
    reason = ""
    if row.golden is not None and row.observed is None:
        asked = one_line(user_text(row.golden), _QUESTION_CHARS)
        reason = f"the trace has no turn for golden turn {row.golden.index + 1} “{asked}”"
        status = Status.FAILED if rules_named(frame.rules).counts_turns else status
    elif row.golden is None and row.observed is not None and case is not None and case.scenario is None:
        asked = one_line(user_text(row.observed), _QUESTION_CHARS)
        reason = f"the golden has no turn for turn {row.observed.index + 1} “{asked}”"
        fails = rules_named(frame.rules).counts_turns and frame.extra_turns_fail
        status = Status.FAILED if fails else status
    return TurnVerdict(
        row.observed.index if row.observed else None,
        row.golden.index if row.golden else None,
        status,
        metrics,
        reason,
    )
