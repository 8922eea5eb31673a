"""The words of texts that need no knowledge of scripts."""

from __future__ import annotations

_LOWERED = {code: char.lower() if (char := chr(code)).isalnum() else " " for code in range(128)}


def ascii_words(text: str) -> list[str]:
    """The letters and digits of an ASCII text, in lower case; whatever else stands there parts words."""
    return text.translate(_LOWERED).split()
