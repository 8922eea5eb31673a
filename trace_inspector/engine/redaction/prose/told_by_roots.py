"""Words and numbers that look like secrets, near a word that tells one in any language, whatever the sentence says.

What stands nearest tells: of “user anna83, password Quiet_Otter7” the first is told by “user” and stays.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec.structs import replace

from trace_inspector.engine.redaction.prose.candidates import Candidate, Span, candidates_in
from trace_inspector.engine.redaction.prose.looks import Look, looks_made_of_words
from trace_inspector.engine.redaction.prose.roots import Teller, Tells, folded, tellers_in

WORD, NUMBER = "told-by-word", "code-told-by-word"
_BEFORE, _BEHIND = 100, 70  # characters in which something may tell a secret
_NUMBER_BEFORE, _NUMBER_BEHIND = 100, 40
_NUMBER_NEAR = 70
_FAR = 45
_BESIDE = 26  # of what is told right beside it
_LABEL = 6  # of what says what a word is
_CHOSEN = Tells.PASSWORD | Tells.ANSWER
_UNSURE = Tells.WEAK_CODE | Tells.KEY | Tells.LOCK | Tells.LOGIN
_TOLD_STRAIGHT = Tells.PASSWORD | Tells.CODE | Tells.ANSWER
_DIGITS_FAR = Tells.PASSWORD | Tells.WEAK_CODE | Tells.LOCK
_NAMES_CODE = Tells.PASSWORD | Tells.CODE | Tells.WEAK_CODE | Tells.SHORT | Tells.KEY
_ALL = _CHOSEN | Tells.CODE | Tells.KEY
_NAME = re.compile(r"[a-z0-9_.:/-]+|[A-Z0-9_]+|(?:[A-Z][a-z]+){2,}[\w.:/-]*")
_AS = re.compile(r"(?i)[\"'”»`]?,?\s(?:as|comme|como|als|come|som|jako|как|ως|is|ist|est|es)\s")
_TELLS_NEXT = re.compile(r"[\s:=\"'“„`]{1,4}\S{0,40}\d|[\"']?\s?=")  # what follows, not what stands before
_VALUE = re.compile(r"[\"']\s{0,4}:\s{0,4}[\"'\[]?\Z|\s--?\w[\w-]*[= ][\"']?\Z")  # which its own name tells
_LED = re.compile(
    r"[„“«「『\"`'](?<=[\s(].)(?<![:=,(\[{]\s.)([^\W\d_][^\s\"'“”„«»`,;:(){}\[\]=/\\]{3,40})[”“»」』\"`'](?!:|\w|=)"
    r"|(?::(?<=[^\W\d_]:)|：|[—–-](?<=\s.))\s{1,2}([^\W\d_][^\n.,;:!?(){}\[\]\"“”«»<>=/\\_`*]{3,50})(?=[.,;!?\n]|\Z)"
)
_LED_BY = re.compile(r"\w{0,6}(?:\s[^\W\d_]{1,12}){0,4}\s{0,2}")
_SHORTEST_QUOTED = 5
# Names that every file has, and what buttons say.
_OF_FILES = frozenset(
    {
        "events", "turns", "parts", "final", "agent", "calls", "tools", "results", "message", "messages", "content",
        "session", "state", "author", "model", "place", "label", "verdict", "metric", "status", "passed", "failed",
        "error", "reason", "trace", "traces", "sides", "cases", "title", "notes", "input", "output", "field",
        "button", "submit", "login", "email", "username", "forgot", "reset", "change", "update", "create", "delete",
        "admin", "guest", "server", "client",
    }
)  # fmt: skip
_YEAR = re.compile(r"(?:19|20)\d\d")
_GROUP = re.compile(r"\d+")
_OF_TIME = re.compile(
    r"(?i)\b(?:in|im|since|seit|from|of|en|de|del|ano|año|jahr|bis|until|to|by|от|в|с|v|w|od|i|year)\s\Z"
)
_PARTING = re.compile(r"[.!?,;\n(\[、。，；：？！]")
# What has a code of its own, though it has a number too.
_HAS_A_CODE = re.compile(
    r"(?:phone|telefon\w{0,3}|handynum|телефон|電話|电话|전화|printer|drucker|building|gebaude|card)\Z"
)
_LENGTH_OF_NAME = 12
# Between “code” and digits: that they are what code does, has or counts.
_OF_PROGRAMS = re.compile(
    r"(?i)\A\W{0,2}(?:of|von|de|из)\s(?:\d|\Z)|\b(?:in|has|have|had|gave|gives|takes|took|costs|runs|ran|produces|returned"
    r"|returns|counts|contains|prints|printed)\s|[^\W\d_]\w{0,20}\s?=\s?\Z"
)
_STRAIGHT = re.compile(r"(?i)(?:[\s:=\"'“„`*→➔➜⇒]|[-=]>){1,5}(?:(?:is|ist|es|est|är|er|e|é|to)\s[\"'“„`*]?)?")
_LABELLING = re.compile(
    r"(?i)[^\W\d_]{0,14}[\W_]{0,4}(?:(?:num\w*|no|nr|n[°ºr]|id|is|ist|est|es|von|of|[^\W\d_]{1,3})[\W_]{1,3}){0,2}"
)
# A member whose own name says that it is a name or a place: `key_vault_name = "…"`.
_MEMBER = re.compile(
    r"(?i)(?:(?<![^\W_])|(?<=[a-z])(?-i:(?=[A-Z])))(?:name|url|uri|host|path|region|zone|version|type|slug|prefix|id|model|arn)"
    r"[\"']?\s{0,16}[:=]\s{0,3}[\"']?\Z"
)
_LONGEST_MEMBER = 32
_OF_CAPITALS = re.compile(r"\b[A-Z]{2,6}[ -]?\Z")
_CODE_MARKS = re.compile(r"[(){}\[\]=<>;$\\]|::|//|\b(?:def|import|return|const|let|var|function|class)\b")
_MOST_MARKS = 5
_MOST_TALK = 600  # characters of a message
_MOST_PRIMING = 1_500
_SHORT_TALK = 70
_LINKS = re.compile(r"(?i)(?:[:：]|\s(?:is|ist|est|es|é|è|ni|er|är|ir|jest|lautet|je|yra|on))\s{1,2}[\"'“„«`]?\Z")
_LEADS = re.compile(r"[:：=]\s{0,2}[\"'“„«`]?\Z|[\"“„«`]\Z")
_ENDS = re.compile(r"[\s\"'”»)*`]*(?:[.!?,;…–—-]|\Z|\n)")


def told_by_roots(text: str) -> Iterator[tuple[Span, str]]:
    """The spans of what words near them tell to be secrets, and by which rule."""
    yield from _phrases(text)
    found = candidates_in(text)
    for first, last, inside in _regions(found, len(text)):
        tellers = tellers_in(folded(text[first:last]))
        if tellers:
            near = _Near(text, first, tellers)
            for one in inside:
                if near.tells_number(one) if one.is_number else near.tells_word(one):
                    yield (one.start, one.end), NUMBER if one.is_number else WORD


def told_in_talk(text: str, *, is_primed: bool, by_user: bool) -> Iterator[str]:
    """The words of a message that are secrets by what was said before it, or by how they look among other words."""
    if len(text) > _MOST_TALK or len(_CODE_MARKS.findall(text)) > _MOST_MARKS:
        return
    found = candidates_in(text)
    if not found:
        return
    near = _Near(text, 0, tellers_in(folded(text), always=True))
    for one in found:
        word = text[one.start : one.end]
        if looks_made_of_words(word) or (is_primed and near.may_answer(one, by_user=by_user)):
            yield word


def primes(text: str) -> bool:
    """Whether a message is about passwords or codes, so that the next ones may give one."""
    return len(text) <= _MOST_PRIMING and any(
        one.tells & (Tells.PASSWORD | Tells.CODE | Tells.ANSWER | Tells.SHORT) for one in tellers_in(folded(text))
    )


def _phrases(text: str) -> Iterator[tuple[Span, str]]:
    """What stands in quotation marks or behind a colon or dash, where a word for passwords or answers leads to it."""
    for match in _LED.finditer(text):
        group = match.lastindex or 1
        start, end = match.span(group)
        if text.startswith("?", end):  # a question, not what answers it
            continue
        if group == 1 and (len(match[1]) < _SHORTEST_QUOTED or match[1] in _OF_FILES):
            continue
        low = folded(text[max(0, match.start() - _FAR) : match.start()])
        tellers = tellers_in(low)
        wanted = Tells.ANSWER | Tells.PASSWORD if group == 1 else Tells.ANSWER
        if tellers and tellers[-1].tells & wanted and _LED_BY.fullmatch(low, tellers[-1].end):
            yield (start, end), WORD


def _regions(found: Sequence[Candidate], length: int) -> Iterator[tuple[int, int, list[Candidate]]]:
    """What stands around candidates, each part of a text once, with those that are in it."""
    inside: list[Candidate] = []
    first = last = 0
    for one in found:
        if inside and one.start - _BEFORE <= last:
            last = min(length, one.end + _BEHIND)
            inside.append(one)
            continue
        if inside:
            yield first, last, inside
        first, last, inside = max(0, one.start - _BEFORE), min(length, one.end + _BEHIND), [one]
    if inside:
        yield first, last, inside


class _Near:
    """What tells anything in a part of a text, and how near it is."""

    def __init__(self, text: str, offset: int, tellers: Sequence[Teller]) -> None:
        self._text = text
        self._tellers = [replace(one, start=one.start + offset, end=one.end + offset) for one in tellers]
        self._ends = [one.end for one in self._tellers]
        for index, (first, second) in enumerate(pairwise(self._tellers)):  # “error code”, “product key”
            if first.tells & Tells.WEAK_CODE and second.tells == Tells.NOTHING and second.start - first.end <= 1:
                self._tellers[index] = replace(first, tells=int(Tells.NOTHING))  # “código postal”
            if (
                first.tells == Tells.NOTHING
                and second.start - first.end <= 1
                and second.tells & _UNSURE == second.tells
            ):
                self._tellers[index + 1] = replace(second, tells=int(Tells.NOTHING))

    def tells_word(self, one: Candidate) -> bool:
        """Whether a word is told to be a secret by something near it."""
        if self._is_code(one):
            return False
        before, behind = self._gaps(one, _BEFORE, _BEHIND)
        if self._is_labelled(one, before) or (one.look is not Look.SURE and self._is_member(one)):
            return False
        if one.look is not Look.SURE and self._is_identifier(one):
            return False
        if one.look is Look.SURE:
            return any(tells & (_ALL | Tells.LOGIN) for _gap, tells in (*before, *behind))
        if one.look is Look.LIKELY:
            return any(gap <= (_BEFORE if tells & _CHOSEN else _FAR) for gap, tells in before if tells & _ALL) or any(
                gap <= (_BEHIND if tells & _CHOSEN else _BESIDE) for gap, tells in behind if tells & _ALL
            )
        if one.look is Look.WEAK:
            return self._is_told_straight(one, before)
        is_led = _LEADS.search(self._text, max(0, one.start - 4), one.start) is not None
        if any(tells & (_CHOSEN | Tells.CODE if is_led else Tells.ANSWER) for _gap, tells in before):
            return True
        is_linked = _AS.match(self._text, one.end) is not None
        follows = (
            (gap + 6, tells)
            for gap, tells in behind[:1]
            if is_linked or tells & (_CHOSEN | Tells.CODE | Tells.NOTHING)
        )
        gap, tells = min((*before[:1], *follows), default=(_BEFORE, 0))
        if tells & Tells.LOCK and gap <= _FAR and len(_GROUP.findall(self._text[one.start : one.end])) > 1:
            return True
        return bool(tells & (_ALL | Tells.WEAK_CODE)) and gap <= _BESIDE

    def tells_number(self, one: Candidate) -> bool:
        """Whether a number is told to be a code, a PIN or a password of digits."""
        before, behind = self._gaps(one, _NUMBER_BEFORE, _NUMBER_BEHIND)
        if not (before or behind) or self._is_code(one) or self._is_labelled(one, before):
            return False
        written = self._text[one.start : one.end]
        digits = sum(map(str.isdigit, written))
        groups = len(_GROUP.findall(written))
        is_year = bool(_YEAR.fullmatch(written))
        is_opened = (
            groups > 1
            or written[-1] in "#*"
            or any(tells & _NAMES_CODE and gap <= _FAR for gap, tells in (*before, *behind))
        )
        for gap, tells in self._telling(one, before, behind, is_opened=is_opened):
            near = _NUMBER_BEFORE if groups > 3 else _NUMBER_NEAR
            if digits == 3 and groups < 3:
                told = bool(tells & Tells.SHORT) and gap <= _FAR
            elif digits > 12:
                told = bool(tells & (Tells.KEY | Tells.CODE | Tells.PASSWORD))
            elif is_year:
                told = (
                    bool(tells & Tells.CODE)
                    and gap <= 30
                    and not _OF_TIME.search(self._text, max(0, one.start - 8), one.start)
                )
            elif tells & (Tells.CODE | Tells.SHORT):
                told = gap <= near
            else:
                far = near if groups > 3 else _FAR if tells & _DIGITS_FAR else _BESIDE
                told = bool(tells & (_DIGITS_FAR if groups < 3 else _DIGITS_FAR | Tells.KEY)) and gap <= far
            if told:
                return True
        return False

    def _telling(
        self, one: Candidate, before: Sequence[tuple[int, int]], behind: Sequence[tuple[int, int]], *, is_opened: bool
    ) -> Iterator[tuple[int, int]]:
        """What may tell a number: a door has one too, and code is also what programs are made of."""
        other = bool(behind) and behind[0][1] == Tells.NOTHING
        is_of_other = other and self._is_one_clause(one.end, one.end + behind[0][0])
        for gap, tells in before:
            is_weak = tells & _NAMES_CODE == Tells.WEAK_CODE
            if is_weak and (is_of_other or _OF_PROGRAMS.search(self._text[one.start - gap : one.start])):
                continue
            if is_opened or tells & ~Tells.LOCK:
                yield gap, tells
        for gap, tells in behind:
            if is_opened or tells & ~Tells.LOCK:
                yield gap + 8, tells

    def may_answer(self, one: Candidate, *, by_user: bool) -> bool:
        """Whether it may be what a message before asked for, or spoke of."""
        before, _behind = self._gaps(one, _BEFORE, 0)
        if one.look is Look.WEAK or self._is_labelled(one, before) or self._is_identifier(one):
            return False
        if one.look >= Look.LIKELY:
            return True
        if not by_user:
            return False
        is_short = len(self._text) <= _SHORT_TALK
        is_led = _LEADS.search(self._text, max(0, one.start - 4), one.start) is not None
        if one.is_number:
            digits = sum(map(str.isdigit, self._text[one.start : one.end]))
            year = _YEAR.fullmatch(self._text, one.start, one.end)
            return (is_short or is_led) and 4 <= digits <= 10 and (year is None or len(self._text) <= _LABEL + 2)
        return (is_short or is_led) and _ENDS.match(self._text, one.end) is not None

    def _is_labelled(self, one: Candidate, before: Sequence[tuple[int, int]]) -> bool:
        """Whether a word right before it says that it is something else."""
        told = before[0][0] if before else _BEFORE
        capitals = _OF_CAPITALS.search(self._text, max(0, one.start - 7), one.start)
        if one.is_number and capitals is not None and told >= len(capitals[0]):
            return True
        if before and before[0][1] == Tells.NOTHING:
            gap = before[0][0]
            if gap > 24 or _LABELLING.fullmatch(self._text, one.start - gap, one.start) is None:
                return False
            if not one.is_number or not self._has_a_code(one.start - gap):
                return True
            root = next((more for more, tells in before if tells & (Tells.CODE | Tells.PASSWORD)), None)
            return root is None or not self._is_one_clause(one.start - root, one.start)
        return False

    def _is_told_straight(self, one: Candidate, before: Sequence[tuple[int, int]]) -> bool:
        """Whether nothing but a verb or a sign stands between a word and what tells it, or leads to it in its
        clause."""
        if not before:
            return False
        gap, tells = before[0]
        first = one.start - gap
        if tells & _TOLD_STRAIGHT and _STRAIGHT.fullmatch(self._text, first, one.start) is not None:
            return True
        is_led = tells & _CHOSEN and gap <= _FAR and _LINKS.search(self._text, first, one.start) is not None
        return bool(is_led) and self._is_one_clause(first, one.start)

    def _is_member(self, one: Candidate) -> bool:
        """Whether the name right before it, of a member or a field, says that it is a name or a place."""
        return _MEMBER.search(self._text, max(0, one.start - _LONGEST_MEMBER), one.start) is not None

    def _has_a_code(self, end: int) -> bool:
        """Whether the word that ends there names a thing that a code opens."""
        return _HAS_A_CODE.search(folded(self._text[max(0, end - _LENGTH_OF_NAME) : end])) is not None

    def _is_one_clause(self, start: int, end: int) -> bool:
        """Whether no sign parts a sentence there: “the passcode of the old phone 2503”."""
        return _PARTING.search(self._text, start, end) is None

    def _is_identifier(self, one: Candidate) -> bool:
        """Whether what tells stands in the word itself, as in names of fields."""
        if not _NAME.fullmatch(self._text, one.start, one.end):
            return False
        within = takewhile(lambda teller: teller.start < one.end, self._from(bisect_right(self._ends, one.start), 1))
        return any(teller.start >= one.start and teller.tells != Tells.NOTHING for teller in within)

    def _gaps(self, one: Candidate, before: int, behind: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """How far before and behind it something tells, the nearest first."""
        index = bisect_right(self._ends, one.start)
        first = max(one.start - before, self._start_of_paragraph(one.start, before))
        last = one.end + behind
        line = self._text.find("\n", one.end, last)
        last = last if line < 0 else line
        told_before = [
            (one.start - teller.end, teller.tells)
            for teller in takewhile(lambda teller: teller.start >= first, self._from(index - 1, -1))
        ]
        told_behind = [
            (teller.start - one.end, teller.tells)
            for teller in takewhile(lambda teller: teller.start < last, self._from(index, 1))
            if teller.start >= one.end and not _TELLS_NEXT.match(self._text, teller.end)
        ]
        return told_before, told_behind

    def _from(self, index: int, step: int) -> Iterator[Teller]:
        """What tells something from there on, nearest first, however much there is."""
        while 0 <= index < len(self._tellers):
            yield self._tellers[index]
            index += step

    def _start_of_paragraph(self, start: int, before: int) -> int:
        line = self._text.rfind("\n", max(0, start - before), start)
        if line < 0:
            return 0
        return max(0, self._text.rfind("\n", max(0, start - before), line))

    def _is_code(self, one: Candidate) -> bool:
        if one.look < Look.LIKELY and _VALUE.search(self._text, max(0, one.start - 12), one.start):
            return True
        around = self._text[max(0, one.start - 60) : one.start], self._text[one.end : one.end + 40]
        return sum(len(_CODE_MARKS.findall(part)) for part in around) > _MOST_MARKS
