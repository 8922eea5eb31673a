"""An answer split into sentences with character offsets: prose, bullets, headings, table rows, code blocks."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.vocabulary import MONTHS

# These come before more words, so their full stop seldom ends a sentence.
_WITHIN: Final = """
    mr mrs ms dr prof st mt rev gov jr fig figs vol nos p pp ch ed eds vs approx cf viz e.g eg i.e ie a.k.a nr str ca
    z.b d.h u.a bzw ggf evtl inkl exkl zzgl vgl o.ä sog geb z.t i.d.r hrsg mme mlle mgr p.ex c.-à-d sr sra srta ud uds
    vd vds dra lic ing avda núm p.ej pág aprox sig sigg dott г ул т.е
"""
# These may end a sentence too: what follows decides.
_AT_END: Final = """
    no min max avg est ext dept hr hrs std tel sec jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed
    thu thur thurs fri sat sun etc inc ltd co corp llc plc a.m p.m am pm usw u.s.w u.v.m av ave blvd rd sq apt bldg al
    ph.d m.d b.c a.d ste т.д стр
"""

# Whether an abbreviation may end a sentence.
ABBREVIATIONS: Final = {**dict.fromkeys(_WITHIN.split(), False), **dict.fromkeys(_AT_END.split(), True)}

# Words that begin a new sentence after "U.S." or an initial.
_STARTERS: Final = """
    the it it's its this that these those there there's they they're you you're we we're he she i if when where what
    while however also and but or so in on at for from with please no yes your our his her their each all both as an a
    after der die das es sie wir ich ein eine le la les il elle el los las un una
"""
STARTERS: Final = frozenset(_STARTERS.split())
# German ordinals: "der 3. Platz" goes on.
ORDINAL_BEFORE: Final = frozenset(
    {"der", "die", "das", "dem", "den", "des", "am", "im", "zum", "zur", "vom", "beim", "jeder", "jeden"}
)


class Form(enum.Enum):
    """What a sentence is in the layout of the answer."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


class Span(Struct, frozen=True):
    """Characters [start, end) of the answer, without the space around them."""

    start: int
    end: int
    form: Form = Form.PROSE


_LINE: Final = re.compile(r"[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|\Z)")
_FENCE: Final = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_ITEM: Final = re.compile(r"[ \t>]{0,40}(?:[-*+•◦▪‣·–—][ \t]+|(?:\d{1,4}|[a-zA-Z])[.)][ \t]+|[①-⑳])(?=\S)")
_ROW: Final = re.compile(r"[ \t]{0,40}\|[^\n]*\|[ \t]*$")
_STOP: Final = re.compile(r"(?:[.!?…]+|[。！？．｡।॥؟۔]+)(?P<close>(?:[\"'”’»)\]}*_`」』）】〉》]|\[\d{1,3}\]){0,12})")
_WORDY: Final = re.compile(r"\w")
_FULL_STOPS: Final = "。！？．｡।॥؟۔"
_QUOTE_GOES_ON: Final = re.compile(r"[ぁ-ん]")
_TOKEN_CHARS: Final = 24
_TOKEN_BEFORE: Final = re.compile(rf"[^\s(\[{{“„«\"'‘]{{1,{_TOKEN_CHARS}}}$")
_NEXT: Final = re.compile(r"[\s\"'“”„«‘(\[{*_`¿¡]*")
_NEXT_WORD: Final = re.compile(r"[^\W\d_]{1,20}")
_LOOK_BACK_CHARS: Final = 26


def split(text: str) -> list[Span]:
    """The sentences of an answer in order. They never overlap, and every character that is no space is in one."""
    return _merged(text, [span for block in _blocks(text) for span in _within(text, block)])


def _blocks(text: str) -> Iterator[Span]:
    """Lines, with soft-wrapped lines of prose and whole code blocks put together."""
    block: Span | None = None
    fence = ""
    for match in _LINE.finditer(text):
        start, end = match.span()
        if start == end:
            continue
        mark = _FENCE.match(text, start, end)
        if fence:
            block = replace(block, end=end) if block else Span(start, end, Form.CODE)
            if mark and mark[1].startswith(fence):
                fence = ""
            continue
        if mark or not _goes_on(text, block, start, end):
            if block:
                yield block
            block = Span(start, end, Form.CODE if mark else _form(text, start, end))
            fence = mark[1] if mark else ""
        else:
            block = replace(block, end=end) if block else None
    if block:
        yield block


def _form(text: str, start: int, end: int) -> Form:
    if _HEADING.match(text, start, end):
        return Form.HEADING
    if _ROW.match(text, start, len(text[start:end].rstrip()) + start):
        return Form.ROW
    return Form.ITEM if _ITEM.match(text, start, end) else Form.PROSE


def _goes_on(text: str, block: Span | None, start: int, end: int) -> bool:
    """Whether a line continues the one before: it begins in lower case, as a wrapped line does."""
    if block is None or block.form not in (Form.PROSE, Form.ITEM) or _form(text, start, end) is not Form.PROSE:
        return False
    first = text[start:end].lstrip()[:1]
    before = text[max(block.start, block.end - 12) : block.end]
    blank_between = not before.strip() or not first
    last = before.rstrip()[-1:]
    return not blank_between and last not in ".!?:…" and (first.islower() or last == ",")


def _within(text: str, block: Span) -> Iterator[Span]:
    if block.form in (Form.PROSE, Form.ITEM):
        start = block.start
        mark = _ITEM.match(text, start, block.end) if block.form is Form.ITEM else None
        for match in _STOP.finditer(text, mark.end() if mark else start, block.end):
            if _ends(text, match, block.end):
                yield Span(start, match.end(), block.form)
                start = match.end()
        yield Span(start, block.end, block.form)
    else:
        yield block


def _merged(text: str, spans: list[Span]) -> list[Span]:
    """Without the space around; what has no word in it joins the sentence before, else the one after."""
    merged: list[Span] = []
    waiting: int | None = None
    for span in spans:
        piece = text[span.start : span.end]
        start, end = span.start + len(piece) - len(piece.lstrip()), span.end - len(piece) + len(piece.rstrip())
        if start >= end:
            continue
        if not _WORDY.search(piece):
            if merged:
                merged[-1] = replace(merged[-1], end=end)
            elif waiting is None:
                waiting = start
            continue
        merged.append(Span(start if waiting is None else waiting, end, span.form))
        waiting = None
    if waiting is not None:
        merged.append(Span(waiting, waiting + len(text[waiting:].rstrip())))
    return merged


def _ends(text: str, match: re.Match[str], limit: int) -> bool:
    """Whether a full stop, question or exclamation mark ends the sentence."""
    mark, end = match[0], match.end()
    if mark[0] in _FULL_STOPS:
        return not (match["close"] and _QUOTE_GOES_ON.match(text, end, limit))
    following = text[end : end + 1]
    if end >= limit or following == "":
        return True
    if not following.isspace():
        return not following.isascii() and not following.islower() and not following.isupper() and following.isalpha()
    after = text[end + 1 : end + 2] if end + 1 < limit else ""
    if not after.isalnum():
        gap = _NEXT.match(text, end, limit)
        after = text[gap.end() : gap.end() + 1] if gap and gap.end() < limit else ""
    if after.islower():
        return False
    return mark[0] != "." or mark.startswith("..") or _full_stop(text, match.start(), end, limit, after)


def _full_stop(text: str, stop: int, end: int, limit: int, after: str) -> bool:
    """Whether a single point is a full stop, and no part of an abbreviation, an initial or an ordinal."""
    token = _token_before(text, stop)
    lowered = token.lower()
    is_known = lowered in ABBREVIATIONS
    is_dotted = "." in token and all(len(piece) <= 1 for piece in token.split("."))
    if len(token) > 2 and not is_known and not is_dotted:  # as most words
        return True
    gap = _NEXT.match(text, end, limit)
    word = _NEXT_WORD.match(text, gap.end() if gap else end, limit)
    following = fold(word[0]) if word and text[word.end() : word.end() + 1] != "." else ""
    if is_known:
        return following in STARTERS or (ABBREVIATIONS[lowered] and not after.isdigit())
    if len(token) == 1 and word and len(word[0]) == 1 and not following:
        return False  # "z. B."
    if len(token) == 1 and token.isupper() and token != "I":
        return following in STARTERS
    if is_dotted and not token[0].isdigit():
        return following in STARTERS or not following
    if token.isdigit() and len(token) <= 2:
        earlier = text[max(0, stop - len(token) - 8) : stop - len(token)].split()
        return following not in MONTHS and not (earlier and earlier[-1].lower() in ORDINAL_BEFORE and bool(following))
    return True


def _token_before(text: str, stop: int) -> str:
    """What stands before a full stop, up to a space or an opening bracket or quotation mark."""
    window = text[max(0, stop - _LOOK_BACK_CHARS) : stop]
    if window[-1:].isalnum():
        word = window.rsplit(None, 1)[-1]
        if word.isalnum():
            return word[-_TOKEN_CHARS:]
    before = _TOKEN_BEFORE.search(window)
    return before[0] if before else ""
