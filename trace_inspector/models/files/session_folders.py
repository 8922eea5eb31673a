"""Folders in which coding agents keep their sessions: each is one entry, and a session is read when it is chosen."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.core.trace.outline import FullCounts, Outline
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.open_file import FileState
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.reading import loading
from trace_inspector.work.reading.file_messages import ListedFiles, SessionCounted, SessionsListed

LISTING_SESSIONS, COUNTING = "listing sessions", "counting"
FIRST_ROW = 1 << 30  # rows have numbers of their own, above those of files
_SORT_AGAIN_MS = 1_000  # while counts come in, and rows are sorted by them


class Order(enum.Enum):
    """What sessions are sorted by: the newest, longest and largest first, words from A to Z."""

    START = N_("Start")
    TITLE = N_("Title")
    MODEL = N_("Model")
    SIZE = N_("Size")
    TURNS = N_("Turns")
    TOKENS = N_("Tokens")


_OF_COUNTS = frozenset({Order.TURNS, Order.TOKENS})


@dataclass(slots=True, eq=False)
class SessionRow:
    """A session of a folder, or a sub-agent below the session that started it."""

    number: int
    folder: SessionFolder
    outline: Outline
    trouble: str = ""  # why its beginning could not be read
    counts: FullCounts | None = None  # once it was read to its end
    file: int = 0  # the open file, 0 where it is not open
    above: SessionRow | None = None
    below: list[SessionRow] = field(default_factory=list)
    place: int = 0  # among its neighbours

    @property
    def title(self) -> str:
        """What it is about; the name of its file where that is not known."""
        return self.outline.title or self.outline.path.name

    @property
    def tokens(self) -> int:
        """How many tokens went in and out."""
        return self.counts.input_tokens + self.counts.output_tokens if self.counts is not None else 0


@dataclass(slots=True, eq=False)
class SessionFolder:
    """A folder of sessions, as far as they are listed. Only `SessionFolders` changes it."""

    number: int
    path: Path
    tops: list[SessionRow] = field(default_factory=list)
    by_path: dict[Path, SessionRow] = field(default_factory=dict)
    by_id: dict[str, SessionRow] = field(default_factory=dict)
    others: int = 0  # files that its program keeps beside them
    total: int = 0
    listing: bool = True
    seen: set[Path] = field(default_factory=set)  # in the listing that goes on

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.name or str(self.path)

    @property
    def size_bytes(self) -> int:
        """How large its sessions are together."""
        return sum(row.outline.size_bytes for row in self.by_path.values())

    @property
    def open_files(self) -> list[int]:
        """The numbers of those that are open."""
        return [row.file for row in self.by_path.values() if row.file]


class SessionFolders(QObject):
    """By number. Rows are added behind the others and then sorted, so that a model can follow each step."""

    added = Signal(int)  # a folder,
    closing = Signal(int)  # its rows are still there
    closed = Signal(int)
    inserting = Signal(int, int, int)  # below the folder or session of that number, from the first to the last place
    inserted = Signal()
    removing = Signal(int, int)  # below that folder or session, at that place
    removed = Signal()
    sorting = Signal()
    sorted = Signal()
    changed = Signal(int)  # a folder or a row
    adopting = Signal(int)  # an open file, which was listed by itself, is about to be a row of a folder,
    adopted = Signal(int)  # and is

    def __init__(self, jobs: Jobs, files: Files, selection: CurrentSelection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._files, self._selection = jobs, files, selection
        self.by_number: dict[int, SessionFolder] = {}
        self.rows: dict[int, SessionRow] = {}
        self.order = Order.START
        self._last_row = FIRST_ROW
        self._counting: dict[int, int] = {}  # by folder, the job
        self._unwanted: set[Path] = set()  # folders that were closed while they were listed
        self._again: set[int] = set()  # folders that are listed again
        self._sort_again = QTimer(self, singleShot=True, interval=_SORT_AGAIN_MS)
        self._sort_again.timeout.connect(self._sort)
        files.sessions_listed.connect(self._take)
        files.folders_opened.connect(self._want)
        files.all_read.connect(self._end_listing)
        files.added.connect(self._note_opened)
        files.closed.connect(self._note_closed)
        files.changed.connect(self._tell_of_file)

    def by_path(self, path: Path) -> SessionFolder | None:
        """The folder of that path that is listed here."""
        return next((folder for folder in self.by_number.values() if folder.path == path), None)

    def around(self, path: Path) -> SessionFolder | None:
        """The folder that a path lies below."""
        return next((folder for folder in self.by_number.values() if folder.path in path.parents), None)

    def row_of_file(self, number: int) -> SessionRow | None:
        """The row of an open file; None where it is listed by itself."""
        file = self._files.get(number)
        row = self._row_at(file.path) if file is not None else None
        return row if row is not None and row.file == number else None

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
            paths = (row.outline.path for row in folder.by_path.values())
            self._files.open([path for path in paths if self._files.by_path(path) is None])

    def look_again(self, number: int) -> None:
        """List a folder again: what is new, and what has become of the others."""
        folder = self.by_number.get(number)
        if folder is None or folder.listing:
            return
        folder.listing = True
        folder.seen.clear()
        self._again.add(number)
        title = f"Listing {folder.name}"
        arguments = (str(folder.path),)
        self._jobs.start(
            LISTING_SESSIONS,
            title,
            loading.list_sessions,
            arguments,
            receive=self._take,
            end=lambda _job: self._end_again(number),
        )
        self.changed.emit(number)

    def _end_again(self, number: int) -> None:
        self._again.discard(number)
        self._end_listing()

    def close(self, number: int) -> None:
        """Close a folder and what is open of it."""
        folder = self.by_number.get(number)
        if folder is None:
            return
        for file in folder.open_files:
            self._files.close(file)
        self._stop_counting(number)
        if folder.listing:
            self._unwanted.add(folder.path)
        self.closing.emit(number)
        del self.by_number[number]
        for row in folder.by_path.values():
            self.rows.pop(row.number, None)
        self.closed.emit(number)

    def sort_by(self, order: Order) -> None:
        """Sort the sessions of all folders."""
        if order is not self.order:
            self.order = order
            self._sort()

    def _take(self, message: SessionsListed | ListedFiles) -> None:
        if isinstance(message, ListedFiles):  # it is no folder of sessions any more
            return
        if message.folder in self._unwanted:
            return
        folder = self.by_path(message.folder)
        if folder is None:
            folder = SessionFolder(self._files.take_number(), message.folder)
            self.by_number[folder.number] = folder
            self.added.emit(folder.number)
        elif not folder.listing:  # it was opened once more
            folder.listing = True
            folder.seen.clear()
        folder.total, folder.others = message.total, message.others
        unread = [Outline(path, 0) for path, _why in message.unread]
        self._put(folder, (*message.outlines, *unread))
        for path, why in message.unread:
            folder.by_path[path].trouble = why
        if message.is_last:
            self._end(folder)
        self._sort()
        self.changed.emit(folder.number)

    def _put(self, folder: SessionFolder, outlines: Sequence[Outline]) -> None:
        """Outlines of rows that are there are renewed; the others are added, sub-agents below their sessions."""
        fresh: list[SessionRow] = []
        for outline in outlines:
            folder.seen.add(outline.path)
            row = folder.by_path.get(outline.path)
            if row is None:
                fresh.append(self._made(folder, outline))
            else:
                if outline.size_bytes != row.outline.size_bytes:
                    row.counts = None
                row.outline, row.trouble = outline, ""
                self.changed.emit(row.number)
        for row in fresh:
            above = folder.by_id.get(row.outline.parent) if row.outline.parent else None
            row.above = above if above is not row else None
        by_place = sorted(fresh, key=_number_above)
        for number, rows in groupby(by_place, key=_number_above):
            self._insert(number or folder.number, list(rows))
        self._adopt(fresh)

    def _adopt(self, fresh: Sequence[SessionRow]) -> None:
        """What was open before its folder was stands there only."""
        open_files = {file.path: file for file in self._files}
        for row in fresh:
            file = open_files.get(row.outline.path)
            if file is not None:
                self.adopting.emit(file.number)
                row.file, file.outline = file.number, row.outline
                self.adopted.emit(file.number)

    def _made(self, folder: SessionFolder, outline: Outline) -> SessionRow:
        self._last_row += 1
        row = self.rows[self._last_row] = folder.by_path[outline.path] = SessionRow(self._last_row, folder, outline)
        if outline.id:
            folder.by_id.setdefault(outline.id, row)
        return row

    def _insert(self, number: int, rows: Sequence[SessionRow]) -> None:
        below = self.below(number)
        self.inserting.emit(number, len(below), len(below) + len(rows) - 1)
        below.extend(rows)
        _number_places(below)
        self.inserted.emit()

    def _end(self, folder: SessionFolder) -> None:
        """All are listed: those that are gone have no row any more, unless they are open; the others are counted."""
        folder.listing = False
        for row in [row for path, row in folder.by_path.items() if path not in folder.seen]:
            if not row.file and not row.below:
                self._remove(row)
        self._count(folder)

    def _remove(self, row: SessionRow) -> None:
        above = row.above.number if row.above is not None else row.folder.number
        siblings = self.below(above)
        self.removing.emit(above, row.place)
        siblings.remove(row)
        _number_places(siblings)
        del self.rows[row.number], row.folder.by_path[row.outline.path]
        if row.folder.by_id.get(row.outline.id) is row:
            del row.folder.by_id[row.outline.id]
        self.removed.emit()

    def _want(self, folders: Sequence[Path]) -> None:
        self._unwanted.difference_update(folders)

    def _end_listing(self) -> None:
        """However it ended: what was listed until then stays."""
        for folder in self.by_number.values():
            if folder.listing and folder.number not in self._again:
                folder.listing = False
                self.changed.emit(folder.number)

    def _count(self, folder: SessionFolder) -> None:
        """Read sessions to their ends for their turns and tokens, in the order in which they are shown."""
        self._stop_counting(folder.number)
        ordered = sorted(folder.by_path.values(), key=_by_start)
        paths = [str(row.outline.path) for row in ordered if row.counts is None and row.outline.size_bytes]
        if paths:
            title = f"Counting turns and tokens of {len(paths):,} sessions"
            self._counting[folder.number] = self._jobs.start(
                COUNTING, title, loading.count_sessions, (paths,), receive=self._take_counts, end=_no_matter
            )

    def _stop_counting(self, number: int) -> None:
        job = self._counting.pop(number, None)
        if job is not None:
            self._jobs.stop(job)

    def _take_counts(self, message: SessionCounted) -> None:
        row = self._row_at(message.path)
        if row is not None:
            row.counts = message.counts
            self.changed.emit(row.number)
            if self.order in _OF_COUNTS and not self._sort_again.isActive():
                self._sort_again.start()

    def _sort(self) -> None:
        self.sorting.emit()
        for folder in self.by_number.values():
            for rows in (folder.tops, *(row.below for row in folder.by_path.values())):
                rows.sort(key=_KEYS[self.order])
                _number_places(rows)
        self.sorted.emit()

    def _row_at(self, path: Path) -> SessionRow | None:
        found = (folder.by_path.get(path) for folder in self.by_number.values())
        return next((row for row in found if row is not None), None)

    def _note_opened(self, number: int) -> None:
        file = self._files.get(number)
        row = self._row_at(file.path) if file is not None else None
        if file is not None and row is not None:
            row.file, file.outline = number, row.outline

    def _note_closed(self, number: int) -> None:
        row = next((row for row in self.rows.values() if row.file == number), None)
        if row is not None:
            row.file = 0
            self.changed.emit(row.number)
            self.changed.emit(row.folder.number)

    def _tell_of_file(self, number: int) -> None:
        row = self.row_of_file(number)
        if row is not None:
            self.changed.emit(row.number)
            self.changed.emit(row.folder.number)


def _number_above(row: SessionRow) -> int:
    return row.above.number if row.above is not None else 0


def _number_places(rows: Iterable[SessionRow]) -> None:
    for place, row in enumerate(rows):
        row.place = place


def _no_matter(_job: Job) -> None:
    """What is not counted is told when it is read."""


def _by_start(row: SessionRow) -> tuple[float, str]:
    start_s = row.outline.start_s
    return math.inf if start_s is None else -start_s, row.outline.path.name


_KEYS = {
    Order.START: _by_start,
    Order.TITLE: lambda row: (row.title.casefold(), *_by_start(row)),
    Order.MODEL: lambda row: (not row.outline.model, row.outline.model.casefold(), *_by_start(row)),
    Order.SIZE: lambda row: (-row.outline.size_bytes, *_by_start(row)),
    Order.TURNS: lambda row: (-(row.counts.turns if row.counts else 0), *_by_start(row)),
    Order.TOKENS: lambda row: (-row.tokens, *_by_start(row)),
}
