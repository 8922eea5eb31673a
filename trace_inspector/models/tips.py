"""Tool tips of item models. Qt guesses whether a text is markup, and would render what stands in a trace."""

from __future__ import annotations

from html import escape


def plain_tip(words: str) -> str:
    """Markup that shows the words as they are, lines too; "" for none."""
    return f"<div style='white-space: pre-wrap'>{escape(words, quote=False)}</div>" if words else ""
