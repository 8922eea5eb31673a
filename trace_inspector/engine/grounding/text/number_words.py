"""Numbers written as words: "three", "twenty-five", "zwölf", "two hundred", 三つ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.units import MULTIPLIERS
from trace_inspector.engine.grounding.text.words import WORD

# From 0 upwards, a point where a word is an everyday one too: "one of them", "ein", "due", "once", "neuf".
_COUNTS: Final = """
    zero . two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen;
    null . zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn
    achtzehn neunzehn;
    zéro . deux trois quatre cinq six sept huit . dix onze douze treize quatorze quinze seize;
    cero . dos tres cuatro cinco seis siete ocho nueve diez . doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve;
    . . . tre quattro cinque . sette otto nove dieci;
    . . dois três quatro cinco seis sete oito nove dez;
    . . twee drie vier vijf zes zeven acht negen tien;
    . . два три четыре пять шесть семь восемь девять десять;
    शून्य . दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह
"""
_TENS: Final = (
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
)
_GERMAN_ONES: Final = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_MORE: Final = {
    "dozen": 12,
    "dutzend": 12,
    "douzaine": 12,
    "docena": 12,
    "पाँच": 5,
    "छः": 6,
    "बीस": 20,
    "तीस": 30,
    "पचास": 50,
}
_NO_COUNTS: Final = frozenset({".", "null"})
_HAN: Final = {char: index for index, char in enumerate("〇一二三四五六七八九十")} | {"两": 2, "兩": 2}
_COUNTERS: Final = "つ|件|個|个|台|人|名|軒|箇所|か所|カ所|階|泊|室|辆|家|间|本|枚|冊|回"
_HAN_COUNTED: Final = re.compile(f"(?<![一-鿿])([二三四五六七八九十两兩])(?={_COUNTERS})")
_JOINERS: Final = frozenset({"and", "y"})


def _table() -> dict[str, int]:
    table = {fold(word): index for words in _COUNTS.split(";") for index, word in enumerate(words.split())}
    tens = {fold(word): 20 + 10 * index for words in _TENS for index, word in enumerate(words.split())}
    german = {
        fold(f"{unit_word}und{ten}"): 20 + 10 * index + value + 1
        for index, ten in enumerate(_TENS[1].split())
        for value, unit_word in enumerate(_GERMAN_ONES)
    }
    whole = table | tens | german | {fold(word): value for word, value in _MORE.items()}
    return {word: value for word, value in whole.items() if word not in _NO_COUNTS}


NUMBER_WORDS: Final = _table()
LONGEST: Final = max(map(len, NUMBER_WORDS))


def number_words(text: str) -> Iterator[tuple[int, int, float]]:
    """Numbers in words with their places; compounds of neighbours are put together."""
    run: list[tuple[int, int, float]] = []
    for match in WORD.finditer(text):
        value = _value(match[0])
        if run and match[0].lower() in _JOINERS:
            continue
        if run and not _joins(text, run, match, value):
            yield _together(run)
            run = []
        if value is not None and (run or value < 100):
            run.append((*match.span(), value))
    if run:
        yield _together(run)
    if not text.isascii():
        for match in _HAN_COUNTED.finditer(text):
            yield (*match.span(), float(_HAN[match[0]]))


def _value(word: str) -> float | None:
    if len(word) > LONGEST:
        return None
    folded = fold(word)
    count = NUMBER_WORDS.get(folded)
    if count is not None:
        return float(count)
    return MULTIPLIERS.get(folded) if len(folded) > 2 else None


def _joins(text: str, run: list[tuple[int, int, float]], match: re.Match[str], value: float | None) -> bool:
    last_end, last = run[-1][1], run[-1][2]
    if value is None or match.start() - last_end > 5:
        return False
    between = text[last_end : match.start()]
    word = between.strip().lower()
    if between not in (" ", "-") and not (word in _JOINERS and (last >= 100 or (word == "y" and last % 10 == 0))):
        return False
    return value >= 100 or (last >= 20 and last % 10 == 0 and value < last)


def _together(run: list[tuple[int, int, float]]) -> tuple[int, int, float]:
    whole = group = 0.0
    for _start, _end, value in run:
        if value >= 1000:
            whole, group = whole + (group or 1.0) * value, 0.0
        elif value == 100:
            group = (group or 1.0) * 100
        else:
            group += value
    return run[0][0], run[-1][1], whole + group
