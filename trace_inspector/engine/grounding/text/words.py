"""Words as keys: folded, lightly stemmed, without stop words; character pairs where a script has no spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import Final

from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.synonyms import SYNONYMS
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS

# A run of letters with their marks: whatever is no space, digit, punctuation, symbol or surrogate.
_RUN: Final = (
    r"[^\s\d\x00-\x40\x5b-\x60\x7b-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7\u0964\u0965\u060c\u061b\u061f\u066a-\u066d\u06d4"
    r"\u2000-\u200b\u200e-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb"
    r"\ufe00-\ufe6f\uff01-\uff20\uff3b-\uff40\uff5b-\uff65\ud800-\uf8ff\ufff0-\uffff\U0001f000-\U0001faff\U000e0000-\U0010ffff]+"
)
WORD: Final = re.compile(_RUN)
WHOLE_WORD: Final = re.compile(r"\w+")
_CAMEL: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
# Han, kana, Hangul, Thai, Lao, Burmese, Khmer: compared by pairs of characters.
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
)
_FUNCTION: Final = re.compile("[\u3040-\u309f]+|[的了是吗呢吧们这那你我他她它]")
_ENDINGS: Final = ("ing", "ed", "es", "en", "er", "os", "as", "s", "e", "a", "o")
STEM_CHARS: Final = 6
_MAX_RUN_CHARS: Final = 400
_MAX_CACHED_CHARS: Final = 40


def find_words(text: str) -> list[str]:
    """Every run of letters, in order."""
    return WORD.findall(text)


def folded_set(words: Iterable[str]) -> set[str]:
    """Folded words; runs that are too long for a word are omitted."""
    return {fold(word) for word in set(words) if len(word) <= _MAX_CACHED_CHARS}


def split_words(key: str) -> list[str]:
    """The words of a name in snake_case or camelCase."""
    return [word for run in find_words(key) for word in (_CAMEL.findall(run) if run.isascii() else [run])]


def keys_of(words: Iterable[str]) -> set[str]:
    """The keys of words; stop words and single letters have none."""
    keys: set[str] = set()
    for word in set(words):  # a text has most of its words again and again
        keys.update(_cached_keys(word) if len(word) <= _MAX_CACHED_CHARS else _keys(word[:_MAX_RUN_CHARS]))
    return keys


def is_unspaced(text: str) -> bool:
    """Whether a text has a run in a script without spaces between words."""
    return not text.isascii() and UNSPACED.search(text) is not None


@lru_cache(maxsize=1 << 16)
def _cached_keys(word: str) -> tuple[str, ...]:
    return _keys(word)


def _keys(word: str) -> tuple[str, ...]:
    if word.isascii():
        if word.islower() or word.isupper() or word.istitle():
            return _stem_keys(word.lower())
        return tuple(key for piece in _CAMEL.findall(word) for key in _stem_keys(piece.lower()))
    folded = fold(word)
    if not UNSPACED.search(folded):
        return _stem_keys(folded)
    runs = UNSPACED.findall(folded)
    spaced = UNSPACED.sub(" ", folded).split()
    return tuple(key for run in runs for key in _pairs(run)) + tuple(
        key for text in spaced for key in _stem_keys(text)
    )


def _pairs(run: str) -> list[str]:
    """Known words become their key; the rest becomes pairs."""
    known = _known_unspaced()
    pairs = [_SYNONYMS_UNSPACED[word] for word in known.findall(run)]
    run = known.sub(" ", run)
    for piece in _FUNCTION.sub(" ", run).split():
        pairs.extend([piece] if len(piece) == 1 else [piece[start : start + 2] for start in range(len(piece) - 1)])
    return pairs


def _stem_keys(folded: str) -> tuple[str, ...]:
    if len(folded) < 2 or folded in STOP_WORDS:
        return ()
    key = stem(folded)
    return (_SYNONYMS.get(key, key),)


def stem(folded: str) -> str:
    """A light stem, the same for plurals and common endings of several languages, cut short for the others."""
    return whole_stem(folded)[:STEM_CHARS]


def whole_stem(folded: str) -> str:
    """A light stem at its whole length, for names."""
    return _remembered_stem(folded) if len(folded) <= _MAX_CACHED_CHARS else _whole_stem(folded)


@lru_cache(maxsize=1 << 14)
def _remembered_stem(folded: str) -> str:
    return _whole_stem(folded)


def _whole_stem(folded: str) -> str:
    word = folded
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    else:
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("eed"):
                word = word[: -len(ending)]
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou":
        word = word[:-1]
    return word


def _read_synonyms() -> tuple[dict[str, str], dict[str, str]]:
    """The key of each stem, and of each word in a script without spaces; the first line of a word counts."""
    spaced: dict[str, str] = {}
    unspaced: dict[str, str] = {}
    for line in SYNONYMS.strip().splitlines():
        first, *others = line.split()
        for word in (first, *others):
            folded = fold(word)
            if UNSPACED.fullmatch(folded):
                unspaced.setdefault(folded, stem(fold(first)))
            else:
                spaced.setdefault(stem(folded), stem(fold(first)))
    return spaced, unspaced


_SYNONYMS, _SYNONYMS_UNSPACED = _read_synonyms()


# What a pattern without regard to case takes for other letters than lower() does.
_ALSO: Final = str.maketrans("İıſᲂ", "iisо")


class Breaks:
    """Where a text may be cut: at some marks and some words.

    A pattern with all the words would try each of them at each character.
    """

    def __init__(self, marks: str, words: str) -> None:
        own = [
            word for word in words.split() if not WHOLE_WORD.fullmatch(word)
        ]  # with vowel signs, which end a run of \w
        self._pattern = re.compile("|".join([marks, *(rf"\b{re.escape(word)}\b" for word in own), r"(\w+)"]))
        self._words = frozenset(words.split()) - frozenset(own)

    def places(self, text: str) -> Iterator[re.Match[str]]:
        """The marks and words, in order."""
        words = self._words
        for match in self._pattern.finditer(text):
            if match.lastindex is None:
                yield match
            else:
                word = match[0]
                if (word if word.isascii() else word.translate(_ALSO)).lower() in words:
                    yield match

    def pieces(self, text: str, most: int | None = None) -> Iterator[str]:
        """What is between them, of the first ones only where `most` are wanted."""
        start = 0
        for match in islice(self.places(text), most):
            yield text[start : match.start()]
            start = match.end()
        yield text[start:]


@cache
def _known_unspaced() -> re.Pattern[str]:
    """Compiled when first needed: it is large, and most traces have no such script."""
    return re.compile("|".join(sorted(map(re.escape, _SYNONYMS_UNSPACED), key=len, reverse=True)))
