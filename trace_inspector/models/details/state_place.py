"""The initial session state of a conversation, and the label of the selected position."""

from __future__ import annotations

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.values.values import JsonObject
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.details.session_state import stated_start
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files

_NOTHING: JsonObject = {}
_UNKNOWN = "The file does not say what the state was at the start; it is assumed to be empty."


def start_of(files: Files, shown: ShownRun, number: int, top: int) -> tuple[JsonObject, str]:
    """The initial state, and its source in a sentence; the same object while nothing changes."""
    table = files.by_number[number].table
    start = stated_start(table.thing(top))
    if start is not None:
        return start, "The state at the start is the one that the case gives."
    golden = _golden_start(files, shown, number, top) if table.kind(top) is Kind.TRACE else None
    if golden is not None:
        return golden, "The state at the start is the golden's; the trace does not say its own."
    return _NOTHING, _UNKNOWN


def label_of(table: RowTable, row: int) -> str:
    """The selected position as text: its turn, and the row in it."""
    turn = table.turn_of(row)
    if turn in (TOP, row):
        return table.label(row).split("  ")[0]
    return f"{table.label(turn).split('  ')[0]} › {table.label(row)}"


def _golden_start(files: Files, shown: ShownRun, number: int, top: int) -> JsonObject | None:
    run = shown.value
    verdict = run.on(files.by_number[number]).case(top) if run is not None else None
    if verdict is None or run is None:
        return None
    for file in files:
        if str(file.path) == verdict.golden_path:
            row = run.on(file).row_at(verdict.golden_place, verdict.case_id)
            return stated_start(file.table.thing(row)) if row != TOP else None
    return None
