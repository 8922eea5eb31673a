"""The card with the reason for one sentence's verdict: the finding, the excerpt it is based on, and its source."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from trace_inspector.core.verdict.verdict import Provenance, Sentence, SentenceSupport
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label, MarkLabel, Tag, TagKind

GAP_PX = 8
EXCERPT_LINES = 5

_MARKS = {
    SentenceSupport.SUPPORTED: ("passed", "passed"),
    SentenceSupport.UNSUPPORTED: ("unsupported", "warn"),
    SentenceSupport.CONTRADICTORY: ("no", "fail"),
    SentenceSupport.DISPUTED: ("disputed", "candidate"),
    SentenceSupport.NOT_APPLICABLE: ("skip", "text3"),
    SentenceSupport.CANNOT_TELL: ("unknown", "text2"),
}

TAGS = {
    Provenance.REPORTED: TagKind.THIN,
    Provenance.RECOMPUTED: TagKind.FILLED,
    Provenance.DERIVED: TagKind.DASHED,
    Provenance.HUMAN: TagKind.HUMAN,
}


class SentenceCard(QFrame):
    """Opens beside the answer, never over it. Escape closes it and gives the focus back."""

    evidence_requested = Signal(str)  # the pointer of the source

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self._place = ""
        self._back: QWidget | None = None
        self.overrule: Callable[[], object] | None = None  # where the verdict can be overruled
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAccessibleName(tr("Reason for the sentence's label"))
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(16, 12, 16, 12)
        self._box.setSpacing(8)

    def show_for(
        self, sentence: Sentence, number: int, count: int, provenance: Provenance, answer: QRect, width_px: int
    ) -> None:
        """Show the reason, below the answer block."""
        self._fill(sentence, number, count, provenance)
        size = QSize(width_px, self._height(width_px))
        screen = QGuiApplication.screenAt(answer.center()) or QGuiApplication.primaryScreen()
        self.setFixedSize(size)
        self.move(beside(answer, size, screen.availableGeometry()))
        self.show()

    def take_focus(self, back: QWidget) -> None:
        """Move the keyboard into the card; Escape brings it back."""
        self._back = back
        self.activateWindow()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.focusNextChild()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def leave(self) -> None:
        """Close and give the focus back to the answer."""
        self.hide()
        if self._back is not None:
            self._back.activateWindow()
            self._back.setFocus(Qt.FocusReason.PopupFocusReason)
            self._back = None

    def _height(self, width_px: int) -> int:
        hinted = self._box.totalHeightForWidth(width_px)
        return hinted if hinted > 0 else self._box.totalSizeHint().height()

    def _fill(self, sentence: Sentence, number: int, count: int, provenance: Provenance) -> None:
        for old in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            old.hide()
            old.deleteLater()
        while self._box.takeAt(0) is not None:
            pass
        mark, ink = _MARKS[sentence.support]
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(MarkLabel(self._theme, mark, 16))
        head.addWidget(Label(self._theme, _name(sentence.support), font="strong", ink=ink))
        head.addWidget(
            Label(self._theme, tr("sentence {0} of {1}").format(number, count), font="secondary", ink="text2")
        )
        head.addStretch(1)
        head.addWidget(Tag(self._theme, provenance.value, TAGS[provenance]))
        self._box.addLayout(head)
        self._box.addWidget(Label(self._theme, sentence.reason, wrap=True))
        self._box.addLayout(self._sources(sentence))
        if sentence.excerpt:
            self._box.addWidget(self._excerpt(sentence.excerpt))
        foot = QHBoxLayout()
        if sentence.place:
            self._place = sentence.place
            foot.addWidget(Button(self._theme, tr("Show evidence"), ButtonKind.LINK, clicked=self._show_evidence))
        if self.overrule is not None:
            foot.addWidget(Button(self._theme, tr("Overrule…"), ButtonKind.LINK, clicked=self._overrule))
        foot.addStretch(1)
        foot.addWidget(Button(self._theme, tr("Close"), ButtonKind.LINK, clicked=self.leave))
        self._box.addLayout(foot)

    def _sources(self, sentence: Sentence) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        supported = sentence.support is SentenceSupport.SUPPORTED
        caption = tr("Supporting excerpt") if supported else tr("Closest evidence")
        row.addWidget(Label(self._theme, caption, font="caption", ink="text2"))
        source = sentence.source or (tr("none found") if not sentence.excerpt else "")
        row.addWidget(Elided(self._theme, source, font="caption", ink="text3"), 1)
        return row

    def _excerpt(self, text: str) -> QPlainTextEdit:
        view = QPlainTextEdit(text)
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        view.setFont(self._theme.fonts.data)
        view.setAccessibleName(tr("Excerpt"))
        view.setObjectName("excerpt")
        lines = min(EXCERPT_LINES, max(2, text.count("\n") + 1 + len(text) // 48))
        view.setFixedHeight(lines * view.fontMetrics().lineSpacing() + 14)
        return view

    def _overrule(self) -> None:
        self.leave()
        if self.overrule is not None:
            self.overrule()

    def _show_evidence(self) -> None:
        self.evidence_requested.emit(self._place)
        self.hide()


def beside(answer: QRect, size: QSize, screen: QRect) -> QPoint:
    """Below the answer, else above, left or right of it: the first place on the screen that covers none of it."""
    left = min(max(answer.left(), screen.left()), screen.right() - size.width())
    top = min(max(answer.top(), screen.top()), screen.bottom() - size.height())
    corners = (
        QPoint(left, answer.bottom() + GAP_PX),
        QPoint(left, answer.top() - GAP_PX - size.height()),
        QPoint(answer.left() - GAP_PX - size.width(), top),
        QPoint(answer.right() + GAP_PX, top),
    )
    return next((corner for corner in corners if screen.contains(QRect(corner, size))), corners[2])


def _name(support: SentenceSupport) -> str:
    return tr(support.value.replace("_", " ").capitalize())
