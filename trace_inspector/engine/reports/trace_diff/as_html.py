"""`html`: the rows of the window's comparison in one page that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import combinations

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.reports.html_parts import more, text
from trace_inspector.engine.reports.html_style import Filter, page, style, switches
from trace_inspector.engine.reports.trace_diff.html_look import Role, look, roles
from trace_inspector.engine.reports.trace_diff.html_rows import Rows
from trace_inspector.engine.trace_diff.counted import first_parting
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair
from trace_inspector.engine.trace_grid.hand_off_words import edge_words, summary
from trace_inspector.engine.trace_grid.row import Relation, RowKind
from trace_inspector.engine.trace_grid.table import Table

_MOST_ROWS = 5_000
_MOST_CHARS = 5_000_000  # of all rows together; a browser shows a page of this size without waiting
_MOST_MISSES = 20  # after so many rows that do not fit nobody looks for a shorter one
_FILTERS = (Filter("all", "everything"), Filter("differing", "only differences", ".differs"))


def write(found: Differences) -> str:
    """The sentences, then each pair of conversations, or each three, on common rows."""
    return _Page(found).told()


@dataclass(slots=True)
class _Parting:
    """Where two sides part: what the link to it is called, and which sides."""

    anchor: str
    words: str


@dataclass(slots=True)
class _Room:
    """What still fits."""

    rows: int = _MOST_ROWS
    chars: int = _MOST_CHARS
    misses: int = 0

    def takes(self, drawn: str, rows: int) -> bool:
        """Whether it fits; then it is taken."""
        if self.rows < rows or len(drawn) > self.chars:
            self.misses += 1
            return False
        self.rows -= rows
        self.chars -= len(drawn)
        return True


@dataclass(slots=True)
class _Drawn:
    """A table with those of its rows for which there was room, and how many there are."""

    table: Table
    heads: list[int]  # of each row the row of its turn
    differing: set[int]  # turns
    rows: dict[int, str] = field(default_factory=dict)
    wanted: int = 0
    shown: int = 0


class _Page:
    def __init__(self, found: Differences) -> None:
        self._found = found
        sides = 3 if len(found.sides) > 1 else 2
        has_golden = sides > 2 or not any(table.recorded for table in found.tables)
        self._roles = roles(sides, has_golden=has_golden)
        self._partings: dict[tuple[int, int], list[_Parting]] = {}
        self._anchors: dict[int, str] = {}  # by pair of sides
        self._find_partings()
        self._rows = [Rows(table, self._roles, found.rule.title, has_golden) for table in found.tables]

    def told(self) -> str:
        found, verdict = self._found, self._found.verdict
        drawn = self._drawn()
        body = [
            "<header>",
            f"<h1>{verdict}</h1>",
            self._files(),
            *(self._sentence(at, side) for at, side in enumerate(found.sides)),
            *(f'<p class="note">{text(note)}</p>' for note in found.notes),
            f'<p class="note">Compared by {text(found.rule.title)}: {escape(found.rule.meaning)}.</p>',
            '<p class="note">✗ counts, – differs and is allowed. Colours name the side.</p>',
            _left_out(drawn),
            switches(_FILTERS),
            "</header>",
            "<main>",
            *(self._table(one) for one in drawn if one.rows),
            more(sum(bool(one.wanted and not one.rows) for one in drawn), "conversation"),
            "</main>",
        ]
        css = style(_FILTERS) + look(self._roles)
        return page(f"Trace Inspector: {verdict.lower()}", "\n".join(line for line in body if line), css)

    def _find_partings(self) -> None:
        sides = list(combinations(range(len(self._roles)), 2))
        for at, (both, side) in enumerate(zip(sides, self._found.sides, strict=True)):
            parting = first_parting(side.pairs)
            if parting is None:
                continue
            number, turn = parting
            table = next((at for at, one in enumerate(self._found.tables) if (both, number) in one.pairs), None)
            if table is not None:
                place = table, self._found.tables[table].row_of(both, turn)
                anchor = "parts" if len(sides) == 1 else f"parts-{both[0] + 1}-{both[1] + 1}"
                self._anchors[at] = anchor
                self._partings.setdefault(place, []).append(_Parting(anchor, self._both(both)))

    def _both(self, both: tuple[int, int]) -> str:
        if len(self._roles) == 2:
            return "they"
        first, second = (self._roles[at].title for at in both)
        return f"{first.lower()} and {second.lower()}"

    def _files(self) -> str:
        sides = self._found.sides
        paths = [sides[0].left_path, sides[0].right_path, *([sides[-1].right_path] if len(sides) > 1 else [])]
        letters = "ABC" if len(sides) > 1 else "  "
        items = (
            f'<li><b class="{role.ink}">{f"{letter} " if letter.strip() else ""}{role.title}</b> {text(path)}</li>'
            for letter, role, path in zip(letters, self._roles, paths, strict=False)
        )
        return f'<ul class="files">{"".join(items)}</ul>'

    def _sentence(self, at: int, side: SidePair) -> str:
        """With a link from the place that it names to the row."""
        said, parts = side.sentence, side.counted.parts
        before, named, after = said.rpartition(parts.words) if parts and at in self._anchors else ("", "", said)
        link = f'{text(before)}<a href="#{self._anchors[at]}">{text(named)}</a>' if named else ""
        return f'<p class="sentence">{link}{text(after) if after else ""}</p>'

    def _drawn(self) -> list[_Drawn]:
        """Where they part comes first, then what differs, wherever it stands: it is what the page is for."""
        drawn = [_Drawn(table, list(_heads(table)), _differing(table)) for table in self._found.tables]
        places = [(at, number) for at, one in enumerate(drawn) for number in range(len(one.table.found.rows))]
        room = _Room()
        for at, number in sorted(places, key=self._pressing):
            one, row = drawn[at], self._found.tables[at].found.rows[number]
            counted = int(row.kind is not RowKind.TURN or row.differs)
            one.wanted += counted
            if room.misses >= _MOST_MISSES or number in one.rows:
                one.shown += counted if number in one.rows else 0
                continue
            head = one.heads[number]
            new = {place: self._row(at, one, place) for place in {head, number} if place not in one.rows}
            if room.takes("".join(new.values()), counted):
                one.rows |= new
                one.shown += counted
        return drawn

    def _pressing(self, place: tuple[int, int]) -> int:
        row = self._found.tables[place[0]].found.rows[place[1]]
        return 0 if place in self._partings else 2 - row.differs

    def _row(self, at: int, one: _Drawn, number: int) -> str:
        rows = one.table.found.rows
        row, head = rows[number], rows[one.heads[number]]
        differs = row.differs or row.by_another_agent or (row is head and row.turn in one.differing)
        return self._banner((at, number)) + self._rows[at].row(row, head, differs=differs)

    def _banner(self, place: tuple[int, int]) -> str:
        found = self._partings.get(place)
        if not found:
            return ""
        words = "; ".join(f'<b id="{one.anchor}">{one.words} part here</b>' for one in found)
        words = words.replace(found[0].words, found[0].words.capitalize(), 1)
        flag = '<span aria-hidden="true">⚑</span>'
        return f'<tr class="parts case differs"><td colspan="{2 * len(self._roles)}">{flag} {words}</td></tr>'

    def _table(self, one: _Drawn) -> str:
        names = " and ".join(text(name, 200) for name in dict.fromkeys(one.table.names) if name)
        bodies: dict[int, list[str]] = {}
        for number in sorted(one.rows):
            bodies.setdefault(one.heads[number], []).append(one.rows[number])
        inside = "\n".join(f"<tbody>{''.join(lines)}</tbody>" for lines in bodies.values())
        return (
            f"<h2>{names}</h2>\n{self._hand_offs(one.table)}"
            f'<table class="sides">{self._head(one.table)}\n{inside}</table>{more(one.wanted - one.shown, "row")}'
        )

    def _head(self, table: Table) -> str:
        columns, heads = ["<col>"], [_side_head(self._roles[0], table.found.facts[0])]
        for role, fact in zip(self._roles[1:], table.found.facts[1:], strict=True):
            columns += ['<col class="sign">', "<col>"]
            heads += ['<th scope="col"><span class="hidden">how they relate</span></th>', _side_head(role, fact)]
        meaning = "What it means" if len(self._roles) > 2 else f"Under {self._found.rule.title}"
        return (
            f'<colgroup>{"".join(columns)}<col class="why"></colgroup>'
            f'<thead><tr>{"".join(heads)}<th scope="col">{escape(meaning)}</th></tr></thead>'
        )

    def _hand_offs(self, table: Table) -> str:
        """Who hands over to whom otherwise, and how many do."""
        found = table.found.hand_offs
        if not found.edges:
            return ""
        titles = [role.title for role in self._roles]
        is_stated = found.is_stated
        told = [edge for edge in found.edges if edge.relation is not Relation.SAME or not is_stated]
        items = "".join(f"<li>{text(edge_words(edge, titles, is_stated=is_stated))}</li>" for edge in told)
        listed = f'<ul class="hand-offs">{items}</ul>\n' if items else ""
        return f"<p>Hand-offs: {text(summary(found))}</p>\n{listed}"


def _side_head(role: Role, fact: str) -> str:
    told = f' <small class="dim">{text(one_line(fact))}</small>' if fact else ""
    return f'<th scope="col" class="{role.ink}">{role.title}{told}</th>'


def _heads(table: Table) -> Iterator[int]:
    last = 0
    for number, row in enumerate(table.found.rows):
        last = number if row.kind is RowKind.TURN else last
        yield last


def _differing(table: Table) -> set[int]:
    return {row.turn for row in table.found.rows if row.differs or row.by_another_agent}


def _left_out(drawn: Sequence[_Drawn]) -> str:
    wanted, shown = sum(one.wanted for one in drawn), sum(one.shown for one in drawn)
    if wanted == shown:
        return ""
    return (
        f'<p class="note">{shown:,} of {wanted:,} rows are shown, so that the page stays usable; what differs came '
        "first. The report json holds all that differs.</p>"
    )
