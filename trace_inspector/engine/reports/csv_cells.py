"""Cells of tables that are safe to open in a spreadsheet, and their text again."""

from __future__ import annotations

import re

from trace_inspector.engine.reports.visible_text import visible

_SIGNS = "=+\\-@＝＋－＠"
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_LATER = re.compile(rf"([;|]\s*)(?=[{_SIGNS}])")  # read with another delimiter a cell begins there
_GUARDED = re.compile(rf"(^|[;|]\s*)'(?='*[{_SIGNS}])")
_OWN = re.compile(rf"(^|[;|]\s*)('+)(?=[{_SIGNS}])")


def cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    shown = _LATER.sub(r"\1'", visible(text).replace("\t", r"\t"))
    return f"'{shown}" if text.startswith(_FORMULA) or shown.startswith(_FORMULA) else shown


def exact_cell(text: str) -> str:
    """The same, of which `text_of` makes the very text: an apostrophe of its own is told from one that guards."""
    return cell(_OWN.sub(r"\1'\2", text))


def text_of(guarded: str) -> str:
    """The text that `exact_cell` made safe; what it spelled out stays spelled out."""
    return _GUARDED.sub(r"\1", guarded)
