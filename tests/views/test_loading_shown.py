"""What a person sees of reading: how far it is, and which of the kept rows are lost."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QLabel, QPlainTextEdit, QProgressBar

from tests.models.stories import batches, trace, turn
from tests.views.doing import wait_for
from trace_inspector.core.rows.safe_unpickle import Unreadable
from trace_inspector.models.base.selection import Selection
from trace_inspector.views.details.content import Content
from trace_inspector.views.shell.main_window import MainWindow
from trace_inspector.work.processes.child import Progress
from trace_inspector.work.processes.jobs import JobState
from trace_inspector.work.reading import file_messages

LOST = "The stored index of this file can no longer be read. Close the file and open it again."


class Paused:
    """A job that says something and waits until it is stopped."""

    def __init__(self, *said: object) -> None:
        self._said = said
        self._stopped = threading.Event()

    def messages(self) -> Iterator[object]:
        yield from self._said
        self._stopped.wait()

    def stop(self) -> None:
        self._stopped.set()

    def crash(self) -> str:
        return ""


def test_the_status_bar_says_how_far_a_file_is(window: MainWindow) -> None:
    ended: list[JobState] = []
    window.desk.jobs.follow(
        "loading",
        "Opening big.json",
        Paused(Progress(34_400_000, 76_413_598, "45 % of 76 MB · 43,000 rows")),
        receive=lambda _message: None,
        end=lambda job: ended.append(job.state),
    )
    bar = window.statusBar()
    (progress,) = bar.findChildren(QProgressBar)
    assert wait_for(lambda: progress.value() == 450)
    assert progress.isVisible()
    assert progress.updatesEnabled()
    assert "Opening big.json · 45 % of 76 MB · 43,000 rows" in [label.text() for label in bar.findChildren(QLabel)]
    window.desk.workspace.stop()
    assert ended == [JobState.STOPPED]
    assert not progress.isVisible()


def test_a_row_whose_body_is_lost_says_so(window: MainWindow) -> None:
    workspace = window.desk.workspace
    (rows,) = batches(trace("a", turn(0, "one?"), turn(1, "two?")))
    bodies, rows.bodies = [*rows.bodies[:2], pickle.dumps(Unreadable(LOST))], []
    file = workspace.files.add(Path("/made/big.json"), "")
    assert file is not None
    for message in (
        file_messages.Recognised(file.number, "made"),
        file_messages.Reopened(file.number, bodies),
        file_messages.RowsRead(file.number, rows),
        file_messages.FileRead(file.number),
    ):
        workspace.files.take(message)
    whole, lost = file.table.turns(0)
    assert LOST not in shown(window, Selection(file.number, whole))
    assert LOST in shown(window, Selection(file.number, lost))


def shown(window: MainWindow, selection: Selection) -> list[str]:
    """The words of Details on a row."""
    content = Content(window.desk.theme, window.desk.workspace)
    content.show_selection(selection)
    words = [label.text() for label in content.findChildren(QLabel)]
    words += [text.toPlainText() for text in content.findChildren(QPlainTextEdit)]
    content.deleteLater()
    return words
