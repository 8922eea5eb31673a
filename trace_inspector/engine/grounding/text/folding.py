"""One spelling for words that differ only in case, width or ornament."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_BETWEEN_KEYS: Final = "·"


def is_ascii(text: str) -> bool:
    """Whether a text has letters of ASCII only; the sign between the keys of a record has but one spelling."""
    return text.isascii() or (_BETWEEN_KEYS in text and text.replace(_BETWEEN_KEYS, " ").isascii())


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """`fold_text` for words, which come again and again."""
    return fold_text(word)


def fold_text(text: str) -> str:
    """Without case, width, and, in scripts that have them as ornament, accents."""
    if is_ascii(text):
        return text.lower()
    plain = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(char for char in unicodedata.normalize("NFKD", plain) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare)


_FIGURES: Final = str.maketrans("23456789", "1" * 8)


def without_figures(text: str) -> str:
    """A text in which every figure but nought is a one: what says nothing of a value is read once for all of them.

    Answers say the same of one thing after the other, and differ in their figures. A nought stays, because it denies.
    """
    return text.translate(_FIGURES)


def folded_words(text: str) -> frozenset[str]:
    """The words of a list written with spaces between them."""
    return frozenset(fold(word) for word in text.split())


def may_have(text: str, marks: tuple[str, ...]) -> bool:
    """Whether a text may have one of some marks in small letters; of texts beyond ASCII that is not asked.

    A search for each of them takes a fraction of that of a pattern with all of them, which few sentences match.
    """
    if not is_ascii(text):
        return True
    return any(map(text.lower().__contains__, marks))
