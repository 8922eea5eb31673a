"""Numbers in words, and units: what a word or sign after a number measures, so that 90 minutes are 1.5 hours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.words import WORD

# A dimension and the factor to its base; a sign with several readings ("$", "m") has several.
Unit: TypeAlias = tuple[tuple[str, float], ...]

_TABLE: Final = """
    length | 0.001 | mm millimetre millimeter millimetres millimeters
    length | 0.01 | cm centimetre centimeter centimetres centimeters
    length | 1 | m metre meter metres meters metros metro mètres meter メートル 米 मीटर
    length | 1000 | km kilometre kilometer kilometres kilometers kilómetros kilomètres キロ キロメートル 公里
    length | 1000 | किमी किलोमीटर км
    length | 0.0254 | inch inches
    length | 0.3048 | ft foot feet
    length | 0.9144 | yd yard yards
    length | 1609.344 | mi mile miles meilen millas milhas milles マイル 英里 मील
    mass | 0.001 | g gram grams gramm gramos gramas gramme grammes グラム 克 ग्राम
    mass | 1 | kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos quilo quilos キログラム किलो
    mass | 0.45359237 | lb lbs pound pounds libra libras livres pfund ポンド
    mass | 0.028349523125 | oz ounce ounces
    mass | 1000 | t tonne tonnes tonnen
    time | 0.001 | ms milliseconds millisecond
    time | 1 | s sec secs second seconds sekunde sekunden secondes segundos seconds 秒
    time | 60 | m min mins minute minutes minuten minutos minuti 分 分間 分钟 मिनट мин минут
    time | 3600 | h hr hrs hour hours stunde stunden std heure heures hora horas ore 時間 小时 घंटे घंटा घण्टे
    time | 3600 | час часа часов
    time | 86400 | d day days tag tage tagen jour jours día días giorni 日間 天 दिन день дней дня
    time | 604800 | week weeks wk woche wochen semaine semaines semana semanas 週間 周 सप्ताह हफ्ते
    time | 2629746 | month months monat monate monaten mois mes meses か月 ヶ月 个月 महीने
    time | 31556952 | year years yr yrs jahr jahre jahren an ans année années año años 年間 साल वर्ष
    percent | 1 | % percent pct percentage prozent pourcent ％ パーセント प्रतिशत процентов
    percent | 0.1 | ‰
    data | 1 | b byte bytes
    data | 1000 | kb
    data | 1000000 | mb mo
    data | 1000000000 | gb go gibibyte gigabyte gigabytes
    data | 1e+12 | tb
    temperature C | 1 | °c ℃ celsius degree degrees grad grados degrés 度
    temperature F | 1 | °f ℉ fahrenheit degree degrees grad grados degrés
    power | 1 | w watt watts
    power | 1000 | kw
    power | 1000000 | mw
    energy | 1 | wh
    energy | 1000 | kwh
    energy | 1000000 | mwh
    volume | 1 | l litre liter litres liters litros
    volume | 0.001 | ml
    volume | 3.785411784 | gallon gallons gal
    area | 1 | m² m2 sqm qm
    area | 0.09290304 | sqft ft²
    speed | 1 | km/h kmh kph
    speed | 1.609344 | mph
    stars | 1 | star stars sterne sterne étoiles estrellas つ星
    money USD | 1 | $ us$ usd dollar dollars dólar dólares ドル 美元 डॉलर
    money USD | 0.01 | ¢ cent cents
    money CAD | 1 | $ ca$ cad dollar dollars
    money AUD | 1 | $ au$ aud dollar dollars
    money NZD | 1 | $ nz$ nzd dollar dollars
    money SGD | 1 | $ s$ sgd dollar dollars
    money HKD | 1 | $ hk$ hkd dollar dollars
    money MXN | 1 | $ mx$ mxn peso pesos
    money EUR | 1 | € eur euro euros ユーロ 欧元 यूरो евро
    money EUR | 0.01 | cent cents céntimos centimes
    money GBP | 1 | £ gbp pound pounds
    money GBP | 0.01 | pence p
    money CHF | 1 | chf fr. franken francs
    money JPY | 1 | ¥ ￥ jpy yen 円
    money CNY | 1 | ¥ ￥ cny rmb yuan 元
    money INR | 1 | ₹ inr rupee rupees rs रुपये रुपए
    money KRW | 1 | ₩ krw won 원
    money BRL | 1 | r$ brl real reais
    money RUB | 1 | ₽ rub руб рублей
    money SEK | 1 | kr sek kronor
    money PLN | 1 | zł pln
    money THB | 1 | ฿ thb บาท
"""


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, factor, names = line.split("|")
        for name in dict.fromkeys(fold(spelling) for spelling in names.split()):
            table[name] = (*table.get(name, ()), (dimension.strip(), float(factor)))
    return table


UNITS: Final = _table()
# What is counted, by a plural after the number or as the length of a list, is neither money nor measure.
COUNT: Final[Unit] = (("count", 1.0),)
MULTIPLIERS: Final[dict[str, float]] = {
    fold(name): factor
    for factor, names in {
        1e2: "hundred hundert cent cien ciento सौ 百",
        1e3: "k thousand tausend tsd mille mil тысяч тыс हज़ार 千",
        1e4: "万 萬",
        1e5: "lakh lakhs लाख",
        1e6: "million millions mio millionen millón millones millions mln миллионов",
        1e7: "crore crores करोड़",
        1e8: "億 亿",
        1e9: "billion billions bn mrd milliarde milliarden milliard milliards миллиардов",
        1e12: "trillion trillions",
    }.items()
    for name in names.split()
}
# Attached to the digits only: 1.5M, 40K, 2B.
SUFFIXES: Final[dict[str, float]] = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}


def unit_of(word: str) -> Unit:
    """What a word or sign measures; empty when it is no unit."""
    return UNITS.get(fold(word), ()) if word else ()


def to_base(value: float, unit: Unit) -> list[tuple[str, float]]:
    """The value in the base of each dimension its unit may mean."""
    return [(dimension, value * factor) for dimension, factor in unit]


def measures(unit: Unit) -> bool:
    """Whether a unit is more than a mere count."""
    return bool(unit) and unit != COUNT


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


def _number_table() -> dict[str, float]:
    table = {fold(word): index for words in _COUNTS.split(";") for index, word in enumerate(words.split())}
    tens = {fold(word): 20 + 10 * index for words in _TENS for index, word in enumerate(words.split())}
    german = {
        fold(f"{unit_word}und{ten}"): 20 + 10 * index + value + 1
        for index, ten in enumerate(_TENS[1].split())
        for value, unit_word in enumerate(_GERMAN_ONES)
    }
    # "fünfeinhalb" is one word.
    halves = {fold(f"{word}einhalb"): index + 1.5 for index, word in enumerate(_GERMAN_ONES)} | {"anderthalb": 1.5}
    whole = table | tens | german | halves | {fold(word): value for word, value in _MORE.items()}
    return {word: value for word, value in whole.items() if word not in _NO_COUNTS}


NUMBER_WORDS: Final = _number_table()
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
