"""Words and numbers of a text that may be secrets, where something tells them to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from trace_inspector.engine.redaction.prose.looks import Look, look_of

Span = tuple[int, int]
# Scripts that are written without blanks, or join their particles to what they follow, end a word.
_CHAR = r"[^\s\x00-\x1f\"'“”„«»‘’`´|,;<>()\[\]{}\\█፡-፧،؛؟।฀-໿က-႟ក-៿\u3000-ヿ㐀-鿿\uac00-\ud7af\uff00-\uffef…]"
# Without a digit: several words in one, or signs between letters.
_LETTERS = re.compile(
    rf"[^\W\d_](?<![^\s\"'“„«»‘（「:：].)(?={_CHAR}{{0,40}}?(?:[^\W\d_A-Z][A-Z]|[^\W\d_][&~^@#$%!+*?/][^\W_]"
    rf"|[^\W\d_][._-]{_CHAR}{{1,20}}?[^\W\d_][._-][^\W\d_])){_CHAR}{{7,80}}(?!{_CHAR}|[(=\[{{<|\\])"
)
_WORD = re.compile(rf"(?<!{_CHAR})(?={_CHAR}{{0,63}}?\d){_CHAR}{{4,128}}(?!{_CHAR})")
_EDGES = "*_~:.-–—/·"
_CLOSING = _EDGES + "!?"
# Words that are written without blanks may stand right beside digits.
_JOINED = r"[^\W\u0e00-\u0eff\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_DIGITS = re.compile(
    rf"\d(?<!{_JOINED}.)(?<![.,:/+#$€£=-].)(?:[ .#*-]{{0,2}}\d){{2,59}}(?!{_JOINED}|%|[.,:/-]\w|\s?[%€$£°])[#*]?"
)
_DATE = re.compile(
    r"\d{1,2}[.-]\s?\d{1,2}[.-]\s?\d{2,4}|\d{4}[.-]\d{1,2}[.-]\d{1,2}|\d+(?:\.\d+)+|\d{1,3}(?:[. ]000)+"
    r"|\d{1,3}(?:\.\d{1,3}){2} \d+"  # a version and its build, whose plus may be a blank in forms
)
_UNIT = re.compile(
    r"(?i)\s?(?:bits?|bytes?|[kmg]i?b|px|ms|s|sec\w*|min\w*|hours?|h|days?|years?|users?|tokens?"
    r"|characters?|chars?|digits?|zeichen|ziffern|stellen|times"
    r"|people|rows?|lines?|items?|euros?|dollars?|usd|eur|chf|sek|nok|dkk|pln|kc|руб\w*|zł|kr|km|m|kg"
    r"|mg|µg|μg|g|ml|degrees?|points?|tickets?|coins?|pesos?|rupees?|cents?|tests?|pass(?:ed|es)?|fail\w*|x"
    r"|combinations?|steps?|files?|words?|calls?|requests?|cells?|pages?|grad|punkte\w*|münzen"
    r"|円|元|원|个|位|桁|자리|号|號|番|年|月|日|分|秒|次|人|件|回|名|条|條|台|度|米|万|千|개|명|번|년|월|일|분|초|원)(?![^\W\d_])"
)
_PHONE = re.compile(r"\+\d{0,3}[ ()-]{0,2}\d{0,4}[ ()-]{0,2}\d{3,}\Z|\b0\d{2,4}[ /-]\d{6,8}\Z|\b0\d{9,11}\Z")
_CREDENTIALS = re.compile(r"[\w.@+-]{2,60}:([^\s:/]{4,64})")
_PHRASE = re.compile(r"[a-z]{2,12}(?: [a-z]{2,12}){2,5} \d{1,4}")  # words and a number, as programs propose them
_PLAIN_ID = re.compile(r"[A-Za-z_]*[:/|_#-]?\d+|[0-9A-F-]+|[0-9a-f-]+")
_GROUP = re.compile(r"\d+")


class Candidate(Struct, frozen=True):
    """A word or number that may be a secret."""

    start: int
    end: int
    look: Look
    is_number: bool = False


def candidates_in(text: str) -> list[Candidate]:
    """All of them in order."""
    return sorted((*_words(text), *_numbers(text)), key=lambda one: one.start)


def _words(text: str) -> Iterator[Candidate]:
    for match in chain(_WORD.finditer(text), _LETTERS.finditer(text)):
        start, end = match.span()
        while start < end and text[start] in _EDGES:
            start += 1
        while end > start and text[end - 1] in _CLOSING:
            end -= 1
        look = look_of(text[start:end])
        if look > Look.PLAIN:
            while end < match.end() and text[end] in "!?*" and look >= Look.LIKELY:
                end += 1
            yield Candidate(start, end, look)


def _numbers(text: str) -> Iterator[Candidate]:
    for match in _DIGITS.finditer(text):
        if (
            not _is_date(match[0])
            and not _PHONE.search(text, max(0, match.start() - 12), match.end())
            and not _UNIT.match(text, match.end())
        ):
            yield Candidate(*match.span(), Look.POSSIBLE, is_number=True)


def _is_date(written: str) -> bool:
    """Whether digits are a date, a version or a sum: of three groups the first two can be a day and a month."""
    groups = [int(group) for group in _GROUP.findall(written)]
    return _DATE.fullmatch(written) is not None and not (
        len(groups) == 3 and groups[0] < 100 and (groups[0] > 31 or groups[1] > 31 or min(groups[:2]) > 12)
    )


def is_told_by_being_encoded(text: str) -> bool:
    """Whether a text that was found encoded is a word that people encode as a secret, or a user with one."""
    if _PHRASE.fullmatch(text):
        return True
    credentials = _CREDENTIALS.fullmatch(text)
    if credentials is not None:
        return len(credentials[1]) > 5 and not _PLAIN_ID.fullmatch(credentials[1])
    is_word = 8 <= len(text) <= 64 and not any(map(str.isspace, text))
    return is_word and look_of(text) >= Look.POSSIBLE and not _PLAIN_ID.fullmatch(text)
