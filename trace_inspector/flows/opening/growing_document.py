"""A document that another program goes on writing: only what is new is parsed, where it comes in lines.

What it gives each time equals what `stream_file` gives of a file with the bytes that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.reading.growing_lines import GrowingLines
from trace_inspector.documents.reading.reading import stamp_at
from trace_inspector.flows.opening.open_file import (
    BytesRead,
    Recognised,
    at_the_top,
    items_in,
    stream_file,
    without_findings,
)
from trace_inspector.formats import BY_NAME, recognise
from trace_inspector.formats.common.format import Continued, Format, Source
from trace_inspector.regular_file import opened

Items: TypeAlias = Iterator[Recognised | BytesRead | Item]

_RECOGNISED_BY = 200  # lines at the beginning, of which no recogniser looks at more
_PLACED = 1_000  # findings that get line and column; more say the same


class GrowingDocument:
    """The state of one file between two looks at it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: GrowingLines | None = GrowingLines(path)
        self._refused: Stamp | None = None  # the file that is not to be read line by line
        self._values: list[Json] = []  # of all lines; of a format that continues them, of the first ones
        self._format: Format | None = None
        self._continued: Continued | None = None
        self._count = 0
        self._in_lines = False
        self._begins_again = False
        self.goes_on = False  # whether what is given now begins with what was given the last time

    @property
    def is_behind(self) -> bool:
        """Whether the file is longer than what was read of it."""
        return self._lines is not None and self._lines.is_behind

    @property
    def has_rest(self) -> bool:
        """Whether the last line has no end yet, so that only `whole` reads it."""
        return self._lines is not None and self._lines.has_rest

    @property
    def is_continued(self) -> bool:
        """Whether what has no news is given as the same objects as the last time."""
        return self._continued is not None

    @property
    def taken_bytes(self) -> int:
        """How much of the file was taken line by line; 0 where it is read as a whole."""
        return self._lines.taken_bytes if self._lines is not None else 0

    @property
    def reads_lines(self) -> bool:
        """Whether the last look took line by line what was new."""
        return self._in_lines

    def is_whole(self) -> bool:
        """Whether all that was read line by line is still in the file: compares every byte."""
        return self._lines is None or self._lines.is_unchanged()

    def begin_again(self) -> None:
        """Read the file from its beginning at the next look."""
        self._lines, self._refused = GrowingLines(self.path), None
        self._values, self._continued, self._format, self._count = [], None, None, 0
        self._begins_again, self.goes_on = True, False

    def items(
        self, tick: Callable[[], None], *, whole: bool = False, until: int | None = None, known: int = 0
    ) -> Items:
        """What is in the file now, of its whole lines; `whole`: also of what follows on them.

        `known`: how many traces at the beginning whoever asks has from the last time.
        """
        self.goes_on = not self._begins_again
        self._in_lines = self._takes_lines(until) and not (whole and self.has_rest)
        self.goes_on = self.goes_on and self._lines is not None
        return self._of_lines(tick, known) if self._in_lines else stream_file(self.path, tick, in_haste=True)

    def _takes_lines(self, until: int | None) -> bool:
        now = stamp_at(self.path)
        refused = self._refused
        if refused and now and (now.inode != refused.inode or now.size < refused.size):
            self.begin_again()  # another file stands there
        if self._lines is None:
            self._refused = now
            return False
        try:
            taken = self._more(until)
            if not taken:
                self.begin_again()  # perhaps it was only written anew
                taken = self._more(until)
        except OSError:
            return False  # a reading of the whole file says why
        if not taken:
            self._lines, self._refused = None, now
        return taken

    def _more(self, until: int | None) -> bool:
        """Take what is new: all that there is, where rows are shown that must not go meanwhile."""
        lines = self._lines
        at_once = until is not None or self._begins_again
        taken = lines is not None
        while lines is not None and taken:
            taken = lines.more(until)
            self._take(lines.new)
            if not (at_once and lines.is_behind):
                break
        self._begins_again = self._begins_again and not taken
        return taken

    def _take(self, new: list[Json]) -> None:
        values, count = self._values, self._count + len(new)
        if self._continued is None or len(values) < _RECOGNISED_BY:
            values.extend(new)
        if self._format is None or self._count < _RECOGNISED_BY:
            known, self._format = self._format, recognise(values)
            if known is None or self._format is not known:
                self._continued = None
                if self._format is not None and self._format.continued and BY_NAME[self._format.name] is self._format:
                    self._continued = self._format.continued()()
                    self._continued.take(values, 0)
                    new = []
        if self._continued is not None:
            self._continued.take(new, self._count)
            del values[_RECOGNISED_BY:]
        self._count = count

    def _of_lines(self, tick: Callable[[], None], known: int) -> Items:
        lines, file_format = self._lines, self._format
        if lines is None:
            return
        yield Recognised(file_format.name if file_format else "")
        findings: list[Finding] = []
        source = Source(self._values, self.path.name, tick)
        if file_format is not None and self._continued is not None:
            items = self._continued.items
            file_format = file_format.read_by(lambda _source: items(known))
        yield from without_findings(items_in(file_format, source, self.path), findings)
        yield BytesRead(lines.digest, size_bytes=lines.taken_bytes)
        yield from at_the_top(self._placed(lines, findings))

    def _placed(self, lines: GrowingLines, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Findings with the line that they are about, which is read for it, and the column."""
        from trace_inspector.documents.editing.places import with_places

        for number, finding in enumerate(findings):
            first, _, rest = finding.pointer[1:].partition("/")
            if finding.line or not first.isdecimal() or number >= _PLACED:
                yield finding
                continue
            start, end, line = lines.line_at(int(first))
            with opened(self.path) as file:
                file.seek(start)
                data = file.read(end - start).rstrip()
            one = Document(self.path, data, Container.JSON, None, plain=True)
            (placed,) = with_places(one, [replace(finding, pointer=f"/{rest}" if rest else "")])
            yield replace(finding, line=line, column=placed.column or 1)
