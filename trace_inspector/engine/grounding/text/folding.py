"""One spelling for words that differ only in case, width or ornament."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def fold(word: str) -> str:
    """`fold_text` for words, which come again and again."""
    return fold_text(word)


def fold_text(text: str) -> str:
    """Without case, width, and, in scripts that have them as ornament, accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(char for char in unicodedata.normalize("NFKD", plain) if not "\u0300" <= char <= "\u036f")
    return unicodedata.normalize("NFC", bare)


def folded_words(text: str) -> frozenset[str]:
    """The words of a list written with spaces between them."""
    return frozenset(fold(word) for word in text.split())


def may_have(text: str, marks: tuple[str, ...]) -> bool:
    """Whether a text may have one of some marks in small letters; of texts beyond ASCII that is not asked.

    A search for each of them takes a fraction of that of a pattern with all of them, which few sentences match.
    """
    if not text.isascii():
        return True
    return any(map(text.lower().__contains__, marks))
