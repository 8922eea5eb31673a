"""How values are written in a sentence: numbers, times, dates and units in six languages."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import yaml
from msgspec import Struct

SOURCE = Path(__file__).resolve().parents[2] / "data" / "grounding" / "source"

_INVENTORY = yaml.load((SOURCE / "words.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
_WORDS: dict[str, list[str]] = _INVENTORY["numbers"]
_MONTHS: dict[str, list[str]] = _INVENTORY["months"]
_DATES = {
    "en": ["{day} {month}", "{month} {day}", "{month} {day}, {year}", "{iso}"],
    "de": ["{day}. {month}", "{day}. {month} {year}", "{day}.{m}.{year}"],
    "es": ["{day} de {month}", "{day} de {month} de {year}"],
    "fr": ["{day} {month}", "{day} {month} {year}"],
    "ja": ["{m}月{day}日", "{year}年{m}月{day}日"],
    "pt": ["{day} de {month}", "{day} de {month} de {year}"],
}
_TIMES = {
    "en": ["{h24}:{mm}", "{h12}:{mm} {half}", "{h12}:{mm}{half}"],
    "de": ["{h24}:{mm} Uhr", "{h}.{mm} Uhr"],
    "es": ["{h24}:{mm}", "{h}:{mm} h"],
    "fr": ["{h} h {mm}", "{h24}h{mm}"],
    "ja": ["{h}時{m}分", "{h24}:{mm}"],
    "pt": ["{h}h{mm}", "{h24}:{mm}"],
}
_DAYS = {
    "en": "{v} days",
    "de": "{v} Tage",
    "es": "{v} días",
    "fr": "{v} jours",
    "ja": "{v}日間",
    "pt": "{v} dias",
}
_SEPARATORS = {
    "en": (",", "."),
    "ja": (",", "."),
    "de": (".", ","),
    "es": (".", ","),
    "pt": (".", ","),
    "fr": ("\u202f", ","),
}


class Unit(Struct, frozen=True):
    """The ways to write a value of this unit, the unit it is mistaken for, and what it converts to."""

    say: dict[str, list[str]]
    wrong: dict[str, list[str]]
    clock: dict[str, list[str]]
    convert: list[dict[str, Any]]


def units() -> dict[str, Unit]:
    return {
        name: Unit(row["say"], row.get("wrong", {}), row.get("clock", {}), row.get("convert", []))
        for name, row in yaml.load(
            (SOURCE / "units.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
        ).items()
    }


def number_text(value: float, language: str, money: bool = False) -> str:
    """A number as it is written in this language, with at most two decimals."""
    rounded = round(float(value), 2)
    text = f"{rounded:,.0f}" if rounded == int(rounded) else f"{rounded:,.2f}"
    if "." in text and not money:
        text = text.rstrip("0")
    thousands, point = _SEPARATORS[language]
    return text.replace(",", "\0").replace(".", point).replace("\0", thousands)


def count_text(value: int, language: str, random: Random) -> str:
    words = _WORDS.get(language)
    return words[value] if words and value < len(words) and value != 1 and random.random() < 0.6 else str(value)


def fit_plural(text: str, value: int) -> str:
    """Settles "(s)" and "(is|are)" of a phrase by the number it speaks of."""
    text = re.sub(r"\((\w*)\|(\w*)\)", lambda match: match[1] if value == 1 else match[2], text)
    return text.replace("(s)", "" if value == 1 else "s")


def time_text(value: str, language: str, random: Random) -> str:
    hour, minute = (int(part) for part in value.split(":"))
    return random.choice(_TIMES[language]).format(
        h24=f"{hour:02}",
        h=hour,
        mm=f"{minute:02}",
        m=minute,
        h12=hour % 12 or 12,
        half="am" if hour < 12 else "pm",
    )


def date_text(value: str, language: str, random: Random) -> str:
    day = date.fromisoformat(value)
    month = _MONTHS[language][day.month - 1] if language in _MONTHS else ""
    return random.choice(_DATES[language]).format(day=day.day, month=month, m=day.month, year=day.year, iso=value)


def days_text(days: int, language: str) -> str:
    text = _DAYS[language].format(v=days)
    return text if days != 1 else {"en": "1 day", "de": "1 Tag", "es": "1 día", "fr": "1 jour"}.get(language, text)


def minutes_text(minutes: int, language: str, random: Random, unit: Unit) -> str:
    """A span in hours and minutes, or in minutes alone."""
    if minutes >= 60 and minutes % 60:
        return random.choice(unit.clock[language]).format(h=minutes // 60, m=minutes % 60)
    return random.choice(unit.say[language]).format(v=minutes)


_CONTRACTIONS = {
    "es": ((" de el ", " del "), (" a el ", " al ")),
    "fr": ((" de le ", " du "), (" de les ", " des "), (" à le ", " au "), (" que il", " qu'il")),
    "pt": ((" de o ", " do "), (" de a ", " da "), (" em o ", " no "), (" em a ", " na ")),
}


def contracted(text: str, language: str) -> str:
    """Prepositions and articles drawn together where the language does so."""
    for apart, together in _CONTRACTIONS.get(language, ()):
        text = text.replace(apart, together)
    return text


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
