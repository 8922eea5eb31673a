"""Outputs of labels found in open files, also of conversations without a name, a little at a time."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.models.stories import TRACES, put, trace, turn
from trace_inspector.core.review.label import Answer, Label, Level, placed
from trace_inspector.core.review.subjects import OVERALL, case_subject, turn_subject
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.review import output_places
from trace_inspector.models.review.drawing import whole_turn
from trace_inspector.models.review.output_places import OutputPlaces, Place
from trace_inspector.models.workspace.workspace import Workspace

MANY = 300


def label_on(made: Trace, level: Level = Level.TURN) -> Label:
    subject = turn_subject(made.turns[0]) if level is Level.TURN else case_subject(made.turns)
    return placed(Label(subject, level, OVERALL, Answer.FAIL), TRACES, "", "", 0 if level is Level.TURN else None)


def test_an_output_without_a_name_holds_nobody_up_and_each_turn_is_read_once(
    workspace: Workspace, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [trace(f"case {number}", turn(0, f"Hello {number}?")) for number in range(MANY)]
    file = put(workspace, TRACES, *made)
    read = []

    def reading(table: RowTable, row: int) -> Turn | None:
        read.append(row)
        return whole_turn(table, row)

    monkeypatch.setattr(output_places, "whole_turn", reading)
    places, told = OutputPlaces(workspace.files, workspace), list[Place | None]()
    monkeypatch.setattr(output_places, "_BUDGET_S", 0.0)  # not a moment
    places.find(label_on(made[0]), told.append)
    places.find(label_on(made[-1]), told.append)  # only the last one asked for
    assert told == []
    monkeypatch.setattr(output_places, "_BUDGET_S", 0.001)
    qtbot.waitUntil(lambda: bool(told))
    assert [place and place.file.table.label(place.top) for place in told] == [f"case {MANY - 1}"]
    assert sorted(read) == sorted(file.table.turns(top)[0] for top in file.table.tops)
    places.find(label_on(trace("gone", turn(0, "Another?"))), told.append)
    qtbot.waitUntil(lambda: len(told) > 1)
    assert told[1] is None
    assert len(read) == MANY  # nothing is read again
    places.find(label_on(made[0]), told.append)
    places.stop()
    assert len(told) < 4


def test_a_label_on_a_conversation_is_found_by_its_name(workspace: Workspace) -> None:
    made = [trace(name, turn(0, "Hello?")) for name in ("one", "two")]
    file = put(workspace, TRACES, *made)
    label = placed(Label("0" * 64, Level.CASE, OVERALL, Answer.FAIL), TRACES, "", "two", None)
    (place,) = workspace.places.steps(label)
    assert place == Place(file, file.table.tops[1])
