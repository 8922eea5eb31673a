"""The context menu of a row of the tree: what can be done there, the usual first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.row_table import TOP
from trace_inspector.views.actions.golden_menu import goldens
from trace_inspector.views.window_context.context_menu import elsewhere
from trace_inspector.views.window_context.desk import Desk

_COPY = ("copy", "copy-link")
_RECORDED = (("edit-golden", "promote", "overrule"), ("this-again", "turn-again"), ("slowest",), _COPY)
_GOLDEN = (
    ("edit-golden", "propose-matchers"),
    ("add-turn", "duplicate-golden", "split-golden", "join-goldens", "golden-up", "golden-down", "rename-golden"),
    ("add-case", "copy-goldens"),
    ("this-again",),
    _COPY,
    ("delete-golden",),
)


def row_sections(desk: Desk, _place: QPoint) -> Iterator[Sequence[QAction]]:
    """For the selected row: where else it is shown, then what can be done with it."""
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    if selection is None or file is None:
        return
    table = file.table
    top = table.top_of(selection.row) if selection.row != TOP and table.has(selection.row) else TOP
    recorded = top != TOP and table.kind(top) is Kind.TRACE
    yield elsewhere(desk)
    for names in _RECORDED if recorded else _GOLDEN:
        yield desk.actions([name for name in names if _APPLIES.get(name, _always)(desk)])


def _always(_desk: Desk) -> bool:
    return True


def _single(desk: Desk) -> bool:
    return len(goldens(desk)) == 1


def _inside_a_golden(desk: Desk) -> bool:
    some = goldens(desk)
    return len(some) == 1 and bool(some[0].turns) and some[0].turns[0] != 0


# What an action would else answer with a sentence, and no more.
_APPLIES: Mapping[str, Callable[[Desk], bool]] = {
    "split-golden": _inside_a_golden,
    "join-goldens": lambda desk: len(goldens(desk)) > 1,
    "rename-golden": _single,
    "add-turn": _single,
    "copy-goldens": lambda desk: bool(goldens(desk)),
    "propose-matchers": _single,
}
