"""The rows of a document that grows: traces that are the very same as the last time are not written again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct, field

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.row_writer import RowMark, RowWriter
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict

_Written: TypeAlias = Suite | Trace | Turn


class _Segment(Struct):
    """A suite or trace with its turns, as they were written."""

    mark: RowMark
    items: list[_Written] = field(default_factory=list)


class GrowingRows:
    """Takes a `RowWriter`'s place. After each pass `begins` tells from where on rows were written."""

    def __init__(self) -> None:
        self.begins = RowMark()
        self._writer = RowWriter()
        self._segments: list[_Segment] = []
        self._kept = False
        self._is_same = False
        self._segment = self._item = 0  # of the next item that would be the same

    def begin(self, *, kept: bool) -> None:
        """Begin another pass. With `kept`, its items may be the same objects as in the next pass."""
        self._is_same = kept and self._kept
        self._kept = kept
        self._segment = self._item = 0
        if not self._is_same:
            self._writer, self._segments, self.begins = RowWriter(), [], RowMark()

    @property
    def known(self) -> int:
        """How many traces and suites of the last pass the next one may leave out, where they are the same."""
        return len(self._segments) if self._kept else 0

    @property
    def untaken(self) -> int:
        """How many rows were not taken yet."""
        return self._writer.untaken

    def row_about(self, verdict: CaseVerdict) -> int:
        """The row that a verdict is about."""
        return self._writer.row_about(verdict)

    def take(self) -> RowBatch:
        """The rows since the last call."""
        return self._writer.take()

    def keep(self, traces: int) -> None:
        """Pass over so many at the beginning, of those that are `known`."""
        self._segment, self._item = traces - 1, len(self._segments[traces - 1].items)

    def steps(self, item: _Written) -> Iterator[None]:
        """Write an item, unless it is the same as the last time and everything before it as well."""
        if self._is_same:
            if self._takes(item):
                return
            yield from self._part(begins=_begins(item))
        yield from self._write(item)

    def finish(self) -> Iterator[None]:
        """Write what was kept back; what follows in the rows of the last time is gone."""
        if self._is_same:
            yield from self._part(begins=True)
        yield from self._writer.finish()

    def _takes(self, item: _Written) -> bool:
        """Whether it is the next item of the last time."""
        segments = self._segments
        if self._segment < len(segments) and self._item == len(segments[self._segment].items):
            if not _begins(item):
                return False
            self._segment, self._item = self._segment + 1, 0
        if self._segment >= len(segments) or segments[self._segment].items[self._item] is not item:
            return False
        self._item += 1
        return True

    def _part(self, *, begins: bool) -> Iterator[None]:
        """From here on the rows are others. `begins`: a whole trace ends before them."""
        self._is_same = False
        segments = self._segments
        if begins and self._segment < len(segments) and self._item == len(segments[self._segment].items):
            self._segment, self._item = self._segment + 1, 0
        if self._segment >= len(segments):
            self.begins = self._writer.mark()
            return
        parted = segments[self._segment]
        del segments[self._segment :]
        self.begins = parted.mark
        self._writer.cut(parted.mark)
        for item in parted.items[: self._item]:
            yield from self._write(item)

    def _write(self, item: _Written) -> Iterator[None]:
        if self._kept:
            if _begins(item):
                yield from self._writer.finish()
                self._segments.append(_Segment(self._writer.mark()))
            self._segments[-1].items.append(item)
        yield from self._writer.steps(item)


def _begins(item: _Written) -> bool:
    return isinstance(item, Suite) or (isinstance(item, Trace) and item.goes_on is None)
