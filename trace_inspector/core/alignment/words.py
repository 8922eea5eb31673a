"""The words of texts."""

from __future__ import annotations

import unicodedata

_LOWERED = {code: char.lower() if (char := chr(code)).isalnum() else " " for code in range(128)}


def ascii_words(text: str) -> list[str]:
    """The letters and digits of an ASCII text, in lower case; whatever else stands there parts words."""
    return text.translate(_LOWERED).split()


def normalised(text: str) -> str:
    """Words alone: case, punctuation and spacing do not make another question."""
    if text.isascii():
        return " ".join(ascii_words(text))
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(char if char.isalnum() else " " for char in folded).split())
