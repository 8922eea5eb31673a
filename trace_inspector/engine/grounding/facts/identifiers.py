"""Identifiers and addresses: order numbers, SKUs, UUIDs, versions, phone numbers, e-mail addresses, links."""

from __future__ import annotations

import re
from typing import Final

from trace_inspector.engine.grounding.facts.fact import Amount, Fact, FactKind, take
from trace_inspector.engine.grounding.text.units import MULTIPLIERS, SUFFIXES, unit_of

_ADDRESS: Final = re.compile(
    r"(?P<url>\b(?:https?://|www\.)[^\s<>\"“”«»「」、。，|`]{1,2000})"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})"
)
_CODE: Final = re.compile(
    r"(?:(?P<uuid>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})"
    r"|(?P<phone>\+\d[\d ().-]{6,18}\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4})"
    r"|(?P<dotted>[vV]?\d{1,5}(?:\.\d{1,5}){2,6}(?:-[A-Za-z0-9.]{1,20})?)"
    r"|(?P<flight>[A-Z]{2,3} \d{2,4})"
    r"|(?P<letters>[A-Za-z]{1,30}(?:[-_][A-Za-z]{1,30}){0,6}[-_#]?\d[A-Za-z0-9]{0,60}(?:[-_/.][A-Za-z0-9]{1,60}){0,8})"
    r"|(?P<digits>\d{1,30}[A-Za-z][A-Za-z0-9]{0,60}(?:[-_][A-Za-z0-9]{1,60}){0,8})"
    r"|(?P<groups>\d{1,12}(?:-\d{1,12}){2,6}|0\d{1,20}(?![.,:]\d)|\d{11,40}(?![.,]\d))"
    r")(?![A-Za-z0-9])"
)
_DECIMALS: Final = re.compile(r"\d[.,'’ \u00a0\u202f\u2009]$")
_JOINING: Final = frozenset("-_#")
_BEFORE: Final = frozenset("+(")
_PREFIX: Final = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2,3}) $")
_BACK_CHARS: Final = 60
_CURRENCY: Final = re.compile(
    r"(?:USD|EUR|GBP|CHF|JPY|INR|CAD|AUD|NZD|SGD|HKD|MXN|CNY|KRW|BRL|RUB|SEK|PLN|Rs)\d", re.IGNORECASE
)
_EXPONENT: Final = re.compile(r"\d+[eE]-?\d{1,3}")
_ORDINARY: Final = re.compile(r"[a-z]+-\d+")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:\.\d{3})+")
_COUNTED: Final = re.compile(r"(\d+)([A-Za-z]+)")
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th", "er", "am", "pm", "x"})
_SEPARATORS: Final = re.compile(r"[^0-9a-z]")


def take_addresses(text: str, facts: list[Fact]) -> str:
    """Add links and e-mail addresses, and give the text without them."""
    return take(text, _ADDRESS, _address, facts)


def code_at(text: str, position: int, floor: int) -> Fact | None:
    """The code around the digits that begin here; it may begin earlier, but not before `floor`."""
    start, least = position, max(floor, position - _BACK_CHARS)
    while start > least and (
        text[start - 1] in _JOINING or (text[start - 1].isascii() and text[start - 1].isalnum())
    ):
        start -= 1
    while start < position and not text[start].isalnum():
        start += 1
    if (
        start == position
        and (prefix := _PREFIX.search(text, max(least, position - 5), position))
        and not unit_of(prefix[1])
    ):
        start = prefix.start()
    if text[start - 1 : start] in _BEFORE and start > floor:
        start -= 1
    match = _CODE.match(text, start) or (
        _CODE.match(text, position) if start < position and not text[position - 1].isalnum() else None
    )
    return _code(match) if match and match.end() > position else None


def identifier_key(text: str) -> str:
    """The key of an identifier: its letters and digits alone."""
    return "id:" + _SEPARATORS.sub("", text.lower())


def _address(match: re.Match[str]) -> Fact:
    start, end = match.span()
    if match["mail"]:
        return Fact(FactKind.ADDRESS, start, end, ("mail:" + match[0].rstrip(".").lower(),))
    link = match[0].rstrip(".,;:!?)]}'’*_")
    bare = link.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")
    return Fact(
        FactKind.ADDRESS, start, start + len(link), ("url:" + bare,), implied=("url:" + bare.partition("/")[0],)
    )


def _code(match: re.Match[str]) -> Fact | None:
    text, kind = match[0], match.lastgroup
    if kind == "dotted" and _THOUSANDS.fullmatch(text):
        return None
    if kind == "groups" and _DECIMALS.search(match.string, max(0, match.start() - 2), match.start()):
        return None  # the thousands of 1,000
    if kind == "letters" and _CURRENCY.match(text):
        return None
    if kind == "digits" and _EXPONENT.fullmatch(text):
        return None
    if kind == "digits" and (counted := _COUNTED.fullmatch(text)) and _is_counted(counted[2]):
        return None
    key = identifier_key(text.lstrip("vV") if kind == "dotted" else text)
    amount = None
    implied: tuple[str, ...] = ()
    if kind == "letters":
        tail = re.findall(r"\d+", text[:80])
        implied = tuple("id:" + piece for piece in tail if len(piece) >= 3)
        if _ORDINARY.fullmatch(text) and len(tail[0]) < 12:
            amount = Amount((float(tail[0]),))
    elif kind == "groups" and text.isdecimal() and len(text) < 16:
        amount = Amount((float(text),))
    return Fact(FactKind.IDENTIFIER, *match.span(), (key,), amount, implied)


def _is_counted(tail: str) -> bool:
    if len(tail) == 1 and tail.isupper():
        return tail in SUFFIXES  # 5G and seat 12A are names, not five grams
    return tail.lower() in _ORDINALS or tail in SUFFIXES or tail.lower() in MULTIPLIERS or bool(unit_of(tail))
