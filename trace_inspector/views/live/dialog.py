"""“Listen”: receives what a program sends while it runs; the lines that it needs, its turns, and the recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.documents.recording.recordings import parts
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs.live_run import LiveRun, LiveState
from trace_inspector.models.runs.parted_rows import PartedRows
from trace_inspector.views.blocks.keyed_list import KeyedList
from trace_inspector.views.live.recordings import RecordingList
from trace_inspector.views.live.tray import TrayIcon
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.widgets.fields import Choice, Number
from trace_inspector.views.window_context.context_menu import do, offer_menu
from trace_inspector.views.window_context.desk import Desk

NAME = "listen"
SIZE_PX = (860, 640)
_USUAL_PORT, _MOST_PORT = 4318, 65_535
_LINES_PX, _PORT_PX = 96, 96
_FREEZE = N_("Freeze as golden…")
_NOT_SHOWN = N_("The recording of this turn is not open. Open it below.")
_NO_TRAY = N_("This system has no tray. “Call for attention” marks the window in its list of windows instead.")

_FOR_ALL = """export OTEL_EXPORTER_OTLP_ENDPOINT={address}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
"""
_TEXTS = "export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT="
_NEWER = f"{_TEXTS}SPAN_AND_EVENT OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental\n"
# What a person copies, by the program that is to send.
LINES: dict[str, str] = {
    "Python": f"{_FOR_ALL}{_NEWER}opentelemetry-instrument python my_agent.py",
    "JavaScript": (
        f"{_FOR_ALL}{_TEXTS}true\nnode --import @opentelemetry/auto-instrumentations-node/register my_agent.js"
    ),
    "ADK": f"{_FOR_ALL}export ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true\n{_TEXTS}SPAN_AND_EVENT\nadk web",
    "Claude Code": (
        f"{_FOR_ALL}export CLAUDE_CODE_ENABLE_TELEMETRY=1 CLAUDE_CODE_ENHANCED_TELEMETRY_BETA=1\n"
        "export OTEL_TRACES_EXPORTER=otlp OTEL_LOGS_EXPORTER=otlp OTEL_LOG_USER_PROMPTS=1\nclaude"
    ),
    "Codex": '[otel.exporter."otlp-http"]\nendpoint = "{address}/v1/logs"\nprotocol = "binary"',
}


def show_listen(desk: Desk) -> None:
    """The dialog; it listens on when it is closed."""
    dialog = desk.window.findChild(ListenDialog, NAME) or ListenDialog(desk)
    dialog.kept.show_now()
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


class ListenDialog(Dialog):
    """Not modal: the conversations are read in the window while they grow."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        theme = desk.theme
        self.setObjectName(NAME)
        self.setWindowTitle(tr("Listen"))
        workspace = desk.workspace
        self.live = LiveRun(desk.jobs, workspace.files, workspace.growth, workspace.evaluation, self)
        self._parted_rows = PartedRows(workspace.files, workspace.growth, workspace.run, self)
        self._port = _USUAL_PORT
        self._program = next(iter(LINES))
        self.port = Number(theme, tr("Port"), (0, _MOST_PORT), self._take_port)
        self.port.show_number(self._port)
        self.port.setFixedWidth(_PORT_PX)
        self.sentence = Label(theme, font="secondary", ink="text2", wrap=True)
        self.start = Button(theme, tr("Listen"), ButtonKind.FILLED, clicked=lambda: self.live.start(self._port))
        self.pause = Button(theme, tr("Pause"), ButtonKind.FRAMED, clicked=self._pause)
        self.stop = Button(theme, tr("Stop"), ButtonKind.FRAMED, clicked=self.live.stop)
        self.program = Choice(theme, tr("Program that sends"), [(name, name) for name in LINES], self._take_program)
        self.lines = QPlainTextEdit()
        self.lines.setObjectName("excerpt")
        self.lines.setReadOnly(True)
        self.lines.setTabChangesFocus(True)
        self.lines.setFont(theme.fonts.data)
        self.lines.setFixedHeight(_LINES_PX)
        self.lines.setAccessibleName(tr("Lines for the program"))
        self.copy = Button(theme, tr("Copy"), ButtonKind.FRAMED, clicked=self._copy)
        enter = dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), self._show_turn)
        self.turns = KeyedList(theme, tr("Turns that ended"), enter)
        self.turns.setModel(self.live.turns)
        self.turns.doubleClicked.connect(self._show_turn)
        self.show_turn = Button(theme, tr("Show"), ButtonKind.FRAMED, clicked=self._show_turn)
        self.freeze = Button(theme, tr(_FREEZE), ButtonKind.FRAMED, clicked=self._freeze)
        offer_menu(self.turns, self._turn_menu)
        self.calls = Check(theme, tr("Call for attention when a turn fails"))
        self.calls.setChecked(desk.workspace.evaluation.preferences.calls_on_failure)
        self.calls.clicked.connect(lambda on: desk.workspace.evaluation.preferences.set_calls_on_failure(calls=on))
        self.call: Callable[[QWidget], None] = QApplication.alert
        self.tray = TrayIcon(desk, self.live, self)
        self.in_tray = self._tray_check()
        self.kept = RecordingList(theme, self._written, lambda path: workspace.files.by_path(path) is not None)
        self._lay_out()
        self.turns.set_widths([column.width_px for column in self.live.turns.columns], stretch=4)
        self._connect()
        self.resize(*SIZE_PX)
        self._follow()

    def _connect(self) -> None:
        grown = self._desk.workspace.grown_verdicts
        self.live.changed.connect(self._follow)
        self.live.failed.connect(self._call)
        self.turns.selectionModel().selectionChanged.connect(self._allow)
        self._desk.workspace.goldens.changed.connect(self.live.order_soon)
        self.live.went_on.connect(grown.note_open)
        self.live.parted.connect(self._parted_rows.note)
        self.live.opened.connect(grown.evaluate_soon)
        self.kept.opened.connect(self._desk.workspace.files.open)
        self.kept.failed.connect(self.sentence.setText)
        self.finished.connect(lambda _result: self.kept.end_question())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends the question of the recordings first."""
        if event.key() == Qt.Key.Key_Escape and self.kept.is_asking:
            self.kept.end_question()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room for some turns."""
        return QSize(*SIZE_PX)

    def _lay_out(self) -> None:
        theme = self._desk.theme
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 12)
        box.setSpacing(8)
        about = tr(
            "Receives OpenTelemetry (OTLP over HTTP) from programs of this machine, records it before it answers, "
            "and scores each turn when it ends, as Evaluate (F5) would: by the goldens and criteria that are open."
        )
        box.addWidget(Label(theme, about, ink="text2", wrap=True))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Label(theme, tr("Port"), font="secondary", ink="text2"))
        for part in (self.port, self.start, self.pause, self.stop):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self.program)
        head.addWidget(self.copy)
        box.addLayout(head)
        box.addWidget(self.sentence)
        box.addWidget(self.lines)
        box.addWidget(self.turns, 1)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.calls)
        below.addWidget(self.in_tray)
        below.addStretch(1)
        below.addWidget(self.show_turn)
        below.addWidget(self.freeze)
        box.addLayout(below)
        box.addWidget(self.kept)

    def _follow(self) -> None:
        state = self.live.state
        self.sentence.setText(self.live.sentence)
        self.start.setEnabled(state is LiveState.NONE)
        self.port.setEnabled(state is LiveState.NONE)
        self.stop.setEnabled(state in (LiveState.LISTENING, LiveState.PAUSED))
        self.pause.setEnabled(state in (LiveState.LISTENING, LiveState.PAUSED))
        self.pause.setText(tr("Go on") if state is LiveState.PAUSED else tr("Pause"))
        port = self._port if state is LiveState.NONE else self.live.port or self._port
        lines = LINES[self._program].format(address=f"http://127.0.0.1:{port}")
        if lines != self.lines.toPlainText():  # each turn that ends comes here
            self.lines.setPlainText(lines)
        if state is LiveState.NONE:
            self.kept.show_now()
        self._allow()

    def _allow(self) -> None:
        for button in (self.show_turn, self.freeze):
            button.setEnabled(bool(self.turns.rows))

    def _take_port(self, port: int) -> None:
        self._port = port
        self._follow()

    def _take_program(self, name: str) -> None:
        self._program = name
        self._follow()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.lines.toPlainText())
        self._desk.say(tr("Copied."))

    def _pause(self) -> None:
        if self.live.state is LiveState.PAUSED:
            self.live.go_on()
        else:
            self.live.pause()

    def _turn_menu(self, _place: QPoint) -> Iterator[list[QAction]]:
        if self.turns.rows:
            yield [do(tr("Show"), self._show_turn), do(tr(_FREEZE), self._freeze)]

    def _show_turn(self) -> None:
        """Select the turn in the window."""
        if self._select(is_whole=False):
            self._desk.window.activateWindow()

    def _freeze(self) -> None:
        """Promote the conversation of the turn, as it is now."""
        if self._select(is_whole=True):
            for action in self._desk.actions(["promote"]):
                action.trigger()

    def _select(self, *, is_whole: bool) -> bool:
        turn = next(iter(map(self.live.turns.record, self.turns.rows)), None)
        place = self.live.place_of(turn, is_whole=is_whole) if turn is not None else None
        if place is None:
            self._desk.say(tr(_NOT_SHOWN))
            return False
        self._desk.workspace.selection.select(place)
        return True

    def _tray_check(self) -> Check:
        check = Check(self._desk.theme, tr("Icon in the tray, and notifications"))
        check.setChecked(self._desk.workspace.evaluation.preferences.shows_tray)
        check.clicked.connect(self._take_tray)
        return check

    def _take_tray(self, on: bool) -> None:
        """Show an icon while it listens, where the system has a place for one."""
        if on and not self.tray.is_available():
            self.in_tray.setChecked(False)
            self.sentence.setText(tr(_NO_TRAY))
            return
        self._desk.workspace.evaluation.preferences.set_shows_tray(shows=on)
        self.tray.follow()

    def _call(self, _turns: object) -> None:
        """Call for attention as a long job does, where the person asked for it and turned away."""
        if self.calls.isChecked() and QApplication.activeWindow() is None:
            self.call(self._desk.window)

    def _written(self) -> set[Path]:
        """The recording that is being written, and its parts."""
        return set(parts(self.live.record)) if self.live.state is not LiveState.NONE else set()
