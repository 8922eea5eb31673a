"""A field for SQL that completes the names of tables and columns and the words of SELECT."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit

from trace_inspector.documents.results.tables import TABLES
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme

_WORDS = (
    "AND", "AS", "AVG", "BY", "CASE", "COUNT", "DESC", "DISTINCT", "FILTER", "FROM", "GROUP", "HAVING", "IN", "IS",
    "JOIN", "LIMIT", "MEDIAN", "NOT", "NULL", "OR", "ORDER", "SELECT", "SUM", "UNNEST", "WHERE", "WITH",
)  # fmt: skip
NAMES = tuple(sorted({name for table in TABLES for name in (table.name, *table.columns)})) + _WORDS
_LEAST_CHARS = 2  # before names are offered
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)


class SqlField(QPlainTextEdit):
    """Names that begin like the word before the cursor are offered; Enter or Tab takes one, Escape none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setFont(theme.fonts.data)
        self.setObjectName("excerpt")
        self.setAccessibleName(tr("SQL"))
        self.setTabChangesFocus(True)
        self.completer = QCompleter(NAMES, self)
        self.completer.setWidget(self)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.names = QListView()
        self.names.setAccessibleName(tr("Names"))
        self.completer.setPopup(self.names)
        self.completer.activated.connect(self.complete)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter is the dialog's; what is typed is looked up."""
        if self.names.isVisible() and event.key() in _CHOOSING:
            event.ignore()  # the popup takes it
            return
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
            return
        super().keyPressEvent(event)
        self._offer(typed=bool(event.text().strip()))

    def complete(self, name: str) -> None:
        """Put a name where its beginning stands."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        cursor.insertText(name)
        self.setTextCursor(cursor)

    def _offer(self, *, typed: bool) -> None:
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        begun = cursor.selectedText()
        self.completer.setCompletionPrefix(begun)
        if not typed or len(begun) < _LEAST_CHARS or self.completer.currentCompletion() in ("", begun):
            self.names.hide()
            return
        self.names.setCurrentIndex(self.completer.completionModel().index(0, 0))
        box = self.cursorRect()
        box.setWidth(self.names.sizeHintForColumn(0) + self.names.verticalScrollBar().sizeHint().width())
        self.completer.complete(box)
