"""The rows of edited goldens: after a pause a child makes them anew, and they replace the old ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer

from trace_inspector.models.base.edited_file import EditedFile
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.files.files import Files
from trace_inspector.work.golden.requests import Request, SendRows
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.file_messages import FileMessage, FileRead, ReadingRestarted

REST_MS = 300  # so that typing is not slowed down

Ask: TypeAlias = Callable[[Request, Callable[[Answer], None]], None]


class _Rereading(Struct, eq=False):
    """Rows of one revision of a file while they arrive."""

    revision: int
    fresh: OpenFile


class GoldenRows(QObject):
    """Brings the rows of edited files up to date."""

    def __init__(self, files: Files, edited: dict[int, EditedFile], ask: Ask, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._edited = edited
        self._ask = ask
        self._coming: dict[int, _Rereading] = {}
        self._waiting: list[Callable[[], None]] = []
        self._is_over = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._begin)

    @property
    def current(self) -> bool:
        """Whether all rows show what was edited."""
        return not self._behind()

    def schedule(self) -> None:
        """Note an edit: bring rows up to date after a pause."""
        if not self._is_over:
            self._rest.start()

    def stop(self) -> None:
        """Stop with the window: rows are not shown any more."""
        self._is_over = True
        self._rest.stop()

    def settle(self, then: Callable[[], None]) -> None:
        """Call when all rows show all edits; skip the pause until then."""
        if self.current:
            then()
            return
        self._waiting.append(then)
        self._rest.stop()
        self._begin()

    def take(self, message: FileMessage) -> None:
        """Take rows of a file from the child."""
        coming = self._coming.get(message.file)
        if coming is None or isinstance(message, ReadingRestarted):
            return
        coming.fresh.take(message)
        if isinstance(message, FileRead):
            self._show(message.file, self._coming.pop(message.file))

    def _behind(self) -> list[int]:
        return [number for number, edited in self._edited.items() if edited.shown != edited.revision]

    def _begin(self) -> None:
        # One file at a time: making rows stops as soon as anything else is asked, so two files would stop each other.
        for number in self._behind() if not self._coming else ():
            file = self._files.by_number.get(number)
            if file is not None:
                fresh = OpenFile(number, file.path, file.format, FileState.LOADING)
                coming = self._coming[number] = _Rereading(self._edited[number].revision, fresh)
                self._ask(SendRows(number), partial(self._asked, coming))
                return

    def _asked(self, coming: _Rereading, answer: Answer) -> None:
        """Show the rows if they are complete; ask again if they were interrupted."""
        broken_off = self._coming.get(coming.fresh.number) is coming
        if broken_off:
            del self._coming[coming.fresh.number]
        if not self._behind():
            self._tell()
        elif not answer.sentence and (self._waiting or not broken_off):
            self._begin()
        else:
            self.schedule()

    def _show(self, number: int, coming: _Rereading) -> None:
        edited = self._edited.get(number)
        if edited is None or coming.revision != edited.revision:
            return
        edited.rows_show(coming.revision)  # even where nothing can be shown: asking again would not help
        if coming.fresh.state is FileState.READY:
            self._files.renew(number, lambda file: file.take_over(coming.fresh))

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()
