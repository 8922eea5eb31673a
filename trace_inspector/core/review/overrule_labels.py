"""Overrules as labels: a label that overrules turns the shown verdict of every run on the same output."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from trace_inspector.core.review.label import Answer, Label, Level, moment, moment_after, placed
from trace_inspector.core.review.label_lines import fitting
from trace_inspector.core.review.label_sets import current
from trace_inspector.core.review.subjects import OVERALL
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import CaseVerdict, Status

_ANSWERS = {Status.PASSED: Answer.PASS, Status.FAILED: Answer.FAIL, Status.NOT_EVALUATED: Answer.UNSURE}
_STATUSES = {answer: status for status, answer in _ANSWERS.items()}


def as_label(overrule: Overrule, subject: str, case: CaseVerdict) -> Label | None:
    """The label of nobody by name that says the same of an output; None where no label can."""
    value = _ANSWERS.get(overrule.status)
    if value is None:
        return None
    level = Level.CASE if overrule.turn is None else Level.TURN
    turn = None if overrule.turn is None else case.turns[overrule.turn].index
    try:
        at = moment(overrule.at_s)
    except (OverflowError, OSError, ValueError):  # beyond what labels hold
        return None
    question = overrule.metric or OVERALL
    label = Label(subject, level, question, value, overrules=True, note=overrule.note, at=at)
    return fitting(placed(label, case.trace_path, case.case_id, case.trace_id or "", turn))


def withdrawal(label: Label, at_s: float) -> Label:
    """The label that undoes one, and is no earlier."""
    return replace(label, value=Answer.WITHDRAWN, note="", tags=(), at=max(label.at, moment(at_s)))


def labelled_later(label: Label, before: Iterable[Label]) -> Label:
    """The label later than what the same person said before, whatever the clocks; one that counts already stays."""
    said = [
        other for other in before if other.key == label.key and (other.overrules or other.value is Answer.WITHDRAWN)
    ]
    latest = max(said, key=lambda other: other.at, default=None)
    if latest is None or latest.at < label.at or label in current(said).values():
        return label
    return replace(label, at=moment_after(latest.at))


def overruling(labels: Iterable[Label]) -> list[Label]:
    """The labels that overrule, by time. What the same person says later without overruling does not undo that."""
    said = [label for label in labels if label.overrules or label.value is Answer.WITHDRAWN]
    counting = (label for label in current(said).values() if label.value in _STATUSES)
    return sorted(counting, key=lambda label: label.at)


def as_overrule(label: Label, overrule_id: str, case: int, turn: int | None) -> Overrule:
    """What a label that overrules says of one place of a run."""
    metric = None if label.question == OVERALL else label.question
    at_s = datetime.fromisoformat(label.at).timestamp() if label.at else 0.0
    status = _STATUSES[label.value] if isinstance(label.value, Answer) else Status.NOT_EVALUATED
    return Overrule(overrule_id, case, status, at_s, turn, metric, label.note)
