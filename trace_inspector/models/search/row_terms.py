"""Evaluates one term of a filter for rows by column, with a byte for each row; and for a single ghost."""

from __future__ import annotations

import operator
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from re import compile as pattern
from typing import NamedTuple, TypeVar

from trace_inspector.core.rows.rows import NO_TOKENS, Flag, Kind, TextColumn
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.models.base.row_table import TOP, Ghost, RowTable
from trace_inspector.models.search.filter_language import Comparator, Term
from trace_inspector.models.search.verdict_column import MARKS

MarksOf = Callable[[Sequence[int]], bytearray]  # the number of each row's mark
BucketOf = Callable[[int], Bucket | None]
NO, YES, INHERITS = 0, 1, 2  # INHERITS: the result of the parent row

_WORDS_OF_MARKS = {"failed": "failed", "passed": "passed", "warning": "error", "none": "none", "pending": "pending",
                   "info": "info", "skip": "skipped", "missing": "missing", "extra": "extra", "differs": "differs",
                   "unsupported": "unsupported", "no": "contradictory", "disputed": "disputed",
                   "unknown": "cannot_tell"}  # fmt: skip
_TRAITS = {"error": Flag.ERROR, "guessed": Flag.GUESSED, "plumbing": Flag.PLUMBING, "transfer": Flag.TRANSFER}
_COMPARED: Mapping[Comparator, Callable[[float, float], bool]] = {
    Comparator.IS: operator.eq,
    Comparator.OVER: operator.gt,
    Comparator.UNDER: operator.lt,
    Comparator.AT_LEAST: operator.ge,
    Comparator.AT_MOST: operator.le,
}
_CALL, _TURN = int(Kind.CALL), int(Kind.TURN)
_GATHERING = frozenset((int(Kind.SUITE), int(Kind.RUNS)))
_KIND_OF_GHOST = {Kind.MISSING_CALL: "call", Kind.MISSING_TURN: "turn"}
Number = TypeVar("Number", int, float)


class RowVerdicts(NamedTuple):
    """Verdicts on rows: their marks, and how cases and traces failed."""

    marks_of: MarksOf
    bucket_of: BucketOf = lambda _row: None


class RowSlice:
    """Some rows of a table in ascending order; a range of them is read at once."""

    def __init__(self, table: RowTable, rows: Sequence[int]) -> None:
        self.table = table
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def marks(self, whole: bytearray) -> bytearray:
        """The values of a column of bytes."""
        rows = self.rows
        if isinstance(rows, range):
            return whole[rows.start : rows.stop]
        return bytearray(map(whole.__getitem__, rows))

    def numbers(self, whole: array[Number]) -> Sequence[Number]:
        """The values of a column of numbers."""
        rows = self.rows
        if isinstance(rows, range):
            return whole[rows.start : rows.stop]
        return [whole[row] for row in rows]

    def labels(self) -> TextColumn:
        """The lines of the rows."""
        rows, labels = self.rows, self.table.columns.label
        if isinstance(rows, range):
            return labels.slice(rows.start, rows.stop)
        return TextColumn(labels[row] for row in rows)

    def holding(self, rows: Iterable[int]) -> bytearray:
        """A byte for each row of the slice: YES for the given rows."""
        holds = bytearray(len(self.rows))
        for row in rows:
            index = row - self.rows.start if isinstance(self.rows, range) else bisect_left(self.rows, row)
            if 0 <= index < len(holds) and self.rows[index] == row:
                holds[index] = YES
        return holds


def holding(term: Term, piece: RowSlice, judged: RowVerdicts) -> bytearray:
    """For each row whether the term holds, before negation; INHERITS leaves it to the parent row."""
    holds = _MEANINGS[term.field.name](term, piece, judged)
    return bytearray(holds.translate(_ELSE_INHERITS)) if term.field.context else holds


def holds_for_ghost(term: Term, ghost: Ghost, around: bool) -> bool:
    """Whether the term holds for a ghost; `around`: whether it holds for the parent row."""
    meaning = _GHOST_MEANINGS.get(term.field.name)
    return meaning is not None and meaning(term, ghost, around)


_ELSE_INHERITS = bytes([INHERITS, YES]) + bytes(254)


def _verdict(term: Term, piece: RowSlice, judged: RowVerdicts) -> bytearray:
    words = [_WORDS_OF_MARKS.get(mark) for mark in MARKS]
    fits = bytes(INHERITS if word is None else word in term.values for word in words)
    holds = judged.marks_of(piece.rows).translate(fits + bytes(256 - len(fits)))
    kinds = piece.marks(piece.table.columns.kind)
    if not term.negated and any(kind in kinds for kind in _GATHERING):
        # A suite has the mark of its worst case: if it matched by that, all of its cases would be shown.
        return bytearray(NO if kind in _GATHERING else answer for answer, kind in zip(holds, kinds, strict=True))
    return bytearray(holds)


def _case(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits, table = _globs(term.values, inside=True), piece.table
    return piece.holding(row for row in _tops(piece) if any(map(fits, _names(table, row))))


def _triage(term: Term, piece: RowSlice, judged: RowVerdicts) -> bytearray:
    buckets = {Bucket[value.upper()] for value in term.values}
    return piece.holding(row for row in _tops(piece) if judged.bucket_of(row) in buckets)


def _candidate(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits, details = _globs(term.values, inside=True), piece.table.details
    return piece.holding(row for row in _tops(piece) if (name := details.of(row).candidate) and fits(name))


def _persona(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits, details = _globs(term.values, inside=True), piece.table.details
    return piece.holding(row for row in _tops(piece) if (name := details.of(row).persona) and fits(name))


def _run(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    holds, details = _COMPARED[term.compare], piece.table.details
    return piece.holding(row for row in _tops(piece) if (run := details.of(row).run) and holds(run, term.number))


def _mode(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    return _marked(term, piece, piece.table.modes)


def _cause(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    return _marked(term, piece, piece.table.causes)


def _marked(term: Term, piece: RowSlice, marks: Mapping[int, tuple[str, ...]]) -> bytearray:
    fits = _globs(term.values)
    return piece.holding(row for row, names in marks.items() if any(map(fits, names)))


def _turn(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    holds, table = _COMPARED[term.compare], piece.table
    turns = _of_kind(piece, _TURN)
    return piece.holding(row for row in turns if holds(table.order_of(row) + 1, term.number))


def _tool(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits, label = _globs(term.values), piece.table.columns.label
    names = {row: label[row].partition("(")[0] for row in _of_kind(piece, _CALL)}
    fitting = {name for name in set(names.values()) if fits(name)}
    return piece.holding(row for row, name in names.items() if name in fitting)


def _agent(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits, columns = _globs(term.values), piece.table.columns
    authors = {number for number, name in enumerate(columns.authors) if name and fits(name)}
    return bytearray([author in authors for author in piece.numbers(columns.author)])


def _kind(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    fits = bytes(int(kind.name.lower() in term.values) for kind in Kind)
    return bytearray(piece.marks(piece.table.columns.kind).translate(fits + bytes(256 - len(fits))))


def _trait(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    flags_sought = Flag(0)
    for value in term.values:
        flags_sought |= _TRAITS[value]
    flags = piece.marks(piece.table.columns.flag)
    return bytearray(flags.translate(bytes(int(bool(flag & flags_sought)) for flag in range(256))))


def _latency(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    holds, limit = _COMPARED[term.compare], term.number  # a missing time never matches
    return bytearray([holds(value, limit) for value in piece.numbers(piece.table.columns.duration_s)])


def _tokens(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    holds, limit = _COMPARED[term.compare], term.number
    counts = piece.numbers(piece.table.columns.tokens)
    return bytearray([count != NO_TOKENS and holds(count, limit) for count in counts])


def _text(term: Term, piece: RowSlice, _judged: RowVerdicts) -> bytearray:
    labels, rows = piece.labels(), piece.rows
    return piece.holding(rows[index] for value in term.values for index in labels.containing(one_line(value)))


def _names(table: RowTable, top: int) -> Iterator[str]:
    """The names of a case or trace; a run of a case also has the name of the case."""
    yield table.label(top)
    yield table.name(top)
    above = table.parent(top)
    if above != TOP and table.kind(above) is Kind.RUNS:
        yield table.label(above)


def _tops(piece: RowSlice) -> Sequence[int]:
    """The cases and traces among the rows, or between the first and the last row."""
    tops, rows = piece.table.tops, piece.rows
    return tops[bisect_left(tops, rows[0]) : bisect_left(tops, rows[-1] + 1)] if rows else []


def _of_kind(piece: RowSlice, kind: int) -> Iterable[int]:
    kinds = piece.marks(piece.table.columns.kind)
    index = kinds.find(kind)
    while index >= 0:
        yield piece.rows[index]
        index = kinds.find(kind, index + 1)


def _globs(values: Sequence[str], *, inside: bool = False) -> Callable[[str], bool]:
    """A test whether a name matches one of the patterns; with `inside`, one without wildcards may be a part of it."""
    made = pattern("|".join(translate(f"*{value}*" if inside and "*" not in value else value) for value in values))
    return lambda name: made.match(name.casefold()) is not None


_MEANINGS: Mapping[str, Callable[[Term, RowSlice, RowVerdicts], bytearray]] = {
    "verdict": _verdict,
    "triage": _triage,
    "case": _case,
    "candidate": _candidate,
    "persona": _persona,
    "run": _run,
    "turn": _turn,
    "mode": _mode,
    "cause": _cause,
    "tool": _tool,
    "agent": _agent,
    "kind": _kind,
    "is": _trait,
    "latency": _latency,
    "tokens": _tokens,
    "text": _text,
}
# Terms about what no ghost has, like a time or an author, are not in the table: they never hold.
_GHOST_MEANINGS: Mapping[str, Callable[[Term, Ghost, bool], bool]] = {
    "verdict": lambda term, _ghost, _around: "missing" in term.values,
    **dict.fromkeys(
        ("triage", "case", "candidate", "persona", "run", "mode", "cause"), lambda _term, _ghost, around: around
    ),
    "turn": lambda term, ghost, around: (
        _COMPARED[term.compare](ghost.golden_index + 1, term.number) if ghost.kind is Kind.MISSING_TURN else around
    ),
    "tool": lambda term, ghost, _around: (
        ghost.kind is Kind.MISSING_CALL and _globs(term.values)(ghost.label.partition("(")[0])
    ),
    "kind": lambda term, ghost, _around: _KIND_OF_GHOST[ghost.kind] in term.values,
    "text": lambda term, ghost, _around: any(value in ghost.label.casefold() for value in term.values),
}
