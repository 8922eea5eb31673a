"""Files that other programs go on writing: their rows grow where they are shown, a few times a second.

Who works in a file stays where they are; how many turns are new is told, and leads there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.regrowth import Regrowth, bodies_of
from trace_inspector.models.base.reported_verdicts import ReportedVerdicts
from trace_inspector.models.base.row_table import TOP, RowTable
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer, StreamingService
from trace_inspector.work.reading.file_messages import (
    FileMessage,
    FileRead,
    GrowthBegun,
    GrowthRead,
    Look,
    Looked,
    RowsRead,
)
from trace_inspector.work.reading.loading import Follow

LEAST_S = 0.25  # between two looks at a file,
SHARE = 4  # and as many times as long as a look took, where it reads all of the file each time
# Where a look costs only what is new, from the beginning of one to that of the next. One that took longer is followed
# at once: what came meanwhile is read while the window shows the rows of the last one.
CONTINUED_EVERY_S = 0.05
REST_S = 2.0  # without news a file rests, and is compared as a whole
MOST_CHILDREN = 4  # files that are followed at once, each by a child of its own
_LOADING_S = 0.2


class _Followed(Struct, eq=False):
    """One file that has grown."""

    service: StreamingService
    is_due: bool = False  # there is news on the disk
    is_asked: bool = False  # a child looks
    has_child: bool = False
    is_whole: bool = True  # all that is there was compared
    next_s: float = 0.0
    news_s: float = 0.0
    has_news: bool = False
    goes_on: bool = False  # what was read before is still its beginning
    told: str = ""  # why it could not be read, as was told
    begun: GrowthBegun | None = None  # the rows that follow it wait until as many are there as it takes
    waiting: list[RowsRead] = field(default_factory=list)
    growth: Regrowth | None = None  # the change of the rows, where not all of them were read anew
    fresh: OpenFile | None = None  # with all rows, where they were
    new_turns: list[int] = field(default_factory=list)  # their rows


class Growth(QObject):
    """Looks again at files that have changed, and shows what is new in them."""

    changed = Signal()  # whether files are followed, or how many turns are new
    grew = Signal(int, object)  # a file has other rows now, and the rows of the conversations that grew

    def __init__(self, jobs: Jobs, files: Files, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_on = True
        self.clock: Callable[[], float] = time.monotonic
        self.watch_again: Callable[[int], None] = lambda _number: None
        self._jobs, self._files, self._messages = jobs, files, messages
        self._followed: dict[int, _Followed] = {}
        # A file that will be opened, its number, and who will follow it.
        self._prepared: tuple[Path, int, StreamingService] | None = None
        self._paused: set[int] = set()  # files with news while nothing was followed
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._go_on)
        files.closed.connect(self._forget)

    def turn(self, *, on: bool) -> None:
        """Follow files, or pause; what came meanwhile is read then."""
        if on == self.is_on:
            return
        self.is_on = on
        if not on:
            self.prepare(None)
        paused, self._paused = self._paused, set()
        for number in paused if on else ():
            self.note_disk(number, there=True)
        self.changed.emit()

    def can_follow(self, file: OpenFile) -> bool:
        """Whether a file is read again by itself: goldens and criteria are somebody's work, and are not."""
        is_work = file.unsaved or file.has_suites or file.has_cases or file.criteria is not None
        return not is_work and file.state is not FileState.STOPPED

    def note_disk(self, number: int, there: bool) -> None:
        """Note that a file on disk changed or is gone."""
        file = self._files.get(number)
        if file is None:
            return
        if not there or not self.can_follow(file):
            self._files.note_disk(number, there)
        elif self.is_on:
            self.look(number)
        else:
            self._paused.add(number)
            self._files.note_disk(number, there)
            self.changed.emit()

    def note_as_before(self, number: int) -> None:
        """Note that a file on disk is as it was when it was opened: what it had grown by is gone."""
        file = self._files.get(number)
        if file is not None and file.on_disk is not OnDisk.SAME:
            self._files.note_as_before(number)
        if number in self._followed:
            self.note_disk(number, there=True)

    def note_news(self, path: str) -> None:
        """Note that the system told of a change: a file that nobody reads again waits for `note_disk`."""
        file = self._files.by_path(Path(path))
        if file is not None and self.is_on and self.can_follow(file):
            self.look(file.number)

    def open(self, path: Path) -> None:
        """Open a file that is being written: who follows it reads it, or it would be read twice."""
        number = None
        if self._prepared is not None and self._prepared[0] == path:
            _path, number, service = self._prepared
            self._prepared = None
            followed = self._followed[number] = _Followed(service, is_asked=True)
            self._has_room(followed)  # another one that rests ends for it
            followed.has_child = True  # it has one also where none rests
            # It reads while the window makes all that stands around its first file, which takes half a second.
            self._jobs.order(service, Look(number, str(path)), partial(self._looked, number), self._take)
        file = self._files.add(path, number=number)
        if file is not None:
            self._files.take(FileRead(file.number))
            self.look(file.number)  # what came before it was watched
        elif number is not None:  # somebody else has opened it
            self._forget(number)

    def prepare(self, path: Path | None) -> None:
        """Have a child for a file that will be opened: to start one takes as long as thousands of spans.

        The one that was made before for another file, or for None, ends where nobody opened that. While files are not
        followed there is none.
        """
        if self._prepared is not None:
            self._jobs.forget(self._prepared[2])
            self._prepared = None
        if path is not None and self.is_on:
            number = self._files.take_number()
            service = Follow(number)
            self._prepared = path, number, service
            self._jobs.order(service, Look(number, str(path)), lambda _answer: None, self._take)

    def look(self, number: int) -> None:
        """Look at a file as soon as it is its turn."""
        followed = self._followed.get(number)
        if followed is None:
            followed = self._followed[number] = _Followed(Follow(number))
        followed.is_due, followed.is_whole = True, False
        followed.news_s = self.clock()
        self._go_on()

    def has_grown(self, number: int) -> bool:
        """Whether a file has had news since it was opened."""
        followed = self._followed.get(number)
        return number in self._paused or (followed is not None and followed.has_news)

    def goes_on(self, number: int) -> bool:
        """Whether a file was only added to when it grew last, and nothing in it was written anew."""
        followed = self._followed.get(number)
        return followed is not None and followed.goes_on

    def new_turns(self, number: int | None) -> int:
        """How many turns of a file came since somebody last looked at the newest."""
        followed = self._followed.get(number) if number is not None else None
        return len(followed.new_turns) if followed is not None else 0

    def first_new(self, number: int) -> Selection | None:
        """The first of them, which are not new any more then."""
        followed = self._followed.get(number)
        if followed is None or not followed.new_turns:
            return None
        row, followed.new_turns = followed.new_turns[0], []
        self.changed.emit()
        return Selection(number, row)

    def _has_room(self, followed: _Followed) -> bool:
        """Whether a file has a child, or can have one: one that rests may end for it, and begin again later."""
        alive = [other for other in self._followed.values() if other.has_child]
        if not followed.has_child and len(alive) >= MOST_CHILDREN:
            resting = [other for other in alive if not other.is_asked]
            if not resting:
                return False
            self._end_child(min(resting, key=lambda other: other.news_s))
        followed.has_child = True
        return True

    def _end_child(self, followed: _Followed) -> None:
        followed.has_child = False
        self._jobs.forget(followed.service)

    def _forget(self, number: int) -> None:
        self._paused.discard(number)
        followed = self._followed.pop(number, None)
        if followed is not None:
            self._end_child(followed)
            self.changed.emit()

    def _go_on(self) -> None:
        """Look at what is due; be called again when the next one is."""
        now_s, waits = self.clock(), list[float]()
        for number, followed in self._followed.items():
            file = self._files.get(number)
            if file is None or followed.is_asked or (followed.is_whole and not followed.is_due):
                continue
            rests_s = 0.0 if followed.is_due else followed.news_s + REST_S
            ready_s = max(followed.next_s, rests_s)
            if file.state is FileState.LOADING:
                waits.append(_LOADING_S)
            elif now_s < ready_s:
                waits.append(ready_s - now_s)
            elif self._has_room(followed):
                self._ask(file, followed, whole=not followed.is_due)
            else:
                waits.append(LEAST_S)
        if waits:
            self._timer.start(max(1, round(1000 * min(waits))))

    def _ask(self, file: OpenFile, followed: _Followed, *, whole: bool) -> None:
        followed.is_asked, followed.is_due = True, False
        followed.is_whole = whole
        self.watch_again(file.number)  # before it is read: what is written meanwhile is news again
        look = Look(file.number, str(file.path), file.digest, file.size_bytes, len(file.table), whole)
        self._jobs.order(followed.service, look, partial(self._looked, file.number), self._take)

    def _looked(self, number: int, answer: Answer) -> None:
        followed, file = self._followed.get(number), self._files.get(number)
        if followed is None or file is None:
            return
        followed.is_asked, followed.fresh = False, None
        now_s = self.clock()
        looked = answer.value if isinstance(answer.value, Looked) else Looked(REST_S / SHARE, problem=answer.sentence)
        pause_s = max(LEAST_S, SHARE * looked.took_s)
        followed.next_s = now_s + (CONTINUED_EVERY_S - looked.took_s if looked.is_continued else pause_s)
        followed.is_due = followed.is_due or looked.behind
        if looked.problem and looked.problem != followed.told:
            self._files.note_disk(number, there=not looked.is_gone)
            self._messages.tell(looked.problem)
        followed.told = looked.problem
        self._go_on()

    def _take(self, message: FileMessage) -> None:
        """Rows of a file that grew, from the child."""
        is_prepared = self._prepared is not None and message.file == self._prepared[1]
        if is_prepared and not _is_of_nothing(message):
            self.prepare(None)  # the file was there already: this child will not tell once more what nobody took
        followed, file = self._followed.get(message.file), self._files.get(message.file)
        if followed is None or file is None:
            return
        match message:
            case GrowthBegun():
                self._begin(file, followed, message)
            case GrowthRead():
                self._end(file, followed, message)
            case _ if followed.fresh is not None:
                followed.fresh.take(message)
            case RowsRead() if followed.begun is not None and followed.growth is not None:
                followed.waiting.append(message)
                rows = followed.begun.rows + sum(len(each.batch) for each in followed.waiting)
                if followed.begun.moved is not None and rows >= followed.growth.needs:
                    self._regrow(file, followed)
            case RowsRead():
                self._files.take(message)
            case _:
                file.take(message)

    def _begin(self, file: OpenFile, followed: _Followed, begun: GrowthBegun) -> None:
        followed.fresh = followed.growth = followed.begun = None
        if begun.moved is None and not begun.rows:
            followed.fresh = OpenFile(file.number, file.path, file.format)
            return
        followed.growth = Regrowth(file.table, begun)
        if begun.rows < len(file.table) or len(file.reported):
            followed.begun, followed.waiting = begun, []
            return
        for number, body in begun.changed.items():  # rows are added to those that are shown
            file.table.replace_body(number, body)

    def _regrow(self, file: OpenFile, followed: _Followed) -> None:
        """Put those rows that came in the place of others. Further ones are added to them."""
        growth, begun, waiting = followed.growth, followed.begun, followed.waiting
        assert growth is not None
        assert begun is not None
        followed.begun, followed.waiting = None, []
        followed.new_turns = [now for row in followed.new_turns if (now := growth.row_now(row)) != TOP]

        def append() -> None:
            file.has_traces = file.has_traces and begun.rows > 0
            if len(file.reported):
                file.reported = ReportedVerdicts(file.table)
            for message in waiting:
                file.take(message)

        file.growth = growth
        self._files.renew(file.number, lambda _file: growth.make(append))
        file.growth = None

    def _end(self, file: OpenFile, followed: _Followed, read: GrowthRead) -> None:
        if followed.begun is not None:
            self._regrow(file, followed)
        growth, fresh = followed.growth, followed.fresh
        now = fresh or file
        now.format, now.findings, now.criteria = read.format, list(read.findings), read.criteria
        now.holds = {content.what: content.count for content in read.holds}
        now.take(FileRead(file.number, read.sentence, read.digest, read.size_bytes))
        file.on_disk = OnDisk.SAME
        followed.fresh = followed.growth = None
        if growth is not None:
            grown = growth.grown_tops()
        else:
            assert fresh is not None
            grown, followed.new_turns = _grown_at_places(file.table, fresh.table), []
            self._files.renew(file.number, lambda file: file.take_over(fresh))
        followed.new_turns = [*followed.new_turns, *read.new_turns] if growth is not None else []
        followed.news_s, followed.has_news, followed.goes_on = self.clock(), True, read.goes_on
        self._files.changed.emit(file.number)
        self.grew.emit(file.number, grown)
        self.changed.emit()


def _is_of_nothing(message: FileMessage) -> bool:
    """Whether a file is there and empty, as a recording is before the first request."""
    match message:
        case GrowthBegun():
            return not message.rows
        case GrowthRead():
            return not message.size_bytes
    return False


def _grown_at_places(before: RowTable, now: RowTable) -> list[int]:
    """The cases and traces that are new, or have other contents than at the same place before."""
    were = {before.place(top): bodies_of(before, top) for top in before.tops}
    return [top for top in now.tops if were.get(now.place(top)) != bodies_of(now, top)]
