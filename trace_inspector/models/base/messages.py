"""Sentences for the status bar, from all parts of the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Messages(QObject):
    """`posted` carries one sentence. Parts are given this object, so that none of them knows the status bar."""

    posted = Signal(str)

    def tell(self, sentence: str) -> None:
        """Show the sentence."""
        self.posted.emit(sentence)
