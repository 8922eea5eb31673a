"""What was open: files that were closed since the start, and those that were open when the program ended last."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import CurrentSelection
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.session_folders import SessionFolders

KEPT = 200
_KEY = "session"


class Session(QObject):
    """Files by their paths, with the place that was selected: “PATH#POINTER”, as the command line takes them.

    The names are kept in the user's settings only, and only of the last session.
    """

    changed = Signal()

    def __init__(
        self,
        files: Files,
        folders: SessionFolders,
        selection: CurrentSelection,
        settings: QSettings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._files, self._folders = files, folders
        self._selection = selection
        self._settings = settings
        self._open: dict[int, OpenFile] = {}
        self._again: set[int] = set()  # closed only to be read again
        self.closed: list[str] = []  # the last one last
        files.added.connect(self._note_open)
        files.reads_again.connect(lambda number, _other: self._again.add(number))
        files.closed.connect(self._note_closed)
        self._closing_folder = ""
        folders.closing.connect(self._note_closing)
        folders.closed.connect(self._note_folder)

    @property
    def last(self) -> tuple[str, ...]:
        """What was open when the program ended last; the files may be gone."""
        kept = self._settings.value(_KEY)
        names = [kept] if isinstance(kept, str) else kept if isinstance(kept, list) else []
        return tuple(name for name in names[:KEPT] if isinstance(name, str) and name)

    def take(self) -> tuple[str, ...]:
        """What to open again: the file that was closed last, else the last session; nothing twice."""
        if self.closed:
            taken: tuple[str, ...] = (self.closed.pop(),)
        else:
            open_now = {str(file.path) for file in self._files}
            open_now |= {str(folder.path) for folder in self._folders.by_number.values()}
            taken = tuple(link for link in self.last if link.partition("#")[0] not in open_now)
        self.changed.emit()
        return taken

    def keep(self) -> None:
        """The program ends: what is open now is the last session."""
        folders = [str(folder.path) for folder in self._folders.by_number.values()]
        files = [self._link(file, self._selection.row_in(file.number)) for file in self._files.in_order]
        self._put([*folders, *files][:KEPT])

    def forget(self) -> None:
        """Forget all names."""
        self.closed.clear()
        self._put([])
        self.changed.emit()

    def _put(self, links: Sequence[str]) -> None:
        if links:
            self._settings.setValue(_KEY, list(links))
        else:
            self._settings.remove(_KEY)

    def _note_open(self, number: int) -> None:
        file = self._files.get(number)
        if file is not None:
            self._open[number] = file

    def _note_closed(self, number: int) -> None:
        file = self._open.pop(number, None)
        if number in self._again:
            self._again.discard(number)
        elif file is not None:
            self.closed = [*self.closed, self._link(file, self._selection.row_in(number))][-KEPT:]
            self.changed.emit()

    def _note_closing(self, number: int) -> None:
        self._closing_folder = str(self._folders.by_number[number].path)

    def _note_folder(self, _number: int) -> None:
        """Its sessions were closed before it, and come back with it, unread."""
        self.closed = [*self.closed, self._closing_folder][-KEPT:]
        self.changed.emit()

    def _link(self, file: OpenFile, row: int | None) -> str:
        place = file.table.place_around(row) if row is not None and row != TOP else ""
        return f"{file.path}#{place}" if place else str(file.path)
