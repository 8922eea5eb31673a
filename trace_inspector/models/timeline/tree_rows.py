"""The row of the tree for a piece of work, and the piece for a row: by binary search, because turns may be long."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.timing import NOWHERE, Form, Mark, Work, address, event_of, part_of
from trace_inspector.models.base.row_table import TOP, RowTable

_LAST = 1 << 40
_PARTED = frozenset({Kind.RESULT})


def first_span(table: RowTable, parent: int) -> int:
    """The index of the first span among the children; spans come last."""
    return bisect_left(table.children(parent), 1, key=lambda row: int(table.kind(row) is Kind.SPAN))


def row_of(table: RowTable, head: int, work: Work, piece: int) -> int:
    """The row of a piece; the head where the tree has no row for it."""
    if work.form[piece] == Form.WAIT:
        piece = work.around[piece]
    elif work.address[piece] == address(NOWHERE, NOWHERE):
        piece += 1  # a bracket without a span begins with its first inner piece
    if piece == NOWHERE:
        return head
    event, part = event_of(work.address[piece]), part_of(work.address[piece])
    children = table.children(head)
    if event == NOWHERE:
        index = first_span(table, head)
        if table.kind(head) is not Kind.TURN:  # spans outside of turns are numbered through all their bodies
            return children[index + part]
        index = bisect_left(children, part, lo=index, key=lambda row: table.address(row)[2])
        is_there = index < len(children) and table.address(children[index])[2] == part
        return children[index] if is_there else head
    row = _row_at(table, children, event, part)
    if row == TOP:
        row = next((child for child in _behind(table, children) if table.kind(child) is Kind.ANSWER), TOP)
    return head if row == TOP else row


def piece_of(table: RowTable, head: int, work: Work, row: int) -> int:
    """The piece of a row; NOWHERE for the head, and for rows without duration."""
    kind = table.kind(row)
    if kind in _PARTED and _find(work, *table.address(row)[1:]) == NOWHERE:
        row = table.parent(row)
    if row == head or not table.has(row):
        return NOWHERE
    if kind is Kind.ANSWER:
        return _last_model(work)
    _body, event, part = table.address(row)
    if kind is Kind.SPAN and table.kind(head) is not Kind.TURN:
        part = bisect_left(table.children(head), row) - first_span(table, head)
    if kind is Kind.SPAN:
        return _find(work, NOWHERE, part)
    exact = _find(work, event, part)
    return exact if exact != NOWHERE else _find(work, event, NOWHERE)


def _find(work: Work, event: int, part: int) -> int:
    try:
        return work.address.index(address(event, part))
    except ValueError:
        return NOWHERE


def _last_model(work: Work) -> int:
    for piece in range(work.timed - 1, -1, -1):
        if work.form[piece] == Form.MODEL and not work.mark[piece] & Mark.PLUMBING:
            return piece
    return NOWHERE


def _key(table: RowTable, row: int) -> int:
    """The sort key of a row: events in order; the answer and spans, which belong to no event, come last."""
    event = table.address(row)[1]
    return _LAST if event < 0 else event


def _behind(table: RowTable, children: Sequence[int]) -> Sequence[int]:
    index = bisect_left(children, _LAST, key=lambda row: _key(table, row))
    return children[index : index + 1]


def _row_at(table: RowTable, children: Sequence[int], event: int, part: int) -> int:
    index = bisect_left(children, event, key=lambda row: _key(table, row))
    first = TOP
    while index < len(children) and _key(table, children[index]) == event:
        row = children[index]
        first = row if first == TOP else first
        if part == NOWHERE or table.address(row)[2] == part:
            return row
        inner = table.children(row)
        inside = bisect_left(inner, part, key=lambda below: table.address(below)[2])
        if inside < len(inner) and table.address(inner[inside])[1:] == (event, part):
            return inner[inside]
        index += 1
    return first
