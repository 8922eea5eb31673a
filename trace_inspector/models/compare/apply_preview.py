"""What applying the current row to the golden would change, in words; and whether it can be applied at all."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.core.translatable import N_
from trace_inspector.engine.trace_grid.row import Cell, Relation, Row, RowKind, Value
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.rows import ComparedRows

TURN_FIRST = "The golden does not have this turn. Take the turn first."
TAKE_OBSERVED = N_("Take observed into golden")


def has_place(rows: ComparedRows, number: int) -> bool:
    """Whether the golden has the turn of a row; a turn that it lacks can only be applied as a whole."""
    return rows.kind(number) is RowKind.TURN or rows.row(rows.turn_head(number)).cells[0] is not None


def can_align(rows: ComparedRows, number: int) -> bool:
    """Whether a call can be paired with another one: the golden and another side have its turn."""
    head = rows.row(rows.turn_head(number))
    return rows.kind(number) is RowKind.CALL and head.cells[0] is not None and any(head.cells[1:])


def applies_whole_turn(row: Row) -> bool:
    """Whether applying the observed side adds or drops the turn itself."""
    return row.kind is RowKind.TURN and row.relation.differs


def title(row: Row) -> str:
    """The label of the button that applies the observed side."""
    if applies_whole_turn(row):
        return tr("Remove the turn") if row.relation is Relation.MISSING else tr("Add the turn")
    return tr(TAKE_OBSERVED)


def effect(compare: Compare, row: Row) -> str:
    """The state of the golden once the last side of the current row is applied."""
    rows = compare.rows
    if rows is None:
        return ""
    if not has_place(rows, compare.current):
        return tr("Take the turn first")
    return _EFFECTS[row.kind](compare, rows, row)


def _of_turn(compare: Compare, rows: ComparedRows, row: Row) -> str:
    expected, observed = row.cells[0], row.cells[-1]
    calls = rows.turn_sums(compare.current).calls
    if expected is None:
        return _counted(_TURN_ADDED, "", calls[-1])
    if observed is None:
        return _counted(_TURN_GOES, expected.title, calls[0])
    if row.hand_offs:
        return tr("Its hand-offs become the observed ones")
    taken = rows.can_take_turn(compare.current, len(compare.sides) - 1)
    return tr("Its calls and its answer become the observed ones") if taken else ""


_TURN_ADDED = (
    N_("A turn without calls is added"),
    N_("A turn with 1 call is added"),
    N_("A turn with {1} calls is added"),
)
_TURN_GOES = (
    N_("{0} is removed; it has no calls"),
    N_("{0} with 1 call is removed"),
    N_("{0} with {1} calls is removed"),
)


def _counted(words: tuple[str, str, str], title: str, count: int) -> str:
    return tr(words[min(count, 2)]).format(title, f"{count:,}")


def _of_call(compare: Compare, rows: ComparedRows, row: Row) -> str:
    head_number = rows.turn_head(compare.current)
    head = rows.row(head_number)
    cell, last = head.cells[0], row.cells[-1]
    if cell is None:
        return ""
    if row.relation is Relation.MOVED:
        others = rows.turn_sums(head_number).moved > 1
        return tr("Other calls of the turn are still out of order") if others else tr("The calls are then in order")
    value = row.values[compare.value] if 0 <= compare.value < len(row.values) else None
    if value is not None and any(_stays(argument, value) for argument in row.values):
        return tr("Taking {0} leaves other arguments different").format(value.path)
    counts = rows.counts(compare.current, compare.rule)
    more, calls = _MATCHES.get(row.relation, (int(counts), 0))  # an allowed difference matches already
    times = last.times if last is not None else 1
    match, expected = head.matching[compare.rule], head.expected[compare.rule]
    return tr("Taking it makes {0} match {1} of {2} calls").format(
        cell.title.lower(), match + more * times, expected + calls * times
    )


def _stays(other: Value, taken: Value) -> bool:
    """Whether an argument still differs after another one was applied; applying a list applies all of its items."""
    return other is not taken and not other.fits and not other.places[0].startswith(f"{taken.places[0]}/")


# How many more calls match, of how many more expected ones, by the relation that is applied.
_MATCHES = {
    Relation.MISSING: (0, -1),
    Relation.EXTRA: (1, 1),
    Relation.REPEATED: (1, 1),
}


def _of_answer(_compare: Compare, _rows: ComparedRows, row: Row) -> str:
    words = N_("The reference answer becomes the observed one")
    return tr(words if row.cells[-1] is not None else N_("The reference answer is removed"))


def _of_state(_compare: Compare, _rows: ComparedRows, row: Row) -> str:
    expected, observed = row.cells[0], row.cells[-1]
    name = next((cell.title for cell in (expected, observed) if cell is not None), "")
    if observed is None:
        return tr("{0} is removed from the final state").format(name)
    return tr("{0} becomes {1} in the final state").format(name, _short(observed))


def _short(cell: Cell) -> str:
    return cell.text if len(cell.text) <= _VALUE_CHARS else f"{cell.text[: _VALUE_CHARS - 1]}…"


_VALUE_CHARS = 40
_EFFECTS: dict[RowKind, Callable[[Compare, ComparedRows, Row], str]] = {
    RowKind.TURN: _of_turn,
    RowKind.CALL: _of_call,
    RowKind.ANSWER: _of_answer,
    RowKind.STATE: _of_state,
}
