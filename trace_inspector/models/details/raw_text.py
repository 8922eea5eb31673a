"""The text of a file around one of its rows, read from disk."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.reading.excerpts import ExcerptReader, ExcerptRequest

_NOT_IN_FILE = "The golden expects this; it is not in this file."


class RawText:
    """Reads in the background, in a process that stays alive."""

    def __init__(self, files: Files, jobs: Jobs) -> None:
        self._files = files
        self._jobs = jobs

    def read(self, selection: Selection, then: Callable[[Answer], None], lines_around: int = 200) -> None:
        """Read the file around a row; `then` gets an `Excerpt`, or a sentence.

        Only the newest request is answered.
        """
        file = self._files.get(selection.file)
        if file is None or file.table.ghost(selection.row) is not None:
            then(Answer(sentence=_NOT_IN_FILE))
            return
        place = file.table.place(selection.row) if selection.row >= 0 else ""
        self._jobs.ask(ExcerptReader, ExcerptRequest(str(file.path), place, lines_around), then)
