"""Scores of Inspect as reported: letters, numbers, yes and no, or several under one name; with who changed them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MetricVerdict, Provenance, Status
from trace_inspector.formats.common.fields import Fields, number_of, or_null
from trace_inspector.formats.eval_tools.inspect_log.attachments import Attachments
from trace_inspector.formats.eval_tools.inspect_log.beside import words_of
from trace_inspector.formats.eval_tools.inspect_log.event_log import EventLog

# What the letters mean: the number that Inspect counts them as, and whether that decides anything.
_LETTERS = {
    "C": (1.0, Status.PASSED, "correct"),
    "I": (0.0, Status.FAILED, "incorrect"),
    "N": (0.0, Status.FAILED, "no answer"),
    "P": (0.5, Status.INFORMATIONAL, "partially correct"),
}
_LONGEST = 4_000
_METADATA_CHARS = 300  # the whole stands beside the verdict
_MOST_PARTS = 50  # of a score that is a list or an object
_UNCHANGED = "UNCHANGED"  # what an edit leaves as it is


class SampleScores(Struct, frozen=True):
    """What a sample was given, and what its scores state besides."""

    metrics: tuple[MetricVerdict, ...]
    extras: tuple[Extra, ...]


class _Score(Struct, frozen=True):
    name: str
    fields: Fields
    edits: list[Fields]  # each as the whole history has it, the score before the first edit too
    is_final: bool = True


def scores_of(sample: Fields, log: EventLog, attachments: Attachments) -> SampleScores:
    """Every score of a sample; of one that has none those that its events tell, and those on the way."""
    scores = [*_stated(sample, log, attachments)]
    scores += [_Score(one.name, _resolved(one.score, attachments), [], one.is_final) for one in log.scores]
    metrics = tuple(metric for score in scores for metric in _metrics(score))
    beside = tuple(
        Extra(f"score {score.name}: {name}", value, score.fields.pointer(name))
        for score in scores
        for name in ("metadata", "history")
        if (value := or_null(score.fields.get(name))) not in (None, {}, [])
    )
    return SampleScores(metrics, beside)


def _stated(sample: Fields, log: EventLog, attachments: Attachments) -> Iterator[_Score]:
    """Those of the sample; older logs have one without a name."""
    named = sample.object("scores")
    for name, value in named.value.items() if named is not None else ():
        if named is not None and isinstance(value, dict):
            score = _resolved(Fields(value, join(named.place, name)), attachments)
            history = score.objects("history")
            is_edited = any(edit.object("provenance") is not None for edit in history)
            yield _Score(name, score, history if is_edited else [*history, *log.edits.get(name, ())])
    only = sample.object("score")
    if only is not None:
        yield _Score("score", _resolved(only, attachments), only.objects("history"))


def _resolved(score: Fields, attachments: Attachments) -> Fields:
    value = attachments.value(score.value)
    return Fields(value, score.place) if isinstance(value, dict) else score


def _metrics(score: _Score) -> Iterator[MetricVerdict]:
    """One for a score; for a list or an object one for each part, its key or number behind the name."""
    value = or_null(score.fields.get("value"))
    if isinstance(value, list):
        parts = {str(number): item for number, item in enumerate(value, 1)}
    else:
        parts = value if isinstance(value, dict) else {}
    if not parts or len(parts) > _MOST_PARTS:
        yield _verdict(score.name, value, score)
        return
    for number, (key, item) in enumerate(parts.items()):
        yield _verdict(f"{score.name}: {key}", item, score, is_first=number == 0)


def _verdict(name: str, value: Json, score: _Score, *, is_first: bool = True) -> MetricVerdict:
    number, status, words = _meaning(value)
    if not score.is_final:  # what was scored on the way decides nothing
        name, status = f"{name} (on the way)", Status.INFORMATIONAL if number is not None else status
    edited = [edit for edit in score.edits if edit.object("provenance") is not None]
    by = _author(edited[-1]) if edited else ""
    answer, beside = score.fields.text("answer"), or_null(score.fields.get("metadata"))
    told = (
        words,
        score.fields.text("explanation") or "",
        f"answer: {answer}" if answer else "",
        *_changes(score.edits),
        f"metadata: {one_line(words_of(beside), _METADATA_CHARS)}" if beside and is_first else "",
    )
    return MetricVerdict(
        metric=name,
        score=number,
        status=status,
        reason="; ".join(part for part in told if part)[:_LONGEST],
        provenance=Provenance.HUMAN if edited else Provenance.REPORTED,
        by=by,
    )


def _changes(edits: list[Fields]) -> Iterator[str]:
    """Who changed a score from what, and why, the first change first."""
    before: Json = None
    for edit in edits:
        provenance = edit.object("provenance")
        value = or_null(edit.get("value"))
        if provenance is not None:
            by = f"by {author}" if (author := _author(edit)) else "by hand"
            old = f" from {_worded(before)}" if before is not None and value not in (_UNCHANGED, None) else ""
            why = provenance.text("reason")
            yield f"changed {by}{old}" + (f": {why}" if why else "")
        if value not in (_UNCHANGED, None):
            before = value


def _author(edit: Fields) -> str:
    return (edit.object("provenance") or Fields({}, "")).text("author") or ""


def _worded(value: Json) -> str:
    if isinstance(value, str) and value in _LETTERS:
        return f"{value} ({_LETTERS[value][2]})"
    return words_of(value)


def _meaning(value: Json) -> tuple[float | None, Status, str]:
    """A number alone neither passes nor fails."""
    if isinstance(value, bool):
        return float(value), Status.PASSED if value else Status.FAILED, ""
    if isinstance(value, str) and value in _LETTERS:
        return _LETTERS[value]
    number = number_of(value)
    if number is not None:
        return number, Status.INFORMATIONAL, ""
    return None, Status.NOT_EVALUATED, "" if value is None else words_of(value)
