"""What a verdict says beside score and reason, as names and values."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, TurnVerdict
from trace_inspector.models.search.properties import text_of

VOTES_LISTED = 40
_SHOWN = 40


def metric_rows(verdict: MetricVerdict) -> list[tuple[str, str]]:
    """Of one criterion: figures first, then where the verdict comes from."""
    rows = [(name, "–" if value is None else f"{value:,g}") for name, value in verdict.figures]
    if verdict.votes:
        votes = ("?" if vote is None else f"{vote:g}" for vote in verdict.votes[:VOTES_LISTED])
        rows.append((_tr("Votes"), ", ".join(votes)))
    if verdict.replies:
        rows.append((_tr("Judge replies"), _tr("{0}, under Judge calls").format(len(verdict.replies))))
    if verdict.kept_s is not None:
        rows.append((_tr("Oldest reply kept from"), text_of("kept_s", verdict.kept_s)))
    if verdict.crashed:
        rows.append((_tr("Crashed"), _tr("the metric itself broke")))
    return [*rows, *_native(verdict.native), *_overruled(verdict.overruled)]


def whole_rows(verdict: CaseVerdict | TurnVerdict) -> list[tuple[str, str]]:
    """Of a whole case what it is about and how it was paired; of a turn only whether a person overruled it."""
    if isinstance(verdict, TurnVerdict):
        return _overruled(verdict.overruled)
    rows = [
        (_tr("Case"), verdict.case_id),
        (_tr("Eval set"), verdict.suite_id),
        (_tr("Trace"), verdict.trace_id or ""),
        (_tr("Session"), verdict.session_id or ""),
        (_tr("Paired by"), verdict.paired_by),
        (_tr("Run of the case"), str(verdict.repeat + 1) if verdict.repeat else ""),
        (_tr("Missing turns"), _turns(verdict.missing_turns)),
        (_tr("Extra turns"), _turns(verdict.extra_turns)),
    ]
    return [*(row for row in rows if row[1]), *_native(verdict.native), *_overruled(verdict.overruled)]


def _native(native: Json | Absent) -> list[tuple[str, str]]:
    return [] if isinstance(native, Absent) else [(_tr("Status in the file"), text_of("", native))]


def _overruled(overruled: Overruled | None) -> list[tuple[str, str]]:
    if overruled is None:
        return []
    rows = [(_tr("Before a person overruled"), overruled.status.value)]
    if overruled.follows:
        rows = [(_tr("Before a turn was overruled"), overruled.status.value)]
    if overruled.note:
        rows.append((_tr("Note"), overruled.note))
    return [*rows, *([(_tr("Overruled"), text_of("at_s", overruled.at_s))] if overruled.at_s is not None else [])]


def _turns(indexes: tuple[int, ...]) -> str:
    left = len(indexes) - _SHOWN
    more = [_tr("and {0} more").format(f"{left:,}")] if left > 0 else []
    return ", ".join([*(str(index + 1) for index in indexes[:_SHOWN]), *more])


def _tr(text: str) -> str:
    return QCoreApplication.translate("Verdicts", text)
