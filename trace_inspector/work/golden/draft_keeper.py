"""Writes drafts (text being typed) to disk in a thread, so that the window never waits for the disk."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field
from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.recoverable_edits import DraftText, Spot
from trace_inspector.documents.saving.draft_journal import DraftJournal
from trace_inspector.settings import JOURNALS, ready_data_folder
from trace_inspector.work.processes.syncing import Syncer

_LEAVING_S = 2.0  # the longest wait for a slow disk at the end
_REFUSED = "What is typed cannot be written to the recovery journal ({0}). Save, or see that there is space."


class _Texts(Struct):
    """New drafts of one file; a newer draft of a field replaces one that is not written yet."""

    file: int
    path: Path
    number: int
    texts: dict[Spot, DraftText | None] = field(default_factory=dict)


class _Taken(Struct, frozen=True):
    """The drafts in this journal of another process have been taken over."""

    path: Path


class _LeaveDrafts(Struct, frozen=True):
    file: int
    forget: bool


class DraftKeeper(QObject):
    """Emits `written` in the main thread when `reached` has grown, also after a failed write."""

    written = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inbox: deque[_Texts | _Taken | _LeaveDrafts] = deque()
        self._wake = threading.Condition()
        self._is_over = False
        self._thread: threading.Thread | None = None
        self._number = 0
        self.reached = 0  # the number of the newest draft that was handled
        # Used only in the thread.
        self._journals: dict[int, DraftJournal] = {}
        self._syncer = Syncer(self._tell)
        self._is_refused = False
        self._reported: set[str] = set()  # used in both threads

    def put(self, file: int, path: Path, texts: Mapping[Spot, DraftText | None]) -> int:
        """Write the current drafts; None removes a draft. Returns their number, to compare with `reached`."""
        with self._wake:
            self._number += 1
            last = self._inbox[-1] if self._inbox else None
            if not isinstance(last, _Texts) or last.file != file:
                last = _Texts(file, path, 0)
                self._inbox.append(last)
            last.texts |= texts
            last.path, last.number = path, self._number
        self._start()
        return self._number

    def taken(self, path: Path) -> None:
        """Remove the journal of another process whose drafts were taken over."""
        self._do(_Taken(path))

    def leave(self, file: int, *, forget: bool) -> None:
        """A file is closed: its drafts stay for the next start, unless `forget`."""
        if self._thread is not None:
            self._do(_LeaveDrafts(file, forget))

    def stop(self) -> None:
        """Write all pending drafts, and end."""
        with self._wake:
            self._is_over = True
            self._wake.notify()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(_LEAVING_S)

    def _do(self, what: _Taken | _LeaveDrafts) -> None:
        with self._wake:
            self._inbox.append(what)
        self._start()

    def _start(self) -> None:
        if self._thread is None and not self._is_over:
            self._syncer.start()
            self._thread = threading.Thread(target=self._work, name="draft keeper", daemon=True)
            self._thread.start()
        with self._wake:
            self._wake.notify()

    # In the thread

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._inbox or self._is_over)
                if not self._inbox:
                    break
                what = self._inbox.popleft()
            if isinstance(what, _Texts):
                self._write(what)
            elif isinstance(what, _Taken):
                if not self._is_refused:  # else they are only in that journal
                    with suppress(OSError):
                        what.path.unlink()
            else:
                self._end(what.file, forget=what.forget)
        for file in list(self._journals):
            self._end(file, forget=False)
        self._syncer.stop()

    def _write(self, what: _Texts) -> None:
        problem = ""
        try:
            self._written(what)
        except OSError as failure:
            problem = failure.strerror or str(failure)
        self.reached = what.number
        with suppress(RuntimeError):  # the window is closed
            self.written.emit()
        self._is_refused = bool(problem)
        if problem:
            self._tell(_REFUSED.format(problem))
        else:
            self._reported.clear()

    def _written(self, what: _Texts) -> None:
        journal = self._journals.get(what.file)
        if journal is None:
            if not any(what.texts.values()):
                return
            journal = self._journals[what.file] = DraftJournal(ready_data_folder() / JOURNALS, what.path)
        journal.write(what.texts)
        if journal.document != what.path:
            journal.move(what.path)
        if not journal.is_empty:
            self._syncer.soon(journal)

    def _end(self, file: int, *, forget: bool) -> None:
        journal = self._journals.pop(file, None)
        if journal is not None and forget:
            journal.remove()
        elif journal is not None:
            journal.close()

    def _tell(self, sentence: str) -> None:
        """Report each problem once, until a write succeeds again."""
        if sentence not in self._reported:
            self._reported.add(sentence)
            with suppress(RuntimeError):
                self.failed.emit(sentence)
