"""Tool tips. Qt guesses whether a text is markup, and would render what stands in a trace."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(words: str) -> str:
    """What shows the words as they are, lines too: markup only where Qt takes them for it."""
    if not Qt.mightBeRichText(words):
        return words
    return f"<div style='white-space: pre-wrap'>{escape(words, quote=False)}</div>"
