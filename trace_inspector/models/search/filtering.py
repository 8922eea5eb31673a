"""The filter over all open files: applied in small steps, and kept up to date as rows and verdicts arrive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.search.filter_language import FilterError, Term, parse
from trace_inspector.models.search.row_filter import Renewed, RowFilter, rows_below
from trace_inspector.models.search.row_terms import RowVerdicts
from trace_inspector.models.search.verdict_column import VerdictColumn
from trace_inspector.models.search.whole_texts import BodySearch

BUDGET_S = 0.006
TELL_S = 0.1
_ROWS_A_STEP = 1_000
_GHOSTS_A_STEP = 500
_SEARCHED_AT_ONCE = 500  # whole texts of what grew; more are searched in steps
_RENEWED_AT_ONCE = 2_000  # when verdicts change more rows than that, all are judged again in steps
_AGAIN_MS = 500
_MOST_REMEMBERED = 100
_OF_VERDICTS = ("verdict", "triage")
AHEAD_ROWS = 5_000  # with fewer rows, computing marks takes no noticeable time


class ShownCount(Struct, frozen=True):
    """How many cases or traces of a file the filter shows; `searching` while that may change."""

    shown: int
    total: int
    searching: bool


class Filtering(QObject):
    """One filter at a time. The last one stays in place until the rows of a new one are known."""

    changed = Signal()  # the text, the shown rows, or the progress
    placed = Signal(int)  # a file now shows its rows by a new filter, or all rows

    def __init__(self, files: Files, shown: ShownRun, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.text = ""
        self.wrong: FilterError | None = None
        self.remembered: list[str] = []  # filters of this session, the newest last
        self._files = files
        self._shown = shown
        self._terms: tuple[Term, ...] = ()
        self._works: dict[int, _FileFilter] = {}
        self._verdicts: dict[int, VerdictColumn] = {}  # by file
        self._run: CurrentRun | None = None  # the one they are of
        self._front = 0
        self._emitted_s = 0.0
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._judge_again)
        self._calm = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._idle = QTimer(self, interval=0)
        self._calm.timeout.connect(self._idle.start)
        self._idle.timeout.connect(self._work_ahead)
        files.added.connect(self._take_in)
        files.rows_arrived.connect(self._go_on)
        files.changed.connect(self._follow_reported)
        files.closed.connect(self._forget)
        files.replaced.connect(self._fit)  # after the run, of whose verdicts it may be
        files.renewed.connect(self._begin_again)
        shown.changed.connect(self._follow_run)

    @property
    def active(self) -> bool:
        """Whether there is a filter, applied or in progress."""
        return bool(self._terms)

    @property
    def uses_verdicts(self) -> bool:
        """Whether what is shown depends on verdicts."""
        return any(term.field.name in _OF_VERDICTS for term in self._terms)

    def set_text(self, text: str) -> None:
        """Set the filter; an invalid text keeps the last filter in place and sets `wrong`."""
        terms = parse(text)
        self.text = text
        self.wrong = terms if isinstance(terms, FilterError) else None
        if not isinstance(terms, FilterError) and terms != self._terms:
            self._terms = terms
            self._works.clear()
            for file in self._files.by_number.values():
                self._begin(file)
        self.changed.emit()

    def remember(self) -> None:
        """Remember the text for this session."""
        text = self.text.strip()
        if text and self.wrong is None:
            self.remembered = [*(remembered for remembered in self.remembered if remembered != text), text][
                -_MOST_REMEMBERED:
            ]

    def bring_to_front(self, number: int) -> None:
        """Filter the file on show first."""
        self._front = number

    def showing(self, number: int) -> ShownCount | None:
        """How many cases or traces of a file are shown; None without a filter."""
        work, file = self._works.get(number), self._files.by_number.get(number)
        if work is None or file is None:
            return None
        return ShownCount(work.rows.tops, len(file.table.tops), searching=not work.finished)

    def matches(self, number: int, most: int) -> list[int]:
        """The first rows of a file that match, without those inside a matching row."""
        work = self._works.get(number)
        return work.rows.outermost(most) if work else []

    def counts(self, field: str) -> Mapping[str, int]:
        """For `triage`, the number of failed cases of the run or the open files by kind; {} for other fields."""
        if field != "triage":
            return {}
        run, files = self._shown.value, self._files.by_number.values()
        bucket_counts = [run.buckets] if run is not None else [file.reported.buckets for file in files]
        counted = ((bucket, some[bucket]) for some in bucket_counts for bucket in Bucket)
        totals = Counter[str]()
        for bucket, count in counted:
            totals[bucket.name.lower()] += count
        return totals

    # Following

    def _begin(self, file: OpenFile) -> None:
        if not self._terms:
            file.table.visible.use_filter(None)
            self.placed.emit(file.number)
            return
        self._works[file.number] = _FileFilter(file, self._terms, self._column(file))
        self._timer.start()

    def _take_in(self, number: int) -> None:
        """Filter a new file from its first row on."""
        if self._terms:
            file = self._files.by_number[number]
            file.table.visible.use_filter(bytearray())
            self._begin(file)

    def _go_on(self, number: int) -> None:
        if number in self._works:
            self._timer.start()

    def _forget(self, number: int) -> None:
        self._works.pop(number, None)
        self._verdicts.pop(number, None)

    def _begin_again(self, number: int) -> None:
        """Filter the new rows of an edited file."""
        if self._files.by_number[number].growth is None:
            self._forget(number)
            self._take_in(number)

    def _fit(self, number: int) -> None:
        """Before other rows of a file that grew are shown: filter those, so that none goes and comes again."""
        growth, work = self._files.by_number[number].growth, self._works.get(number)
        if growth is not None and number in self._verdicts:
            self._verdicts[number].forget()
        if growth is not None and work is not None:
            work.fit(growth.first)
            self._timer.start()

    def follow_grown(self, number: int, tops: Sequence[int]) -> None:
        """Conversations of a file have more turns: what they add up to is checked again."""
        work = self._works.get(number)
        if work is not None and not work.check_again(tops) and not self._again.isActive():
            self._again.start()  # a file that grows without a pause would put it off for ever

    def _follow_reported(self, number: int) -> None:
        """Without a run, a file's own verdicts are used; they may arrive after the rows that they are about."""
        if number in self._verdicts:
            self._verdicts[number].forget()
        work = self._works.get(number)
        if work is not None and self.uses_verdicts and self._shown.value is None:
            work.outdated = True
            if not self._again.isActive():  # as above
                self._again.start()

    def follow_marks(self, number: int, field: str) -> None:
        """Rows of a file have other marks that a field looks at: failure modes, causes."""
        work = self._works.get(number)
        if work is not None and any(term.field.name == field for term in self._terms):
            work.outdated = True
            self._again.start()

    def _follow_run(self) -> None:
        run = self._shown.value
        for number, column in self._verdicts.items():
            same = run is not None and run is self._run
            column.forget(run.changed_in(self._files.by_number[number]) if run is not None and same else None)
        self._run = run
        if any(len(file.table) > AHEAD_ROWS for file in self._files.by_number.values()):
            self._calm.start()
        for work in self._works.values():
            if not work.follow(run) and not self._again.isActive():
                self._again.start()
            self._timer.start()

    def _judge_again(self) -> None:
        for number, work in list(self._works.items()):
            if work.outdated:
                self._begin(self._files.by_number[number])

    def _column(self, file: OpenFile) -> VerdictColumn:
        return self._verdicts.setdefault(file.number, VerdictColumn(file, lambda: self._shown.value))

    def _work_ahead(self) -> None:
        """When verdicts have not changed for a while, compute marks ahead for the next filter by verdict."""
        until_s = time.perf_counter() + BUDGET_S
        files = self._files.by_number.values() if self._shown.value is not None else ()
        if not any(self._column(file).work_ahead(until_s) for file in files):
            self._idle.stop()

    def _step(self) -> None:
        now_s = time.perf_counter()
        until_s, is_due = now_s + BUDGET_S, now_s - self._emitted_s > TELL_S
        works = sorted(self._works.values(), key=lambda work: work.file.number != self._front)
        for work in works:
            waiting = not work.in_place
            while not work.finished and time.perf_counter() < until_s:
                work.step()
            if waiting and work.in_place:
                self.placed.emit(work.file.number)
                is_due = True
        if all(work.finished for work in works):
            self._timer.stop()
            is_due = True
        if is_due:
            self._emitted_s = now_s
            self.changed.emit()


class _FileFilter:
    """One filter over one file: rows first, then missing ones, then the whole texts of rows."""

    def __init__(self, file: OpenFile, terms: tuple[Term, ...], verdicts: VerdictColumn) -> None:
        self.file = file
        self.outdated = False  # more rows changed than can be updated at once
        self.rows = RowFilter(terms, file.table, RowVerdicts(verdicts.numbers, verdicts.bucket))
        self._texts = [number for number, term in enumerate(terms) if term.field.name == "text"]
        self._bodies = BodySearch(file.table, [terms[number].values for number in self._texts])
        self._ghosts: list[int] | None = None
        self.in_place = False

    @property
    def finished(self) -> bool:
        """Whether all rows so far were checked."""
        if not self.in_place or self.rows.judged < len(self.file.table):
            return False
        return not self._texts or self._bodies.finished

    def step(self) -> None:
        """Do one step of some milliseconds at most."""
        table = self.file.table
        if self.rows.judged < len(table):
            new = self.rows.advance(min(self.rows.judged + _ROWS_A_STEP, len(table)))
            if self.in_place:
                table.visible.admit(new)
        elif not self.in_place:
            self._place()
        else:
            self._search()

    def follow(self, run: CurrentRun | None) -> bool:
        """Update rows with changed verdicts, all when there is no run; false when there are too many for one step."""
        table = self.file.table
        changed = run.changed_in(self.file) if run is not None else table.tops
        groups = {table.parent(top) for top in changed} - {TOP}
        if any(map(self.rows.is_group_changed, groups)):
            self.outdated = True
            return False
        return self.check_again(changed)

    def check_again(self, tops: Sequence[int]) -> bool:
        """Check conversations again with all that is in them; false when there is too much for one step."""
        rows = rows_below(self.file.table, tops, _RENEWED_AT_ONCE)
        if rows is None or not self.in_place:
            self.outdated = True
            return False
        self._show(self.rows.renew(rows))
        return True

    def fit(self, first: int) -> None:
        """The rows from one on are others: check them at once, and show what passes together with them."""
        table = self.file.table
        self.rows.cut(first)
        self._bodies.cut(first)
        self._ghosts = None
        if not self.in_place:
            return
        while self.rows.judged < len(table):
            self.rows.advance(min(self.rows.judged + _ROWS_A_STEP, len(table)))
        while self._texts and not self._bodies.finished and self._bodies.left <= _SEARCHED_AT_ONCE:
            if found := self._found():
                self.rows.renew(found)
        self.rows.advance_ghosts(table.visible.ghosts)
        table.visible.fit_filter(bytearray(self.rows.shown), self.rows.ghosts)

    def _place(self) -> None:
        """Check missing rows, then apply the result to the table."""
        if self._ghosts is None:
            self._ghosts = list(self.file.table.visible.ghosts)
        some, self._ghosts = self._ghosts[:_GHOSTS_A_STEP], self._ghosts[_GHOSTS_A_STEP:]
        self.rows.advance_ghosts(some)
        if not self._ghosts:
            self.in_place = True
            self.file.table.visible.use_filter(bytearray(self.rows.shown), self.rows.ghosts)

    def _search(self) -> None:
        if rows := self._found():
            self._show(self.rows.renew(rows))

    def _found(self) -> list[int] | None:
        """The rows that match by the next few whole texts, with all below them."""
        matching = set()
        for which, row in self._bodies.step():
            term = self._texts[which]
            if not self.rows.found_in_line(term, row):
                self.rows.find_in_bodies(term, row)
                matching.add(row)
        return rows_below(self.file.table, matching, len(self.file.table)) if matching else None

    def _show(self, renewed: Renewed) -> None:
        visible = self.file.table.visible
        if renewed.gone:
            visible.use_filter(bytearray(self.rows.shown), self.rows.ghosts)
        else:
            visible.admit(renewed.rows, renewed.ghosts)
