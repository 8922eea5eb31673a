"""Prompt and reply of one call: plain text with line numbers, the parsed parts of a reply highlighted."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPlainTextEdit, QTextEdit, QToolButton, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.raw_text import RawText
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided
from trace_inspector.work.runs.judge_calls import CallText


class ReplyView(QWidget):
    """Shows the reply first; “Prompt” shows the prompt."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("page")
        self._call = CallText(None, None)
        self._of_prompt = False
        self.text = _MarkedText(theme)
        self._words = Elided(theme, font="secondary", ink="text2")
        self._group = QButtonGroup(self)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 4)
        head.setSpacing(0)
        for words, of_prompt in ((tr("Prompt"), True), (tr("Reply"), False)):
            head.addWidget(self._button(words, of_prompt))
        head.addSpacing(10)
        head.addWidget(self._words, 1)
        head.addWidget(Button(theme, tr("Copy"), ButtonKind.LINK, clicked=self._copy))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(self.text, 1)

    def show_call(self, call: CallText, source: str) -> None:
        """Another call."""
        self._call, self._source = call, source
        self._show()

    def show_reason(self, words: str) -> None:
        """Nothing to show, and why."""
        self._call, self._source = CallText(None, None), ""
        self.text.show_marked("", ())
        self._words.setText(words)

    def _show(self) -> None:
        call = self._call
        if self._of_prompt:
            self.text.show_marked(call.prompt or "", ())
            self._words.setText(_prompt_words(call))
        else:
            self.text.show_marked(call.reply or "", call.places)
            self._words.setText(" · ".join(part for part in (self._source, _reply_words(call)) if part))

    def _button(self, words: str, of_prompt: bool) -> QToolButton:
        button = QToolButton()
        button.setText(words)
        button.setProperty("frame", "thin")
        button.setCheckable(True)
        button.setChecked(of_prompt is self._of_prompt)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(tr("Show the {0}").format(words.lower()))
        button.clicked.connect(lambda _checked: self._turn(of_prompt))
        self._group.addButton(button)
        return button

    def _turn(self, of_prompt: bool) -> None:
        self._of_prompt = of_prompt
        self._show()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


class _MarkedText(RawText):
    """Raw text that highlights several ranges."""

    def __init__(self, theme: Theme) -> None:
        self._places: list[tuple[int, int]] = []
        super().__init__(theme)
        self.setAccessibleName(tr("Text of the call"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)

    def show_marked(self, text: str, places: Sequence[tuple[int, int]]) -> None:
        """Show a text with these ranges of characters highlighted."""
        self._places = []
        self.setPlainText(text)
        self._places = [(_units(text, start), _units(text, end)) for start, end in places]
        self._value = self._places[0] if self._places else (0, 0)
        self._tint()
        cursor = self.textCursor()
        cursor.setPosition(self._value[0])
        self.setTextCursor(cursor)
        self._make_room()

    def _tint(self) -> None:
        marks = []
        for start, end in self._places:
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(self.document())
            mark.cursor.setPosition(start)
            mark.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            mark.format.setBackground(self._theme.color("candidate_fill"))
            marks.append(mark)
        self.setExtraSelections(marks)


def _units(text: str, index: int) -> int:
    """Qt counts UTF-16 units."""
    return len(text[:index].encode("utf-16-le", "surrogatepass")) // 2


def _prompt_words(call: CallText) -> str:
    if call.prompt is None:
        return tr("The prompt was not recorded.")
    return _count(len(call.prompt), call.prompt_chars)


def _reply_words(call: CallText) -> str:
    if call.reply is None:
        return call.why or call.note or tr("There is no reply.")
    parts = [_count(len(call.reply), call.reply_chars)]
    if call.why:
        parts.append(tr("no verdict could be read from it: {0}").format(call.why))
    elif not call.is_known:
        parts.append(tr("which parts were read is not known"))
    elif call.places:
        parts.append(
            tr("verdict read from {0} places").format(len(call.places))
            if len(call.places) > 1
            else tr("verdict read from 1 place")
        )
    return " · ".join([*parts, call.note] if call.note else parts)


def _count(shown: int, total: int) -> str:
    if shown < total:
        return tr("{0:,} of {1:,} characters").format(shown, total)
    return tr("{0:,} characters").format(total)
