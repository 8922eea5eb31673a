"""The dialog for a file that was edited here and changed on disk: both sides next to each other, case by case."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextCursor, QTextFormat
from PySide6.QtWidgets import (
    QGridLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from trace_inspector.core.golden.three_way import CONFLICTS, OF_MINE, MergeChoice
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.saving.save_as import save_as
from trace_inspector.views.widgets.controls import Button, ButtonKind, Label
from trace_inspector.views.widgets.fields import Choice
from trace_inspector.views.window_context.context_menu import do, offer_menu
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import CompareWithDisk, EditedFileState, Merged, MergePreview, MergeRow
from trace_inspector.work.processes.request_child import Answer

NAME = "clash"
SIZE_PX = (1000, 640)
_WORDS = N_(
    "The file was changed outside Trace Inspector after you opened it. Merge keeps every change that only "
    "one side made."
)
_CHOICES: tuple[tuple[str, MergeChoice | None], ...] = (
    (N_("Not decided yet"), None),
    (N_("Take what is on disk"), MergeChoice.THEIRS),
    (N_("Take what is edited here"), MergeChoice.MINE),
)
_BOTH = (N_("Keep both"), MergeChoice.BOTH)  # of cases alone: a value or an order cannot be there twice
_MOST_LOSSES = 2  # named at once: cases that could not keep their ids


def _choices_of(row: MergeRow) -> tuple[tuple[str, MergeChoice | None], ...]:
    return (*_CHOICES, _BOTH) if isinstance(row.key, int) else _CHOICES


def show_clash(desk: Desk, file: OpenFile) -> None:
    """The dialog; when it is open already, that one."""
    dialog = desk.window.findChild(ClashDialog, NAME)
    if dialog is not None:
        dialog.activateWindow()
        return
    ClashDialog(desk, file).open()


class ClashDialog(SavingDialog):
    """Both are merged only when every conflict is decided, so that nothing is lost unseen."""

    enter_in_fields = True

    def __init__(self, desk: Desk, file: OpenFile) -> None:
        title = tr("{0} changed on disk").format(file.name)
        super().__init__(desk, NAME, title, tr(_WORDS), SIZE_PX)
        self._desk = desk
        self._file = file
        self._merge: MergePreview | None = None
        self._chosen: dict[int | str | None, MergeChoice] = {}
        theme = desk.theme
        self.rows = QListWidget()
        self.rows.setAccessibleName(tr("What is different"))
        self.rows.setFont(theme.fonts.secondary)
        self.rows.setSpacing(3)
        self.rows.currentRowChanged.connect(self._show_row)
        offer_menu(self.rows, lambda _place: (self._offered(),))
        self.mine, self.theirs = _side(desk, tr("Edited here")), _side(desk, tr("On disk"))
        self.choice = Choice[MergeChoice | None](
            theme, tr("Take"), [(tr(text), choice) for text, choice in (*_CHOICES, _BOTH)], self._choose
        )
        self.summary = Label(theme, font="secondary", ink="text2", wrap=True)
        self._lay_out()
        self.together = Button(theme, tr("Merge"), ButtonKind.FILLED, clicked=self._merge_both)
        self.over = Button(theme, tr("Save over it"), clicked=self._save_over)
        self.other = Button(theme, tr("Save as…"), clicked=self._save_as)
        self.keep = Button(theme, tr("Cancel"), clicked=self.reject)
        self.add_buttons(self.over, self.other, self.keep, self.together)
        self.together.setEnabled(False)
        theme.changed.connect(self._tint)
        self._ask()

    def _lay_out(self) -> None:
        theme = self._desk.theme
        right = QWidget()
        grid = QGridLayout(right)
        grid.setContentsMargins(8, 0, 0, 0)
        grid.addWidget(Label(theme, tr("Edited here"), font="strong"), 0, 0)
        grid.addWidget(Label(theme, tr("On disk"), font="strong"), 0, 1)
        grid.addWidget(self.mine, 1, 0)
        grid.addWidget(self.theirs, 1, 1)
        grid.addWidget(self.choice, 2, 0, 1, 2, Qt.AlignmentFlag.AlignLeft)
        grid.setRowStretch(1, 1)
        split = QSplitter()
        split.addWidget(self.rows)
        split.addWidget(right)
        split.setSizes([300, 680])
        split.setChildrenCollapsible(False)
        column = QVBoxLayout()
        column.addWidget(split, 1)
        column.addWidget(self.summary)
        self.inside.addLayout(column, 1)

    def _ask(self) -> None:
        self.summary.setText(tr("Comparing…"))
        number = self._file.number
        self._desk.workspace.goldens.ask(number, CompareWithDisk(number), self._take)

    def _take(self, answer: Answer) -> None:
        """What is different; where the other file cannot be read at all, why."""
        if self.gone:
            return
        if not isinstance(answer.value, MergePreview):
            self.summary.setText(answer.sentence or tr("The two versions cannot be compared."))
            self.rows.setEnabled(False)
            self.keep.setFocus()
            return
        merge = self._merge = answer.value
        self.rows.clear()
        for row in merge.rows:
            self.rows.addItem(QListWidgetItem(f"{row.name} – {row.kind.value}"))
        self.rows.setCurrentRow(0)
        self._show_summary()
        self.rows.setFocus()

    def _show_summary(self) -> None:
        merge = self._merge
        if merge is None:
            return
        open_ = sum(map(self._is_open, merge.rows))
        unlisted = merge.conflicts - sum(row.kind in CONFLICTS for row in merge.rows)
        words = [
            tr("{0} different, {1:,} the same on both sides.").format(counted(merge.count, "part"), merge.unchanged),
            tr("{0} changed differently on both sides.").format(counted(merge.conflicts, "part"))
            if merge.conflicts
            else "",
            tr("{0:,} to be decided.").format(open_) if open_ else "",
            tr("Only the first {0:,} are listed.").format(len(merge.rows)) if merge.count > len(merge.rows) else "",
            tr("That is too many to decide one by one. Save under another name.") if unlisted else "",
            *_loss_sentences(merge.losses),
        ]
        self.summary.setText(" ".join(filter(None, words)))
        self.together.setEnabled(not open_ and not unlisted)
        self._tint()

    def _tint(self) -> None:
        """Highlight the rows that are still to be decided."""
        if self._merge is None:
            return
        for index, row in enumerate(self._merge.rows):
            undecided = self._is_open(row)
            self.rows.item(index).setForeground(self._desk.theme.color("warn" if undecided else "text"))
        self._show_row(self.rows.currentRow())

    def _row(self) -> MergeRow | None:
        index = self.rows.currentRow()
        return self._merge.rows[index] if self._merge is not None and 0 <= index < len(self._merge.rows) else None

    def _show_row(self, _index: int) -> None:
        row = self._row()
        if row is None:
            return
        show_sides(self._desk, self.mine, self.theirs, row)
        self.choice.offer([(tr(text), choice) for text, choice in _choices_of(row)])
        self.choice.choose(self._chosen.get(row.key))
        self.choice.setVisible(row.kind in CONFLICTS)

    def _offered(self) -> list[QAction]:
        """What can be chosen for the row, for the mouse."""
        row = self._row()
        choices = _choices_of(row) if row is not None and row.kind in CONFLICTS else ()
        return [do(tr(text), partial(self._pick, choice)) for text, choice in choices]

    def _pick(self, choice: MergeChoice | None) -> None:
        self.choice.choose(choice)
        self._choose(choice)

    def _choose(self, choice: MergeChoice | None) -> None:
        row = self._row()
        if row is not None and choice is not None:
            self._chosen[row.key] = choice
        elif row is not None:
            self._chosen.pop(row.key, None)
        self._show_summary()

    def press_default(self) -> None:
        """Merge both; before that, go to the next part that is to be decided."""
        undecided = (index for index, row in enumerate(self._merge.rows if self._merge else ()) if self._is_open(row))
        if self.together.isEnabled() or (first := next(undecided, None)) is None:
            super().press_default()
            return
        self.rows.setCurrentRow(first)
        self.choice.setFocus()

    def _is_open(self, row: MergeRow) -> bool:
        return row.kind in CONFLICTS and row.key not in self._chosen

    def _merge_both(self) -> None:
        merge = self._merge
        if merge is None:
            return
        cases = tuple((key, choice) for key, choice in self._chosen.items() if isinstance(key, int))
        parts = tuple((key, choice) for key, choice in self._chosen.items() if isinstance(key, str))
        order = self._chosen.get(None, MergeChoice.MINE if merge.order in OF_MINE else MergeChoice.THEIRS)
        self.together.setEnabled(False)
        merged = Merged(self._file.number, merge.digest, cases, parts, order)
        self._desk.workspace.goldens.merge(merged, self._merged)

    def _merged(self, answer: Answer) -> None:
        if answer.sentence and self.gone:
            return  # the status bar says it
        if answer.sentence:
            self.summary.setText(answer.sentence)
            self._chosen.clear()
            self._ask()
            return
        together = tr("Both are merged in {0}, which is not saved yet. Ctrl+S saves it.").format(self._file.name)
        losses = answer.value.losses if isinstance(answer.value, EditedFileState) else ()
        self._desk.say(" ".join((*_loss_sentences([loss.message for loss in losses]), together)))
        if not self.gone:
            self.accept()

    def _save_over(self) -> None:
        self._desk.workspace.saving.save(self._file.number, self._saved_over, force=True)

    def _saved_over(self, answer: Answer) -> None:
        if self.gone:
            return
        if answer.sentence:
            self.summary.setText(answer.sentence)
        else:
            self.accept()

    def _save_as(self) -> None:
        self.accept()
        save_as(self._desk, self._file)


def _loss_sentences(losses: Sequence[str]) -> Iterator[str]:
    """As many losses as fit, and the number of the others."""
    yield from losses[:_MOST_LOSSES]
    if len(losses) > _MOST_LOSSES:
        yield tr("{0} more get other ids.").format(counted(len(losses) - _MOST_LOSSES, "golden"))


def show_sides(desk: Desk, mine: QPlainTextEdit, theirs: QPlainTextEdit, row: MergeRow) -> None:
    """Both texts, the lines that differ marked by the colour of their side."""
    mine.setPlainText(row.mine)
    theirs.setPlainText(row.theirs)
    left, right = row.mine.split("\n"), row.theirs.split("\n")
    blocks = difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if len(left) < 2_000 else []
    other = [block for block in blocks if block[0] != "equal"]
    here = [number for _tag, first, last, _from, _to in other for number in range(first, last)]
    there = [number for _tag, _from, _to, first, last in other for number in range(first, last)]
    for side, colour, lines in ((mine, "candidate_fill", here), (theirs, "baseline_fill", there)):
        side.setExtraSelections([_marked(desk, side, colour, number) for number in lines])


def _marked(desk: Desk, side: QPlainTextEdit, colour: str, line: int) -> QTextEdit.ExtraSelection:
    marked = QTextEdit.ExtraSelection()
    marked.format.setBackground(desk.theme.color(colour))
    marked.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # noqa: FBT003  (Qt takes it by position alone)
    marked.cursor = QTextCursor(side.document().findBlockByNumber(line))
    return marked


def _side(desk: Desk, name: str) -> QPlainTextEdit:
    text = QPlainTextEdit()
    text.setReadOnly(True)
    text.setTabChangesFocus(True)
    text.setFont(desk.theme.fonts.data)
    text.setObjectName("excerpt")
    text.setAccessibleName(name)
    return text
