"""The open files: each is announced at once and read in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.open_paths import OpenPaths
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.reading import file_messages, loading
from trace_inspector.work.reading.reopening import Opening

LOADING = "loading"
_ON_DISK = {
    OnDisk.CHANGED: "changed on disk. Reload it with Ctrl+R.",
    OnDisk.GONE: "is no longer there. What was read of it is still shown.",
}
_ON_DISK_EDITED = {
    OnDisk.CHANGED: "changed on disk while it is edited here. Ctrl+S shows both sides before anything is written.",
    OnDisk.GONE: "is no longer there. Ctrl+S writes it again, or asks for another place where that cannot be.",
}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be selected of a file."""

    place: str = ""
    row: int = TOP
    was_there: bool = False  # nobody asks for it: it was selected when the file was read before


class Files(QObject):
    """By number, in the order of opening. Changed by what children tell, and by closing."""

    added = Signal(int)
    changed = Signal(int)  # state, format, findings or criteria
    rows_arrived = Signal(int)
    closed = Signal(int)
    renewing = Signal(int)  # other rows are about to take the place of a file's own, and
    renewed = Signal(int)  # they have
    begins_again = Signal(int)  # what was told early of a file is about to go, and all of it comes
    reads_again = Signal(int, int)  # a file is about to be closed, and opened again under the other number
    found = Signal(object)  # the Selection that somebody asked for by its place, or
    found_again = Signal(object)  # that was there when the file was read before
    message = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.by_number: dict[int, OpenFile] = {}
        self._paths = OpenPaths()
        self._last = 0
        self._wanted: dict[int, _Wanted] = {}  # by file, what to select when it is read
        self._wanted_in: dict[Path, str] = {}  # the same of folders that may turn out to be one file
        self._reloading: set[int] = set()  # what is said of them holds no longer once they are read

    def open(self, paths: Sequence[Path | str]) -> None:
        """Open files, and what lies in folders."""
        asked = [loading.split_place(str(path)) for path in paths]
        folders = [path for path, _place in asked if loading.may_be_folder(path)]
        self._wanted_in |= {path: place for path, place in asked if place and path in folders}
        files = [self.add(path, place) for path, place in asked if path not in folders]
        self._load([file for file in files if file is not None], folders)

    def open_kept(self, path: Path) -> int:
        """Open a file that somebody edited, also one that is gone; its number."""
        file = self.add(path)
        if file is None:
            return self._paths.number(path)
        self._load([file], [])
        return file.number

    def at(self, path: Path) -> OpenFile | None:
        """The open file that lies there, by whatever path it was opened."""
        return self.by_number.get(self._paths.number(path))

    def add(self, path: Path, place: str = "") -> OpenFile | None:
        """Announce a file; None when it is open already."""
        known = self.at(path)
        if known is not None and known.state in (FileState.LOADING, FileState.READY):
            self.message.emit(_already_open(known, path))
            self.found.emit(Selection(known.number, known.table.row_near(place)))
            return None
        if known is not None:  # it was not read to its end: this time takes its place
            self.close(known.number)
        self._last += 1
        self._paths.put(self._last, path)
        file = self.by_number[self._last] = OpenFile(self._last, path)
        if place:
            self.want(file.number, place)
        self.added.emit(file.number)
        return file

    def close(self, number: int) -> None:
        """Forget a file."""
        file = self.by_number.pop(number, None)
        if file is not None:
            self._paths.drop(number)
            self.closed.emit(number)
            if file.on_disk is not OnDisk.SAME:  # the last message was about that
                self.message.emit(f"{file.name} was closed.")

    def renew(self, number: int, fresh: OpenFile) -> None:
        """Show a file as it is edited."""
        file = self.by_number.get(number)
        if file is not None:
            self.renewing.emit(number)
            file.take_over(fresh)
            self.renewed.emit(number)
            self.changed.emit(number)

    def note_saved(self, number: int, path: Path, digest: str) -> None:
        """What is shown of a file is on disk now, maybe under another name."""
        file = self.by_number.get(number)
        if file is not None:
            self._paths.put(number, path)
            file.path, file.digest, file.on_disk = path, digest, OnDisk.SAME
            file.writes += 1
            self.changed.emit(number)

    def note_disk(self, number: int, there: bool) -> None:
        """The file is another one on disk than when it was read, or no longer there."""
        file = self.by_number.get(number)
        if file is None:
            return
        file.on_disk = OnDisk.CHANGED if there else OnDisk.GONE
        self.message.emit(f"{file.name} {(_ON_DISK_EDITED if file.unsaved else _ON_DISK)[file.on_disk]}")
        self.changed.emit(number)

    def note_as_before(self, number: int) -> None:
        """The file is again as it was read or written here: it was only away for a while."""
        file = self.by_number.get(number)
        if file is not None and file.on_disk is not OnDisk.SAME:
            file.on_disk = OnDisk.SAME
            self.message.emit(f"{file.name} is on disk again as it was.")
            self.changed.emit(number)

    def reload(self, number: int, row: int | None) -> None:
        """Read a file again, and show the same place of it; None shows nothing of it."""
        file = self.by_number.get(number)
        if file is not None:
            place = file.table.place_around(row) if row is not None else ""
            self.reads_again.emit(number, self._last + 1)
            self.close(number)
            again = self.add(file.path, place)
            if again is not None:
                self._reloading.add(again.number)
                self.message.emit(f"Reading {file.name} again…")
            if again is not None and row == TOP:
                self.found.emit(Selection(again.number))
            elif again is not None and row is not None:
                self._wanted[again.number] = _Wanted(place, row, was_there=True)
            self._load([again] if again else [], [])

    def take(self, message: file_messages.FileMessage) -> None:
        """What a child says next of a file."""
        file = self.by_number.get(message.file)
        if file is None:
            return  # closed meanwhile
        if isinstance(message, file_messages.BeginsAgain):
            self._begin_again(file)
            return
        if file.take(message):
            self.changed.emit(file.number)
        if isinstance(message, file_messages.RowsRead):
            self.rows_arrived.emit(file.number)
        if file.state is not FileState.LOADING and file.number in self._reloading:
            self._reloading.remove(file.number)
            self.message.emit(file.sentence or f"{file.name} was read again.")
        if file.state is not FileState.LOADING and file.number in self._wanted:
            found = self.found_again if self._wanted[file.number].was_there else self.found
            found.emit(Selection(file.number, self.wanted_row(file)))

    def want(self, number: int, place: str, row: int = TOP) -> None:
        """Select that place of a file when it is read; what has none, because it is all of the file, by its row."""
        self._wanted[number] = _Wanted(place, row)

    def wanted_row(self, file: OpenFile) -> int:
        """The row that is to be selected now that the rows are there; asked once."""
        wanted = self._wanted.pop(file.number, _Wanted())
        return file.table.row_again(wanted.row, wanted.place)

    def _begin_again(self, file: OpenFile) -> None:
        self.begins_again.emit(file.number)
        self.reads_again.emit(file.number, file.number)
        self.close(file.number)
        self._paths.put(file.number, file.path)
        self.by_number[file.number] = again = OpenFile(file.number, file.path)
        again.format = file.format
        self.added.emit(file.number)

    def take_listed(self, listed: list[int], message: file_messages.Listed) -> None:
        """Some of what lies in a folder; `listed` were announced, and are not given to a job of their own yet."""
        if message.sentence:
            self.message.emit(message.sentence)
        added = (self.add(path, self._wanted_in.pop(path, "")) for path in message.paths)
        listed.extend(file.number for file in added if file is not None)
        if message.begin:
            files = [file for number in listed if (file := self.by_number.get(number)) is not None]
            listed.clear()
            self._load(files, [])

    def end_loading(self, given: Sequence[int], listed: Sequence[int], job: Job) -> None:
        """A job ended: what it did not read to the end was stopped, or failed."""
        numbers = (*given, *listed)
        cut = [file for number in numbers if (file := self.by_number.get(number)) and file.state is FileState.LOADING]
        for file in cut:
            self._reloading.discard(file.number)
            file.state = FileState.STOPPED if job.state is JobState.STOPPED else FileState.FAILED
            file.sentence = job.sentence or _stopped(file)
            self.changed.emit(file.number)
        sentence = job.sentence or (cut[0].sentence if cut else "")
        if sentence:
            self.message.emit(sentence)

    def _load(self, files: Sequence[OpenFile], folders: Sequence[Path]) -> None:
        if not files and not folders:
            return
        names = [file.name for file in files] or [path.name for path in folders]
        title = f"Opening {names[0]}" + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        given = [(file.number, str(file.path)) for file in files]
        listed: list[int] = []
        self._jobs.follow(
            LOADING,
            title,
            Opening(given, [str(path) for path in folders]),
            receive=partial(self._take_any, listed),
            end=partial(self.end_loading, [file.number for file in files], listed),
        )

    def _take_any(self, listed: list[int], message: file_messages.Listed | file_messages.FileMessage) -> None:
        if isinstance(message, file_messages.Listed):
            self.take_listed(listed, message)
        else:
            self.take(message)


def _already_open(known: OpenFile, path: Path) -> str:
    if known.path == path:
        return f"{known.name} is already open."
    return f"{path} is the same file as {known.path}, which is already open."


def _stopped(file: OpenFile) -> str:
    read = f" after {counted(len(file.table), 'row')}, which are shown" if len(file.table) else ""
    return f"Reading {file.name} was stopped{read}. Open it again to read all of it."
