"""What happens on disk to the open files, and in the folders that were opened."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from trace_inspector.flows.opening.session_folder import is_beside, session_files
from trace_inspector.models.base.messages import Messages
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.growth import Growth
from trace_inspector.models.files.session_folders import SessionFolders
from trace_inspector.work.processes.jobs import Job, Jobs
from trace_inspector.work.reading.disk_notices import DiskNotices
from trace_inspector.work.reading.disk_watch import DiskWatch
from trace_inspector.work.reading.file_messages import ListedFiles
from trace_inspector.work.reading.loading import list_folders

LISTING = "listing"
MOST_FOLDERS = 500  # below those that were opened, watched for new files
MOST_FILES = 10_000  # of all of them; more are not opened by themselves
_MOST_UNKNOWN = 100  # files of a folder of sessions that are watched until they tell what they are
_GATHER_MS = 500  # files that appear together are listed together


class Disk(QObject):
    """Tells `Growth` of changes, as soon as the system tells of them or when they are found; opens new files."""

    def __init__(
        self,
        jobs: Jobs,
        files: Files,
        sessions: SessionFolders,
        growth: Growth,
        messages: Messages,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._files, self._growth, self._messages = jobs, files, growth, messages
        self._sessions = sessions
        self.watch = DiskWatch(self)
        self.notices = DiskNotices(self)
        self._folders: dict[Path, None] = {}  # that were opened
        self._seen: set[Path] = set()  # files in them that were opened once, and may be closed since
        self._told: set[str] = set()  # what was said to be left out, once each
        self._to_list: set[int] = set()  # folders of sessions in which one was written
        self._listing = False
        self._again = False
        self._gather = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gather.timeout.connect(self._list)
        self.watch.changed.connect(growth.note_disk)
        self.watch.as_before.connect(growth.note_as_before)
        self.notices.file_changed.connect(growth.note_news)
        self.notices.file_changed.connect(self._note_session)
        sessions.listed.connect(self._follow_unknown)
        self.notices.folder_changed.connect(lambda _folder: self._gather.start())
        growth.watch_again = self._watch_again
        growth.changed.connect(self._follow_again)
        files.added.connect(self._add)
        files.closed.connect(self._drop)
        files.folders_opened.connect(self._open)

    @property
    def is_looking(self) -> bool:
        """Whether folders are being listed, or soon will be."""
        return self._listing or self._gather.isActive()

    def stop(self) -> None:
        """End all threads."""
        self._gather.stop()
        self.watch.stop()
        self.notices.stop()

    def _add(self, number: int) -> None:
        file = self._files.get(number)
        if file is None:
            return
        self.watch.watch(number, file.path)
        self.notices.watch(str(file.path))
        if any(folder in file.path.parents for folder in self._folders):
            self._seen.add(file.path)

    def _drop(self, number: int) -> None:
        self.watch.forget(number)

    def _watch_again(self, number: int) -> None:
        file = self._files.get(number)
        if file is not None:
            self.notices.watch(str(file.path))

    def _open(self, folders: list[Path]) -> None:
        self._folders |= dict.fromkeys(folders)
        self._gather.start()  # what is below them is watched once it is known

    def _follow_again(self) -> None:
        if self._growth.is_on and self._again:
            self._gather.start()

    def _list(self) -> None:
        self._again = self._listing or not self._growth.is_on or self._files.reading
        if self._listing or not self._growth.is_on:
            return
        if self._files.reading:
            self._gather.start()
            return
        # A folder of which nothing is open any more was closed with its files.
        around = {path for file in self._files for path in (file.path, *file.path.parents)}
        listed = {folder.path for folder in self._sessions.by_number.values()}
        self._folders = {folder: None for folder in self._folders if folder in around or folder in listed}
        if not self._folders:
            return
        self._listing = True
        found: list[Path] = []
        self._jobs.start(
            LISTING,
            "Looking for new files",
            list_folders,
            ([str(folder) for folder in self._folders], MOST_FOLDERS),
            receive=partial(self._take, found),
            end=partial(self._end, found),
        )

    def _take(self, found: list[Path], message: ListedFiles) -> None:
        if message.begin:
            found.extend(message.paths)
        else:
            for folder in message.paths:
                self.notices.watch(str(folder))
        self._tell(message.sentence)

    def _end(self, found: list[Path], _job: Job) -> None:
        """Open what is new, oldest name first; what a person closed stays closed."""
        self._listing = False
        room = max(0, MOST_FILES - len(self._seen))
        self._look_again(found)
        found = [path for path in found if not self._is_listed(path)]
        new = sorted(path for path in found if path not in self._seen and self._files.by_path(path) is None)
        if new[:room]:
            self._files.open(new[:room])
        if left_out := len(new[room:]):
            words = tr(
                "{0} files of the open folders were opened, and no more are by themselves. "
                "New files that are left out: {1}. Open what you need by its name."
            )
            self._tell(words.format(f"{MOST_FILES:,}", f"{left_out:,}"))
        if self._again:
            self._gather.start()

    def _look_again(self, found: list[Path]) -> None:
        """List those folders of sessions again of which some are gone, or were written."""
        there = set(found)
        for number, folder in tuple(self._sessions.by_number.items()):
            rows = folder.by_path.items() if folder.path in self._folders else ()
            if number in self._to_list or any(not row.file and path not in there for path, row in rows):
                self._sessions.look_again(number)
        self._to_list.clear()

    def _follow_unknown(self, number: int) -> None:
        """What was empty when it was listed will tell what it is."""
        rows = self._sessions.by_number[number].by_path.values()
        unknown = [row.outline.path for row in rows if not row.outline.format and not row.file]
        for path in unknown[:_MOST_UNKNOWN]:
            self.notices.watch(str(path))

    def _note_session(self, path: str) -> None:
        row = self._sessions.row_at(Path(path))
        if row is not None and not row.file:
            self._to_list.add(row.folder.number)
            self._gather.start()

    def _is_listed(self, path: Path) -> bool:
        """Whether a folder of sessions has it, or does as soon as it is listed again."""
        folder = self._sessions.around(path)
        if folder is None:
            return False
        if not session_files([path]):
            return is_beside(path)
        if path in folder.foreign:
            return False
        if path not in folder.by_path:
            self._sessions.look_again(folder.number)
        return True

    def _tell(self, sentence: str) -> None:
        if sentence and sentence not in self._told:
            self._told.add(sentence)
            self._messages.tell(sentence)
