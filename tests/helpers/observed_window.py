"""The program as it is started, with somebody inside who edits a golden, starts a job and reports what happens.

`python -P -m tests.helpers.observed_window FILE JOB REPORT TEXT [OTHER…]` opens FILE and writes lines of JSON
to REPORT: what was offered at the start, that the edit is in its journal, that the job runs. With an empty JOB
nothing is edited. It is imported again in spawned children: what is imported here must be light.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trace_inspector.views.shell.main_window import MainWindow

JOBS = ("evaluate", "load", "command")


class Observer:
    """Listens to the window and acts in it."""

    def __init__(self, window: MainWindow, file: str, job: str, report: int, text: str, others: list[str]) -> None:
        self._window = window
        self._workspace = window.desk.workspace
        self._file, self._job, self._text, self._others = file, job, text, others
        self._report = report
        self._is_edited = False
        self._workspace.recovery.changed.connect(self._tell_offered)
        if self._workspace.recovery.recoverable:
            self._tell_offered()
        if job:
            self._workspace.files.changed.connect(self._edit)
            self._workspace.files.open([file])

    def _tell(self, what: str, value: object) -> None:
        os.write(self._report, f"{json.dumps([what, value])}\n".encode())

    def _tell_offered(self) -> None:
        self._tell("offered", [[str(one.file), one.changes] for one in self._workspace.recovery.recoverable])

    def _edit(self, number: int) -> None:
        from trace_inspector.core.golden.golden_change import Answers
        from trace_inspector.models.base.open_file import FileState

        file = self._workspace.files.get(number)
        if self._is_edited or file is None or str(file.path) != self._file or file.state is not FileState.READY:
            return
        self._is_edited = True
        goldens = self._workspace.goldens

        def edited() -> None:
            known = goldens.edited(number)
            self._tell("edited", [known.process, known.journal, known.unsaved] if known is not None else [])
            self._start_job()

        def change() -> None:
            place = goldens.places(number)[0]
            goldens.change(
                number, place, "Answer", lambda case: [Answers(turn.place, self._text) for turn in case.turns[:1]]
            )
            goldens.settled(edited)

        goldens.begin(number)
        goldens.settled(change)

    def _start_job(self) -> None:
        jobs = self._window.desk.jobs
        if self._job == "command":
            from trace_inspector.work.runs.shell_command import run_command

            jobs.start(
                "command", "A command", run_command, (["sleep", "600"], str(Path.cwd()), ()),
                receive=lambda _message: None, end=lambda _job: None,
            )  # fmt: skip
        else:
            self._workspace.files.open(self._others)
            if self._job == "evaluate":
                self._evaluate_for_ever()
        self._tell("running", self._job)

    def _evaluate_for_ever(self) -> None:
        from PySide6.QtCore import QTimer

        timer = QTimer(self._workspace, interval=50)
        timer.timeout.connect(
            lambda: None if self._window.desk.jobs.busy else self._workspace.evaluation.ask_to_start()
        )
        timer.start()


def main() -> None:
    """Start the program with an observer in it."""
    file, job, report, text, *others = sys.argv[1:]
    from trace_inspector import __main__ as program
    from trace_inspector.views.shell import application

    open_files = application.open_wanted
    handle = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def observed(window: MainWindow, wanted: application.Wanted) -> None:
        open_files(window, wanted)
        window.observer = Observer(window, file, job, handle, text, others)  # type: ignore[attr-defined]

    application.open_wanted = observed
    sys.argv[1:] = []
    program.run()


if __name__ == "__main__":
    main()
