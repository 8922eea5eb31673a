"""Blocks of Content about what was decided: why a turn or case is what it is, which calls are not the golden's."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import answer_text, user_text
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Group, banner, facts
from trace_inspector.views.details.failing_call import failing_call
from trace_inspector.views.details.place import (
    Place,
    compared_calls,
    differing_pairs,
    golden_calls,
    golden_turn,
    place_of,
)


def verdict_sentence(theme: Theme, place: Place) -> QWidget | None:
    """The reason of the verdict on the turn or the whole case, when it states one."""
    whole = place.turn_verdict if place.kind in (Kind.TURN, Kind.MISSING_TURN) else place.case_verdict
    if whole is None or not whole.reason:
        return None
    tone = "fail" if place.mark in ("failed", "missing", "extra") else "warn"
    return banner(theme, place.mark or "info", whole.reason, tone)


def hidden_by_verdict(theme: Theme, place: Place) -> QWidget | None:
    """What a composed verdict does not show."""
    case = place.case_verdict
    return banner(theme, "warning", "; ".join(case.hides), "warn") if case and case.hides else None


def failing(theme: Theme, place: Place) -> QWidget | None:
    """The first call of a turn that is not the golden's."""
    differing = differing_pairs(place)
    shown = compared_calls(place, lambda pair: pair is differing[0]) if differing else []
    return failing_call(theme, shown[0], len(differing) - 1) if shown else None


def this_call(theme: Theme, place: Place) -> QWidget | None:
    """This call beside the golden's, when they differ."""
    number = place.file.table.call_index(place.row)
    own = next((pair for pair in differing_pairs(place) if pair.observed == number), None)
    shown = compared_calls(place, lambda pair: pair is own) if own else []
    return failing_call(theme, shown[0], 0) if shown else None


def missing_call(theme: Theme, place: Place) -> QWidget | None:
    """The golden's call that was not made."""
    ghost = place.file.table.ghost(place.row)
    parent = _parent(place)
    if ghost is None or parent is None:
        return None
    golden_index = ghost.golden_index
    shown = compared_calls(parent, lambda pair: pair.match is CallMatch.MISSING and pair.expected == golden_index)
    return failing_call(theme, shown[0], 0) if shown else facts(theme, [(tr("Golden"), ghost.label)], data=True)


def missing_turn(theme: Theme, place: Place) -> QWidget | None:
    """The golden's turn that the trace never reached."""
    golden = golden_turn(place)
    if golden is None:
        return None
    calls = "\n".join(golden_calls(place).lines())
    rows = [(tr("User"), user_text(golden)), (tr("Calls"), calls), (tr("Answer"), answer_text(golden))]
    group = Group(theme, tr("The golden's turn"))
    group.body.addWidget(facts(theme, [row for row in rows if row[1]]))
    return group


def _parent(place: Place) -> Place | None:
    return place_of(place.workspace, Selection(place.file.number, place.file.table.parent(place.row)))
