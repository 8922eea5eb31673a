"""Words and pairs of texts made at random, for comparing our ROUGE with others'."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product


def _split(listed: str) -> tuple[str, ...]:
    return tuple(listed.split())


# Every ending that one of Porter's steps looks at, some with what an earlier step turns into one.
SUFFIXES = _split("""
s es ies sses ss ied ed eed ing y ly ational tional enci ency anci ancy izer bli bly ably ibly alli ally entli ently
eli ely ousli ously ization isation ation ator alism iveness fulness ousness aliti ality iviti ivity biliti bility
fulli fully logi logy icate ative alize iciti icity ical ful ness al ance ence er ic able ible ant ement ment ent ion
sion tion ou ism ate iti ity ous ive ize e l ll lle ated ating bled bling ized izing atee izes ations ements fullness
lessly ingly edly nesses izations icatedly ogist ier iest yed ying yer oed eing ees ae oe ui
""")

# Beginnings of words by what Porter's conditions ask: vowels followed by consonants, doubled letters, w, x and y.
_ONSETS = ("", "b", "c", "tr", "sk", "pl", "y", "h", "qu", "str")
_VOWELS = ("a", "e", "i", "o", "u", "y", "ea", "oo", "yo")
_CODAS = ("", "t", "ll", "ss", "zz", "w", "x", "y", "pp", "nt", "s", "g")
_LONGER = ("", "er", "ist", "adol", "iny", "oph")

# The words that NLTK treats apart from the rules, and others that stand on the edge of one.
EDGES = _split("""
skies sky dying lying tying news innings inning outings outing cannings canning howe proceed exceed succeed
flies dies mules denied died agreed owned humbled sized meeting stating siezing itemization sensational traditional
reference colonizer plotted i a is the ing ed s ies yy ay by oed ies ied eed sses ss lll eee yyyy zing bling
1st 2nds 1990s 3ing 4444 a1s ou tion sion ion
""")

_SCRIPTS = (
    "today 今日は晴れ です。東京 カタカナ ｶﾅ",
    "서울 시 한국어 ᄀ",
    "ที่นี่ น้ำ ກະລຸນາ ខ្ញុំ မြန်မာ",
    "café cafe\u0301 naïve İstanbul ISTANBUL ı ß ẞ straße STRASSE ﬁne ﬀ Åse A\u030ase",
    "Привет ΣΊΣΥΦΟΣ ς σ ﻼ العربية עברית हिन्दी क्षत्रिय",
    "x² ½ ① Ⅷ ＡＢＣ１２ ４２ K Å ǅ ŉ ﬃ \u1e9e",
    "a\u200db a\u00adb \ufeffc \u2028d \u0085e \x1cf \x00g 😀 👩\u200d👩\u200d👧 \u0301 \U0001d54f",
)
_SEPARATORS = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    ", ",
    ". ",
    "_",
    "-",
    "’",
    "'",
    "/",
    "",
    "\r\n",
    "\u00a0",
    "\x1f",
)
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~’“”–—…°§"


def affixed_words() -> Iterator[str]:
    """Every beginning with every ending: over 600,000 words, most of which nobody ever wrote."""
    yield from EDGES
    for onset, vowel, coda, longer, suffix in product(_ONSETS, _VOWELS, _CODAS, _LONGER, ("", *SUFFIXES)):
        yield onset + vowel + coda + longer + suffix


class Texts:
    """Pairs of texts that share some words."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._begins: list[str] = []  # of words that come more than once in a pair

    def pair(self) -> tuple[str, str]:
        """A reference and an answer, unlike, alike or the same."""
        self._begins = [self._begin() for _begin in range(5)]
        reference = self._text()
        kind = self._chance.random()
        if kind < 0.1:
            return reference, reference
        if kind < 0.25:
            return reference, self._text()
        return reference, self._altered(reference)

    def _text(self) -> str:
        chance = self._chance
        size = chance.choice((2, 4, 4, 6, 6, 9, 9, 14, 14, 24))
        if chance.random() < 0.1:
            size = chance.choice((0, 1, 40))
        if chance.random() < 0.0005:
            size = chance.randint(100, 600)
        return "".join(self._piece() + chance.choice(_SEPARATORS) for _piece in range(size))

    def _piece(self) -> str:
        chance = self._chance
        kind = chance.random()
        if kind < 0.6:
            return self._cased(self.word())
        if kind < 0.7:
            return chance.choice(("a", "of", "It", "is", "don't", "o'clock", "well-known", "snake_case", "e.g.", "I"))
        if kind < 0.78:
            return str(chance.choice((0, 7, 42, 1_000, 3.5, 2026, "1,000", "007", "1e3", "0x1F")))
        if kind < 0.86:
            return "".join(chance.choices(_MARKS, k=chance.randint(1, 4)))
        if kind < 0.96:
            return chance.choice(chance.choice(_SCRIPTS).split(" "))
        return "".join(chr(self._code()) for _char in range(chance.randint(1, 5)))

    def word(self) -> str:
        """A beginning with no, one or two endings; often a beginning that was there before."""
        chance = self._chance
        if chance.random() < 0.05:
            return chance.choice(EDGES)
        known = self._begins and chance.random() < 0.7
        begin = chance.choice(self._begins) if known else self._begin()
        return begin + "".join(chance.choices(SUFFIXES, k=chance.choice((0, 0, 1, 1, 1, 2))))

    def _begin(self) -> str:
        return "".join(self._chance.choice(some) for some in (_ONSETS, _VOWELS, _CODAS, _LONGER))

    def _cased(self, word: str) -> str:
        return self._chance.choice((word, word, word, word.title(), word.upper(), word.swapcase()))

    def _code(self) -> int:
        chance = self._chance
        code = chance.choice((chance.randrange(0x80), chance.randrange(0x3000), chance.randrange(0x110000)))
        return 0x2603 if 0xD800 <= code <= 0xDFFF else code  # no halves of pairs: they cannot be written as UTF-8

    def _altered(self, text: str) -> str:
        chance = self._chance
        pieces = [*text.split(" "), self._piece()]
        for _change in range(chance.randint(1, 2 + len(pieces) // 3)):
            place = chance.randrange(len(pieces))
            change = chance.random()
            if change < 0.4:
                pieces.insert(place, self._piece())
            elif change < 0.7 and len(pieces) > 1:
                del pieces[place]
            elif change < 0.9:
                pieces[place] = self._cased(pieces[place])
            else:
                chance.shuffle(pieces)
        return " ".join(pieces)
