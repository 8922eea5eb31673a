"""Calibrations as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.calibration.calibration import Calibration, Compared
from trace_inspector.engine.reports.calibration.words import (
    disagreement_count,
    figures,
    judge_words,
    label_words,
    notes,
    plan_lines,
    rates,
    verdict_word,
)
from trace_inspector.engine.reports.visible_text import left_out

_MOST_SHOWN = 20  # disagreements
_REASON_CHARS = 160
_COLUMNS = (17, 6, 18)


def lines_of(found: Calibration) -> Iterator[str]:
    """One question."""
    yield f"{found.question} ({found.level.value})"
    yield f"  judge: {judge_words(found)}"
    yield f"  {label_words(found)}"
    for note in notes(found):
        yield f"  {note}"
    for row in (*figures(found), *rates(found)):
        cells = [cell.ljust(width) for cell, width in zip(row, _COLUMNS, strict=False)]
        yield f"  {' '.join(cells)} {row[-1]}".rstrip()
    for line in plan_lines(found):
        yield f"  {line}."
    if found.disagreements:
        yield f"  {disagreement_count(found)}:"
        for each in found.disagreements[:_MOST_SHOWN]:
            yield from _disagreement_lines(each)
        rest = left_out(len(found.disagreements) - _MOST_SHOWN, "disagreement")
        if rest:
            yield f"    {rest}; --json and --html have them all"


def _disagreement_lines(each: Compared) -> Iterator[str]:
    judge, people = verdict_word(each.output.failed), verdict_word(each.people_failed)
    yield f"    {each.output.place}: judge {judge}, people {people}"
    if each.output.reason:
        yield f"      judge: {one_line(each.output.reason, _REASON_CHARS)}"
    for rater, note in each.notes:
        if note:
            yield f"      {one_line(rater, 40) or 'people'}: {one_line(note, _REASON_CHARS)}"
