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
    remaining = dict(enumerate(reported))
    matched: list[RubricVerdict | None] = [None] * len(recomputed)
    for key in (_words, _id):
        by_key: dict[str, list[int]] = {}
        for number in reversed(remaining):
            by_key.setdefault(key(remaining[number]), []).append(number)
        for index, own in enumerate(recomputed):
            same = by_key.get(key(own)) if matched[index] is None and key(own) else None
            if same and (key is _words or not (_words(own) and _words(remaining[same[-1]]))):
                matched[index] = remaining.pop(same.pop())
    return [
        *(RubricPair(other, own) for other, own in zip(matched, recomputed, strict=True)),
        *(RubricPair(verdict, None) for verdict in remaining.values()),
    ]


def _words(rubric: RubricVerdict) -> str:
    return " ".join(rubric.text.split()).casefold()


def _id(rubric: RubricVerdict) -> str:
    """Looked at only where a side has no words: of two with words, other words are another rubric."""
    return rubric.rubric_id
