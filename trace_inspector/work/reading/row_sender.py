"""In the child that reads files: sends rows as they are read, and stores them in the index cache."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.golden.golden_formats import GOLDEN_FORMATS
from trace_inspector.core.rows.contents import Contents, Holds, Item, Kept, ReadProgress
from trace_inspector.core.rows.early_rows import rows_after_early
from trace_inspector.core.rows.growing_rows import GrowingRows
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.core.rows.rows import RowBatch
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.reported import ReportedBatch
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.base.document import Document
from trace_inspector.flows.opening import index_entries
from trace_inspector.flows.opening.first_look import first_look
from trace_inspector.flows.opening.open_file import BytesRead, stream_document, stream_file
from trace_inspector.flows.opening.open_file import Recognised as Known
from trace_inspector.formats.common.format import Format
from trace_inspector.store.index_draft import Draft
from trace_inspector.work.processes.child import Channel, Progress
from trace_inspector.work.reading.file_messages import (
    REPORTED,
    BodyCompleted,
    FileRead,
    Found,
    IndexNotStored,
    ReadingRestarted,
    Recognised,
    RowsRead,
    VerdictsReported,
)
from trace_inspector.work.reading.linting import hints

_Items: TypeAlias = Iterator[Known | BytesRead | Item]
Audit = Callable[[CaseVerdict, int], tuple[Contradiction, ...]]


class Auditor:
    """Loads the engine with the first verdict: most files report none, and their first rows must not wait."""

    def __init__(self) -> None:
        self._audit: Audit | None = None

    def audit(self, verdict: CaseVerdict, turns: int) -> tuple[Contradiction, ...]:
        """Where a verdict contradicts itself; `turns` is how many turns the trace has."""
        if self._audit is None:
            from trace_inspector.engine.audit.audit import audit

            self._audit = lambda items, count: audit(items, turns=count)
        return self._audit(verdict, turns)


FIRST_STEPS = 4  # a trace and three turns: few enough to show at once, enough to fill a good part of a window
ROWS_A_BATCH = 5_000  # takes the window a few milliseconds
FINDINGS_A_MESSAGE = 500
VERDICTS_A_MESSAGE = 1_000
SEND_EVERY_S = 0.2


def read_files(channel: Channel, files: Sequence[tuple[int, str]]) -> None:
    """One after the other."""
    sizes, cache = [_size(path) for _number, path in files], index_entries.index_cache()
    for index, (number, path) in enumerate(files):
        with index_entries.draft(cache, Path(path)) as draft:
            sender = _RowSender(channel.send, number, draft, bytes_before=sum(sizes[:index]), bytes_all=sum(sizes))
            try:
                sender.send_all(Path(path))
            except InspectorError as problem:
                sender.give_up(str(problem))
            except RecursionError:
                sender.give_up(f"{path}: its values are nested too deeply to be read.")
        if draft.problem:
            channel.send(IndexNotStored(number, draft.problem))


def send_document(
    send: Callable[[object], None], number: int, document: Document, recognised: Format, tick: Callable[[], None]
) -> None:
    """Send all rows of a document, as if its file were read. Nothing is cached."""
    send(ReadingRestarted(number))
    items = stream_document(document, tick, file_format=recognised)
    send_stream(send, number, document.path, items, tick, RowWriter())


def send_stream(
    send: Callable[[object], None],
    number: int,
    path: Path,
    items: _Items,
    tick: Callable[[], None],
    writer: RowWriter | GrowingRows,
) -> None:
    """Send all that comes, written by that writer. Nothing is cached."""
    sender = _RowSender(send, number, Draft(index_entries.index_cache(), path), bytes_before=0, bytes_all=1)
    sender.tick, sender.writer = tick, writer
    sender.send_items(_ticking(items, tick), waits=True)


def _ticking(items: _Items, tick: Callable[[], None]) -> _Items:
    for item in items:
        tick()
        yield item


class _RowSender:
    """Sends one file, the first turns at once and the rest in larger helpings."""

    def __init__(
        self, send: Callable[[object], None], number: int, draft: Draft, *, bytes_before: int, bytes_all: int
    ) -> None:
        self._send = send
        self._number = number
        self._draft = draft
        self._bytes_before = bytes_before
        self._bytes_all = bytes_all
        self._reached = ReadProgress(0, 0)
        self.writer: RowWriter | GrowingRows = RowWriter()
        self._early = RowBatch()  # the rows of the preview
        self._steps = 0
        self._rows = 0
        self._sent_s = time.monotonic()
        self._findings: list[Finding] = []
        self._reported = ReportedBatch()
        self._auditor = Auditor()
        self._turns = 0  # of the trace that is read
        self._contents = Contents("")
        self._digest, self._size_bytes = "", 0
        self._pieces: Json = None
        self._suites: list[Suite] = []
        self.tick: Callable[[], None] = lambda: None

    def send_all(self, path: Path) -> None:
        """Read the file to its end."""
        self._progress()
        self._early = self._first_rows(path)
        # A person is waiting for the first turns.
        self.send_items(stream_file(path, in_haste=True, reached=self._draft.add_pieces))

    def send_items(self, items: _Items, *, waits: bool = False) -> None:
        """Send all items of a file and its end, then lints of goldens, which are not urgent."""
        for item in items:
            self._take(item)
        for _step in self.writer.finish():
            self._after_step()
        self._flush(is_end=True)
        self._send_reported()
        self._send_findings()
        self._send_holds()
        if waits:
            self._send_hints()
        self._send(FileRead(self._number, digest=self._digest, size_bytes=self._size_bytes))
        if not waits:
            self._send_hints()
        self._draft.keep(self._contents, self._digest, self._pieces)

    def give_up(self, sentence: str) -> None:
        """It cannot be read, and so nothing of it stays."""
        if len(self._early):
            self._send(ReadingRestarted(self._number))
        self._send(FileRead(self._number, sentence))

    def _first_rows(self, path: Path) -> RowBatch:
        """Send a preview of the likely first rows."""
        look, writer = first_look(path), RowWriter()
        for item in look.items:
            for _step in writer.steps(item):
                pass
        early = writer.take()
        if len(early):
            self._send(Recognised(self._number, look.format))
            self._send_rows(early)
        return early

    def _take(self, item: Known | BytesRead | Item) -> None:
        match item:
            case Suite() | Trace() | Turn():
                if isinstance(item, Suite):
                    self._suites.append(item)
                self._turns = self._turns + 1 if isinstance(item, Turn) else 0
                for _step in self.writer.steps(item):
                    self._after_step()
            case Finding():
                self._find(item)
            case Criteria():
                self._contents = replace(self._contents, criteria=item)
                self._send(Found(self._number, criteria=item))
            case Holds():
                self._contents.holds[item.what] = item.count
            case CaseVerdict():
                self._count_reported()
                turns = self._turns if item.trace_id is not None else 0
                self._reported.add(self.writer.row_about(item), item, self._auditor.audit(item, turns))
            case ReadProgress():
                self._reached = item
                self._progress()
            case _:
                self._take_about(item)

    def _take_about(self, item: Known | BytesRead | Item) -> None:
        """What is told about the file as a whole."""
        match item:
            case Kept() if isinstance(self.writer, GrowingRows):
                self.writer.keep(item.traces)
            case Known():
                self._contents = replace(self._contents, format=item.format)
                self._send(Recognised(self._number, item.format))
            case BytesRead():
                self._digest, self._pieces, self._size_bytes = item.digest, item.pieces, item.size_bytes

    def _count_reported(self) -> None:
        reported = self._contents.holds.get(REPORTED, 0)
        self._contents.holds[REPORTED] = reported + 1
        if not reported:
            self._send_holds()  # that there are some says what the file is

    def _after_step(self) -> None:
        self._steps += 1
        late = time.monotonic() - self._sent_s > SEND_EVERY_S
        if self.writer.untaken >= ROWS_A_BATCH or self._steps == FIRST_STEPS or late:
            self._flush()

    def _flush(self, *, is_end: bool = False) -> None:
        if self.writer.untaken < len(self._early) and not is_end:
            return
        batch = self.writer.take()
        self._send_rows(self._not_in_preview(batch))
        for part in batch.split(ROWS_A_BATCH) if len(batch) else ():
            self._draft.add(part)
        if len(self._reported) >= VERDICTS_A_MESSAGE:
            self._send_reported()
        self._sent_s = time.monotonic()
        self._progress()

    def _not_in_preview(self, batch: RowBatch) -> RowBatch:
        """The rows of a batch that were not in the preview."""
        early, self._early = self._early, RowBatch()
        if not len(early):
            return batch
        follows = rows_after_early(early, batch)
        if follows is None:
            self._rows = 0
            self._send(ReadingRestarted(self._number))
            return batch
        for number, body in follows.bodies.items():
            self._send(BodyCompleted(self._number, number, body))
        return follows.batch

    def _send_rows(self, batch: RowBatch) -> None:
        for part in batch.split(ROWS_A_BATCH) if len(batch) else ():
            self._send(RowsRead(self._number, part))
        self._rows += len(batch)

    def _find(self, finding: Finding) -> None:
        self._findings.append(finding)
        if len(self._findings) >= FINDINGS_A_MESSAGE:
            self._send_findings()

    def _send_findings(self) -> None:
        if self._findings:
            some, self._findings = tuple(self._findings), []
            self._send(Found(self._number, some))
            self._draft.add_findings(some)

    def _send_hints(self) -> None:
        if self._contents.format not in GOLDEN_FORMATS:  # goldens repeated in a result are not edited
            return
        for hint in hints(self._suites, self._contents.criteria, self.tick):
            self._find(hint)
        self._send_findings()

    def _send_reported(self) -> None:
        if len(self._reported):
            some, self._reported = self._reported, ReportedBatch()
            self._send(VerdictsReported(self._number, some))
            self._draft.add_reported(some)

    def _send_holds(self) -> None:
        counts = tuple(Holds(what, count) for what, count in self._contents.holds.items())
        if counts:
            self._send(Found(self._number, holds=counts))

    def _progress(self) -> None:
        """Bytes, as far as the reader says where it is; else those of the files before this one."""
        done = self._bytes_before + self._reached.done_bytes
        parts = [f"{self._rows:,} rows"] if self._rows else []
        if self._reached.done_bytes:
            parts.insert(0, f"{100 * done // self._bytes_all} % of {_megabytes(self._bytes_all)}")
        self._send(Progress(done, self._bytes_all if done else 0, " · ".join(parts)))


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
