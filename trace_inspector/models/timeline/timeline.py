"""The timeline of one conversation: its lanes, its time axis, its view and its selection."""

from __future__ import annotations

import math
import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.timing import NOWHERE, Form, Mark, Work, place_by_length
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.timeline.axis import Axis, Scale, fit
from trace_inspector.models.timeline.conversation_totals import Sums, clock_of, sums_of
from trace_inspector.models.timeline.lanes import Lane, LaneKind, Lanes
from trace_inspector.models.timeline.reader import TimelineReader
from trace_inspector.models.timeline.tree_rows import piece_of, row_of
from trace_inspector.work.processes.jobs import Jobs

FEW_PIECES = 80
GATHER_MS = 60  # what arrives meanwhile is laid out together
GATHER_SHARE = 10  # and layouts take at most one such part of the time


class Timeline(QObject):
    """Follows the selection. `changed` when anything shown changed; `grown` when lanes were added or removed."""

    changed = Signal()
    grown = Signal()
    moved = Signal()  # another lane is current

    def __init__(
        self,
        files: Files,
        selection: CurrentSelection,
        shown: ShownRun,
        jobs: Jobs,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files = files
        self._selection = selection
        self._shown = shown
        self.reader = TimelineReader(jobs, self)
        self.lanes = Lanes()
        self.file: OpenFile | None = None
        self.top = TOP
        self._watched: RowTable | None = None
        self.scale: Scale = fit(Axis(), 1.0)
        self.current = Lane(LaneKind.TURN, TOP)
        self.folds = True
        self.shows_path = True
        self.sums = Sums()
        self._laid: dict[int, Work] = {}  # the works that the lanes were made from
        self._awake = False
        self._offered = False
        self._placed = False  # whether a person or the selection determined the view
        self._gather = QTimer(self, singleShot=True, interval=GATHER_MS)
        self._gather.timeout.connect(self._lay_out)
        self.reader.arrived.connect(self._come)
        self.reader.ended.connect(self._lay_out)
        selection.changed.connect(self.follow)
        files.rows_arrived.connect(self._more)
        files.changed.connect(self._more)
        for signal in (files.closed, files.renewed):
            signal.connect(self._closed)
        shown.changed.connect(self.changed)
        shown.parted.connect(self.changed)

    # What is shown

    def wake(self) -> None:
        """The view became visible: follow the selection and read."""
        self._awake = True
        self.follow(self._selection.value)
        if self.file is not None:
            self._more(self.file.number)

    def sleep(self) -> None:
        """The view is hidden: do nothing until it is visible again."""
        self._awake = False

    @property
    def works(self) -> dict[int, Work]:
        """The works by turn."""
        return self.reader.works

    @property
    def has_times(self) -> bool:
        """Whether anything can be drawn."""
        return any(not math.isnan(work.start_s) for work in self._laid.values())

    @property
    def knows_moments(self) -> bool:
        """Whether the file says when anything was, and not only how long turns took."""
        return any(math.isnan(work.length_s) and not math.isnan(work.start_s) for work in self._laid.values())

    @property
    def lane(self) -> int:
        """The number of the current lane, -1 for none."""
        return self.lanes.number_of(self.current.head, self.current.piece) if self.current.head != TOP else -1

    @property
    def row(self) -> int:
        """The row of the current lane."""
        return self.row_of(self.current)

    def mark_of(self, lane: Lane) -> str:
        """The verdict mark of a lane: a tool has that of its call, a turn's last model call that of the answer."""
        work, piece = self.works.get(lane.head), lane.piece
        if self.file is None or work is None or lane.head == self.top:
            return ""
        if piece != NOWHERE:
            judged = work.form[piece] == Form.TOOL or work.path[-1:] == array("i", [piece])
            if not judged or work.mark[piece] & Mark.PLUMBING:
                return "warning" if work.mark[piece] & Mark.ERROR else ""
        row = self.row_of(lane)
        mark = marks.shown_mark(self.file, row, self._shown.value) if piece == NOWHERE or row != lane.head else ""
        return mark or ("warning" if piece != NOWHERE and work.mark[piece] & Mark.ERROR else "")

    def row_of(self, lane: Lane) -> int:
        """The row of a lane."""
        if self.file is None or lane.head == TOP or lane.piece == NOWHERE:
            return lane.head
        return row_of(self.file.table, lane.head, self.works[lane.head], lane.piece)

    def heads_in(self, scale: Scale, least_px: float = 0.0) -> Iterator[int]:
        """The turns that begin in view, and the one before; only the first of those within `least_px`."""
        starts_s = self.sums.starts_s
        index = max(0, bisect_right(starts_s, scale.time_s(0.0)) - 1)
        until_s = scale.time_s(scale.width_px)
        while index < len(starts_s) and starts_s[index] <= until_s:
            yield self.sums.heads[index]
            beside_s = scale.time_s(scale.x(starts_s[index]) + least_px)
            index = max(index + 1, bisect_left(starts_s, beside_s))

    def name(self, head: int) -> str:
        """The name of a turn, such as Turn 2."""
        if self.file is None or head in (TOP, self.top):
            return ""
        return self.file.table.label(head).partition("  ")[0]

    def follow(self, selection: Selection | None) -> None:
        """Show the selection and its conversation."""
        file = self._files.get(selection.file) if selection else None
        if selection is None or file is None or not self._awake:
            return
        if file is self.file and selection.row == self.row and self.current.head != TOP:
            return
        top = _top_for(file, selection.row)
        if file is not self.file or top != self.top:
            self._show(file, top)
        self._select_row(selection.row)

    def _show(self, file: OpenFile | None, top: int) -> None:
        self.file, self.top = file, top
        self.current = Lane(LaneKind.TURN, TOP)
        self._placed = False
        self._laid = {}
        self.lanes.forget()
        self.sums = Sums()
        self.scale = fit(Axis(), self.scale.width_px)
        self._watch(file)
        self._offered = False
        self.reader.read(file, top)
        self._lay_out()

    def _watch(self, file: OpenFile | None) -> None:
        if self._watched is not None and self in self._watched.watchers:
            self._watched.watchers.remove(self)
        self._watched = file.table if file is not None else None
        if self._watched is not None:
            self._watched.watchers.append(self)
            self.lanes.plumbing_hidden = self._watched.plumbing_hidden

    # Watching the table, whose plumbing is hidden or shown in all views

    def rows_coming(self, parent: int, first: int, last: int) -> None:
        """The reader is told of all rows."""

    def rows_came(self) -> None:
        """The reader is told of all rows."""

    def layout_changing(self) -> None:
        """Do nothing: no positions are stored."""

    def layout_changed(self) -> None:
        """Plumbing was hidden or shown."""
        hidden = self._watched is None or self._watched.plumbing_hidden
        if hidden != self.lanes.plumbing_hidden:
            self.lanes.hide_plumbing(hidden)
            self._show_lanes()
            self.grown.emit()
            self.moved.emit()
            self.changed.emit()

    def _select_row(self, row: int) -> None:
        file = self.file
        if file is None or row == TOP or not file.table.has(row):
            return
        head = file.table.turn_of(row) if row != self.top else TOP
        if head == TOP and file.table.kind(row) is Kind.SPAN:
            head = self.top
        work = self.works.get(head)
        piece = NOWHERE
        if head != TOP:
            if not self.lanes.is_open(head) and head in self.reader.heads:
                self.lanes.unfold([head])
            piece = piece_of(file.table, head, work, row) if work is not None else NOWHERE
        self.current = Lane(LaneKind.PIECE if piece != NOWHERE else LaneKind.TURN, head, piece)
        self._bring_into_view()
        self.grown.emit()
        self.moved.emit()
        self.changed.emit()

    # Navigation

    def select_lane(self, number: int) -> None:
        """Make a lane current, and select its row in the whole window."""
        if not 0 <= number < len(self.lanes):
            return
        lane = self.lanes[number]
        if lane.kind in (LaneKind.EVENTS, LaneKind.UNTIMED):
            lane = Lane(LaneKind.TURN, lane.head)
        self.current = lane
        self._placed = True
        self.moved.emit()
        self.changed.emit()
        if self.file is not None:
            self._selection.select(Selection(self.file.number, self.row))

    def step(self, lanes: int) -> None:
        """Select the next lane that has a row, that many lanes further."""
        way = 1 if lanes > 0 else -1
        number = max(0, min(len(self.lanes) - 1, self.lane + lanes))
        while 0 <= number < len(self.lanes) and self.lanes[number].kind in (LaneKind.EVENTS, LaneKind.UNTIMED):
            number += way
        self.select_lane(number)
        self._bring_into_view()

    def toggle(self, head: int) -> None:
        """Unfold or fold a turn."""
        unfolded = not self.lanes.is_open(head)
        self.lanes.unfold([head], unfolded)
        if not unfolded and self.current.head == head and self.current.piece != NOWHERE:
            self.select_lane(self.lanes.number_of(head))
        self.grown.emit()
        self.changed.emit()

    def show_path(self, shown: bool) -> None:
        """Set whether the critical path is marked."""
        self.shows_path = shown
        self.changed.emit()

    def fold_idle(self, folded: bool) -> None:
        """Set whether long pauses are folded or drawn to scale."""
        self.folds = folded
        self._make_axis()
        self.changed.emit()

    def set_width(self, width_px: float) -> None:
        """Set the width of the view."""
        if width_px != self.scale.width_px:
            self.scale = self.scale.with_width(max(1.0, width_px))
            if not self._placed:
                self._bring_into_view()
            self.changed.emit()

    def look_at(self, scale: Scale) -> None:
        """Show another part of the axis."""
        self._placed = True
        self.scale = scale
        self.changed.emit()

    def fit_turn(self) -> None:
        """Show the whole current turn, or everything when there is none."""
        self.look_at(self._around_turn())

    def _around_turn(self) -> Scale:
        work = self.works.get(self.current.head)
        if work is None or math.isnan(work.start_s):
            return self.scale.fitted()
        return self.scale.showing(work.start_s, work.end_s)

    def fit_current(self) -> None:
        """Zoom to the current lane."""
        times_s = self.times_of(self.current)
        if times_s is not None:
            self.look_at(self.scale.showing(*times_s))

    def times_of(self, lane: Lane) -> tuple[float, float] | None:
        """The start and end of a lane's bar; None when it has none."""
        work = self.works.get(lane.head)
        if work is None or math.isnan(work.start_s):
            return None
        if lane.piece == NOWHERE:
            return work.start_s, work.end_s
        if lane.piece >= work.timed:
            return None
        return work.begin_s[lane.piece], work.stop_s(lane.piece)

    def _bring_into_view(self) -> None:
        """Show the current turn when the current lane is not in view."""
        times_s = self.times_of(self.current)
        if times_s is None:
            return
        left, right = (self.scale.x(moment_s) for moment_s in times_s)
        if not self._placed:
            self.scale = self._around_turn()
        elif right < 0 or left > self.scale.width_px:
            self.look_at(self.scale.moved_to(self.scale.left_px + left - self.scale.width_px / 4))

    # Following the file

    def _come(self) -> None:
        if not self._laid:
            self._gather.start(0)
        elif not self._gather.isActive():
            self._gather.start()

    def _more(self, number: int) -> None:
        if self.file is None or self.file.number != number or not self._awake:
            return
        if self.top == TOP and self.file.table.tops:
            selection = self._selection.value
            self._show(self.file, _top_for(self.file, selection.row if selection else TOP))
            return
        count_before = len(self.reader.heads)
        self.reader.go_on()
        if count_before != len(self.reader.heads) or self.file.state is not FileState.LOADING:
            self._come()

    def _closed(self, number: int) -> None:
        file, scale, placed = self.file, self.scale, self._placed
        if file is not None and file.number == number and not (file.growth and TOP < self.top < file.growth.first):
            self._show(None, TOP)
            if self._files.get(number) is file:  # its rows are others: the same times stay in view
                self.follow(self._selection.value)
                self.scale, self._placed = (scale, True) if placed else (self.scale, self._placed)

    def _lay_out(self) -> None:
        self._gather.stop()
        begun_s = time.perf_counter()
        works = self.works
        place_by_length(works[head] for head in self.reader.heads if head in works)
        for head, work in works.items():
            if self._laid.get(head) is not work:
                self._laid[head] = work
                self.lanes.refresh(head)
        self._show_lanes()
        self._offer()
        self._make_axis()
        self.sums = sums_of(self._laid, self.top)
        if self.current.piece == NOWHERE and self.file is not None:
            selection = self._selection.value
            if selection is not None and selection.file == self.file.number and selection.row != self.row:
                self._select_row(selection.row)
        if not self._placed:
            self._bring_into_view()
        self.grown.emit()
        if not self._placed:
            self.moved.emit()
        self.changed.emit()
        self._gather.setInterval(max(GATHER_MS, round(1000 * GATHER_SHARE * (time.perf_counter() - begun_s))))

    def _offer(self) -> None:
        """Unfold a conversation that is short enough to be shown as a whole, unless one of its turns is selected."""
        read = self.file is not None and self.file.state is not FileState.LOADING and not self.reader.busy
        if self._offered or not read:
            return
        self._offered = True
        if self.current.head in (TOP, self.top) and sum(map(len, self._laid.values())) <= FEW_PIECES:
            self.lanes.unfold(self.reader.heads)

    def _show_lanes(self) -> None:
        """Show the lanes; spans outside of turns have one only while some are shown."""
        outside = self._laid.get(self.top)
        empty = outside is None or (self.lanes.plumbing_hidden and outside.plumbing == len(outside))
        heads = [head for head in self.reader.heads if head != self.top or not empty]
        self.lanes.show(heads, self.works)

    def _make_axis(self) -> None:
        self.scale = self.scale.on(clock_of(self._laid, self.top, fold=self.folds))


def _top_for(file: OpenFile, row: int) -> int:
    """The case or trace of a row; the first of the file for rows above them."""
    top = file.table.top_of(row) if row != TOP and file.table.has(row) else TOP
    if top == TOP and file.table.tops:
        return file.table.tops[0]
    return top
