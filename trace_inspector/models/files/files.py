"""The open files: each is announced at once and read in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import CurrentSelection, Selection
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.reading import file_messages, loading
from trace_inspector.work.reading.reopening import Opening

LOADING = "loading"
OUTLINING = "outlining"
_IN_LINES = ".jsonl"  # the ending of sessions, of which a folder may hold thousands
_ON_DISK = {
    OnDisk.CHANGED: "changed on disk. Reload it with Ctrl+R.",
    OnDisk.GONE: "is no longer on disk. What was read of it is still shown.",
}
_ON_DISK_EDITED = {
    OnDisk.CHANGED: "changed on disk while it is edited here. Ctrl+S shows both sides before anything is written.",
    OnDisk.GONE: "is no longer on disk. Ctrl+S writes it again, or asks for another place if it cannot.",
}


class _PendingSelection(Struct, frozen=True):
    """The place to select in a file once it is read."""

    place: str = ""
    row: int = TOP
    was_there: bool = False  # it was selected when the file was read before, so no person asks for it


class Files(QObject):
    """By number, in the order of opening. Changed by messages of child processes, and by closing.

    The selection follows its row when a file is read again or shows other rows.
    """

    added = Signal(int)
    changed = Signal(int)  # state, format, findings or criteria
    rows_arrived = Signal(int)
    closed = Signal(int)
    renewing = Signal(int)  # the rows of a file are about to be replaced,
    replaced = Signal(int)  # they are replaced, and wait for their verdicts, and
    renewed = Signal(int)  # they can be shown
    reads_again = Signal(int, int)  # a file is about to be closed, and opened again under the other number
    place_ready = Signal(object)  # the Selection that was requested by its place, or
    compared_read = Signal(int, object)  # an evidence pack of a comparison, and the places of what is compared
    place_restored = Signal(object)  # the one from before the file was read again
    folders_opened = Signal(object)  # their paths
    sessions_listed = Signal(object)  # what a folder of a coding agent holds, which is read when it is chosen
    all_read = Signal()  # nothing is being read any more, however it ended

    def __init__(
        self, jobs: Jobs, selection: CurrentSelection, messages: Messages, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._selection = selection
        self._messages = messages
        self.by_number: dict[int, OpenFile] = {}
        self._paths = _OpenPaths()
        self._last = 0
        self._before: dict[tuple[int, str], Selection] = {}  # by file and place of what is new there
        self._pending: dict[int, _PendingSelection] = {}  # by file, what to select when it is read
        self._pending_in_folder: dict[Path, str] = {}  # the same for folders that may turn out to be one file
        self._reloading: set[int] = set()  # their messages are out of date once they are read
        self._listings = 0  # folders and archives of which not all files are announced yet
        self._read_to_end = QTimer(self, singleShot=True, interval=0)  # a file read again is closed, then announced
        self._read_to_end.timeout.connect(self._tell_all_read)
        self.place_ready.connect(selection.select)
        self.place_restored.connect(selection.select_again)

    def __iter__(self) -> Iterator[OpenFile]:
        return iter(self.in_order)

    def __len__(self) -> int:
        return len(self.by_number)

    @property
    def in_order(self) -> tuple[OpenFile, ...]:
        """The open files in the order of opening."""
        return tuple(self.by_number.values())

    @property
    def reading(self) -> bool:
        """Whether a file is being read, or a folder listed."""
        return self._listings > 0 or any(file.state is FileState.LOADING for file in self.by_number.values())

    def get(self, number: int) -> OpenFile | None:
        """The open file of that number."""
        return self.by_number.get(number)

    def take_number(self) -> int:
        """A number that no file has, for what is listed beside them."""
        self._last += 1
        return self._last

    def open(self, paths: Sequence[Path | str], *, wants_files: bool = False) -> None:
        """Open files, and the files in folders; they are announced at once and read in the background.

        The sessions of a coding agent's folder are only listed, unless its files are wanted.
        """
        asked = [loading.split_place(str(path)) for path in paths]
        folders = [path for path, _place in asked if loading.may_be_folder(path)]
        self._pending_in_folder |= {path: place for path, place in asked if place and path in folders}
        if folders:
            self.folders_opened.emit(folders)
        files = [self.add(path, place) for path, place in asked if path not in folders]
        self._load([file for file in files if file is not None], folders, wants_files=wants_files)

    def open_kept(self, path: Path) -> int:
        """Open a file with unsaved edits, even one that was deleted; returns its number."""
        file = self.add(path)
        if file is None:
            return self._paths.number(path)
        self._load([file], [])
        return file.number

    def by_path(self, path: Path) -> OpenFile | None:
        """The open file at a path, whichever path it was opened by."""
        return self.by_number.get(self._paths.number(path))

    def add(self, path: Path, place: str = "", number: int | None = None) -> OpenFile | None:
        """Announce a file, by a number that was taken for it or a new one; None when it is open already."""
        already_open = self.by_path(path)
        if already_open is not None and already_open.state in (FileState.LOADING, FileState.READY):
            self._messages.tell(_already_open(already_open, path))
            self.place_ready.emit(Selection(already_open.number, already_open.table.row_near(place)))
            return None
        if already_open is not None:  # it was not read to its end: it is replaced
            self.close(already_open.number)
        number = number or self.take_number()
        self._paths.put(number, path)
        file = self.by_number[number] = OpenFile(number, path)
        if place:
            self.select_when_read(file.number, place)
        self.added.emit(file.number)
        return file

    def close(self, number: int) -> None:
        """Close a file and drop the verdicts on it."""
        file = self.by_number.pop(number, None)
        if file is not None:
            self._paths.drop(number)
            self.closed.emit(number)
            if self._selection.row_in(number) is not None:
                self._selection.select(None)
            if file.on_disk is not OnDisk.SAME:  # the last message was about that
                self._messages.tell(f"{file.name} was closed.")
            self._read_to_end.start()

    def renew(self, number: int, change: Callable[[OpenFile], None]) -> None:
        """Show other rows of a file, which the change puts there."""
        file = self.by_number.get(number)
        if file is not None:
            self._keep_place(file)
            self.renewing.emit(number)
            change(file)
            self.replaced.emit(number)
            file.table.visible.is_quiet = False
            before, row = self._before_what_is_gone(file), self.pending_row(file)
            if is_selected := self._selection.row_in(number) is not None:
                self._selection.put_at(row)
            self.renewed.emit(number)
            if is_selected and before is not None:
                self._selection.select(before)
            elif is_selected:
                self._selection.tell()
            self.changed.emit(number)

    def remember_before(self, number: int, place: str, before: Selection) -> None:
        """Remember what was selected before something new at a place of a file: it is again where that is undone."""
        self._before[number, place] = before

    def note_saved(self, number: int, path: Path, digest: str) -> None:
        """Note that a file was saved as it is shown, maybe under another name."""
        file = self.by_number.get(number)
        if file is not None:
            self._paths.put(number, path)
            file.path, file.digest, file.on_disk = path, digest, OnDisk.SAME
            file.writes += 1
            self.changed.emit(number)

    def note_disk(self, number: int, there: bool) -> None:
        """Note that the file on disk was changed or deleted since it was read."""
        file = self.by_number.get(number)
        if file is None:
            return
        file.on_disk = OnDisk.CHANGED if there else OnDisk.GONE
        self._messages.tell(f"{file.name} {(_ON_DISK_EDITED if file.unsaved else _ON_DISK)[file.on_disk]}")
        self.changed.emit(number)

    def note_as_before(self, number: int) -> None:
        """Note that the file on disk is again the one that was read or written here."""
        file = self.by_number.get(number)
        if file is not None and file.on_disk is not OnDisk.SAME:
            file.on_disk = OnDisk.SAME
            self._messages.tell(f"{file.name} is on disk again, unchanged.")
            self.changed.emit(number)

    def reload(self, number: int) -> None:
        """Read a file again, and restore its selection."""
        file = self.by_number.get(number)
        if file is not None:
            row = self._selection.row_in(number)
            place = file.table.place_around(row) if row is not None else ""
            self.reads_again.emit(number, self._last + 1)
            self.close(number)
            again = self.add(file.path, place)
            if again is not None:
                again.outline = file.outline
                self._reloading.add(again.number)
                self._messages.tell(f"Reading {file.name} again…")
            if again is not None and row == TOP:
                self.place_ready.emit(Selection(again.number))
            elif again is not None and row is not None:
                self._pending[again.number] = _PendingSelection(place, row, was_there=True)
            self._load([again] if again else [], [])

    def take(self, message: file_messages.FileMessage) -> None:
        """Take a message of a child process about a file."""
        file = self.by_number.get(message.file)
        if file is None:
            return  # closed meanwhile
        if isinstance(message, file_messages.ReadingRestarted):
            self._begin_again(file)
            return
        if file.take(message):
            self.changed.emit(file.number)
        if isinstance(message, file_messages.RowsRead):
            self.rows_arrived.emit(file.number)
        number, is_read = file.number, isinstance(message, file_messages.FileRead)
        opens = is_read and number not in self._reloading and number not in self._pending
        if file.state is not FileState.LOADING and file.number in self._reloading:
            self._reloading.remove(file.number)
            self._messages.tell(file.sentence or f"{file.name} was read again.")
        if opens:
            self._select_shown_first(file)
        if file.state is not FileState.LOADING and file.number in self._pending:
            signal = self.place_restored if self._pending[file.number].was_there else self.place_ready
            signal.emit(Selection(file.number, self.pending_row(file)))
        if opens and (compared := file.compared):
            self.compared_read.emit(number, compared)
        if is_read:
            self._read_to_end.start()

    def select_when_read(self, number: int, place: str, row: int = TOP) -> None:
        """Select a place of a file when it is read; by row where the place is empty (a whole document)."""
        self._pending[number] = _PendingSelection(place, row)

    def _select_shown_first(self, file: OpenFile) -> None:
        """An evidence pack opens with what was in view when it was saved."""
        if file.shown_first:
            self.select_when_read(file.number, file.shown_first)

    def pending_row(self, file: OpenFile) -> int:
        """The row to select now that the rows are there; it is forgotten with this call."""
        pending = self._pending.pop(file.number, _PendingSelection())
        now = file.growth.row_now(pending.row) if file.growth is not None and pending.row != TOP else TOP
        return now if file.table.has(now) else file.table.row_again(pending.row, pending.place)

    def _before_what_is_gone(self, file: OpenFile) -> Selection | None:
        """What was selected before the place that is selected, where the new rows do not have that any more."""
        place = self._pending.get(file.number, _PendingSelection()).place
        steps = place.split("/")
        around = ["/".join(steps[:end]) for end in range(len(steps), 0, -1)]
        new = next((each for each in around if (file.number, each) in self._before), None)
        before = self._before[file.number, new] if new and not file.table.named.at_place(new) else None
        there = self.get(before.file) if before is not None else None
        return before if there is not None and before is not None and there.table.has(before.row) else None

    def _keep_place(self, file: OpenFile) -> None:
        row = self._selection.row_in(file.number)
        if row is not None and row != TOP:
            self.select_when_read(file.number, file.table.place_around(row), row)

    def _begin_again(self, file: OpenFile) -> None:
        """Drop the rows that were sent early: all rows of the file follow."""
        self._keep_place(file)
        self.reads_again.emit(file.number, file.number)
        self.close(file.number)
        self._paths.put(file.number, file.path)
        self.by_number[file.number] = again = OpenFile(file.number, file.path)
        again.format, again.outline = file.format, file.outline
        self.added.emit(file.number)

    def take_listed(self, listed: list[int], message: file_messages.ListedFiles) -> None:
        """Take some files of a folder; `listed` were announced, and have no job of their own yet."""
        if message.sentence:
            self._messages.tell(message.sentence)
        added = (self.add(path, self._pending_in_folder.pop(path, "")) for path in message.paths)
        listed.extend(file.number for file in added if file is not None)
        if message.begin:
            files = [file for number in listed if (file := self.by_number.get(number)) is not None]
            listed.clear()
            self._load(files, [])
            self._outline(files)

    def end_loading(self, given: Sequence[int], listed: Sequence[int], job: Job) -> None:
        """Note that a job ended: files that it did not read to the end were stopped, or failed."""
        self._read_to_end.start()
        numbers = (*given, *listed)
        cut = [file for number in numbers if (file := self.by_number.get(number)) and file.state is FileState.LOADING]
        for file in cut:
            self._reloading.discard(file.number)
            file.state = FileState.STOPPED if job.state is JobState.STOPPED else FileState.FAILED
            file.sentence = job.sentence or file.stopped
            self.changed.emit(file.number)
        if sentence := job.sentence or (cut[0].sentence if cut else ""):
            self._messages.tell(sentence)

    def _load(self, files: Sequence[OpenFile], folders: Sequence[Path], *, wants_files: bool = False) -> None:
        if not files and not folders:
            return
        names = [file.name for file in files] or [path.name for path in folders]
        title = f"Opening {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        given = [(file.number, str(file.path)) for file in files]
        listed: list[int] = []
        self._listings += len(folders)
        self._jobs.follow(
            LOADING,
            title,
            Opening(given, [str(path) for path in folders], wants_files=wants_files),
            receive=partial(self._take_any, listed),
            end=partial(self._end, len(folders), [file.number for file in files], listed),
        )

    def _outline(self, files: Sequence[OpenFile]) -> None:
        """Ask what the sessions of a folder are about: reading all of them may take long."""
        sessions = [(file.number, str(file.path)) for file in files if file.path.suffix == _IN_LINES]
        if len(sessions) > 1:
            title = f"Listing {len(sessions):,} sessions"
            self._jobs.start(OUTLINING, title, loading.outline, (sessions,), receive=self.take, end=_no_matter)

    def _end(self, folders: int, given: Sequence[int], listed: Sequence[int], job: Job) -> None:
        self._listings -= folders
        self.end_loading(given, listed, job)

    def _tell_all_read(self) -> None:
        if not self.reading:
            self.all_read.emit()

    def _take_any(
        self,
        listed: list[int],
        message: file_messages.ListedFiles | file_messages.SessionsListed | file_messages.FileMessage,
    ) -> None:
        if isinstance(message, file_messages.ListedFiles):
            self.take_listed(listed, message)
        elif isinstance(message, file_messages.SessionsListed):
            self.sessions_listed.emit(message)
        else:
            self.take(message)


class _OpenPaths:
    """Numbers of files by the path that they were opened by, and by the resolved path.

    So a file is open only once, whichever link or spelling of its path is opened.
    """

    def __init__(self) -> None:
        self._numbers: dict[Path, int] = {}
        self._paths: dict[int, tuple[Path, Path]] = {}

    def number(self, path: Path) -> int:
        """The number of the file; 0 where it is not open."""
        return self._numbers.get(path) or self._numbers.get(real_path(path), 0)

    def put(self, number: int, path: Path) -> None:
        """Set the path of a file."""
        self.drop(number)
        self._paths[number] = paths = path, real_path(path)
        self._numbers |= dict.fromkeys(paths, number)

    def drop(self, number: int) -> None:
        """Forget a closed file."""
        for path in self._paths.pop(number, ()):
            if self._numbers.get(path) == number:
                del self._numbers[path]


def _no_matter(_job: Job) -> None:
    """Sessions that could not be listed are read all the same."""


def _already_open(file: OpenFile, path: Path) -> str:
    if file.path == path:
        return f"{file.name} is already open."
    return f"{path} is the same file as {file.path}, which is already open."
