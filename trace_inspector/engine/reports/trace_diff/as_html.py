"""`html`: the rows of the window's comparison in one page that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from markupsafe import Markup
from msgspec import Struct, field

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.reports.pages import Filter, page
from trace_inspector.engine.reports.trace_diff.html_rows import Parting, Role, ShownRow, roles_of, row_writer
from trace_inspector.engine.trace_diff.difference_counts import first_parting
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair
from trace_inspector.engine.trace_grid.hand_off_words import edge_words, summary
from trace_inspector.engine.trace_grid.hand_offs import HandOffs
from trace_inspector.engine.trace_grid.row import Relation, RowKind
from trace_inspector.engine.trace_grid.table import ConversationTable

_MOST_ROWS = 5_000
_MOST_CHARS = 5_000_000  # of all rows together; a browser shows a page of this size without waiting
_MOST_MISSES = 20  # after so many rows that do not fit nobody looks for a shorter one
_FILTERS = (Filter("all", "everything"), Filter("differing", "only differences", ".differs"))


def write(differences: Differences) -> str:
    """The sentences, then each pair of conversations, or each three, on common rows."""
    sides = 3 if len(differences.sides) > 1 else 2
    has_golden = sides > 2 or not any(table.recorded for table in differences.tables)
    roles = roles_of(sides, has_golden=has_golden)
    partings = _Partings(differences, roles)
    tables = [_DrawnTable.of(table) for table in differences.tables]
    _fill(tables, partings, row_writer(roles, differences.rule.title, has_golden=has_golden))
    last = differences.sides[-1:] if sides > 2 else ()
    return page(
        "trace_diff.html",
        title=differences.verdict.lower(),
        differences=differences,
        filters=_FILTERS,
        roles=roles,
        paths=[differences.sides[0].left_path, *(side.right_path for side in (differences.sides[0], *last))],
        sentences=[partings.linked(number, side) for number, side in enumerate(differences.sides)],
        edge_lines=partial(_edge_lines, roles=roles),
        one_line=one_line,
        summary=summary,
        tables=tables,
        total=sum(table.total for table in tables),
        shown=sum(table.shown for table in tables),
        without_room=sum(bool(table.total and not table.rows) for table in tables),
    )


class _Partings:
    """Where sides part first: the rows, and the sentences that link to them."""

    def __init__(self, differences: Differences, roles: tuple[Role, ...]) -> None:
        self.by_place: dict[tuple[int, int], list[Parting]] = {}  # by number of table and row
        self._anchors: dict[int, str] = {}  # by pair of sides
        pairs = list(combinations(range(len(roles)), 2))
        for index, (sides, pair) in enumerate(zip(pairs, differences.sides, strict=True)):
            parting = first_parting(pair.pairs)
            if parting is None:
                continue
            number, turn = parting
            tables = enumerate(differences.tables)
            place = next(
                ((table_number, table) for table_number, table in tables if (sides, number) in table.pairs), None
            )
            if place is not None:
                first, second = (roles[side].title.lower() for side in sides)
                words = "they" if len(roles) == 2 else f"{first} and {second}"
                anchor = "parts" if len(pairs) == 1 else f"parts-{sides[0] + 1}-{sides[1] + 1}"
                self._anchors[index] = anchor
                row = place[0], place[1].row_of(sides, turn)
                self.by_place.setdefault(row, []).append(Parting(anchor, words))

    def linked(self, number: int, side: SidePair) -> tuple[str, str, str, str]:
        """A sentence: what stands before the link to the row that it names, the link with its words, and the rest."""
        parts = side.counted.parts
        if not parts or number not in self._anchors:
            return "", "", "", side.sentence
        before, named, after = side.sentence.rpartition(parts.words)
        return before, self._anchors[number], named, after


class _DrawnTable(Struct):
    """A table with those of its rows for which there was room, and how many there are."""

    table: ConversationTable
    heads: list[int]  # of each row the row of its turn
    differing: set[int]  # turns
    rows: dict[int, Markup] = field(default_factory=dict)
    total: int = 0
    shown: int = 0

    @classmethod
    def of(cls, table: ConversationTable) -> _DrawnTable:
        """The table without a row as yet."""
        differing = {row.turn for row in table.grid.rows if row.differs or row.by_another_agent}
        return cls(table, list(_heads(table)), differing)

    @property
    def names(self) -> list[str]:
        """What its conversations are called."""
        return [name for name in dict.fromkeys(self.table.names) if name]

    @property
    def bodies(self) -> list[list[Markup]]:
        """The rows of each turn."""
        bodies: dict[int, list[Markup]] = {}
        for number in sorted(self.rows):
            bodies.setdefault(self.heads[number], []).append(self.rows[number])
        return list(bodies.values())

    def row(self, number: int, partings: Sequence[Parting]) -> ShownRow:
        """A row, with whether it stays where only differences are shown."""
        row, head = self.table.grid.rows[number], self.table.grid.rows[self.heads[number]]
        differs = row.differs or row.by_another_agent or (row is head and row.turn in self.differing)
        return ShownRow(row, head, self.table, differs, partings)


def _heads(table: ConversationTable) -> Iterator[int]:
    last = 0
    for number, row in enumerate(table.grid.rows):
        last = number if row.kind is RowKind.TURN else last
        yield last


def _fill(tables: Sequence[_DrawnTable], partings: _Partings, write_row: Callable[[ShownRow], Markup]) -> None:
    """Where they part comes first, then what differs, wherever it stands: it is what the page is for."""

    def pressing(place: tuple[int, int]) -> int:
        return 0 if place in partings.by_place else 2 - tables[place[0]].table.grid.rows[place[1]].differs

    places = [(index, number) for index, drawn in enumerate(tables) for number in range(len(drawn.heads))]
    rows_left, chars_left, misses = _MOST_ROWS, _MOST_CHARS, 0
    for index, number in sorted(places, key=pressing):
        drawn = tables[index]
        row = drawn.table.grid.rows[number]
        counted = int(row.kind is not RowKind.TURN or row.differs)
        drawn.total += counted
        if misses >= _MOST_MISSES or number in drawn.rows:
            drawn.shown += counted if number in drawn.rows else 0
            continue
        new = {
            place: write_row(drawn.row(place, partings.by_place.get((index, place), ())))
            for place in {drawn.heads[number], number}
            if place not in drawn.rows
        }
        chars = sum(map(len, new.values()))
        if rows_left < counted or chars > chars_left:
            misses += 1
            continue
        rows_left -= counted
        chars_left -= chars
        drawn.rows |= new
        drawn.shown += counted


def _edge_lines(hand_offs: HandOffs, roles: Sequence[Role]) -> list[str]:
    """Who hands over to whom otherwise than expected; where nothing is stated, who does at all."""
    titles = [role.title for role in roles]
    return [
        edge_words(edge, titles, is_stated=hand_offs.is_stated)
        for edge in hand_offs.edges
        if edge.relation is not Relation.SAME or not hand_offs.is_stated
    ]
