"""What a filter means for rows: which match, and which are shown with them. By columns, for 100,000 rows at once.

A row matches when every term holds for it. Terms of a `context` (case, turn) also hold for all that lies in a row
that they hold for; a verdict also holds for what has none of its own. Shown are the rows that match, those they lie
in, and those that lie in them.
"""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import translate
from itertools import compress, count
from re import compile as pattern

from trace_inspector.core.rows import NO_TOKENS, Flag, Kind, RowBatch
from trace_inspector.core.summary import one_line
from trace_inspector.models.filter_language import Compare, Term
from trace_inspector.models.row_table import RowTable

MarkOf = Callable[[int], str]

_WORDS_OF_MARKS = {"failed": "failed", "passed": "passed", "warning": "error", "none": "none", "pending": "pending",
                   "info": "info", "skip": "skipped", "missing": "missing", "extra": "extra", "differs": "differs",
                   "unsupported": "unsupported", "no": "contradictory", "disputed": "disputed"}  # fmt: skip
_TRAITS = {"error": Flag.ERROR, "guessed": Flag.GUESSED, "plumbing": Flag.PLUMBING, "transfer": Flag.TRANSFER}
_COMPARED: Mapping[Compare, Callable[[float, float], bool]] = {
    Compare.IS: operator.eq,
    Compare.OVER: operator.gt,
    Compare.UNDER: operator.lt,
    Compare.AT_LEAST: operator.ge,
    Compare.AT_MOST: operator.le,
}
_CALL = int(Kind.CALL)
_JUDGED = frozenset(
    int(kind) for kind in (Kind.SUITE, Kind.CASE, Kind.TRACE, Kind.TURN, Kind.EVENT, Kind.CALL, Kind.ANSWER)
)


def matching(terms: Sequence[Term], table: RowTable, mark_of: MarkOf) -> bytearray:
    """One byte a row: 1 where every term holds."""
    rows = table.columns
    found = bytearray(b"\1") * len(rows)
    for term in terms:
        holds = _MEANINGS[term.field.name](term, table, rows, mark_of)
        if term.field.context:
            _pass_down(holds, rows.parent)
        if term.negated:
            holds = bytearray(holds.translate(_TURNED))
        found = bytearray(map(operator.and_, found, holds))
    return found


def shown(found: bytearray, parents: Sequence[int]) -> bytearray:
    """The rows that match, what they lie in, and what lies in them."""
    inside = bytearray(found)
    _pass_down(inside, parents)
    for row in compress(count(), found):
        parent = parents[row]
        while parent >= 0 and not inside[parent]:
            inside[parent] = 1
            parent = parents[parent]
    return inside


_TURNED = bytes([1, 0]) + bytes(254)


def _pass_down(holds: bytearray, parents: Sequence[int]) -> None:
    """Parents stand before their children."""
    for row, parent in enumerate(parents):
        if parent >= 0 and holds[parent]:
            holds[row] = 1


def _of(rows: Iterable[int], length: int) -> bytearray:
    holds = bytearray(length)
    for row in rows:
        holds[row] = 1
    return holds


def _verdict(term: Term, _table: RowTable, rows: RowBatch, mark_of: MarkOf) -> bytearray:
    wanted = set(term.values)
    holds = bytearray(len(rows))
    for row, (kind, parent) in enumerate(zip(rows.kind, rows.parent, strict=True)):
        word = _WORDS_OF_MARKS.get(mark_of(row), "") if kind in _JUDGED else ""
        holds[row] = word in wanted if word else parent >= 0 and holds[parent]
    return holds


def _case(term: Term, table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    fits = _globs(term.values, inside=True)
    return _of((row for row in table.tops if fits(rows.label[row])), len(rows))


def _turn(term: Term, table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    holds = _COMPARED[term.compare]
    numbered = ((number, row) for top in table.tops for number, row in enumerate(table.turns(top), 1))
    return _of((row for number, row in numbered if holds(number, term.number)), len(rows))


def _tool(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    fits = _globs(term.values)
    calls = [row for row, kind in enumerate(rows.kind) if kind == _CALL]
    names = [rows.label[row].partition("(")[0] for row in calls]
    fitting = {name for name in set(names) if fits(name)}
    return _of((row for row, name in zip(calls, names, strict=True) if name in fitting), len(rows))


def _agent(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    fits = _globs(term.values)
    wanted = {number for number, name in enumerate(rows.authors) if name and fits(name)}
    return bytearray([author in wanted for author in rows.author])


def _kind(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    wanted = bytes(int(kind.name.lower() in term.values) for kind in Kind)
    return bytearray(rows.kind.translate(wanted + bytes(256 - len(wanted))))


def _trait(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    wanted = Flag(0)
    for value in term.values:
        wanted |= _TRAITS[value]
    return bytearray(rows.flag.translate(bytes(int(bool(flag & wanted)) for flag in range(256))))


def _latency(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    return _measured(term, rows.duration_s)  # no time recorded compares with nothing


def _tokens(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    holds, limit = _COMPARED[term.compare], term.number
    return bytearray([count != NO_TOKENS and holds(count, limit) for count in rows.tokens])


def _text(term: Term, _table: RowTable, rows: RowBatch, _mark_of: MarkOf) -> bytearray:
    return _of((row for value in term.values for row in rows.label.containing(one_line(value))), len(rows))


def _measured(term: Term, values: array[float]) -> bytearray:
    holds, limit = _COMPARED[term.compare], term.number
    return bytearray([holds(value, limit) for value in values])


def _globs(values: Sequence[str], *, inside: bool = False) -> Callable[[str], bool]:
    """Whether a name fits one of the patterns; one without stars may stand `inside` the name."""
    made = pattern("|".join(translate(f"*{value}*" if inside and "*" not in value else value) for value in values))
    return lambda name: made.match(name.casefold()) is not None


_MEANINGS: Mapping[str, Callable[[Term, RowTable, RowBatch, MarkOf], bytearray]] = {
    "verdict": _verdict,
    "case": _case,
    "turn": _turn,
    "tool": _tool,
    "agent": _agent,
    "kind": _kind,
    "is": _trait,
    "latency": _latency,
    "tokens": _tokens,
    "text": _text,
}
