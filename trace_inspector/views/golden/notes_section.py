"""Notes that people wrote beside a case, its turn and the calls of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, Noted
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField, Kind
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.form_section import FormSection

MOST_CALLS = 40
_CHARS = 40
_HINT = "No note"
Place = Callable[[Case], "str | None"]


def make_notes(theme: Theme, _context: GoldenContext) -> FormSection:
    """The section."""
    return FormSection(theme, note_fields, _summary)


def note_fields(context: GoldenContext) -> Sequence[GoldenField]:
    """For the case, for the turn, and for each of its calls."""
    fields = [_note("note-case", tr("On the case"), lambda case: case.place)]
    index, turn = context.index, context.turn
    if index is None or turn is None:
        return fields
    fields.append(_note("note-turn", tr("On this turn"), _turn_place(index), _turn_place(0)))
    for call_index, call in enumerate(calls_of(turn)[:MOST_CALLS]):
        name = one_line(call_line(call), _CHARS)
        fields.append(
            _note(
                f"note-call {call_index}",
                tr("On {0}").format(name),
                _call_place(index, call_index),
                _call_place(0, 0),
            )
        )
    return fields


def _summary(context: GoldenContext) -> str:
    notes = context.case.notes
    if not notes:
        return tr("none")
    first = one_line(notes[0].text, 120)
    return first if len(notes) == 1 else tr("{0} notes: {1}").format(len(notes), first)


def _note(name: str, label: str, place: Place, first: Place | None = None) -> GoldenField:
    def value(case: Case) -> Json | Absent:
        about = place(case)
        noted = next((note.text for note in case.notes if note.place == about), "")
        return noted or (_note_of(case, about) if about is not None else "") or ABSENT

    def change(case: Case, written: Json | Absent) -> Sequence[GoldenChange]:
        about = place(case)
        return [Noted(about, written if isinstance(written, str) else "")] if about is not None else []

    probed = _note(name, label, first) if first is not None else None
    return GoldenField(name, label, Kind.TEXT, tr("Write a note"), value, change, "probe", _HINT, probed=probed)


def _note_of(case: Case, about: str) -> str:
    """The note of the expectation that the call is part of."""
    stated = (expectation for turn in case.turns for expectation in turn.expectations)
    return next(
        (expectation.note for expectation in stated if expectation.note and is_below(about, expectation.place)), ""
    )


def _turn_place(index: int) -> Place:
    return lambda case: case.turns[index].place if index < len(case.turns) else None


def _call_place(index: int, call_index: int) -> Place:
    def place(case: Case) -> str | None:
        calls = calls_of(case.turns[index]) if index < len(case.turns) else ()
        return calls[call_index].place if call_index < len(calls) else None

    return place
