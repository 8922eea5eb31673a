"""The review: a queue of questions, the item in hand, and the answers, which count once they are on the disk."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.review.label import Answer, Label, Level, moment
from trace_inspector.documents.packing.packing import is_file
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.shown_run import ShownRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.review.drawing import Draw, Drawing, whole_turn
from trace_inspector.models.review.excerpt import golden_of
from trace_inspector.models.review.fault_choices import FaultChoices, fault_choices
from trace_inspector.models.review.output_places import OutputPlaces, Place
from trace_inspector.models.review.rater_labels import RaterLabels
from trace_inspector.models.review.revealed import Revealed, revealed
from trace_inspector.work.review.label_keeper import LabelKeeper, ReviewRead

DRAWN_S = 0.008  # of a turn of the loop, for drawing
_MOST_PACED = 50  # of the answers that tell the pace, the latest
_LONGEST_S = 3_600.0  # who was away for longer was not thinking
_NOTHING = Label("", Level.TURN, "")


class Review(QObject):
    """`opened` and `closed` with its page; `moved` when another item is in hand; `changed` when it has other answers.

    `failed` has a sentence for the page. `offered` tells that the kept queue was read.
    """

    opened = Signal()
    closed = Signal()
    moved = Signal()
    changed = Signal()
    offered = Signal()
    failed = Signal(str)

    def __init__(
        self,
        files: Files,
        shown: ShownRun,
        selection: CurrentSelection,
        places: OutputPlaces,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files, self._shown, self._selection, self._messages = files, shown, selection, messages
        self._places = places
        self._keeper = LabelKeeper(self)
        self._keeper.read.connect(self._take_read)
        self._keeper.begun.connect(self._take_begun)
        self._keeper.kept.connect(self._take_kept)
        self._keeper.failed.connect(self._take_failed)
        self._drawing = QTimer(self)
        self._drawing.setInterval(0)
        self._drawing.timeout.connect(self._draw_on)
        self._draw: Draw | None = None
        self.is_open = False
        self.queue: tuple[Label, ...] = ()
        self.index = 0
        self.labels = RaterLabels()
        self._is_read = False  # the labels were
        self._wanted: Drawing | None = None  # what to draw then
        self._draft = _NOTHING  # note and tags before the answer
        self._is_writing = False
        self._later: deque[Callable[[], None]] = deque()  # what was asked for while an answer was being written
        self._place: tuple[int, Place | None] | None = None  # of the item with that index
        self.is_looking = False  # for that place
        self._is_late = False  # what comes of it is not told at once
        self._faults: FaultChoices | None = None  # of the item in hand
        self._fault: str | None = None  # the place that was chosen before the answer
        self._wants_open = False
        self._begun_s = 0.0  # when the item came into sight
        self._paces_s: list[float] = []
        for signal in (files.changed, files.closed):
            signal.connect(self._files_moved)

    # Beginning and ending

    def look(self) -> None:
        """Read what is left of the kept queue; `offered` tells."""
        self._wants_open = self._is_read = False
        self._keeper.look()

    def begin(self, drawing: Drawing) -> None:
        """Draw a queue, keep it, and open it: once it is known what others have answered."""
        if not self._is_read:
            self._wanted = drawing
            self._keeper.look()
            return
        self.labels.set_rater(drawing.rater)
        filtered = [file for file in self._files.in_order if file.has_traces]
        self._draw = Draw(drawing, filtered, self._shown.value, self.labels.answered_by_others())
        self._drawing.start()

    def go_on(self, rater: str) -> None:
        """Open the kept queue where this rater left it."""
        self.labels.set_rater(rater)
        self._wants_open = True
        self._keeper.look()

    def close(self) -> None:
        """End it; the queue stays. An item that is answered is selected: the other views show what the judge said."""
        place = self.place if self.is_open and not self.is_hidden else None
        while self._later:
            self._is_writing = False
            self._later.popleft()()
        self._drawing.stop()
        self._draw = None
        was_open, self.is_open = self.is_open, False
        self._is_writing = self._wants_open = False
        self._wanted = None
        if was_open:
            self.closed.emit()
        if place is not None:
            self._selection.select(Selection(place.file.number, place.row))

    def finish(self) -> None:
        """End it as the program ends: no answer is still being written after this."""
        self.close()
        self._keeper.finish()

    def _draw_on(self) -> None:
        until_s = time.perf_counter() + DRAWN_S
        while self._draw is not None and time.perf_counter() < until_s:
            queue = self._draw.step()
            if queue is not None:
                self._drawing.stop()
                self._draw = None
                self._open_drawn(queue)

    def _open_drawn(self, queue: list[Label]) -> None:
        if not queue:
            self._messages.tell(tr("There is nothing of this kind to review. Choose another source or question."))
            return
        self._keeper.begin(queue)

    def _take_read(self, read: ReviewRead) -> None:
        self.queue = read.queue
        self.labels.take(read.labels)
        self._is_read = True
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self.begin(wanted)
        elif self._wants_open and self.queue:
            self._open()
        self.offered.emit()

    def _take_begun(self, read: ReviewRead) -> None:
        self.queue = read.queue
        self.labels.take(read.labels)
        self._open()

    def _open(self) -> None:
        """At the first item that waits for an answer."""
        self._wants_open = False
        self._place = None
        self._later.clear()
        self.is_open = True
        self._paces_s.clear()
        self.index = next((index for index in range(len(self.queue)) if not self.is_answered(index)), 0)
        self._open_files()
        self.opened.emit()
        self._come_to(self.index)

    def set_rater(self, rater: str) -> None:
        """Who goes on, or begins; `offered` tells what is left for them."""
        self.labels.set_rater(rater)
        self.offered.emit()

    def _open_files(self) -> None:
        """The files of the queue that are not open, where they still are."""
        there = {str(file.path) for file in self._files.in_order}
        paths = [Path(path) for path in dict.fromkeys(label.file for label in self.queue) if path not in there]
        self._files.open([path for path in paths if is_file(path)])

    # The item in hand

    @property
    def label(self) -> Label:
        """The question in hand."""
        return self.queue[self.index]

    @property
    def place(self) -> Place | None:
        """Where its output is; None where it is not open, or not the same any more, or still looked for."""
        if self._place is None or self._place[0] != self.index:
            self._place, self.is_looking, self._is_late = (self.index, None), True, False
            self._places.find(self.label, partial(self._take_place, self.index))
            self._is_late = True
        return self._place[1]

    def _take_place(self, index: int, place: Place | None) -> None:
        self._place, self.is_looking, self._faults = (index, place), False, None
        if self._is_late and self.is_open:
            self.changed.emit()

    @property
    def answer(self) -> Label | None:
        """The label that stands."""
        return self.labels.standing(self.label)

    @property
    def draft(self) -> Label:
        """The label that stands, else what was noted before there is an answer."""
        return self.answer or self._draft

    @property
    def fault_choices(self) -> FaultChoices:
        """Where the turn in hand may first have gone wrong."""
        if self._faults is None:
            self._faults = self._find_faults()
        return self._faults

    @property
    def first_fault(self) -> str:
        """Where it first went wrong, if it did: as answered, as chosen, else as is likely; "" for nowhere."""
        answer = self.answer
        if answer is not None and answer.value is Answer.FAIL:
            return answer.first_fault
        return self.fault_choices.likely if self._fault is None else self._fault

    def _find_faults(self) -> FaultChoices:
        place = self.place
        turn = whole_turn(place.file.table, place.row) if place is not None else None
        if place is None or turn is None:
            return FaultChoices()
        golden = golden_of(place, self._shown.value, self._files.in_order)
        if golden is None:
            return fault_choices(turn, None)
        return fault_choices(turn, whole_turn(golden.file.table, golden.row), golden.matchers)

    @property
    def is_hidden(self) -> bool:
        """Whether nothing that a judge said may be seen."""
        return self.label.blind and self.answer is None

    @property
    def was_shown(self) -> bool:
        """Whether this person has seen the judge's verdict on it: once it was answered, it was."""
        return not self.label.blind or self.labels.ever_answered(self.label)

    def revealed(self) -> Revealed | None:
        """The judge's verdict; None while it is hidden, or where there is none."""
        place = None if self.is_hidden else self.place
        return revealed(self.label, place, self._shown.value) if place is not None else None

    # What is done with it

    def say(self, value: Answer) -> None:
        """Answer the question. The same answer again says nothing new."""
        self._in_turn(partial(self._say, value))

    def note(self, text: str) -> None:
        """Another note on the item."""
        self._in_turn(lambda: self._amend(text.strip(), self.draft.tags))

    def add_tag(self, tag: str) -> None:
        """One tag more; one that is there goes."""
        self._in_turn(partial(self._turn_tag, tag.strip()))

    def point(self, step: int) -> None:
        """It first went wrong at the next place of the turn (1), or the one before (-1)."""
        self._in_turn(partial(self._point, step))

    def undo(self) -> None:
        """Withdraw the answer."""
        self._in_turn(self._undo)

    def go(self, step: int) -> None:
        """To the next item (1), or the previous one (-1), once the answer is on the disk."""
        self._in_turn(partial(self._go, step))

    def _in_turn(self, act: Callable[[], None]) -> None:
        """Do it now, or once the answer that is being written is on the disk: no key is lost, however fast."""
        if self._is_writing:
            self._later.append(act)
        else:
            act()

    def _say(self, value: Answer) -> None:
        if self.answer is None or self.answer.value is not value:
            self._write(replace(self.draft, value=value, first_fault=self.first_fault))

    def _turn_tag(self, tag: str) -> None:
        before = self.draft.tags
        if tag:
            after = tuple(other for other in before if other != tag) if tag in before else (*before, tag)
            self._amend(self.draft.note, after)

    def _point(self, step: int) -> None:
        name, answer = self.fault_choices.next(self.first_fault, step), self.answer
        if answer is None:
            self._fault = name
            self.changed.emit()
        elif answer.value is Answer.FAIL and name != answer.first_fault:
            self._write(replace(answer, first_fault=name))

    def _undo(self) -> None:
        if self.answer is not None:
            self._write(replace(_NOTHING, value=Answer.WITHDRAWN))

    def _go(self, step: int) -> None:
        if 0 <= self.index + step < len(self.queue):
            self._come_to(self.index + step)

    def _come_to(self, index: int) -> None:
        self.index = index
        self._draft, self._fault, self._faults = _NOTHING, None, None
        self._begun_s = time.monotonic()
        self.moved.emit()

    def _amend(self, note: str, tags: tuple[str, ...]) -> None:
        if (note, tags) == (self.draft.note, self.draft.tags):
            return
        answer = self.answer
        if answer is None:
            self._draft = replace(self._draft, note=note, tags=tags)
            self.changed.emit()
        else:
            self._write(replace(answer, note=note, tags=tags))

    def _write(self, stated: Label) -> None:
        """On its way to the disk. Until it is there everything else waits."""
        self._is_writing = True
        seconds = round(min(time.monotonic() - self._begun_s, _LONGEST_S), 3)
        self._keeper.keep(
            replace(
                self.label, value=stated.value, note=stated.note, tags=stated.tags,
                first_fault=stated.first_fault if stated.value is Answer.FAIL else "",
                rater=self.labels.rater, at=moment(time.time()), seconds=seconds, blind=not self.was_shown,
            )
        )  # fmt: skip

    def _take_kept(self, label: Label) -> None:
        is_first = not self.labels.ever_answered(label)
        self._is_writing = False
        self.labels.add(label)
        if is_first and label.seconds is not None:
            self._paces_s = [*self._paces_s, label.seconds][-_MOST_PACED:]
        self._draft = _NOTHING
        self.changed.emit()
        while self._later and not self._is_writing:
            self._later.popleft()()

    def _take_failed(self, sentence: str) -> None:
        self._is_writing = self._wants_open = False
        self._wanted = None
        self._later.clear()  # it was meant for an answer that is not there
        if self.is_open:
            self.failed.emit(sentence)
        else:
            self._messages.tell(sentence)

    def _files_moved(self, _number: int) -> None:
        self._place = self._faults = None
        if self.is_open:
            self.changed.emit()

    # How far it is

    def is_answered(self, index: int) -> bool:
        """Whether a label of this rater stands."""
        return self.labels.standing(self.queue[index]) is not None

    @property
    def done(self) -> int:
        """How many are answered."""
        return sum(map(self.is_answered, range(len(self.queue))))

    @property
    def pace_s(self) -> float | None:
        """How long an answer takes, by the median of the latest ones; None before the third."""
        return sorted(self._paces_s)[len(self._paces_s) // 2] if len(self._paces_s) > 2 else None

    @property
    def left_s(self) -> float | None:
        """How long the rest takes at this pace."""
        pace_s = self.pace_s
        return pace_s * (len(self.queue) - self.done) if pace_s is not None else None
