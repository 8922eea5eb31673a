"""What a verdict states besides score and reason, and what several people say, as names and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from trace_inspector.core.review.label import Answer
from trace_inspector.core.review.subjects import OVERALL
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Overruled, TurnVerdict
from trace_inspector.models.base.figures import when_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.properties import text_of

if TYPE_CHECKING:
    from trace_inspector.flows.review.open_calibration import RaterAnswer

VOTES_LISTED = 40
_SHOWN = 40
_MOST_PEOPLE = 20  # of a question
_NAME_CHARS, _NOTE_CHARS = 80, 1_000
_ANSWERS = {Answer.PASS: N_("pass"), Answer.FAIL: N_("fail"), Answer.UNSURE: N_("unsure")}


def metric_rows(verdict: MetricVerdict) -> list[tuple[str, str]]:
    """Of one criterion: figures first, then where the verdict comes from."""
    rows = [(name, "–" if value is None else f"{value:,g}") for name, value in verdict.figures]
    if verdict.by:
        rows.append((tr("Scored by"), one_line(verdict.by, _NAME_CHARS)))
    if verdict.votes:
        votes = ("?" if vote is None else f"{vote:g}" for vote in verdict.votes[:VOTES_LISTED])
        rows.append((tr("Votes"), ", ".join(votes)))
    if verdict.replies:
        rows.append((tr("Judge replies"), tr("{0}, under Judge calls").format(len(verdict.replies))))
    if verdict.kept_s is not None:
        rows.append((tr("Oldest stored reply from"), text_of("kept_s", verdict.kept_s)))
    if verdict.crashed:
        rows.append((tr("Crashed"), tr("the metric itself failed to run")))
    if verdict.version > 1:
        rows.append((tr("Version of the metric"), f"{verdict.version:,}"))
    return [*rows, *_native(verdict.native), *_overruled(verdict.overruled)]


def whole_rows(verdict: CaseVerdict | TurnVerdict) -> list[tuple[str, str]]:
    """Of a whole case what it is about and how it was paired; of a turn only whether a person overruled it."""
    if isinstance(verdict, TurnVerdict):
        return _overruled(verdict.overruled)
    rows = [
        (tr("Case"), verdict.case_id),
        (tr("Eval set"), verdict.suite_id),
        (tr("Trace"), verdict.trace_id or ""),
        (tr("Session"), verdict.session_id or ""),
        (tr("Paired by"), verdict.paired_by),
        (tr("Run of the case"), str(verdict.repeat + 1) if verdict.repeat else ""),
        (tr("Missing turns"), _turns(verdict.missing_turns)),
        (tr("Extra turns"), _turns(verdict.extra_turns)),
    ]
    return [*(row for row in rows if row[1]), *_native(verdict.native), *_overruled(verdict.overruled)]


def _native(native: Json | Absent) -> list[tuple[str, str]]:
    return [] if isinstance(native, Absent) else [(tr("Status in the file"), text_of("", native))]


def _overruled(overruled: Overruled | None) -> list[tuple[str, str]]:
    if overruled is None:
        return []
    rows = [(tr("Before a person overruled"), overruled.status.value)]
    if overruled.follows:
        rows = [(tr("Before a turn was overruled"), overruled.status.value)]
    if overruled.note:
        rows.append((tr("Note"), overruled.note))
    return [*rows, *([(tr("Overruled"), text_of("at_s", overruled.at_s))] if overruled.at_s is not None else [])]


def _turns(indexes: tuple[int, ...]) -> str:
    remaining = len(indexes) - _SHOWN
    more = [tr("and {0} more").format(f"{remaining:,}")] if remaining > 0 else []
    return ", ".join([*(str(index + 1) for index in indexes[:_SHOWN]), *more])


def answer_rows(said: Sequence[RaterAnswer]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """For each question that more than one person answered: whether they agree, which it is, and who says what."""
    for question, own in groupby(said, key=lambda each: each.question):
        answers = [*own]
        if len({each.rater for each in answers}) > 1:
            agree = len({each.value for each in answers}) == 1
            name = tr("the turn as a whole") if question == OVERALL else one_line(question, _NAME_CHARS)
            title = tr("People agree") if agree else tr("People are divided")
            yield title, name, [_said(each) for each in answers[:_MOST_PEOPLE]]


def _said(each: RaterAnswer) -> tuple[str, str]:
    value = tr(_ANSWERS[each.value]) if isinstance(each.value, Answer) else f"{each.value:g}"
    tags = tr("tags: {0}").format(", ".join(each.tags)) if each.tags else ""
    at = when_text(datetime.fromisoformat(each.at).timestamp()) if each.at else ""
    words = (value, one_line(each.note, _NOTE_CHARS), tags, at)
    return one_line(each.rater, _NAME_CHARS) or tr("somebody"), " · ".join(filter(None, words))
