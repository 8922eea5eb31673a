"""Dates, times of day and weekdays in many spellings, each as keys that are equal when the meaning is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import date
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind, take
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.vocabulary import (
    CJK_WEEKDAYS,
    DAY_GROUPS,
    MONTH_NAMES,
    MONTHS,
    SHORT_WEEKDAYS,
    WEEKDAYS,
)
from trace_inspector.engine.grounding.text.words import WORD

_MONTH: Final = "|".join(sorted((re.escape(name) for name in {*MONTHS, *MONTH_NAMES}), key=len, reverse=True))
_NUMERIC: Final = re.compile(
    r"(?:(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<c>\d{4}|\d{2})"
    r"|(?:(?P<cy>\d{4})\s?[年년]\s?)?(?P<cm>\d{1,2})\s?[月월]\s?(?P<cd>\d{1,2})\s?[日일号])(?![\d/-]|\.\d)"
)
_NAMED: Final = re.compile(
    rf"(?<!\w)(?<!\d-)(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.|º)?[ \u00a0](?:(?:of|de)[ ])?(?P<m>{_MONTH})(?!\w)\.?"
    r"(?:,?[ ](?:del?[ ])?(?P<y>\d{4}))?"
    rf"|(?P<n>{_MONTH})(?!\w)\.?[ \u00a0](?P<e>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]\d|\d|[ ]?[ap]m)"
    r"(?:,?[ ](?P<z>\d{4}))?"
    rf"|(?P<o>{_MONTH})(?!\w)\.?,?[ ](?:del?[ ])?(?P<x>\d{{4}}))(?!\d)",
    re.IGNORECASE,
)
_HALF: Final = r"(?:[ap]m\b|[ap]\.[ ]?m\b\.?)"
_CLOCK: Final = re.compile(
    rf"(?:(?P<h1>\d{{1,2}})(?::(?P<m1>[0-5]\d))?[ ]?(?P<p1>{_HALF})?[ ]?(?:-|–|—|to|until|till|and)[ ]?"
    rf"(?P<h2>\d{{1,2}})(?::(?P<m2>[0-5]\d))?[ ]?(?P<p2>{_HALF})"
    rf"|(?P<h>\d{{1,2}}):(?P<m>[0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?:[ ]?(?P<p>{_HALF}))?"
    rf"|(?P<hp>\d{{1,2}})[ ]?(?P<pp>{_HALF})"
    r"|(?P<hu>\d{1,2})(?:[.:](?P<mu>[0-5]\d))?[ ]Uhr|(?P<hh>\d{1,2})[ ]?[hH][ ]?(?P<mh>[0-5]\d)\b(?![ ]?m(?:in|\b))"
    r"|(?P<hj>\d{1,2})[ ]?[時点點시](?![間간])(?:(?P<mj>\d{1,2})[ ]?[分분]|(?P<hz>半))?"
    r"|(?P<hi>\d{1,2})[ ](?P<oc>o[’']clock|बजे))(?!\d|:\d)",
    re.IGNORECASE,
)
# What can follow the first digits of a date and of a time: what has other characters there is not searched.
IN_DATES: Final = frozenset("-/.年년月월")
AFTER_HOURS: Final = frozenset(" :.aApP-–—tTuUhH時点點시")
_NO_DATE_AFTER: Final = frozenset(".,-")
_NO_TIME_AFTER: Final = frozenset(":.,/$€£")
_HALVES: Final = {"午後": "p", "下午": "p", "晚上": "p", "午前": "a", "上午": "a"}
NOON_WORDS: Final = folded_words("noon midday midnight mittags mitternacht minuit mediodía medianoche")
_NOON: Final = re.compile(
    r"\b(?:(noon|midday|mittags|mediodía)|(midnight|mitternacht|minuit|medianoche))\b", re.IGNORECASE
)
_CJK_WEEKDAY: Final = re.compile("([月火水木金土日])曜|(?:星期|周|週|礼拜)([一二三四五六天日])")
_IN_NAME: Final = re.compile(r"-[a-z]{2}")  # Sun-hee is no Sunday
_DAY_WORDS: Final = frozenset({*WEEKDAYS, *DAY_GROUPS, *map(str.lower, SHORT_WEEKDAYS)})
_SPAN: Final = re.compile(r"\s{0,2}(?:-|–|—|to|through|thru|bis|à|a|al)\s{0,2}", re.IGNORECASE)


def take_named_dates(text: str, facts: list[Fact]) -> str:
    """Add the dates with the name of the month, and give the text without them."""
    return take(text, _NAMED, _named, facts)


def date_at(text: str, start: int) -> Fact | None:
    """The numeric date that begins here."""
    match = _NUMERIC.match(text, start)
    if match is None or text[start - 1 : start] in _NO_DATE_AFTER:
        return None
    return _numeric(match)


def times_at(text: str, start: int) -> tuple[Fact, ...] | None:
    """The time of day that begins here, or both of a span such as 8 to 10 pm."""
    match = _CLOCK.match(text, start)
    if match is None or text[start - 1 : start] in _NO_TIME_AFTER:
        return None
    return _clock(match)


def weekdays(text: str, folded: Set[str]) -> Iterator[Fact]:
    """Weekdays by name; of a span such as Mon–Fri the days between are implied."""
    if not folded.isdisjoint(_DAY_WORDS):
        yield from _named_weekdays(text)
    if not text.isascii():
        for match in _CJK_WEEKDAY.finditer(text):
            day = CJK_WEEKDAYS[match[1] or match[2]]
            yield Fact(FactKind.WEEKDAY, match.start(), match.end(), (f"weekday:{day}",))


def noons(text: str) -> Iterator[Fact]:
    """Noon and midnight as times."""
    for match in _NOON.finditer(text):
        keys = ("time:12:00",) if match[1] else ("time:00:00", "time:24:00")
        yield Fact(FactKind.TIME, match.start(), match.end(), keys)


def _days(word: str) -> tuple[int, ...]:
    folded = fold(word)
    return (WEEKDAYS[folded],) if folded in WEEKDAYS else DAY_GROUPS.get(folded, ())


def _named_weekdays(text: str) -> Iterator[Fact]:
    last_day, last_end = -1, 0
    for match in WORD.finditer(text):
        word = match[0]
        if len(word) > 12:
            continue
        days = (SHORT_WEEKDAYS[word],) if word in SHORT_WEEKDAYS else _days(word)
        if not days or _IN_NAME.match(text, match.end()):
            continue
        if len(days) > 1:
            yield Fact(
                FactKind.WEEKDAY, match.start(), match.end(), (), implied=tuple(f"weekday:{day}" for day in days)
            )
            continue
        between: tuple[str, ...] = ()
        if last_day >= 0 and _SPAN.fullmatch(text, last_end, match.start()):
            between = tuple(f"weekday:{day % 7}" for day in range(last_day, last_day + 1 + (days[0] - last_day) % 7))
        yield Fact(FactKind.WEEKDAY, match.start(), match.end(), (f"weekday:{days[0]}",), implied=between)
        last_day, last_end = days[0], match.end()


def _numeric(match: re.Match[str]) -> Fact | None:
    part = match.groupdict()
    if part["y"]:
        readings = [(int(part["y"]), int(part["m"]), int(part["d"]))]
    elif part["cm"]:
        return _dated(match, int(part["cy"]) if part["cy"] else None, int(part["cm"]), int(part["cd"]))
    else:
        year = int(part["c"]) + (2000 if len(part["c"]) == 2 else 0)
        first, second = int(part["a"]), int(part["b"])
        readings = [(year, second, first)]
        if part["t"] != "." and first != second:
            readings.append((year, first, second))
    days = [day for reading in readings if (day := _date(*reading))]
    if not days:
        return None
    implied = tuple(key for day in days for key in _implied(day))
    return Fact(FactKind.DATE, match.start(), match.end(), tuple(f"date:{day}" for day in days), implied=implied)


def _named(match: re.Match[str]) -> Fact | None:
    part = match.groupdict()
    month = MONTHS.get(fold(part["m"] or part["n"] or part["o"]))
    if month is None:
        return None
    if part["o"]:
        return Fact(
            FactKind.DATE, *match.span(), (f"month:{part['x']}-{month:02}",), implied=(f"year:{int(part['x'])}",)
        )
    year = part["y"] or part["z"]
    return _dated(match, int(year) if year else None, month, int(part["d"] or part["e"]))


def _dated(match: re.Match[str], year: int | None, month: int, day: int) -> Fact | None:
    start, end = match.span()
    whole = _date(year or 2024, month, day)
    if whole is None:
        return None
    if year is not None:
        return Fact(FactKind.DATE, start, end, (f"date:{whole}",), implied=_implied(whole))
    keys = (f"day:{month:02}-{day:02}", f"yearless:{month:02}-{day:02}")
    return Fact(FactKind.DATE, start, end, keys, implied=(f"dayofmonth:{day}",))


def _implied(day: date) -> tuple[str, ...]:
    return (
        f"day:{day.month:02}-{day.day:02}", f"month:{day.year}-{day.month:02}", f"year:{day.year}",
        f"dayofmonth:{day.day}", f"weekday:{day.weekday()}",
    )  # fmt: skip


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _clock(match: re.Match[str]) -> tuple[Fact, ...] | None:
    part = match.groupdict()
    if part["h2"]:
        return _span(match, part)
    hour = int(next(part[name] for name in ("h", "hp", "hu", "hh", "hj", "hi") if part[name]))
    minute = int(next((part[name] for name in ("m", "mu", "mh", "mj") if part[name]), 30 if part["hz"] else 0))
    half = (
        part["p"]
        or part["pp"]
        or _HALVES.get(match.string[max(0, match.start() - 3) : match.start()].rstrip()[-2:], "")
    )
    either = bool(part["oc"]) or (bool(part["hj"]) and not half)
    fact = _time(match.start(), match.end(), hour, minute, half, either=either)
    return (fact,) if fact else None


def _span(match: re.Match[str], part: dict[str, str]) -> tuple[Fact, ...] | None:
    first = _time(
        *match.span("h1"), int(part["h1"]), int(part["m1"] or 0), part["p1"] or part["p2"], either=not part["p1"]
    )
    second = _time(match.start("h2"), match.end(), int(part["h2"]), int(part["m2"] or 0), part["p2"])
    return (first, second) if first and second else None


def _time(start: int, end: int, hour: int, minute: int, half: str | None, *, either: bool = False) -> Fact | None:
    if hour > 24 or (half and not 1 <= hour <= 12) or minute > 59:
        return None
    hours = [hour % 12 + (12 if half[0] in "pP" else 0)] if half else [hour]
    if either and hour <= 12:
        hours = sorted({*hours, hour % 12, hour % 12 + 12})
    amount = Amount(tuple(dict.fromkeys(float(each_hour) for each_hour in (*hours, hour)))) if minute == 0 else None
    return Fact(FactKind.TIME, start, end, tuple(f"time:{each_hour:02}:{minute:02}" for each_hour in hours), amount)
