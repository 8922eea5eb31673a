"""What a report is: a run as the text of one file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status, TurnVerdict


@dataclass(frozen=True, slots=True)
class Report:
    """One line of REPORTS."""

    name: str
    title: str
    write: Callable[[RunVerdict], str]


def case_name(case: CaseVerdict) -> str:
    """The case and, where several may stand in one report, the trace it was held against."""
    name = case.case_id or "(no case)"
    return name if case.trace_id in (None, case.case_id) else f"{name} — {case.trace_id}"


def score_text(verdict: MetricVerdict) -> str:
    """A score in few digits, with a decimal point; a dash for none."""
    return "–" if verdict.score is None else f"{verdict.score:.4g}"


def turn_name(turn: TurnVerdict) -> str:
    """The turn in words, counted from 1."""
    if turn.index is None:
        return f"missing turn {(turn.golden_index or 0) + 1}"
    return f"extra turn {turn.index + 1}" if _is_extra(turn) else f"turn {turn.index + 1}"


def why(case: CaseVerdict) -> list[str]:
    """One sentence for everything that failed or broke, turn by turn; then what kept criteria from deciding."""
    sentences = [case.reason] if case.reason and case.status is not Status.PASSED else []
    sentences += [
        f"{turn_name(turn)}: {turn_sentence(turn)}"
        for turn in case.turns
        if turn.status in (Status.FAILED, Status.ERROR)
    ]
    if not sentences:
        sentences = [
            f"{verdict.metric}: {verdict.reason}"
            for verdict in case.metrics
            if verdict.reason and verdict.status in (Status.FAILED, Status.ERROR, Status.NOT_EVALUATED)
        ]
    return sentences


def turn_sentence(turn: TurnVerdict) -> str:
    """Why a turn failed."""
    if turn.reason:
        return turn.reason
    return "; ".join(
        f"{verdict.metric} {score_text(verdict)}{f' ({verdict.reason})' if verdict.reason else ''}"
        for verdict in turn.metrics
        if verdict.status in (Status.FAILED, Status.ERROR)
    )


def _is_extra(turn: TurnVerdict) -> bool:
    return turn.golden_index is None and bool(turn.reason)
