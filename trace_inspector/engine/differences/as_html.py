"""`html`: both sides in columns on common rows, in one page that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from trace_inspector.core.summary import compact, one_line
from trace_inspector.core.values import Absent, Json
from trace_inspector.engine.differences.compared import Compared
from trace_inspector.engine.differences.comparison import Differences, SidePair
from trace_inspector.engine.differences.rows import Relation, Row, rows_of
from trace_inspector.engine.differences.rule import Comparison
from trace_inspector.engine.differences.words import Piece, word_pieces
from trace_inspector.engine.reports.html_parts import bare, more, text
from trace_inspector.engine.reports.html_style import Filter, page, style, switches

_MOST_ROWS = 5_000
_STYLE = """
table.sides { width: 100%; table-layout: fixed; }
.sides th:nth-child(2), .sides td:nth-child(2) { width: 9rem; text-align: center; }
.sides td { max-width: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.sides td.gap { background: repeating-linear-gradient(45deg, transparent 0 6px, var(--line) 6px 7px); }
.sides tr.turn th { background: var(--shade); }
.sides tr.parting td { border-top: 2px solid var(--warn); }
.sides .why { display: block; white-space: normal; font-size: .85em; color: var(--dim); }
.counts .why { color: var(--bad); }
del, ins { text-decoration: none; border-radius: 3px; padding: 0 .1em; }
del { background: #f3df9b; color: #3b2f00; }
ins { background: #d9c9f5; color: #2a1257; }
"""
_FILTERS = (Filter("all", "everything"), Filter("differing", "only differences", ".differs"))


def write(found: Differences) -> str:
    """The sentences, then each pair of conversations."""
    verdict = found.verdict
    body = [
        f"<h1>{verdict}</h1>",
        *(f"<p>{_against(side)}</p>" for side in found.sides),
        *(f'<p class="note">{text(note)}</p>' for note in found.notes),
        f'<p class="note">Compared by {text(found.rule.title)}: {escape(found.rule.meaning)}.</p>',
        switches(_FILTERS),
        "<main>",
        *_sides(found),
        "</main>",
    ]
    return page(f"Trace Inspector: {verdict.lower()}", "\n".join(body), style(_FILTERS) + _STYLE)


def _against(side: SidePair) -> str:
    return f"{text(side.left_path)} against {text(side.right_path)}: {text(side.sentence)}"


def _sides(found: Differences) -> Iterator[str]:
    tables = [(side, pair, list(rows_of(pair, found.rule, same=True))) for side in found.sides for pair in side.pairs]
    # What differs comes first, wherever it stands: it is what the page is for.
    for_differing = _MOST_ROWS
    for_same = max(0, _MOST_ROWS - sum(_is_told(row) for _side, _pair, rows in tables for row in rows))
    for side, pair, rows in tables:
        shown = []
        for row in rows:
            if _is_told(row) and for_differing > 0:
                for_differing -= 1
                shown.append(row)
            elif not _is_told(row) and for_same > 0:
                for_same -= 1
                shown.append(row)
        yield _heading(side, pair)
        yield _table(shown, found.rule) + more(len(rows) - len(shown), "row")


def _is_told(row: Row) -> bool:
    return row.relation is not Relation.SAME or row.parts


def _heading(side: SidePair, pair: Compared) -> str:
    named = " and ".join(text(name, 200) for name in dict.fromkeys((pair.left_name, pair.right_name)) if name)
    label = f"{escape(side.label)}: " if side.label else ""
    return f"<h2>{label}{named}</h2>"


def _table(rows: list[Row], rule: Comparison) -> str:
    lines = []
    turn = 0
    for row in rows:
        if row.turn != turn:
            turn = row.turn
            lines.append(f'<tr class="turn case differs"><th colspan="3" scope="rowgroup">Turn {turn}</th></tr>')
        lines.append(_row(row))
    head = f"<tr><th>first side</th><th>{escape(rule.title)}</th><th>second side</th></tr>"
    return (
        f'<div class="wide"><table class="sides"><thead>{head}</thead><tbody>{"".join(lines)}</tbody></table></div>'
    )


def _row(row: Row) -> str:
    kinds = ["case", *(["differs"] if _is_told(row) else [])]
    kinds += ["counts"] if row.counts else []
    kinds += ["parting"] if row.parts else []
    left, right = _cells(row)
    why = row.why if row.relation is not Relation.SAME else "another call was made before it"
    why = "They part here: " + why if row.parts else why
    said = f'<span class="why">{escape(why)}</span>' if _is_told(row) else ""
    middle = escape(row.relation.value) + said
    return f'<tr class="{" ".join(kinds)}">{_cell(left)}<td>{middle}</td>{_cell(right)}</tr>'


def _cell(ready: str) -> str:
    return f"<td>{ready}</td>" if ready else '<td class="gap"></td>'


def _cells(row: Row) -> tuple[str, str]:
    if row.relation is Relation.ANSWER:
        left, right = word_pieces(row.left, row.right)
        return _marked(left, "del") or "<i>no words</i>", _marked(right, "ins") or "<i>no words</i>"
    if row.relation is Relation.ARGUMENTS:
        name = text(one_line(row.left.partition("(")[0], 200))
        left_rows = "".join(f"\n  {_name(one.name)}<del>{_value(one.left)}</del>" for one in row.arguments)
        right_rows = "".join(f"\n  {_name(one.name)}<ins>{_value(one.right)}</ins>" for one in row.arguments)
        return name + left_rows, name + right_rows
    return (text(row.left) if row.left else ""), (text(row.right) if row.right else "")


def _name(name: str) -> str:
    return f"{text(name, 200)}: " if name else ""


def _value(value: Json | Absent) -> str:
    return "(absent)" if isinstance(value, Absent) else text(compact(value, 400))


def _marked(pieces: list[Piece], tag: str) -> str:
    inside = "".join(bare(piece.text) if piece.shared else f"<{tag}>{bare(piece.text)}</{tag}>" for piece in pieces)
    return f"<bdi>{inside}</bdi>" if inside else ""
