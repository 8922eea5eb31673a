from __future__ import annotations

from tests.helpers.tables import each
from trace_inspector.documents.saving.edit_count import EditCount
from trace_inspector.documents.saving.history import MAX_STEPS, Move
from trace_inspector.documents.saving.journal_format import Record

E, U, R = Move.EDIT, Move.UNDO, Move.REDO


def counted(*moves: tuple[Move, int]) -> int:
    return EditCount.of(Record(move, (), group) for move, group in moves).edits


@each(
    ("moves", "edits"),
    [
        ([], 0),
        ([(E, 0), (E, 0)], 2),
        ([(E, 7), (E, 7), (E, 7)], 1),
        ([(E, 7), (E, 8), (E, 8), (E, 7)], 3),
        ([(E, 7), (E, 7), (U, 7)], 1),
        ([(E, 7), (E, 7), (U, 7), (U, 7)], 0),
        ([(E, 7), (U, 7), (R, 7), (E, 7)], 1),
        ([(E, 7), (U, 7), (E, 8)], 1),
        ([(U, 7), (U, 7), (U, 8)], 2),
        ([(U, 7), (U, 7), (R, 7)], 1),
        ([(U, 7), (R, 7)], 0),
        ([(U, 7), (E, 8), (U, 8), (R, 8)], 2),
        ([(R, 7), (R, 7)], 1),
    ],
)
def test_edits_are_counted_as_a_person_counts(moves: list[tuple[Move, int]], edits: int) -> None:
    assert counted(*moves) == edits


def test_a_record_that_stands_for_several_edits_counts_them_and_no_number_is_trusted_without_limit() -> None:
    before = EditCount.of([Record(E, (), 0, 5)])
    assert before.edits == 5
    assert EditCount.of([Record(E, (), 3), Record(E, (), 3), Record(U, ())], before).edits == 6
    assert before.edits == 5, "it stays as it is"
    assert EditCount.of([Record(E, (), 0, 1 << 31)]).edits == MAX_STEPS
