"""Sentences for the status bar, from whichever part has something to say."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Messages(QObject):
    """`told` has one sentence; the parts are given this object and speak by it alone."""

    told = Signal(str)

    def tell(self, sentence: str) -> None:
        """Say it."""
        self.told.emit(sentence)
