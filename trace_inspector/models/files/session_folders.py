"""Folders in which coding agents keep their sessions: each is one entry, and a session is read when it is chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.trace.outline import Outline
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.session_rows import FIRST_ROW, OF_COUNTS, Order, SessionFolder, SessionRow, by_start
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.reading import loading
from trace_inspector.work.reading.file_messages import ListedFiles, SessionCounted, SessionsListed

LISTING_SESSIONS, COUNTING = "listing sessions", "counting"
_SORT_AGAIN_MS = 1_000  # while counts come in, and rows are sorted by them
_COUNTED_FIRST = 200  # sessions are read to their ends unasked, the newest; the others when they are sorted by it
_OPENED_AT_ONCE = 50  # files; announcing them takes some 25 milliseconds


class SessionFolders(QObject):
    """By number. Rows are added behind the others and then arranged, so that a model can follow each step.

    In the same way those that are gone are first put behind the others: one removal is as quick as another.
    """

    added = Signal(int)  # a folder,
    closing = Signal(int)  # its rows are still there
    closed = Signal(int)
    inserting = Signal(int, int, int)  # below the folder or session of that number, from the first to the last place
    inserted = Signal()
    leaving = Signal(object)  # the numbers of rows that are about to be moved to the end and removed
    removing = Signal(int, int, int)  # below that folder, from the first to the last place
    removed = Signal()
    sorting = Signal()
    sorted = Signal()
    changed = Signal(int)  # a folder or a row
    adopting = Signal(int)  # an open file, which was listed by itself, is about to be a row of a folder,
    adopted = Signal(int)  # and is
    listed = Signal(int)  # a folder, to its end

    def __init__(
        self,
        jobs: Jobs,
        files: Files,
        selection: CurrentSelection,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._files, self._selection, self._messages = jobs, files, selection, messages
        self.by_number: dict[int, SessionFolder] = {}
        self.rows: dict[int, SessionRow] = {}
        self.order = Order.START
        self._last_row = FIRST_ROW
        self._counting: dict[int, int] = {}  # by folder, the job
        self._unwanted: set[Path] = set()  # folders that were closed while they were listed
        self._opening: Counter[Path] = Counter()  # how often each was opened since nothing was read
        self._again: set[int] = set()  # folders that are listed again
        self._sort_again = QTimer(self, singleShot=True, interval=_SORT_AGAIN_MS)
        self._sort_again.timeout.connect(self._arrange_all)
        self._by_file: dict[int, SessionRow] = {}
        self._to_open: list[Path] = []  # of a folder that is read whole
        self._announced: list[int] = []  # of those, the files that are read with the last
        self._open_more = QTimer(self, interval=0)
        self._open_more.timeout.connect(self._open_some)
        files.sessions_listed.connect(self._take)
        files.folders_opened.connect(self._want)
        files.all_read.connect(self._end_listing)
        files.added.connect(self._note_opened)
        files.closed.connect(self._note_closed)
        files.changed.connect(self._tell_of_file)

    def by_path(self, path: Path) -> SessionFolder | None:
        """The folder of that path that is listed here, also by another spelling."""
        real = real_path(path)
        return next((folder for folder in self.by_number.values() if folder.real == real), None)

    def around(self, path: Path) -> SessionFolder | None:
        """The folder that a path lies below."""
        return next((folder for folder in self.by_number.values() if folder.path in path.parents), None)

    def row_of_file(self, number: int) -> SessionRow | None:
        """The row of an open file; None where it is listed by itself."""
        return self._by_file.get(number)

    def below(self, number: int) -> list[SessionRow]:
        """What stands below a folder or a session."""
        if (folder := self.by_number.get(number)) is not None:
            return folder.tops
        row = self.rows.get(number)
        return row.below if row is not None else []

    def choose(self, number: int) -> None:
        """Read a session and select it; one that is open is only selected."""
        row = self.rows.get(number)
        if row is None:
            return
        opened = self._files.by_path(row.outline.path)
        if opened is None or opened.state not in (FileState.LOADING, FileState.READY):
            self._files.open([row.outline.path])
            opened = self._files.by_path(row.outline.path)
        if opened is not None and self._selection.row_in(opened.number) is None:
            self._selection.select(Selection(opened.number))

    def read_all(self, number: int) -> None:
        """Open all sessions of a folder, as files are."""
        folder = self.by_number.get(number)
        if folder is not None:
            self._to_open += [path for path, row in folder.by_path.items() if not row.file]
            self._open_more.start()

    def _open_some(self) -> None:
        """Announcing thousands of files takes seconds, so the window goes on meanwhile; one child reads them all."""
        some, self._to_open = self._to_open[:_OPENED_AT_ONCE], self._to_open[_OPENED_AT_ONCE:]
        new = tuple(path for path in some if self._files.by_path(path) is None)
        self._files.take_listed(self._announced, ListedFiles(new, begin=not self._to_open))
        if not self._to_open:
            self._open_more.stop()

    def look_again(self, number: int) -> None:
        """List a folder again: what is new, and what has become of the others."""
        folder = self.by_number.get(number)
        if folder is None or folder.listing or number in self._again:
            return
        folder.listing = True
        folder.seen_again.clear()
        self._again.add(number)
        title = tr("Listing {0}").format(folder.name)
        arguments = (str(folder.path), [row.outline for row in folder.by_path.values()])
        self._jobs.start(
            LISTING_SESSIONS,
            title,
            loading.list_sessions,
            arguments,
            receive=partial(self._take_again, folder),
            end=lambda _job: self._end_again(number),
        )
        self.changed.emit(number)

    def _take_again(self, folder: SessionFolder, message: SessionsListed | ListedFiles) -> None:
        if folder.number not in self.by_number:
            return
        if isinstance(message, SessionsListed):
            self._take_listed(folder, message, folder.seen_again)
        elif message.sentence:
            self._messages.tell(message.sentence)

    def _end_again(self, number: int) -> None:
        self._again.discard(number)
        folder = self.by_number.get(number)
        if folder is not None and folder.listing:
            folder.listing = False
            self.changed.emit(number)

    def close(self, number: int) -> None:
        """Close a folder and what is open of it."""
        folder = self.by_number.get(number)
        if folder is None:
            return
        self._to_open = [path for path in self._to_open if path not in folder.by_path]
        self._stop_counting(number)
        if folder.listing:
            self._unwanted.add(folder.path)
        self.closing.emit(number)
        del self.by_number[number]
        for row in folder.by_path.values():
            self.rows.pop(row.number, None)
            self._by_file.pop(row.file, None)
        for file in folder.open_files:  # none of which is told in a row any more
            self._files.close(file)
        self.closed.emit(number)

    def sort_by(self, order: Order) -> None:
        """Sort the sessions of all folders."""
        if order is not self.order:
            self.order = order
            self._arrange_all()
            for folder in self.by_number.values():
                if order in OF_COUNTS and not folder.listing:
                    self._count(folder)

    def _take(self, message: SessionsListed) -> None:
        if message.folder in self._unwanted:
            return
        folder = self.by_path(message.folder)
        if folder is None:
            real = real_path(message.folder)
            if any(each.real in real.parents for each in self.by_number.values()):
                return  # what is in it has rows already
            folder = SessionFolder(self._files.take_number(), message.folder, real)
            self.by_number[folder.number] = folder
            self.added.emit(folder.number)
        elif message.folder != folder.path:  # by another spelling
            self.look_again(folder.number)
            return
        folder.listing = True  # maybe it was opened once more
        if message.is_last and self._opening[message.folder] > 1:
            self._opening[message.folder] -= 1
            message = replace(message, is_last=False)
        self._take_listed(folder, message, folder.seen)

    def _take_listed(self, folder: SessionFolder, message: SessionsListed, seen: set[Path]) -> None:
        seen.update(outline.path for outline in message.outlines)
        seen.update(path for path, _trouble in message.unread)
        folder.total, folder.others = message.total, message.others
        self._put(folder, message.outlines, dict(message.unread))
        new = [path for path in message.foreign if path not in folder.foreign and self._files.by_path(path) is None]
        folder.foreign.update(message.foreign)
        if new:
            self._files.open(new)
        if message.is_last:
            self._end(folder, seen)
            seen.clear()
        self.changed.emit(folder.number)

    def _put(self, folder: SessionFolder, outlines: Sequence[Outline], unread: dict[Path, str]) -> None:
        """Rows that are there are renewed, and the others added. What was known of a file unread now stays."""
        fresh: list[SessionRow] = []
        now = {outline.path: outline for outline in outlines}
        inside = [each for each in self.by_number.values() if folder.real in each.real.parents]  # listed before
        for path in (*now, *unread):
            outline, trouble, row = now.get(path), unread.get(path, ""), folder.by_path.get(path)
            if row is None:
                if not any(each.has(folder.real_path_of(path)) for each in inside):
                    fresh.append(self._made(folder, outline or Outline(path, 0), trouble))
            elif (outline is not None and outline != row.outline) or trouble != row.trouble:
                self._renew(row, outline or row.outline, trouble)
        if fresh:
            self.inserting.emit(folder.number, len(folder.tops), len(folder.tops) + len(fresh) - 1)
            for place, row in enumerate(fresh, len(folder.tops)):
                row.place = place
                self.rows[row.number] = folder.by_path[row.outline.path] = row
            folder.tops.extend(fresh)
            self.inserted.emit()
        self._arrange(folder)
        self._adopt(fresh)

    def _renew(self, row: SessionRow, outline: Outline, trouble: str) -> None:
        if (outline.size_bytes, outline.written_ns) != (row.outline.size_bytes, row.outline.written_ns):
            row.counts, row.is_uncountable = None, False
        row.outline, row.trouble = outline, trouble
        file = self._files.get(row.file)
        if file is not None:
            file.outline = outline
        self.changed.emit(row.number)

    def _made(self, folder: SessionFolder, outline: Outline, trouble: str) -> SessionRow:
        self._last_row += 1
        return SessionRow(self._last_row, folder, outline, trouble)

    def _adopt(self, fresh: Sequence[SessionRow]) -> None:
        """What was open before its folder was stands there only."""
        open_files = {file.path: file for file in self._files}
        for row in fresh:
            file = open_files.get(row.outline.path)
            if file is not None:
                self.adopting.emit(file.number)
                self._tie(row, file)
                self.adopted.emit(file.number)

    def _tie(self, row: SessionRow, file: OpenFile) -> None:
        row.file, file.outline = file.number, row.outline
        self._by_file[file.number] = row

    def _end(self, folder: SessionFolder, seen: AbstractSet[Path]) -> None:
        """All are listed: those that are gone have no row any more, unless they are open; the others are counted."""
        folder.listing = False
        gone = [row for path, row in folder.by_path.items() if path not in seen and not row.file]
        if gone:
            self._remove(folder, gone)
        self._count(folder)
        self.listed.emit(folder.number)

    def _remove(self, folder: SessionFolder, gone: Sequence[SessionRow]) -> None:
        numbers = frozenset(row.number for row in gone)
        self.leaving.emit(numbers)
        self._arrange(folder, numbers)
        first = len(folder.tops) - len(gone)
        self.removing.emit(folder.number, first, len(folder.tops) - 1)
        del folder.tops[first:]
        for row in gone:
            del self.rows[row.number], folder.by_path[row.outline.path]
        self.removed.emit()

    def _want(self, folders: Sequence[Path]) -> None:
        self._unwanted.difference_update(folders)
        self._opening.update(folders)

    def _end_listing(self) -> None:
        """However it ended: what was listed until then stays."""
        self._opening.clear()
        for folder in self.by_number.values():
            folder.seen.clear()
            if folder.listing and folder.number not in self._again:
                folder.listing = False
                self.changed.emit(folder.number)

    def _count(self, folder: SessionFolder) -> None:
        """Read the newest to their ends for their turns and tokens, and all where they are sorted by that."""
        self._stop_counting(folder.number)
        ordered = sorted(folder.by_path.values(), key=by_start)
        some = ordered if self.order in OF_COUNTS else ordered[:_COUNTED_FIRST]
        rows = [row for row in some if row.counts is None and not row.is_uncountable and row.outline.size_bytes]
        if rows:
            title = tr("Counting turns and tokens of {0}").format(counted(len(rows), "session"))
            self._counting[folder.number] = self._jobs.start(
                COUNTING,
                title,
                loading.count_sessions,
                ([str(row.outline.path) for row in rows],),
                receive=self._take_counts,
                end=_no_matter,
            )

    def _stop_counting(self, number: int) -> None:
        job = self._counting.pop(number, None)
        if job is not None:
            self._jobs.stop(job)

    def _take_counts(self, message: SessionCounted) -> None:
        row = self.row_at(message.path)
        if row is not None and message.counts is None:
            row.is_uncountable = True
        elif row is not None:
            row.counts = message.counts
            self.changed.emit(row.number)
            if self.order in OF_COUNTS and not self._sort_again.isActive():
                self._sort_again.start()

    def _arrange_all(self) -> None:
        for folder in self.by_number.values():
            self._arrange(folder)

    def _arrange(self, folder: SessionFolder, gone: frozenset[int] = frozenset()) -> None:
        below = folder.arranged(self.order, gone)
        if not folder.is_arranged(below):
            self.sorting.emit()
            folder.arrange(below)
            self.sorted.emit()

    def row_at(self, path: Path) -> SessionRow | None:
        """The row of a file, whether it is open or not."""
        found = (folder.by_path.get(path) for folder in self.by_number.values())
        return next((row for row in found if row is not None), None)

    def _note_opened(self, number: int) -> None:
        file = self._files.get(number)
        row = self.row_at(file.path) if file is not None else None
        if file is not None and row is not None:
            self._tie(row, file)

    def _note_closed(self, number: int) -> None:
        row = self._by_file.pop(number, None)
        if row is not None and row.file == number:
            row.file = 0
            self.changed.emit(row.number)
            self.changed.emit(row.folder.number)

    def _tell_of_file(self, number: int) -> None:
        row = self.row_of_file(number)
        if row is not None:
            self.changed.emit(row.number)
            self.changed.emit(row.folder.number)


def _no_matter(_job: Job) -> None:
    """What is not counted is told when it is read."""
