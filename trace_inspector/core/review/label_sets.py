"""Labels of several files as one set: which of them count, and how sets become one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from trace_inspector.core.review.label import Answer, Label, LabelKey


def current(labels: Iterable[Label]) -> dict[LabelKey, Label]:
    """The label that counts of each rater for each output and question: the latest one, of equal times the last.

    What is withdrawn or was never answered counts no more.
    """
    latest: dict[LabelKey, Label] = {}
    for label in labels:
        before = latest.get(label.key)
        if label.value is not None and (before is None or label.at >= before.at):
            latest[label.key] = label
    return {key: label for key, label in latest.items() if label.value is not Answer.WITHDRAWN}


def ordered(labels: Iterable[Label]) -> list[Label]:
    """Each label once, by time; those of one time as they came, the last of several equal ones."""
    once = [*dict.fromkeys(reversed([*labels]))]
    once.reverse()
    return sorted(once, key=_at)


def merged(first: Iterable[Label], second: Iterable[Label]) -> list[Label]:
    """Two sets as one: the same whichever comes first, and nothing new where one holds all of the other."""
    before = {at: list(group) for at, group in groupby(ordered(first), _at)}
    after = {at: list(group) for at, group in groupby(ordered(second), _at)}
    together: list[Label] = []
    for at in sorted({*before, *after}):
        together += _of_one_time(before.get(at, []), after.get(at, []))
    return together


def undecided(labels: Iterable[Label]) -> int:
    """How often one person answered a question differently without a time: nobody knows what was said last."""
    answers: dict[LabelKey, set[Answer | float]] = {}
    dated: set[LabelKey] = set()
    for label in labels:
        if label.value is not None:
            answers.setdefault(label.key, set()).add(label.value)
            dated |= {label.key} if label.at else set()
    return sum(len(given) > 1 and key not in dated for key, given in answers.items())


def _of_one_time(first: list[Label], second: list[Label]) -> list[Label]:
    if _has_all(first, second):
        return first
    if _has_all(second, first):
        return second
    before, after = _by_key(first), _by_key(second)
    together: list[Label] = []
    for key in sorted({*before, *after}):
        together += _of_one_key(before.get(key, []), after.get(key, []))
    return together


def _of_one_key(first: list[Label], second: list[Label]) -> list[Label]:
    if _has_all(first, second):
        return first
    if _has_all(second, first):
        return second
    return sorted({*first, *second}, key=repr)  # nobody knows which was said last: the same order for both


def _by_key(labels: Iterable[Label]) -> dict[LabelKey, list[Label]]:
    found: dict[LabelKey, list[Label]] = {}
    for label in labels:
        found.setdefault(label.key, []).append(label)
    return found


def _has_all(labels: list[Label], others: list[Label]) -> bool:
    """Whether all the others are among the labels, in the same order."""
    rest = iter(labels)
    return all(other in rest for other in others)


def _at(label: Label) -> str:
    return label.at
