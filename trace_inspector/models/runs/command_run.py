"""A person's own command: typed in the window, run in the background; changed files are read again."""

from __future__ import annotations

import enum

from PySide6.QtCore import QObject, QSettings, Signal

from trace_inspector.core.errors import UsageError
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.selection import CurrentSelection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.runs import shell_command as commanding
from trace_inspector.work.runs.shell_command import Ended, Output

RUNNING = "running a command"
_LINE, _FOLDER = "command/line", "command/folder"


class CommandState(enum.Enum):
    """The state of the command."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class CommandRun(QObject):
    """Runs one command at a time. `wrote` has its output; `changed` when its state changed."""

    wrote = Signal(str)
    changed = Signal()

    def __init__(
        self,
        jobs: Jobs,
        files: Files,
        selection: CurrentSelection,
        settings: QSettings,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._files = files
        self._selection = selection
        self._settings = settings
        self._job = 0
        self._ended: Ended | None = None
        self.state = CommandState.NONE
        self.sentence = ""

    @property
    def line(self) -> str:
        """The last command. For security it is read from the person's settings only, never from an opened file."""
        return str(self._settings.value(_LINE, ""))

    @property
    def folder(self) -> str:
        """The last working folder; at first the folder of the selected file."""
        kept = str(self._settings.value(_FOLDER, ""))
        selection = self._selection.value
        file = self._files.get(selection.file) if selection else None
        return kept or (str(file.path.parent) if file is not None else "")

    def start(self, line: str, folder: str) -> None:
        """Run the command."""
        if self.state is CommandState.RUNNING:
            return
        try:
            parts = commanding.split_command(line)
        except UsageError as problem:
            self._turn(CommandState.FAILED, str(problem))
            return
        self._settings.setValue(_LINE, line)
        self._settings.setValue(_FOLDER, folder)
        self._ended = None
        watched = tuple(str(file.path) for file in self._files)
        self._turn(CommandState.RUNNING, tr("Running {0} in {1}.").format(parts[0], folder))
        self._job = self._jobs.start(
            RUNNING,
            tr("Running {0}").format(parts[0]),
            commanding.run_command,
            (tuple(parts), folder, watched),
            receive=self._take,
            end=self._end,
        )

    def stop(self) -> None:
        """End the command, with all processes that it started."""
        self._jobs.stop(self._job)

    def _take(self, message: Output | Ended) -> None:
        if isinstance(message, Ended):
            self._ended = message
            return
        if message.left_out:
            self.wrote.emit(tr("\n… {0:,} characters left out …\n").format(message.left_out))
        self.wrote.emit(message.text)

    def _end(self, job: Job) -> None:
        ended = self._ended
        if job.state is JobState.STOPPED:
            self._turn(CommandState.STOPPED, tr("Stopped. Nothing was read again."))
        elif ended is None:
            self._turn(CommandState.FAILED, job.sentence)
        elif ended.code != 0:
            self._turn(
                CommandState.FAILED,
                tr("The command exited with code {0}. Nothing was read again.").format(ended.code),
            )
        else:
            changed = [file for file in self._files if str(file.path) in ended.changed]
            edited = [file for file in changed if file.unsaved]
            for file in changed:
                if not file.unsaved:
                    self._files.reload(file.number)
            count = len(changed) - len(edited)
            ended_well = _read_again(count) if count or not edited else tr("The command succeeded.")
            self._turn(CommandState.DONE, " ".join([ended_well, *map(_kept, edited)]))

    def _turn(self, state: CommandState, sentence: str) -> None:
        self.state, self.sentence = state, sentence
        self.changed.emit()


def _read_again(count: int) -> str:
    if not count:
        return tr("The command succeeded. None of the open files changed.")
    return (
        tr("The command succeeded. 1 file is read again.")
        if count == 1
        else tr("The command succeeded. {0} files are read again.").format(count)
    )


def _kept(file: OpenFile) -> str:
    return tr("{0} changed, and has edits that are not saved: save it to merge both.").format(file.name)
