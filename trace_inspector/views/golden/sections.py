"""SECTIONS: what the Golden tab shows under its scores, in this order. A new section is one line here."""

from __future__ import annotations

from trace_inspector.views.golden.section import Section

SECTIONS: tuple[Section, ...] = ()
