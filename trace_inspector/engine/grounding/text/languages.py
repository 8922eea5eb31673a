"""Which language a text is probably in, by its script and its commonest words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.text.folding import fold, folded_words

# The first and the last character of scripts that one language has; kana come first, as Japanese has Han as well.
_SCRIPTS: Final = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7af"),
    ("zh", "\u3400", "\u9fff"),
    ("hi", "\u0900", "\u097f"),
    ("ar", "\u0600", "\u06ff"),
    ("ru", "\u0400", "\u04ff"),
    ("th", "\u0e00", "\u0e7f"),
)
# Words that one of these languages has and the others, as a rule, have not.
_WORDS: Final = {
    name: folded_words(words)
    for name, words in {
        "en": "the and is are was were of to for with at it you your has have this that not there be",
        "de": """der die das dem den und ist sind nicht ein eine einen mit für auf zum zur wird werden kostet kommt
            bei von sie hat am um wurde noch nur keine kein beträgt liegt
            aus nach im vom heute wegen über oder aktuell stand betrag datum monat jahr straße""",
        "fr": """de la à le les des du est et une pour dans avec sur pas sont vous cette au aux qui il elle été
            coûte n'est ne plus par""",
        "es": """de la a en que cuando según menos el los las del es y una para con por está son usted su se al hay
            fue cuesta tiene más lo""",
        "it": "la a e il gli della di è che con sono una nel ha non costa alla",
        "pt": "de a o e que tem em vai acho os do da é um uma para com não são você seu foi custa ao",
        "nl": "de het een en van voor met op te niet zijn wordt heeft kost u",
    }.items()
}
_LANGUAGES_OF: Final = {
    word: tuple(name for name, words in _WORDS.items() if word in words)
    for word in frozenset().union(*_WORDS.values())
}
_ENOUGH: Final = 2
_READ_CHARS: Final = 600


@lru_cache(maxsize=1 << 12)
def language_of(text: str) -> str:
    """The code of a language, or "" where the text does not tell."""
    text = text[:_READ_CHARS]
    if not text.isascii():
        characters = {char for char in text if char > "\u03ff"}
        for name, first, last in _SCRIPTS:
            if any(first <= char <= last for char in characters):
                return name
    return _by_words({fold(word) for word in re.findall(r"[^\W\d_]+", text)})


def _by_words(words: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for word in words:
        for name in _LANGUAGES_OF.get(word, ()):
            counts[name] = counts.get(name, 0) + 1
    best = sorted(counts, key=lambda name: -counts[name])
    if not best or counts[best[0]] < _ENOUGH or (len(best) > 1 and counts[best[0]] == counts[best[1]]):
        return ""
    return best[0]


def shares_language(text: str, languages: Set[str]) -> bool:
    """Whether a text is, or may be, in one of these languages."""
    language = language_of(text)
    return not language or not languages or language in languages
