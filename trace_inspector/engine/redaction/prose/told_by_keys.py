"""Values behind names of secrets in any language: `{"türcode": "4711#"}`, `geheimzahl: 4711`, `<pin>4711</pin>`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from trace_inspector.engine.redaction.prose.candidates import Span
from trace_inspector.engine.redaction.prose.looks import Look, look_of
from trace_inspector.engine.redaction.prose.roots import Tells, folded, tellers_in

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDING = re.compile(
    r"[_\W\d]*(?:(?:new|old|current|now|value|val|plain|spoken|neu|alt|nuevo|nueva|key|code|word|in"
    r"|out|s|y)[_\W\d]*){0,2}"
)
_DIGITS = re.compile(r"[#*]?\d(?:[ .#*-]{0,2}\d){2,15}[#*]?")
_YEAR_OR_STATUS = re.compile(r"(?:19|20)\d\d|[1-5]\d\d")
_MOST_WORDS = 6
_OPENED = Tells.LOCK | Tells.WEAK_CODE  # “gate_code”: a gate alone has a number, and a code alone is of anything
_COMBINATION = re.compile(r"\d{1,2}(?:-\d{1,2}){2}")
# An ordinary word is what such a question asks for: none of how it is, or what happened to it.
_PLAIN_WORD = re.compile(r"(?![A-Za-z]{0,20}(?:ed|ing|able|ible|al|ory|ive|set|none)\Z)[^\W\d_]{5,24}")
_CAMPAIGN = re.compile(r"[A-Z]{3,}\d{1,4}")  # as every customer gets
_PAIR = re.compile(
    r"[\"']([^\"'\n\\]{2,60})[\"']\s{0,4}(?::|=>|=)\s{0,4}[\"']([^\"'\n]{3,120})[\"']"
    r"|[\"']([^\"'\n\\]{2,60})[\"']\s{0,4}:\s{0,4}(\d{3,12})(?![\w.])"
    r"|<(?:[\w:]{1,20}\s)?(?:[^<>\n]{0,40}\s)?(?:n|name|key"
    r"|id)=[\"']([\w.:-]{2,60})[\"'][^<>\n]{0,80}>([^<>\n]{3,120})</"
    r"|<t[dh]>([^<>\n]{2,60})</t[dh]>\s{0,20}<td>([^<>\n]{3,120})</td>"
    r"|<((?!t[dhr]>)[a-zA-Z][\w:.-]{1,40})>([^<>\n]{3,120})</"
)


def told_by_keys(text: str) -> Iterator[Span]:
    """The spans of values whose name tells a secret by a root of a word, in text."""
    for match in _PAIR.finditer(text):
        group = match.lastindex or 2
        if is_told_by_key(match[group - 1], match[group]):
            yield match.span(group)


def is_told_by_key(key: str, value: str) -> bool:
    """Whether a value is a secret by its name and its look."""
    tells = _told_by(key)
    if not tells or not 3 <= len(value) <= 120:
        return False
    digits = _DIGITS.fullmatch(value)
    if digits is not None:
        if tells & (Tells.CODE | Tells.SHORT | Tells.PASSWORD):
            return True
        if tells & _OPENED and _COMBINATION.fullmatch(value):
            return True
        return tells & _OPENED == _OPENED and not _YEAR_OR_STATUS.fullmatch(value)
    look = look_of(value)
    if tells & (Tells.PASSWORD | Tells.ANSWER):
        if tells & Tells.ANSWER and _PLAIN_WORD.fullmatch(value):
            return True
        is_word = look > Look.PLAIN or " " in value or not value.isascii()  # a plain word stands elsewhere too
        return len(value) > 3 and is_word and value.count(" ") < _MOST_WORDS
    if tells & Tells.CODE or tells & _OPENED == _OPENED:
        return look >= Look.POSSIBLE and any(map(str.isdigit, value))
    return (
        bool(tells & Tells.KEY)
        and len(value) >= 8
        and not _CAMPAIGN.fullmatch(value)
        and look >= Look.POSSIBLE
        and any(map(str.isdigit, value))
    )


@lru_cache(maxsize=4096)
def _told_by(key: str) -> int:
    """What the name of a key tells, by the word that ends it."""
    low = folded(_HUMP.sub("_", key))
    tellers = tellers_in(low)
    if not tellers:
        return 0
    last = tellers[-1]
    if last.tells == Tells.NOTHING or not _ENDING.fullmatch(low, last.end):
        return 0
    tells = last.tells
    if tells & (Tells.WEAK_CODE | Tells.KEY) == tells or tells & Tells.LOCK:
        for one in tellers[:-1]:  # “door code”, but no “error code”
            if one.tells == Tells.NOTHING:
                return 0
            tells |= one.tells
    return tells
