"""The rows of the page: each as the window has it, with a cell for each side and the reason at the right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from trace_inspector.core.alignment.value_difference import MOST_DIFFERENCES
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import answer_text
from trace_inspector.engine.reports.html_parts import bare, text
from trace_inspector.engine.reports.trace_diff.html_look import Role
from trace_inspector.engine.trace_grid.answers import Excerpt, Stretch, excerpts
from trace_inspector.engine.trace_grid.row import Cell, Relation, Row, RowKind, Value
from trace_inspector.engine.trace_grid.table import Table
from trace_inspector.engine.trace_grid.tints import apart_among, values_apart
from trace_inspector.engine.trace_grid.words import NAMES, gap, reason

_NAME_CHARS = 200
SIGNS: Mapping[Relation, str] = {
    Relation.SAME: "=",
    Relation.NEITHER: "",
    Relation.ARGUMENTS: "≠",
    Relation.RENAMED: "≠",
    Relation.MOVED: "↕",
    Relation.MISSING: "⊟",
    Relation.EXTRA: "⊞",
    Relation.REPEATED: "⊞",
    Relation.ANSWER: "≠",
    Relation.VALUE: "≠",
}


@dataclass(frozen=True, slots=True)
class Rows:
    """Draws rows of one table. `rule` is what the rule is called."""

    table: Table
    roles: Sequence[Role]
    rule: str
    has_golden: bool

    def row(self, row: Row, head: Row, *, differs: bool) -> str:
        """One row. `head` is that of its turn, `differs` whether it stays where only differences are shown."""
        kinds = ["case", *(["turn"] if row is head else []), *(["differs"] if differs else [])]
        drawn = list(self._cells(row, head))
        cells = drawn[:1]
        for link, cell in zip(row.link_names, drawn[1:], strict=True):
            cells += [_sign(link, is_turn=row is head), cell]
        return f'<tr class="{" ".join(kinds)}">{"".join(cells)}{self._reason(row)}</tr>'

    def _cells(self, row: Row, head: Row) -> Iterator[str]:
        inside = list(_INSIDES[row.kind](self.table, row, head))
        for side, (cell, role) in enumerate(zip(row.cells, self.roles, strict=True)):
            apart = row.stands_apart(side) if side else row.relation.differs
            tag = 'th scope="rowgroup"' if row is head and side == 0 else "td"
            end = tag.partition(" ")[0]
            kinds = ["side", role.ink, *(["apart"] if apart and cell is not None else [])]
            kinds += ["gap"] if cell is None else []
            said = inside[side]
            if cell is None:
                known = next(cell for cell in row.cells if cell is not None).title if end == "th" else ""
                said = f"<span>{text(f'{known}: ') if known else ''}{gap(row, side, golden=self.has_golden)}</span>"
            yield f'<{tag} class="{" ".join(kinds)}">{said}</{end}>'

    def _reason(self, row: Row) -> str:
        counts = bool(row.counts)
        words, below = reason(row, self.rule, counts=counts)
        sign = '<b aria-hidden="true">✗</b> ' if counts else "– " if row.relation.differs else ""
        said = f'<span class="hidden">counts: </span>{sign}' if counts else sign
        under = f"<span>{text(below)}</span>" if below else ""
        return f'<td class="why">{said}{text(words)}{under}</td>' if words or below else '<td class="why"></td>'


def _sign(link: Relation, *, is_turn: bool) -> str:
    if (is_turn and not link.differs) or not SIGNS[link]:
        return '<td class="sign"></td>'
    words = f'<span aria-hidden="true">{SIGNS[link]}</span><span class="hidden">{escape(NAMES[link])}</span>'
    kinds = "sign apart" if link.differs else "sign"
    return f'<td class="{kinds}" title="{escape(NAMES[link])}">{words}</td>'


def _turns(_table: Table, row: Row, _head: Row) -> Iterator[str]:
    """What the user says, once where all say the same."""
    said = ""
    for cell in row.cells:
        if cell is None:
            yield ""
            continue
        asked = f" “{text(cell.text, 400)}”" if cell.text and cell.text != said else ""
        said = cell.text
        yield f"<b>{text(cell.title)}</b>{asked}{_fact(cell)}"


def _calls(_table: Table, row: Row, _head: Row) -> Iterator[str]:
    for side, cell in enumerate(row.cells):
        if cell is None:
            yield ""
            continue
        author = f"<small>{text(one_line(cell.author, 60))}</small> " if cell.author else ""
        named = cell.title if row.values else cell.text
        together = " <small>at once with others</small>" if cell.together else ""
        values = "".join(_value(row, value, side) for value in row.values)
        values += _FIRST if len(row.values) >= MOST_DIFFERENCES else ""
        yield f"{author}<code>{text(named, 400)}</code>{together}{_fact(cell)}{values}"


_FIRST = f"<small>These are the first {MOST_DIFFERENCES} places that differ.</small>"


def _value(row: Row, value: Value, side: int) -> str:
    given = value.texts[side]
    there = [at for at, cell in enumerate(row.cells) if cell is not None]
    if given is None:
        said = "<i>nothing</i>"
    else:
        spans = apart_among([value.texts[at] for at in there], there.index(side), values_apart)
        said = f"<code>{_tinted(_cut(given, spans))}</code>"
    kind = "rule ignored" if value.ignored else "rule"
    rule = f' <span class="{kind}">{text(value.rule, 80)}</span>' if value.rule else ""
    note = f" <small>{text(value.note, 400)}</small>" if value.note and side == there[-1] else ""
    shown = f"<s>{said}</s>" if value.ignored else said
    return (
        f'<div class="arg"><code>{text(value.path, _NAME_CHARS)}</code>'
        f"<span>{shown}{rule if side == there[0] else ''}{note}</span></div>"
    )


def _cut(given: str, spans: Iterable[tuple[int, int]]) -> Iterator[Stretch]:
    at = 0
    for start, end in sorted(spans):
        yield Stretch(given[at:start])
        yield Stretch(given[start:end], apart=True)
        at = end
    yield Stretch(given[at:])


def _answers(table: Table, row: Row, head: Row) -> Iterator[str]:
    told = [
        answer_text(table.turns[side][turn.at]) if cell is not None and turn is not None else None
        for side, (cell, turn) in enumerate(zip(row.cells, head.cells, strict=True))
    ]
    found = iter(excerpts([one for one in told if one is not None], differ=row.differs))
    for cell, answer in zip(row.cells, told, strict=True):
        yield "" if cell is None or answer is None else _answer(cell, next(found))


def _answer(cell: Cell, excerpt: Excerpt) -> str:
    of_all = f", {excerpt.shown:,} of {excerpt.chars:,} characters shown" if excerpt.shown < excerpt.chars else ""
    author = f"{text(one_line(cell.author, 60))} " if cell.author else ""
    said = _tinted(excerpt.stretches) if excerpt.chars else "<i>no words</i>"
    return f'<small>{author}{text(cell.title)}{of_all}</small><div class="said">{said}</div>'


def _tinted(stretches: Iterable[Stretch]) -> str:
    inside = "".join(_stretch(one) for one in stretches)
    return f"<bdi>{inside}</bdi>"


def _stretch(one: Stretch) -> str:
    if one.left_out:
        return '<i class="dim"> … </i>'
    return f"<mark>{bare(one.text)}</mark>" if one.apart else bare(one.text)


def _fact(cell: Cell) -> str:
    return f' <small class="fact">{text(cell.fact)}</small>' if cell.fact else ""


_INSIDES = {RowKind.TURN: _turns, RowKind.CALL: _calls, RowKind.ANSWER: _answers}
