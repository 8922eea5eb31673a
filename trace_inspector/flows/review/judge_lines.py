"""For the reports of a run: how far each judge agrees with people, and the pass rate that people would give."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.verdict.figures import percent
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.engine.calibration.calibration import LEAST_LABELS, Calibration
from trace_inspector.engine.reports.calibration.words import AS_RIGHT, RANDOM, corrected_text
from trace_inspector.flows.opening.given_files import Given
from trace_inspector.flows.review.calibrating import calibrate
from trace_inspector.flows.review.candidates import Judged
from trace_inspector.flows.review.judged_files import judged_of
from trace_inspector.flows.review.kept_calibrations import read
from trace_inspector.flows.review.open_calibration import marks_of
from trace_inspector.flows.review.opened_test_parts import was_opened
from trace_inspector.flows.review.stored_labels import known_labels
from trace_inspector.flows.runs.evaluate_files import Request


def judge_lines(run: RunVerdict, request: Request) -> tuple[str, ...]:
    """A line for each question that people answered of these outputs, or of others that the same judge decided."""
    labels = known_labels(file.path for file in request.traces)
    if not labels:
        return ()
    found = calibrate(_judged(run, request), labels, may_open=was_opened)
    marks: dict[str, str] = {}
    for (_path, _level, question), mark in marks_of(found, read()).items():
        marks.setdefault(question, mark.text)
    measured = {each.question: each for each in found.calibrations if not each.stale}
    return tuple(f"{question}: {text}{_rates(measured.get(question))}" for question, text in marks.items())


def _judged(run: RunVerdict, request: Request) -> Iterator[Judged]:
    for file in request.traces:
        yield from judged_of(file, _verdicts(run, file))


def _verdicts(run: RunVerdict, file: Given) -> Iterator[CaseVerdict]:
    for verdict in run.cases:
        if verdict.trace_path == file.path:
            yield replace(verdict, criteria=verdict.criteria or run.criteria)
    yield from file.contents.reported


def _rates(found: Calibration | None) -> str:
    """What the judge says, and what people would."""
    if found is None or found.compared < LEAST_LABELS or found.rates.raw is None:
        return ""
    rates = found.rates
    said = f"; it passes {percent(found.rates.raw)} of {found.agreement.counts.judged:,}"
    if rates.ppi.value is None and rates.rogan_gladen.value is None:
        return f"{said}, which is {corrected_text(rates.ppi)}"
    return (
        f"{said}, people would pass {corrected_text(rates.ppi)} by PPI if {RANDOM}, "
        f"{corrected_text(rates.rogan_gladen)} by Rogan–Gladen if {AS_RIGHT}"
    )
