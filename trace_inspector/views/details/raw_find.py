"""Finding text in Raw: every place in what is shown, the current one chosen and in sight."""

from __future__ import annotations

import re
from itertools import islice

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.find_bar import FindBar

MOST_FOUND = 10_000


class RawFind(QObject):
    """Searches whenever something is typed or other text is shown; ignores case."""

    def __init__(self, theme: Theme, text: QPlainTextEdit) -> None:
        super().__init__(text)
        self._text = text
        self._shown = ""
        self._starts: list[int] = []
        self._index = 0
        self.bar = FindBar(theme, tr("Raw"))
        self.bar.typed.connect(lambda _text: self.search())
        self.bar.moved.connect(self._move)
        self.bar.closed.connect(self._close)

    def open(self) -> None:
        """Ready to type; the last query is searched again."""
        self.bar.open_bar()
        self.search()

    def search(self) -> None:
        """Search again and show the first place, unless the bar is hidden."""
        if self.bar.isHidden():
            return
        self._shown = self._text.toPlainText()
        query = self.bar.field.text()
        places = re.finditer(re.escape(query), self._shown, re.IGNORECASE) if query else iter(())
        self._starts = [place.start() for place in islice(places, MOST_FOUND)]
        self._index = 0
        self._show()

    def _move(self, step: int) -> None:
        if self._starts:
            self._index = (self._index + step) % len(self._starts)
            self._show()

    def _show(self) -> None:
        self.bar.show_position(self._index, len(self._starts), more=len(self._starts) >= MOST_FOUND)
        if not self._starts:
            return
        start = self._starts[self._index]
        cursor = self._text.textCursor()
        cursor.setPosition(_units(self._shown[:start]))
        end = _units(self._shown[: start + len(self.bar.field.text())])
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self._text.setTextCursor(cursor)
        self._text.ensureCursorVisible()

    def _close(self) -> None:
        self._shown, self._starts = "", []
        self._text.setFocus()


def _units(text: str) -> int:
    """Qt counts UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
