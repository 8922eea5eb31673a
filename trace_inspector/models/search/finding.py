"""Searches text in open files, verdict reasons and judge replies: hits arrive one by one; it can be stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.regrowth import Regrowth
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.search.find_query import Excerpt, Query, excerpt
from trace_inspector.models.search.whole_texts import hides_words, rows_that_may_hold, texts_of
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.reading.reply_search import ReplyFound, look_through

MOST_HITS = 10_000
BUDGET_S = 0.006
FINDING = "finding"
REASON, REPLY = "verdict", "judge reply"
_ROWS_A_STEP = 500
_WORDS_OF_KINDS = {Kind.TURN: "user", Kind.MISSING_CALL: "missing call", Kind.MISSING_TURN: "missing turn"}


class Hit(Struct, frozen=True):
    """A match. `verdict`: in a verdict on the row, not in the row itself; `reply`: digest of the judge reply."""

    selection: Selection
    where: str
    kind: str
    excerpt: Excerpt
    file: str
    verdict: bool = False
    reply: str = ""


class _Progress(Struct):
    """The progress in a file: of how many rows the lines were searched, and of how many the whole texts."""

    rows: int = 0
    rows_with_hits: set[int] = field(default_factory=set)
    whole: int = 0

    def cut(self, row: int) -> None:
        """The rows from one on are others: they are searched again."""
        self.rows, self.whole = min(self.rows, row), min(self.whole, row)
        self.rows_with_hits = {each for each in self.rows_with_hits if each < row}


class Finding(QObject):
    """One search at a time; a new one replaces the last. It continues with rows that arrive later."""

    changed = Signal()  # new hits, or the search started or ended
    began = Signal()

    def __init__(
        self,
        files: Files,
        selection: CurrentSelection,
        shown: ShownRun,
        jobs: Jobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.query: Query | None = None
        self.hits: list[Hit] = []
        self.sentence = ""  # why the search is not possible
        self.unread = 0  # files that are still being read
        self.slow = 0  # texts that took the pattern too long
        self.stopped = False
        self._files = files
        self._selection = selection
        self._shown = shown
        self._jobs = jobs
        self._steps: Iterator[Hit | None] = iter(())
        self._only: int | None = None  # the file to search, None for all
        self._progress: dict[int, _Progress] = {}
        self._verdicts = 0  # how many were searched
        self._job = 0
        self._asked: list[tuple[Selection, str, str, str]] = []  # requested replies, with digests
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        files.closed.connect(self._forget)
        files.renewed.connect(self._follow_rows)
        for signal in (files.rows_arrived, files.changed):
            signal.connect(lambda _number: self._catch_up())

    @property
    def running(self) -> bool:
        """Whether more hits may arrive."""
        return self._timer.isActive() or self._job > 0

    @property
    def full(self) -> bool:
        """Whether there are more hits than are kept."""
        return len(self.hits) >= MOST_HITS

    def start(self, query: Query) -> None:
        """Start a new search."""
        self.stop()
        self.query, self.hits, self.unread, self.slow, self.stopped = query, [], 0, 0, False
        selection = self._selection.value
        self._only = None if query.everywhere else selection.file if selection is not None else -1
        self._progress, self._asked, self._verdicts = {}, [], 0
        self.sentence = query.why_not() if query.text else ""
        self.began.emit()
        if query.text and not self.sentence:
            self._steps = self._look(query)
            self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        """Stop searching; the hits so far stay."""
        self.stopped = self.running
        self._timer.stop()
        if self._job:
            job, self._job = self._job, 0
            self._jobs.stop(job)
        self.changed.emit()

    def _step(self) -> None:
        until_s = time.perf_counter() + BUDGET_S
        for hit in self._steps:
            if hit is not None and self._files.get(hit.selection.file) is not None:
                self.hits.append(hit)
            if self.full or time.perf_counter() > until_s:
                break
        else:
            self._timer.stop()
            if not self._asked:
                self._look_through_replies()
            self._catch_up()
        if self.full:
            self._timer.stop()
        self.changed.emit()

    def _catch_up(self) -> None:
        """Continue with new rows."""
        query = self.query
        if query is None or not query.text or self.sentence or self.stopped or self.full:
            return
        if any(done.rows > len(file.table) for file in self._chosen() if (done := self._progress.get(file.number))):
            self.start(query)  # the rows of a file were replaced, so its hits may be elsewhere
            return
        unread, self.unread = self.unread, sum(file.state is FileState.LOADING for file in self._chosen())
        if not self._timer.isActive() and any(self._is_behind(file) for file in self._chosen()):
            self._steps = (hit for file in self._chosen() for hit in self._in_file(query, file))
            self._timer.start()
        if unread != self.unread:
            self.changed.emit()

    def _is_behind(self, file: OpenFile) -> bool:
        done = self._progress.get(file.number) or _Progress()
        return min(done.rows, done.whole if file.state is not FileState.LOADING else done.rows) < len(file.table)

    # Where to search

    def _chosen(self) -> list[OpenFile]:
        return [file for file in self._files if self._only in (None, file.number)]

    def _look(self, query: Query) -> Iterator[Hit | None]:
        self.unread = sum(file.state is FileState.LOADING for file in self._chosen())
        for file in self._chosen():
            yield from self._in_file(query, file)
        while query.everywhere and self._verdicts < len(self._cases()):
            self._verdicts += 1
            yield from self._in_verdict(query, self._cases()[self._verdicts - 1])

    def _in_file(self, query: Query, file: OpenFile) -> Iterator[Hit | None]:
        """Search lines first, which is fast; once the file is read, the whole texts of rows without hits."""
        table, done = file.table, self._progress.setdefault(file.number, _Progress())
        while done.rows < len(table):
            row, done.rows = done.rows, done.rows + 1
            if row % _ROWS_A_STEP == 0:
                yield None
            hit_in_line = self._hit(query, table.label(row), file, row)
            if hit_in_line:
                done.rows_with_hits.add(row)
                yield hit_in_line
        if file.state is FileState.LOADING:
            return
        for ghost_row, ghost in list(table.visible.ghosts.items()):
            if ghost_row not in done.rows_with_hits and (hit := self._hit(query, ghost.label, file, ghost_row)):
                done.rows_with_hits.add(ghost_row)
                yield hit
        count = len(table)
        for rows in rows_that_may_hold(table, "" if query.is_pattern else query.text, done.whole):
            yield None
            for row in rows:
                if row not in done.rows_with_hits and hides_words(table, row):
                    hit = next(
                        (hit for text in texts_of(table, row) if (hit := self._hit(query, text, file, row))), None
                    )
                    if hit is not None:
                        done.rows_with_hits.add(row)
                    yield hit
        done.whole = count

    def _in_verdict(self, query: Query, verdict: CaseVerdict) -> Iterator[Hit | None]:
        yield None
        for file, row, metrics, reason in self._judged(verdict):
            reasons = [("", reason), *((metric.metric, text) for metric in metrics for text in _reasons(metric))]
            for name, text in reasons:
                yield self._hit(query, text, file, row, f"{REASON} {name}".strip())

    def _look_through_replies(self) -> None:
        query = self.query
        if query is None or not query.everywhere or self.full:
            return
        self._asked = [
            (Selection(file.number, row), _where(file, row), f"{REPLY} {metric.metric}", digest)
            for verdict in self._cases()
            for file, row, metrics, _reason in self._judged(verdict)
            for metric in metrics
            for digest in metric.replies
        ]
        if self._asked:
            digests = [digest for *_rest, digest in self._asked]
            self._job = self._jobs.start(
                FINDING,
                "Searching judge replies",
                look_through,
                (digests, query),
                receive=self._take,
                end=self._end,
            )

    def _take(self, reply: ReplyFound) -> None:
        selection, where, kind, digest = self._asked[reply.number]
        file = self._files.get(selection.file)
        if file is not None and not self.full:
            extract = excerpt(reply.text, reply.start, reply.end)
            self.hits.append(Hit(selection, where, kind, extract, file.name, verdict=True, reply=digest))
            self.changed.emit()

    def _end(self, _job: Job) -> None:
        self._job = 0
        self.changed.emit()

    def _cases(self) -> list[CaseVerdict]:
        run = self._shown.value
        return run.cases if run is not None else []

    def _judged(self, verdict: CaseVerdict) -> Iterator[tuple[OpenFile, int, tuple[MetricVerdict, ...], str]]:
        """The verdicts on a case and its turns, with their rows."""
        file, top = self._place_of(verdict)
        if file is None or top == TOP:
            return
        yield file, top, verdict.metrics, verdict.reason
        turns = file.table.turns(top)
        for turn in verdict.turns:
            index = turn.index if verdict.trace_id is not None else turn.golden_index
            row = turns[index] if index is not None and index < len(turns) else top
            yield file, row, turn.metrics, turn.reason

    def _place_of(self, verdict: CaseVerdict) -> tuple[OpenFile | None, int]:
        """The judged trace, else the case without a trace."""
        run = self._shown.value
        by_path = {str(file.path): file for file in self._files}
        for path, place, name in (
            (verdict.trace_path, verdict.trace_place, verdict.trace_id or ""),
            (verdict.golden_path, verdict.golden_place, verdict.case_id),
        ):
            file = by_path.get(path) if path else None
            if file is not None and run is not None:
                return file, run.on(file).row_at(place, name)
        return None, TOP

    def _hit(self, query: Query, text: str, file: OpenFile, row: int, kind: str = "") -> Hit | None:
        try:
            span = query.find(text)
        except TimeoutError:
            self.slow += 1
            return None
        if span is None:
            return None
        shown_kind = kind or _kind(file.table.kind(row))
        return Hit(
            Selection(file.number, row),
            _where(file, row),
            shown_kind,
            excerpt(text, *span),
            file.name,
            verdict=bool(kind),
        )

    def _follow_rows(self, number: int) -> None:
        """A file has other rows. Of one that grew, what was found in those that stay stays found."""
        growth, done = self._files.by_number[number].growth, self._progress.get(number)
        if growth is None:
            self._forget(number)
            return
        moved = (hit if hit.selection.file != number else _moved(hit, growth) for hit in self.hits)
        kept = [hit for hit in moved if hit is not None]
        if done is not None:
            done.cut(growth.first)
        if self._timer.isActive() and self.query is not None:  # it was about to look at rows that are gone
            self._steps = self._look(self.query)
        if kept != self.hits:
            self.hits = kept
            self.began.emit()
            self.changed.emit()

    def _forget(self, number: int) -> None:
        """Remove the hits in a closed file."""
        if any(hit.selection.file == number for hit in self.hits):
            self.hits = [hit for hit in self.hits if hit.selection.file != number]
            self.began.emit()
            self.changed.emit()


def _moved(hit: Hit, growth: Regrowth) -> Hit | None:
    """What is found again where a file grew is no hit any more; what a verdict says stays."""
    row = hit.selection.row
    if row < growth.first:
        return hit
    now = growth.row_now(row) if hit.verdict else TOP
    return replace(hit, selection=Selection(hit.selection.file, now)) if now != TOP else None


def _kind(kind: Kind) -> str:
    return _WORDS_OF_KINDS.get(kind, kind.name.lower())


def _where(file: OpenFile, row: int) -> str:
    table = file.table
    top, turn = table.top_of(row), table.turn_of(row)
    named = [table.label(top)] if top != TOP else []
    if turn != TOP:
        named.append(table.label(turn).partition("  ")[0])
    return " › ".join(named)


def _reasons(metric: MetricVerdict) -> Iterator[str]:
    yield metric.reason
    for sentence in metric.sentences:
        yield from (sentence.reason, sentence.excerpt)
    for rubric in metric.rubrics:
        yield rubric.rationale
