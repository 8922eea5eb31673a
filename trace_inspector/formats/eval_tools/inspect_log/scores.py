"""Scores of Inspect as reported: letters, numbers, yes and no, or several under one name; with who changed them."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, number_of, or_null

# What the letters mean: the number that Inspect counts them as, and whether that decides anything.
_LETTERS = {
    "C": (1.0, Status.PASSED, "correct"),
    "I": (0.0, Status.FAILED, "incorrect"),
    "N": (0.0, Status.FAILED, "no answer"),
    "P": (0.5, Status.INFORMATIONAL, "partially correct"),
}
_LONGEST = 4_000


def scores_of(sample: Fields) -> Iterator[MetricVerdict]:
    """Every score of a sample; older logs have one without a name."""
    named = sample.object("scores")
    for name in named.value if named is not None else ():
        score = named.object(name) if named is not None else None
        if score is not None:
            yield from _score(name, score)
    only = sample.object("score")
    if only is not None:
        yield from _score("score", only)


def _score(name: str, score: Fields) -> Iterator[MetricVerdict]:
    value = or_null(score.get("value"))
    if isinstance(value, dict):
        for key, item in value.items():
            yield _verdict(f"{name}: {key}", item, score)
    else:
        yield _verdict(name, value, score)


def _verdict(name: str, value: Json, score: Fields) -> MetricVerdict:
    number, status, words = _meaning(value)
    edits = [edit for edit in score.objects("history") if edit.object("provenance") is not None]
    by = (edits[-1].object("provenance") or Fields({}, "")).text("author") if edits else None
    told = (words, score.text("explanation"), f"changed by {by}" if by else "changed by hand" if edits else "")
    return MetricVerdict(
        metric=name,
        score=number,
        status=status,
        reason="; ".join(part for part in told if part)[:_LONGEST],
        provenance=Provenance.HUMAN if edits else Provenance.REPORTED,
        by=by or "",
    )


def _meaning(value: Json) -> tuple[float | None, Status, str]:
    """A number alone neither passes nor fails."""
    if isinstance(value, bool):
        return float(value), Status.PASSED if value else Status.FAILED, ""
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    number = number_of(value)
    if number is not None:
        return number, Status.INFORMATIONAL, ""
    return None, Status.NOT_EVALUATED, value if isinstance(value, str) else ""
