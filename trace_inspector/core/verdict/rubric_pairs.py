"""Which verdicts on rubrics are about the same rubric: those that a file reports, and those of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trace_inspector.core.verdict.verdict import RubricVerdict


class RubricPair(NamedTuple):
    """One rubric as the file reports it and as it was judged again; at least one side is there."""

    reported: RubricVerdict | None
    recomputed: RubricVerdict | None


def rubric_pairs(reported: Sequence[RubricVerdict], recomputed: Sequence[RubricVerdict]) -> list[RubricPair]:
    """By their words where both sides have some, else by id; then what only one side has.

    Ids come second: CES has none, and those that are counted change with the order.
    """
    left = dict(enumerate(reported))
    found: list[RubricVerdict | None] = [None] * len(recomputed)
    for key in (_words, _id):
        by_key: dict[str, list[int]] = {}
        for number in reversed(left):
            by_key.setdefault(key(left[number]), []).append(number)
        for at, own in enumerate(recomputed):
            same = by_key.get(key(own)) if found[at] is None and key(own) else None
            if same and (key is _words or not (_words(own) and _words(left[same[-1]]))):
                found[at] = left.pop(same.pop())
    return [
        *(RubricPair(other, own) for other, own in zip(found, recomputed, strict=True)),
        *(RubricPair(one, None) for one in left.values()),
    ]


def _words(rubric: RubricVerdict) -> str:
    return " ".join(rubric.text.split()).casefold()


def _id(rubric: RubricVerdict) -> str:
    """Looked at only where a side has no words: of two with words, other words are another rubric."""
    return rubric.rubric_id
