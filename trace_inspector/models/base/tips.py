"""Tool tips. Qt guesses whether a text is markup, and would render markup in a trace."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt

LONGEST_LINE = 120
MOST_CHARS = 4_000  # more than a screen holds


def plain_tip(words: str) -> str:
    """A tool tip that shows the text literally: as markup only where Qt would guess it, or where lines must wrap."""
    words = words if len(words) <= MOST_CHARS else f"{words[:MOST_CHARS]}…"
    longest = max(map(len, words.split("\n")))
    if longest <= LONGEST_LINE and not Qt.mightBeRichText(words):
        return words
    return f"<div style='white-space: pre-wrap'>{escape(words, quote=False)}</div>"
