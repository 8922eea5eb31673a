"""Numbers as written in several countries, with the unit they carry."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind
from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.units import (
    COUNT,
    MULTIPLIERS,
    SUFFIXES,
    UNITS,
    Unit,
    number_words,
    unit_of,
)
from trace_inspector.engine.grounding.text.vocabulary import STOP_WORDS
from trace_inspector.engine.grounding.text.words import WORD

_NUMBER: Final = re.compile(
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?:[.,]\d{1,9})?(?!\d)|\d+(?:[.,'’٫٬]\d+){0,12})"
    r"(?P<exponent>[eE][+-]?\d{1,3}(?![\w.]))?(?P<part>[½¼¾⅓⅔])?(?:(?:st|nd|rd|th)(?!\w))?"
)
_MONEY_BEFORE: Final = re.compile(r"(?:(?:US|CA|AU|NZ|HK|MX|S|R)?[$€£¥￥₹₩₽฿]|(?<!\w)(?:[A-Z]{3}|Rs\.?))[ \u00a0]?$")
_CLOSING: Final = frozenset(".)]%")
_MINUS: Final = frozenset("-−")
_FRACTION: Final = re.compile(r"([1-9])/([2-9])(?![\w/])|[½¼¾⅓⅔]")
_PART_UNIT: Final = re.compile(
    r"(?<!\w)(?:half(?: an?| of an?)?|half a|(?:eine )?halbe|(?:une )?demi|media|meia|mezza|mezz['’]|"
    r"(?P<quarter>(?:a )?quarter(?: of an?)?|(?:un )?quart d['’]|(?:un )?cuarto de|(?:um )?quarto de|viertel)|"
    r"(?P<three>three[ -]quarters of an?|trois quarts d['’]|tres cuartos de|três quartos de|drei[ ]?viertel))"
    r"(?:[ -]|(?<=['’])|(?<=viertel))(?P<unit>\w{2,12})",
    re.IGNORECASE,
)
_AND_A_HALF: Final = re.compile(
    r"[ -](?:and a half|einhalb|et demie?|y medi[ao]|e mei[ao]|e mezz[ao])\b", re.IGNORECASE
)
_ONE_UNIT: Final = re.compile(
    r"(?<![^\W_])(?:one|an?|eine?[nr]?|une?|una|um|uma)[ ]([^\W\d_]{3,8})(?![^\W_])", re.IGNORECASE
)
_AND: Final = re.compile(r",?[ \u00a0]{0,2}(?:(?:and|und|et|y|e|और)[ \u00a0])?", re.IGNORECASE)
_MORE_OF_IT: Final = re.compile(
    r" (?:(?P<half>and a half|et demie?|y medi[ao]|e mei[ao]|e mezz[ao])"
    r"|(?P<quarter>and (?:a|one) quarter|et quart|y cuarto|e um quarto|e un quarto)"
    r"|(?P<three>and three[ -]quarters|et trois quarts|y tres cuartos|e três quartos|e tre quarti))(?!\w)",
    re.IGNORECASE,
)
_BARE_MINUTES: Final = re.compile(r"[ \u00a0]?([0-5]?\d)(?!\d|[.,:]\d|[ \u00a0]?[^\W\d_]|%)")
_HOUR: Final = 3600.0
_SIGNS: Final = frozenset("%％‰°$€£¥￥₹₩₽฿¢℃℉円元원")
_COMPOUND: Final = re.compile(r"km/h|m²|m2\b|ft²|°[ ]?[CF]\b", re.IGNORECASE)
_PLURAL: Final = re.compile(r"[ -](?:([a-z]{3,20})[ ])?([a-z]{2,20}[^\Wsui_])s(?![^\W_])")
_MAX_DIGITS: Final = 15
_MAX_LENGTH: Final = 60


def fraction_at(text: str, start: int) -> Fact | None:
    """The fraction that begins here, such as 1/2 or ½."""
    match = _FRACTION.match(text, start)
    if match is None or text[start - 1 : start] in ("/", "."):
        return None
    value = int(match[1]) / int(match[2]) if match[1] else unicodedata.numeric(match[0])
    return Fact(FactKind.NUMBER, *match.span(), amount=Amount((value, value * 100), 0.01))


def number_at(text: str, start: int) -> Fact | None:
    """The number whose digits begin here, with the currency before it and the unit after it."""
    match = _NUMBER.match(text, start)
    return _number(text, match) if match else None


def worded_amounts(text: str) -> Iterator[Fact]:
    """Every number in words."""
    for start, last, value in number_words(text):
        half = _AND_A_HALF.match(text, last)
        unit, end = _unit_after(text, half.end() if half else last)
        whole = value + 0.5 if half else value
        amount = Amount((whole,), 1.0 if whole == int(whole) else 0.1, unit or _counted(text, end))
        yield Fact(FactKind.NUMBER, start, end, amount=amount)
    for match in _PART_UNIT.finditer(text):
        unit = unit_of(match["unit"])
        before = text[max(0, match.start() - 10) : match.start()].lower()
        if unit and before.endswith("one and a "):
            yield Fact(FactKind.NUMBER, match.start() - 10, match.end(), amount=Amount((1.5,), 0.1, unit))
        elif unit and not before.endswith(" and a "):
            value = 0.25 if match["quarter"] else 0.75 if match["three"] else 0.5
            yield Fact(FactKind.NUMBER, *match.span(), amount=Amount((value,), 0.01, unit))


def whole_durations(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts of a text with the parts of each duration put together: an hour and 35 minutes, a day and a half.

    The one of "an hour" is a figure only beside another part, as "an hour" is as often no figure.
    """
    parts = [(fact.start, fact.end, fact) for fact in facts if _seconds(fact)]
    parts += [
        (*match.span(), Fact(FactKind.NUMBER, *match.span(), amount=Amount((1.0,), 1.0, unit)))
        for match in _ONE_UNIT.finditer(text)
        if (unit := _time_unit(unit_of(match[1])))
    ]
    whole: list[Fact] = []
    for _start, _end, fact in sorted(parts, key=lambda each: each[:2]):
        if whole and (joined := _joined(text, whole[-1], fact)):
            whole[-1] = joined
        else:
            whole.append(_with_part(text, fact, facts))
    whole = [fact for fact in whole if not _ONE_UNIT.fullmatch(text, fact.start, fact.end)]
    starts = [fact.start for fact in whole]
    return [fact for fact in facts if not _is_within(fact, whole, starts)] + whole


def _is_within(fact: Fact, whole: Sequence[Fact], starts: Sequence[int]) -> bool:
    position = bisect_right(starts, fact.start) - 1
    return position >= 0 and fact.end <= whole[position].end


def _with_part(text: str, fact: Fact, facts: Sequence[Fact]) -> Fact:
    """A duration with the half or the quarters behind it, or with the bare minutes behind its hours."""
    amount = fact.amount
    if amount is None:
        return fact
    if more := _MORE_OF_IT.match(text, fact.end):
        value = amount.values[0] + {"half": 0.5, "quarter": 0.25, "three": 0.75}[more.lastgroup or "half"]
        return Fact(FactKind.NUMBER, fact.start, more.end(), amount=Amount((value,), 0.1, _time_unit(amount.unit)))
    minutes = _BARE_MINUTES.match(text, fact.end) if _seconds(fact) == _HOUR else None
    if minutes and any(one.start == minutes.start(1) and one.end == minutes.end() for one in facts):
        value = amount.values[0] * 60 + int(minutes[1])
        return Fact(FactKind.NUMBER, fact.start, minutes.end(), amount=Amount((value,), 1.0, (("time", 60.0),)))
    return fact


def _joined(text: str, first: Fact, second: Fact) -> Fact | None:
    large, small = _seconds(first), _seconds(second)
    if not (first.amount and second.amount and 0 < small < large and _AND.fullmatch(text, first.end, second.start)):
        return None
    rest = second.amount.values[0]
    if rest * small >= large:
        return None  # an hour, 90 minutes: two durations
    value = rounded(first.amount.values[0] * large / small + rest)
    return Fact(
        FactKind.NUMBER, first.start, second.end, amount=Amount((value,), second.amount.step, (("time", small),))
    )


def _seconds(fact: Fact) -> float:
    """The seconds of the unit of a duration; 0 of what is none."""
    unit = fact.amount.unit if fact.amount and fact.kind is FactKind.NUMBER and not fact.keys else ()
    return next((factor for dimension, factor in unit if dimension == "time"), 0.0)


def _time_unit(unit: Unit) -> Unit:
    return tuple(reading for reading in unit if reading[0] == "time")


def readings(digits: str) -> tuple[tuple[float, ...], float]:
    """What digits with separators may mean, and the worth of the last digit; no reading when they are no number."""
    plain = _ascii(digits)
    whole, dot, comma = plain.count("."), "." in plain, "," in plain
    if dot and comma:
        decimal = "." if plain.rindex(".") > plain.rindex(",") else ","
        grouping = "," if decimal == "." else "."
        if plain.count(decimal) > 1:
            return (), 1.0
        return _decimal(plain.replace(grouping, ""), decimal)
    separator = "." if dot else ","
    count = whole if dot else plain.count(",")
    if count == 0:
        return ((float(plain),), 1.0) if len(plain) <= _MAX_DIGITS else ((), 1.0)
    head, *groups = plain.split(separator)
    grouped = len(groups[-1]) == 3 and all(len(group) in (2, 3) for group in groups) and 1 <= len(head) <= 3
    if count > 1:
        return ((float(plain.replace(separator, "")),), 1.0) if grouped else ((), 1.0)
    value, step = _decimal(plain, separator)
    if grouped and head.lstrip("0"):
        return (float(head + groups[0]), *value), 1.0
    return value, step


def _decimal(plain: str, separator: str) -> tuple[tuple[float, ...], float]:
    decimals = len(plain) - plain.index(separator) - 1
    return (float(plain.replace(separator, ".")),), float(f"1e-{min(decimals, 300)}")


def _ascii(digits: str) -> str:
    if not digits.isascii():
        digits = "".join(
            str(unicodedata.decimal(char)) if char.isdecimal() else {"٫": ".", "٬": ""}.get(char, char)
            for char in digits
        )
    return re.sub(r"[ \u00a0\u202f\u2009'’]", "", digits)


def _number(text: str, match: re.Match[str]) -> Fact | None:
    digits = match["digits"]
    values, step = readings(digits) if len(digits) <= _MAX_LENGTH else ((), 1.0)
    if not values:
        return None
    if match["exponent"]:
        values = (values[-1] * float(f"1{match['exponent']}"),)
    if match["part"]:
        values = (values[0] + unicodedata.numeric(match["part"]),)
    last = match.end()
    if half := _AND_A_HALF.match(text, last):
        last, values, step = half.end(), tuple(value + 0.5 for value in values), 0.1
    factor, unit, end = _tail(text, last)
    start, money = _money_before(text, match.start())
    if text[start - 1 : start] in _MINUS and not (
        text[start - 2 : start - 1].isalnum() or text[start - 2 : start - 1] in _CLOSING
    ):
        # A dash before a number is as often a dash as a minus.
        start, values = start - 1, (*(-value for value in values), *values)
    values = tuple(rounded(value * factor) for value in values)
    if not all(map(math.isfinite, values)):
        return None
    return Fact(FactKind.NUMBER, start, end, amount=Amount(values, step * factor, money or unit))


def _money_before(text: str, start: int) -> tuple[int, Unit]:
    """Where a currency before the digits begins, and which one it is."""
    last = text[start - 1 : start]
    if not last or not (last in _SIGNS or last in " \u00a0." or last.isupper()):
        return start, ()
    match = _MONEY_BEFORE.search(text, max(0, start - 5), start)
    unit = unit_of(match[0].strip(" \u00a0.")) if match else ()
    return (match.start(), unit) if match and unit else (start, ())


def rounded(value: float) -> float:
    """The value without the noise of binary fractions, so that equal decimals are equal keys."""
    return float(f"{value:.12g}") + 0.0


def _tail(text: str, end: int) -> tuple[float, Unit, int]:
    factor = 1.0
    suffix = text[end : end + 1]
    if suffix in SUFFIXES and not text[end + 1 : end + 2].isalnum():
        factor, end = SUFFIXES[suffix], end + 1
    else:
        match = WORD.match(text, end + (text[end : end + 1] in (" ", "\u00a0", "-")))
        if match and (named := _prefix(match[0], MULTIPLIERS)) and not (len(named) == 1 and named.isascii()):
            factor, end = MULTIPLIERS[fold(named)], match.start() + len(named)
    unit, unit_end = _unit_after(text, end)
    return factor, unit or _counted(text, end), unit_end


def _unit_after(text: str, end: int) -> tuple[Unit, int]:
    begin = end + (text[end : end + 1] in (" ", "\u00a0", "\u202f", "-"))
    sign = text[begin : begin + 1]
    if compound := _COMPOUND.match(text, begin):
        return unit_of(compound[0].replace(" ", "")), compound.end()
    if sign in _SIGNS:
        return unit_of(sign), begin + 1
    match = WORD.match(text, begin, begin + 20)
    if not match:
        return (), end
    if match[0] in ("per", "por", "pour"):
        return (
            (unit_of("%"), begin + 8)
            if re.match(r"(?:per|por|pour) (?:cent|ciento)", text[begin : begin + 11])
            else ((), end)
        )
    named = _prefix(match[0], UNITS)
    if not named or (named == "p" and begin == end):
        return (), end
    return unit_of(named), begin + len(named)


def _counted(text: str, end: int) -> Unit:
    """A count, when a plural follows the number, at most one word away."""
    match = _PLURAL.match(text, end)
    return COUNT if match and not any(fold(word) in STOP_WORDS for word in match.groups() if word) else ()


def _prefix(word: str, table: dict[str, Unit] | dict[str, float]) -> str:
    """The word when the table has it; of a run without spaces its longest beginning that the table has."""
    if fold(word) in table:
        return word
    if word.isascii():
        return ""
    return next(
        (
            word[:length]
            for length in range(min(len(word), 5), 0, -1)
            if not word[:length].isascii() and fold(word[:length]) in table
        ),
        "",
    )
