"""Starts Qt, shows the window first and then opens files; leaves nothing running behind."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QSettings,
    QSocketNotifier,
    QTimer,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QWidget

from trace_inspector import crash, log, plugins
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.engine.running.interrupts import SIGNALS
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.preferences import Preferences
from trace_inspector.private_files import create, free_name
from trace_inspector.regular_file import is_regular
from trace_inspector.resources import folder
from trace_inspector.settings import data_folder, hold_data_folder, ready_data_folder
from trace_inspector.store.open_windows import OpenWindow, take_unclosed_files
from trace_inspector.views.appearance.appearance import Scheme, Theme
from trace_inspector.views.appearance.fonts import make_fonts
from trace_inspector.views.shell.crash_bar import CrashBar

if TYPE_CHECKING:
    from trace_inspector.views.shell.main_window import MainWindow


SETTINGS = "window.ini"
DESKTOP_ID = "org.traceinspector.traceinspector"  # of desktop file, icon and metainfo
APP_ICON = "app.svg"
NO_PAINT_MS = 300


class Wanted(Struct, frozen=True):
    """What a command line asks to open. Files may end in “#/POINTER” to select that place."""

    files: Sequence[str] = ()
    samples: bool = False
    goldens: Sequence[str] = ()


def open_window(files: list[str], *, samples: bool, goldens: Sequence[str] = ()) -> int:
    """Run the window until it is closed."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise RuntimeError("A Qt application without windows is running already.")
    app.setApplicationName("trace-inspector")
    app.setApplicationDisplayName("Trace Inspector")
    app.setDesktopFileName(DESKTOP_ID)
    app.setWindowIcon(QIcon(str(folder("desktop") / APP_ICON)))
    app.setStyle("Fusion")
    hold_data_folder()
    settings, problem = stored_settings()
    with log.recording() as ring, plugins.left_to_children():
        qInstallMessageHandler(log.take_qt_message)
        try:
            return _run(app, settings, problem, ring, Wanted(files, samples, goldens))
        finally:
            qInstallMessageHandler(None)


def stored_settings() -> tuple[QSettings, str]:
    """The stored settings, and a sentence where they could not be read and were set aside.

    Qt would wait for a pipe of this name, and overwrite what it does not understand.
    """
    file = data_folder() / SETTINGS
    with suppress(OSError):
        ready_data_folder()
        create(file)
    if not os.path.lexists(file) or is_regular(file):
        settings = QSettings(str(file), QSettings.Format.IniFormat)
        if _is_understood(settings, file):
            return settings, ""
        del settings  # Qt shares the contents of a file among all its users
    aside = free_name(file, "unreadable")
    try:
        file.rename(aside)
        create(file)
    except OSError:  # the folder is not writable, so nothing is stored
        return QSettings(str(aside), QSettings.Format.IniFormat), ""
    problem = f"The saved window settings cannot be read and were renamed to {aside}."
    return QSettings(str(file), QSettings.Format.IniFormat), problem


def _is_understood(settings: QSettings, file: Path) -> bool:
    try:
        is_empty = not file.stat().st_size
    except OSError:
        is_empty = True
    return settings.status() is not QSettings.Status.FormatError and (is_empty or bool(settings.allKeys()))


def _run(app: QApplication, settings: QSettings, problem: str, ring: log.Ring, wanted: Wanted) -> int:
    with gc_paused():  # it would traverse all imported modules again and again
        from trace_inspector.models.review.failure_modes import CODEBOOK_KEY
        from trace_inspector.models.workspace.workspace import Workspace
        from trace_inspector.views.shell.main_window import MainWindow
        from trace_inspector.work.processes import fork_server, watchdog
        from trace_inspector.work.processes.collecting import Collecting
        from trace_inspector.work.processes.jobs import Jobs

        preferences = Preferences(settings)
        theme = Theme(app, make_fonts(system=preferences.system_fonts))
        theme.choose(remembered_scheme(settings))
        theme.scale(preferences.font_percent)
        jobs = Jobs()
        workspace = Workspace(jobs)
        if chosen := str(settings.value(CODEBOOK_KEY) or ""):
            workspace.failure_modes.path = Path(chosen)
        window = MainWindow(theme, workspace, jobs, settings)
        gc.freeze()  # and nothing of that is let go while the window lives
    faults = Faults(window)
    guard = watchdog.Watchdog(parent=window) if watchdog.is_enabled() else None
    remembering = OpenFilesRecord(window)
    collecting = Collecting(window)
    earlier = crash.take_earlier(data_folder())
    with crash.guarded(data_folder(), ring.lines, faults.reported.emit), _quit_on_signals(window.saving.leave):
        window.show()
        window.saving.offer_recoverable_edits()
        for sentence in filter(None, (problem, *window.desk.workspace.runs.writer.unreadable)):
            window.desk.workspace.recovery.add_problem(sentence)
        remembering.offer(earlier)
        if earlier and not window.desk.fault:
            faults.reported.emit(earlier)
        if guard is not None:
            guard.start()
        collecting.start()
        AfterFirstPaint(window, lambda: _prepare(window, wanted))
        try:
            return app.exec()
        finally:
            jobs.stop_all()
            fork_server.end()
            settings.sync()
            remembering.end()
            if guard is not None:
                guard.stop()
            collecting.stop()
            _destroy(window)
            gc.enable()


def _destroy(window: MainWindow) -> None:
    """Take the window apart while Python and Qt are both alive; what dies with the interpreter dies in any order.

    What it shows goes first: a timer in there would else change rows for views that are gone.
    """
    window.desk.workspace.deleteLater()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


class AfterFirstPaint(QObject):
    """Calls once when the window has been painted, or soon where there is nothing to paint, as of a minimised one."""

    def __init__(self, window: QWidget, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._window, self._then = window, then
        self._next = QTimer(self, singleShot=True, interval=NO_PAINT_MS)
        self._next.timeout.connect(self._call)
        self._next.start()
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """The window's own background comes first; the next turn comes when all in it is painted."""
        if event.type() is QEvent.Type.Paint:
            window.removeEventFilter(self)
            self._next.start(0)
        return False

    def _call(self) -> None:
        self._window.removeEventFilter(self)
        self.deleteLater()
        self._then()


class OpenFilesRecord(QObject):
    """Records the open files on disk until a clean exit; after a crash, offers those of the crashed window.

    What is offered counts as open until somebody decided about it, so that it outlives another unexpected end.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._offered: tuple[str, ...] = ()
        self._soon = QTimer(self, singleShot=True, interval=0)  # files of a folder come by the hundred
        self._soon.timeout.connect(self._note)
        self._open_window: OpenWindow | None = None
        workspace = window.desk.workspace
        workspace.files.added.connect(lambda _number: self._soon.start())
        workspace.files.closed.connect(lambda _number: self._soon.start())

    def offer(self, report: str) -> None:
        """Look for windows that crashed, and offer their files. `report` is the report of the crash, if known."""
        left_open = take_unclosed_files(data_folder())
        self._open_window = OpenWindow(data_folder())
        if left_open is not None:
            self._offered = left_open
            self._window.desk.fault = report or crash.unseen()
            self._window.commands.refresh()
            self._window.add_bar(CrashBar(self._window.desk, left_open, self._decided))
            self._note()

    def end(self) -> None:
        """The window exits cleanly."""
        self._soon.stop()
        if self._open_window is not None:
            self._open_window.end()

    def _decided(self) -> None:
        self._offered = ()
        self._note()

    def _note(self) -> None:
        if self._open_window is not None:
            self._open_window.note([*self._offered, *(str(file.path) for file in self._window.desk.workspace.files)])


class Faults(QObject):
    """Brings reports of faults from any thread to the main thread: one sentence, the report in Help."""

    reported = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._desk = window.desk
        self._commands = window.commands
        self.reported.connect(self._show_fault)

    def _show_fault(self, report: str) -> None:
        self._desk.fault = report
        self._desk.say(tr("Something in Trace Inspector failed; your files are untouched. Help has the report."))
        self._commands.refresh()


def _prepare(window: MainWindow, wanted: Wanted) -> None:
    """Import what files and panels need, each in its own turn of the event loop, so that no turn is long."""
    import trace_inspector.views.details.panel  # noqa: F401

    QTimer.singleShot(0, window, lambda: _prepare_panels(window, wanted))


def _prepare_panels(window: MainWindow, wanted: Wanted) -> None:
    """One panel in each turn, then the files."""
    if window.make_panel():
        QTimer.singleShot(0, window, lambda: _prepare_panels(window, wanted))
    else:
        open_wanted(window, wanted)


def open_wanted(window: MainWindow, wanted: Wanted) -> None:
    """Open it: evaluated and at the place worth seeing first, where there is something to evaluate."""
    from trace_inspector.views.actions.files import reopen_paths

    workspace = window.desk.workspace
    if wanted.samples:
        workspace.look_at_samples()
    if wanted.files or wanted.goldens:
        workspace.first_look.open_given(wanted.files, wanted.goldens)
    nothing_wanted = not (wanted.files or wanted.goldens or wanted.samples)
    if nothing_wanted and workspace.evaluation.preferences.reopens and not window.desk.fault:
        reopen_paths(window.desk, window.desk.session.take())
    window.show_welcome()


def remembered_scheme(settings: QSettings) -> Scheme:
    """The theme that was chosen last, or as the system has it."""
    kept = settings.value("theme", Scheme.SYSTEM.value)
    return next((scheme for scheme in Scheme if scheme.value == kept), Scheme.SYSTEM)


@contextmanager
def _quit_on_signals(leave: Callable[[], object]) -> Iterator[None]:
    """Ctrl+C, a terminal that closes and a polite kill close the window as its own button does.

    Python runs its handlers only between its own instructions; a byte on a socket wakes Qt's loop so that it does.
    Closing waits for that loop: what is closed before it runs would not end it.
    """
    ours, theirs = socket.socketpair()
    ours.settimeout(0.0)
    theirs.settimeout(0.0)
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: ours.recv(64))
    wake_before = signal.set_wakeup_fd(theirs.fileno())
    before = {
        number: signal.signal(number, lambda *_: QTimer.singleShot(0, leave))
        for number in SIGNALS
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN  # so that nohup works
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wake_before)
        notifier.setEnabled(False)
        ours.close()
        theirs.close()
