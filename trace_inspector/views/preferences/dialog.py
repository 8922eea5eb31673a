"""Preferences: judge and key, offline, theme, text size, the data folder. Changes take effect at once."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.flows.judges.selection import GEMINI, OPENAI, RECORDED, JudgeChoice
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.preferences import FONT_PERCENTS, MOST_IN_FLIGHT
from trace_inspector.settings import (
    OVERRIDE,
    choose_data_folder,
    data_folder,
    is_data_folder_fixed,
    next_data_folder,
)
from trace_inspector.views.appearance.appearance import Scheme
from trace_inspector.views.appearance.fonts import MONO, SANS
from trace_inspector.views.evaluate.judge_fields import JudgeFields
from trace_inspector.views.preferences.forgotten_edits import ForgottenEdits
from trace_inspector.views.preferences.key_fields import KeyFields
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label, hline
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.widgets.fields import Choice, Form, LineField, Number
from trace_inspector.views.window_context.desk import Desk

NAME = "preferences"
SIZE_PX = (640, 760)
BODY_PX = 13  # letters of the text at 100 %
_SCHEMES = ((N_("As the system"), Scheme.SYSTEM), (N_("Light"), Scheme.LIGHT), (N_("Dark"), Scheme.DARK))


def show_preferences(desk: Desk) -> None:
    """The dialog; when it is open already, that one."""
    dialog = desk.window.findChild(PreferencesDialog, NAME)
    if dialog is not None:
        dialog.activateWindow()
        return
    PreferencesDialog(desk).open()


class PreferencesDialog(Dialog):
    """One page of forms; changes take effect at once, and are stored."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._preferences = desk.workspace.evaluation.preferences
        theme = desk.theme
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Preferences"))
        self.judge = JudgeFields(theme, desk.jobs, self._set_judge)
        self.key = KeyFields(theme, desk.jobs)
        self.judge.form.add(tr("Key"), self.key)
        self.in_flight = Number(theme, tr("Judge calls at a time"), (1, MOST_IN_FLIGHT), self._set_in_flight)
        self.allowed = LineField(
            theme,
            tr("Allowed endpoints"),
            lambda text: self._preferences.allow(tuple(text.split())),
            tr("none; base URLs, separated by spaces"),
        )
        self.model = LineField(
            theme, tr("Folder of a grounding model"), self._preferences.set_grounding_model, tr("none")
        )
        self.offline = Check(theme, tr("Offline: no judge is ever asked"))
        self.offline.clicked.connect(lambda on: self._preferences.set_offline(offline=on))
        self.scheme = Choice[Scheme](
            theme, tr("Theme"), [(tr(text), scheme) for text, scheme in _SCHEMES], self._set_scheme
        )
        self.text_size = Choice[int](
            theme, tr("Text size"), [(f"{percent} %", percent) for percent in FONT_PERCENTS], self._set_letters
        )
        self.fonts = Choice[bool](
            theme, tr("Font"), [(f"{SANS}, {MONO}", False), (tr("As the system"), True)], self._set_fonts
        )
        self.autosave = Check(theme, tr("Save automatically, two seconds after the last edit"))
        self.autosave.clicked.connect(lambda on: self._preferences.set_autosave(autosave=on))
        self.reopens = Check(theme, tr("Reopen the files of the last session"))
        self.reopens.clicked.connect(lambda on: self._preferences.set_reopens(reopens=on))
        self.folder = Label(theme, font="secondary", ink="text2", wrap=True)
        self._folders = (
            Button(theme, tr("Choose another…"), ButtonKind.LINK, clicked=self._ask_folder),
            Button(theme, tr("Use the default folder"), ButtonKind.LINK, clicked=lambda: self._choose_folder(None)),
        )
        self._lay_out()
        self._preferences.changed.connect(self._show)
        theme.changed.connect(self._show)
        self._show()
        theme.changed.connect(self._grow)
        self._grow()
        self.judge.kind.setFocus()

    def done(self, result: int) -> None:
        """The dialog is closed: stop waiting for answers."""
        self.judge.stop()
        self.key.stop()
        super().done(result)

    def _lay_out(self) -> None:
        theme = self._desk.theme
        limits, shown, kept, model = Form(theme), Form(theme), Form(theme), Form(theme)
        model.add(tr("Folder"), self.model)
        model.add_below(Button(theme, tr("Choose…"), ButtonKind.LINK, clicked=self._ask_model))
        model.add_below(
            Label(
                theme,
                tr("A classifier that labels sentences of answers beside local_grounding. It only informs."),
                font="secondary",
                ink="text3",
                wrap=True,
            )
        )
        limits.add(tr("Calls at a time"), self.in_flight)
        limits.add(tr("Allowed endpoints"), self.allowed)
        limits.add_below(
            Label(
                theme,
                tr("A criteria file may send questions to no other base URLs than these."),
                font="secondary",
                ink="text3",
                wrap=True,
            )
        )
        limits.add_below(self.offline)
        shown.add(tr("Theme"), self.scheme)
        shown.add(tr("Font"), self.fonts)
        shown.add(tr("Text size"), self.text_size)
        buttons = QWidget()
        row = QHBoxLayout(buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(Button(theme, tr("Open folder"), ButtonKind.LINK, clicked=self._open_folder))
        for button in self._folders:
            row.addWidget(button)
        row.addStretch(1)
        kept.add_below(self.autosave)
        kept.add_below(self.reopens)
        kept.add(tr("Folder"), self.folder)
        kept.add_below(buttons)
        kept.add(tr("Discarded edits"), ForgottenEdits(self._desk))
        page = QWidget()
        page.setObjectName("page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box = QVBoxLayout(page)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(8)
        parts = (
            (tr("Judge"), self.judge),
            (tr("Judge calls"), limits),
            (tr("Grounding model"), model),
            (tr("Appearance"), shown),
            (tr("Storage"), kept),
        )
        for index, (title, inside) in enumerate(parts):
            if index:
                box.addSpacing(8)
                box.addWidget(hline())
                box.addSpacing(4)
            box.addWidget(Label(theme, title, font="title"))
            box.addWidget(inside)
        box.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(page)
        scroll.setAccessibleName(tr("Preferences"))
        foot = QHBoxLayout()
        foot.setContentsMargins(16, 4, 16, 12)
        foot.addStretch(1)
        foot.addWidget(Button(theme, tr("Close"), ButtonKind.FILLED, clicked=self.accept))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll, 1)
        outer.addLayout(foot)

    def _grow(self) -> None:
        """As large as its text asks for, and no larger than the window."""
        scale = self._desk.theme.fonts.body.pixelSize() / BODY_PX
        usual = QSize(round(SIZE_PX[0] * scale), round(SIZE_PX[1] * scale))
        self.resize(usual.boundedTo(self._desk.window.size()))

    def _show(self) -> None:
        preferences = self._preferences
        self.judge.show_judge(preferences.judge)
        self.judge.form.show_row(self.key, shown=preferences.judge.kind in (GEMINI, OPENAI))
        self.key.show_judge(preferences.judge)
        self.in_flight.show_number(preferences.judge.in_flight)
        self.allowed.show_text(" ".join(preferences.allowed))
        self.model.show_text(preferences.grounding_model)
        self.offline.setChecked(preferences.offline)
        self.autosave.setChecked(preferences.autosave)
        self.reopens.setChecked(preferences.reopens)
        self.scheme.choose(self._desk.theme.scheme)
        self.fonts.choose(preferences.system_fonts)
        self.text_size.choose(preferences.font_percent)
        now, later = data_folder(), next_data_folder()
        note = tr("From the next start on: {0}").format(later) if later != now else ""
        if is_data_folder_fixed():
            note = tr("Set by {0} in the environment.").format(OVERRIDE)
        self.folder.setText("\n".join(filter(None, (str(now), note))))
        for button in self._folders:
            button.setEnabled(not is_data_folder_fixed())

    def _set_judge(self, judge: JudgeChoice) -> None:
        self._preferences.set_judge(judge)
        evaluation = self._desk.workspace.evaluation
        if evaluation.options.judge is not None and evaluation.options.judge.kind != RECORDED:
            evaluation.choose(replace(evaluation.options, judge=None))

    def _set_in_flight(self, count: int) -> None:
        self._preferences.set_judge(replace(self._preferences.judge, in_flight=count))

    def _set_scheme(self, scheme: Scheme) -> None:
        self._desk.theme.choose(scheme)
        self._desk.settings.setValue("theme", scheme.value)

    def _set_fonts(self, system: bool) -> None:
        self._preferences.set_system_fonts(system=system)
        self._desk.theme.choose_fonts(system=system)

    def _set_letters(self, percent: int) -> None:
        self._preferences.set_font_percent(percent)
        self._desk.theme.scale(percent)

    def _open_folder(self) -> None:
        folder = data_folder()
        if not folder.is_dir() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
            self._desk.say(tr("The system could not open {0}.").format(folder))

    def _ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Data folder"), str(data_folder().parent))
        if name:
            self._choose_folder(Path(name))

    def _ask_model(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Grounding model"), self._preferences.grounding_model)
        if name:
            self._preferences.set_grounding_model(name)

    def _choose_folder(self, folder: Path | None) -> None:
        try:
            choose_data_folder(folder)
        except OSError as problem:
            self._desk.say(
                tr("The choice of data folder could not be saved: {0}.").format(problem.strerror or problem)
            )
        self._show()
