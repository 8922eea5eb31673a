"""A tooltip that shows words as they stand: Qt takes them for markup where they look like it."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(words: str) -> str:
    """What to give to `setToolTip` for words that may be anybody's."""
    return escape(words) if Qt.mightBeRichText(words) else words
