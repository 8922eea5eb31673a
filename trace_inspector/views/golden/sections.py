"""SECTIONS: what the Golden tab shows under its scores, in this order. A new section is one line here."""

from __future__ import annotations

from trace_inspector.views.golden.calls import make_calls
from trace_inspector.views.golden.section import Section
from trace_inspector.views.golden.words import make_answer, make_user

SECTIONS: tuple[Section, ...] = (
    Section("calls", "Expected calls", make_calls),
    Section("answer", "Reference answer", make_answer),
    Section("user", "The user says", make_user),
)
