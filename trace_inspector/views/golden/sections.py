"""SECTIONS: what the Golden tab shows under its scores, in this order. A new section is one line here."""

from __future__ import annotations

from trace_inspector.views.golden.calls import make_calls
from trace_inspector.views.golden.case_section import make_case
from trace_inspector.views.golden.criteria_section import make_criteria
from trace_inspector.views.golden.fields.section import Section
from trace_inspector.views.golden.notes_section import make_notes
from trace_inspector.views.golden.rubrics_section import make_rubrics
from trace_inspector.views.golden.scenario_section import make_scenario
from trace_inspector.views.golden.session_section import make_session
from trace_inspector.views.golden.words import make_answer, make_user

SECTIONS: tuple[Section, ...] = (
    Section("calls", "Expected calls", make_calls),
    Section("answer", "Reference answer", make_answer),
    Section("user", "The user says", make_user),
    Section("rubrics", "Rubrics", make_rubrics),
    Section("scenario", "Simulated user", make_scenario),
    Section("state", "State, transfers and other expectations", make_session),
    Section("criteria", "Criteria", make_criteria),
    Section("notes", "Notes", make_notes),
    Section("case", "Case", make_case),
)
_OTHERS = "state"
_OF_FIELDS = (
    ("call ", "calls"), ("answer", "answer"), ("user", "user"), ("rubric ", "rubrics"), ("scenario-", "scenario"),
    ("criteria-", "criteria"), ("note-", "notes"), ("case-sentences", _OTHERS), ("case-", "case"),
)  # fmt: skip


def section_of(field: str) -> str:
    """In which section a field stands, by its name."""
    return next((section for start, section in _OF_FIELDS if field.startswith(start)), _OTHERS)
