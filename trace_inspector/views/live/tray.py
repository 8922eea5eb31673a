"""An icon in the tray while the window listens, for whoever asks for it: how many turns failed, and the newest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.live_run import LiveRun, LiveState, LiveTurn
from trace_inspector.views.window_context.desk import Desk

_LEAST_S = 10.0  # between two notifications; a run that fails turn by turn tells it once in a while
_NAME_CHARS = 60
_NO_MARKUP = str.maketrans("<>&", "   ")  # some desktops read tags in notifications, and programs send the names
_AT_WORK = (LiveState.LISTENING, LiveState.PAUSED)


class TrayIcon(QObject):
    """Shown while it listens and is asked for; notifies when a turn fails and the window is not in front."""

    def __init__(self, desk: Desk, live: LiveRun, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._live = live
        self._icon: QSystemTrayIcon | None = None
        self._menu = QMenu(desk.window)
        self._menu.addAction(tr("Show &window"), self._show)
        self._pause = self._menu.addAction(tr("&Pause"), live.pause)
        self._go_on = self._menu.addAction(tr("&Go on"), live.go_on)
        self._menu.addAction(tr("&Stop"), live.stop)
        self._told_s = -_LEAST_S
        self._untold: list[LiveTurn] = []
        self.later = QTimer(self, singleShot=True)
        self.later.timeout.connect(self._tell)
        self.is_available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable
        self.clock: Callable[[], float] = time.monotonic
        self.notify: Callable[[str, str], None] = self._notify
        live.changed.connect(self.follow)
        live.failed.connect(self._failed)

    @property
    def menu(self) -> QMenu:
        """What the icon offers, as it is now."""
        return self._menu

    @property
    def tip(self) -> str:
        """What the icon says; "" while there is none."""
        return self._icon.toolTip() if self._icon is not None else ""

    def follow(self) -> None:
        """Show the icon, or take it away."""
        wanted = self._desk.workspace.evaluation.preferences.shows_tray and self._live.state in _AT_WORK
        if not (wanted and self.is_available()):
            if self._icon is not None:
                self._icon.hide()
                self._icon.deleteLater()
                self._icon = None
            self._untold.clear()
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(_icon(), self)
            self._icon.setContextMenu(self._menu)
            self._icon.activated.connect(self._activated)
            self._icon.messageClicked.connect(self._show)
            self._icon.show()
        is_paused = self._live.state is LiveState.PAUSED
        self._pause.setVisible(not is_paused)
        self._go_on.setVisible(is_paused)
        self._icon.setToolTip(self._tip())

    def _tip(self) -> str:
        turns = self._live.turns.records
        failed = sum(turn.is_failure for turn in turns)
        words = tr("paused") if self._live.state is LiveState.PAUSED else tr("listening")
        return tr("Trace Inspector, {0}: failed {1} of the last {2} turns").format(
            words, f"{failed:,}", f"{len(turns):,}"
        )

    def _failed(self, turns: Sequence[LiveTurn]) -> None:
        if self._icon is not None:
            self._untold += turns
            self._tell()

    def _tell(self) -> None:
        """One notification for all that failed since the last one, which names the newest of them."""
        if self._icon is None or QApplication.activeWindow() is not None:
            self._untold.clear()  # whoever is here has seen it
        if not self._untold:
            return
        wait_s = self._told_s + _LEAST_S - self.clock()
        if wait_s > 0:
            self.later.start(round(wait_s * 1000))
            return
        newest, number = self._untold[-1], len(self._untold)
        name = one_line(newest.case.translate(_NO_MARKUP), _NAME_CHARS)
        title = tr("A turn failed") if number == 1 else tr("{0} turns failed").format(f"{number:,}")
        self.notify(title, tr("{0}, turn {1}").format(name, newest.turn))
        self._told_s = self.clock()
        self._untold.clear()

    def _notify(self, title: str, words: str) -> None:
        if self._icon is not None:
            self._icon.showMessage(title, words, QSystemTrayIcon.MessageIcon.Warning)

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self._show()

    def _show(self) -> None:
        window = self._desk.window
        if window.isMinimized():
            window.showNormal()
        window.show()
        window.raise_()
        window.activateWindow()


def _icon() -> QIcon:
    """That of the program; some trays show nothing where an icon is empty."""
    icon = QApplication.windowIcon()
    return (
        icon
        if not icon.isNull()
        else QApplication.style().standardIcon(QApplication.style().StandardPixmap.SP_ComputerIcon)
    )
