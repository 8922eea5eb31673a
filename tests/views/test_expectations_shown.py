"""Expectations one by one: what a golden demands of a turn, and how each came out."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from tests.models.stories import GOLDENS, TRACES, call, put, trace, turn
from tests.views.doing import whole_details
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    ExpectationVerdict,
    MetricVerdict,
    Provenance,
    Status,
    TurnVerdict,
)
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.panel import VERDICTS
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.views.widgets.controls import Button, MarkLabel
from trace_inspector.work.reading import file_messages

pytestmark = pytest.mark.shared_window

OBSERVED = trace("one", turn(0, "A table?", call("find_table", people=2), answer="At eight."))


def outcomes(*more: ExpectationVerdict) -> tuple[ExpectationVerdict, ...]:
    return (
        ExpectationVerdict(
            "call find_table", Status.FAILED, 0.5, "people differs", figures=(("parameters", 0.5),),
            native="FAIL", place="/one", golden_place="/suite/one",
        ),
        ExpectationVerdict("call book", Status.FAILED, extra=True, place="/nowhere"),
        ExpectationVerdict("answer", Status.SKIPPED),
        *more,
    )  # fmt: skip


def shown(window: MainWindow, *expectations: ExpectationVerdict) -> QWidget:
    """Verdicts of a turn of which a file reports how its expectations came out."""
    workspace = window.desk.workspace
    file = put(workspace, TRACES, OBSERVED)
    put(workspace, GOLDENS, Suite("suite", cases=(Case("one", "suite", place="/suite/one"),)))
    metric = MetricVerdict(
        "expectations", 0.5, Status.FAILED, 1.0, provenance=Provenance.REPORTED, expectations=expectations
    )
    turn_verdict = TurnVerdict(0, 0, Status.FAILED, (metric,), extras=(Extra("hostName", "made-1"),))
    case = CaseVerdict(
        "one",
        "suite",
        "one",
        Status.FAILED,
        turns=(turn_verdict,),
        golden_path=GOLDENS,
        candidate="v7",
        persona="Ann",
    )
    report(window, file, case)
    workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[0]))
    details = whole_details(window)
    details.tabs.setCurrentIndex(VERDICTS)
    return details.verdicts


def report(window: MainWindow, file: OpenFile, case: CaseVerdict) -> None:
    batch = ReportedBatch()
    batch.add(file.table.tops[0], case)
    window.desk.workspace.files.take(file_messages.VerdictsReported(file.number, batch))


def labels(page: QWidget) -> list[str]:
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]


def test_a_failed_expectation_is_read_without_opening_anything(window: MainWindow) -> None:
    page = shown(window, *outcomes())
    words = labels(page)
    assert {"call find_table", "people differs", "0.50", "parameters 0.5, in the file FAIL"} <= set(words)
    assert words.count("Observed, not expected") == 1
    assert "Observed at /nowhere" in words
    assert "Candidate v7 • Persona Ann" in words
    assert {"Other fields", "hostName", "made-1"} <= set(words)
    marks = [mark.accessibleName() for mark in page.findChildren(MarkLabel) if mark.isVisible()]
    assert marks[1:] == ["failed", "failed", "skipped"]


def test_links_lead_to_both_sides(window: MainWindow) -> None:
    page = shown(window, *outcomes())
    workspace = window.desk.workspace
    links = {link.accessibleName(): link for link in page.findChildren(Button)}
    golden = next(file for file in workspace.files if str(file.path) == GOLDENS)
    links["Expected, go to /suite/one"].click()
    assert workspace.selection.value == Selection(golden.number, golden.table.tops[0])


def test_all_well_stays_folded(window: MainWindow) -> None:
    page = shown(window, ExpectationVerdict("answer", Status.PASSED, 1.0, "the same"))
    assert "the same" not in labels(page)


def test_of_very_many_the_first_are_shown_with_their_count(window: MainWindow) -> None:
    page = shown(window, *outcomes(*(ExpectationVerdict(f"call {at}", Status.PASSED) for at in range(97))))
    assert "60 of 100 shown" in labels(page)
