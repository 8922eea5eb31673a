"""The whole texts of rows, whose lines show 200 characters; and searching them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.models.base.row_table import RowTable

_MOST_DEEP = 60
_ROWS_A_STEP = 2_000
_SHORT_CHARS = 100  # a shorter line of these kinds has the whole text, if nothing was cut
_MOST_ARGUMENTS = 12
_CUT = ("…", "{}", "[]")
_TOLD_IN_LINE = frozenset({Kind.TURN, Kind.TEXT, Kind.CALL, Kind.RESULT, Kind.ANSWER, Kind.EVENT})
_QUIET = frozenset({"place", "call_id", "id", "span_id"})  # not searched


def texts_of(table: RowTable, row: int) -> Iterator[str]:
    """The texts of a row's own object, without those of the rows below it."""
    thing = table.thing(row)
    kind = table.kind(row)
    if isinstance(thing, Turn):
        yield from _strings(thing.user, 0)
    elif isinstance(thing, Event):
        yield from _strings((thing.state_delta, thing.error) if kind is not Kind.EVENT else (), 0)
    else:
        yield from _strings(thing, 0)


def hides_words(table: RowTable, row: int) -> bool:
    """Whether a row's object may have more text than its line."""
    label = table.label(row)
    if table.kind(row) not in _TOLD_IN_LINE or len(label) >= _SHORT_CHARS:
        return True
    return any(sign in label for sign in _CUT) or label.count("=") >= _MOST_ARGUMENTS


def spellings(value: str) -> tuple[bytes, ...]:
    """The forms of a text in JSON bytes, in which A to Z were converted to lower case."""
    forms = {value, value.lower(), value.upper(), value.capitalize(), value.title()}
    return tuple({form.encode("utf-8", "surrogatepass").lower() for form in forms if form})


class BodyRows:
    """The rows of each body, listed in batches."""

    def __init__(self, table: RowTable, first: int = 0) -> None:
        self._table = table
        self._first: dict[int, list[int]] = {}  # body → starts of its ranges of rows
        self._last = -1  # the body of the last row listed
        self._listed = first

    def listing(self) -> bool:
        """List another batch of rows; false when there are no more."""
        stop = min(self._listed + _ROWS_A_STEP, len(self._table))
        for row, body in enumerate(self._table.columns.body[self._listed : stop], self._listed):
            if body != self._last:
                self._first.setdefault(body, []).append(row)
                self._last = body
        more, self._listed = stop > self._listed, stop
        return more

    @property
    def finished(self) -> bool:
        """Whether all rows so far are listed."""
        return self._listed >= len(self._table)

    def cut(self, row: int, body: int) -> None:
        """List the rows from one on again, which look into that body and those behind it."""
        self._first = {number: starts for number, starts in self._first.items() if number < body}
        self._listed, self._last = min(self._listed, row), -1

    def of(self, body: int) -> Iterator[int]:
        """The rows of a body: mostly consecutive ones, but in long turns a result is next to its call."""
        column = self._table.columns.body
        for first in self._first.get(body, ()):
            yield from takewhile(lambda row: column[row] == body, range(first, len(column)))


class BodySearch:
    """Searches a table's bodies for several values, in batches; unpickles only those that may contain one."""

    def __init__(self, table: RowTable, values: Sequence[tuple[str, ...]]) -> None:
        self._table = table
        self._values = values
        self._spelled = [tuple(form for value in some for form in spellings(value)) for some in values]
        self._rows = BodyRows(table)
        self._done = 0

    @property
    def finished(self) -> bool:
        """Whether all bodies so far were searched."""
        return self._rows.finished and self._done >= len(self._table.bodies())

    @property
    def left(self) -> int:
        """How many bodies were not searched yet."""
        return len(self._table.bodies()) - self._done

    def cut(self, row: int) -> None:
        """Search the bodies of the rows from one on again."""
        bodies = self._table.columns.body
        body = next((number for number in bodies[row:] if number >= 0), len(self._table.bodies()))
        self._rows.cut(row, body)
        self._done = min(self._done, body)

    def step(self) -> Iterator[tuple[int, int]]:
        """Search the next few bodies; returns which values were found in which rows."""
        if self._rows.listing():
            return
        number, self._done = self._done, self._done + 1
        data = bytes(self._table.bodies()[number]).lower()
        for which, forms in enumerate(self._spelled):
            if any(form in data for form in forms):
                rows = [row for row in self._rows.of(number) if hides_words(self._table, row)]
                yield from ((which, row) for row in rows if self._has(row, which))

    def _has(self, row: int, which: int) -> bool:
        folded = [value.casefold() for value in self._values[which]]
        return any(value in text.casefold() for text in texts_of(self._table, row) for value in folded)


def rows_that_may_hold(table: RowTable, value: str, first: int = 0) -> Iterator[Iterable[int]]:
    """Body by body, the rows from one on of those that contain the value in any case; of all for an empty value."""
    rows, forms = BodyRows(table, first), spellings(value)
    while rows.listing():
        yield ()
    begins = min((number for number in table.columns.body[first:] if number >= 0), default=len(table.bodies()))
    for number in range(begins, len(table.bodies())):
        data = bytes(table.bodies()[number]).lower() if forms else b""
        yield rows.of(number) if not forms or any(form in data for form in forms) else ()


def _strings(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _MOST_DEEP:
        if isinstance(value, dict):
            for key, item in value.items():
                yield from _strings(key, depth + 1)
                yield from _strings(item, depth + 1)
        elif isinstance(value, list | tuple):
            for item in value:
                yield from _strings(item, depth + 1)
        elif isinstance(value, Struct):
            for name in value.__struct_fields__:
                if name not in _QUIET:
                    yield from _strings(getattr(value, name), depth + 1)
