"""What the window knows of a file whose goldens are edited: the places of its cases, and the cases that changed."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.safe_unpickle import unpack
from trace_inspector.core.trace.long_turn import with_whole_turns
from trace_inspector.core.trace.trace import Turn
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.work.golden.requests import EditedFileState


class EditedFile(Struct):
    """Changed only by `Goldens`. `revision` counts what was changed; `shown` is the one that the rows show."""

    number: int
    places: tuple[str, ...] = ()
    is_changed: bool = False
    unsaved: int = 0  # edits that are not on disk; a word that is typed counts as one
    revision: int = 0
    shown: int = 0
    problem: str = ""  # why it cannot be edited
    depth: int = 0  # the steps that undo can take back, in the child
    records: int = 0  # the changes in the journal, and its path for when the child has ended
    journal: str = ""
    process: int = 0
    cases: dict[str, Case] = field(default_factory=dict)  # by place, those that the rows do not show yet

    def take(self, stand: EditedFileState) -> None:
        """Take over the state that the child reports after a request."""
        if stand.moved or stand.cases:
            self.revision += 1
        if stand.steps:
            now = all_after(self.cases, stand.steps)
            self.cases = {place: case for was, case in self.cases.items() if (place := now[was]) is not None}
        self.places, self.is_changed, self.unsaved = stand.places, stand.is_changed, stand.edits
        self.depth, self.records = stand.depth, stand.records
        self.journal, self.process = stand.journal, stand.process
        self.cases |= {case.place: case for case in stand.cases}

    def rows_show(self, revision: int) -> None:
        """Note that the rows show that revision."""
        self.shown = revision
        if revision == self.revision:
            self.cases.clear()


def case_in(table: RowTable, place: str) -> Case | None:
    """The case at a place as the rows show it, with its turns."""
    top = next(iter(table.named.at_place(place)), None)
    return case_of(table, top) if top is not None else None


def case_of(table: RowTable, top: int) -> Case | None:
    """The case of a row, including its turns."""
    case = table.body(top)
    if not isinstance(case, Case):
        return None
    pickled = table.bodies()
    numbers = (number for turn in table.turns(top) for number in table.turn_bodies(turn))
    turns = [
        body for body in with_whole_turns(unpack(pickled[number]) for number in numbers) if isinstance(body, Turn)
    ]
    return replace(case, turns=tuple(turns))


def bodies_of(table: RowTable, top: int) -> tuple[bytes, ...]:
    """The pickled bodies of a trace and its turns, in the order in which a child process joins them."""
    pickled = table.bodies()
    first = table.address(top)[0]
    numbers = [first, *(number for turn in table.turns(top) for number in table.turn_bodies(turn))]
    return tuple(pickled[number] for number in numbers)
