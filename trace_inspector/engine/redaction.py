"""Redaction: what must not be read is taken out of values before anything is written, and looked for after."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, TypeVar, cast

from trace_inspector.core.errors import UsageError
from trace_inspector.core.summary import one_line
from trace_inspector.engine.patterns import matches_of, replaced, why_unusable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MARK = "[redacted]"
SHORTEST = 4  # characters; anything shorter is taken out of its place, but stands in too many others to look for it
_NAMES = frozenset({"differing"})  # fields that hold keys of arguments
_MOST_JSON_CHARS = 1_000_000
STILL_THERE = (
    "A text that is to be redacted still stands in what was to be written, so it was not. "
    "It is spread over several values, or is also a word of the report: redact by another pattern or key."
)
_TOO_DEEP = "A value is nested too deeply to be redacted, so nothing was written."
Value = TypeVar("Value")

# How a key ends, by its letters alone, that obviously holds a secret. “tokens” and “token_count” are counts.
_ENDINGS = (
    "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "secretkey",
    "credential", "credentials", "authorization", "cookie",
)  # fmt: skip
_NO_LETTERS = re.compile(r"[\W\d_]+")
_PATTERNS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",  # JSON web tokens
    r"(?i)\b(?:bearer|basic)\s+[\w.~+/=-]{16,}",
    r"\bsk-[\w-]{16,}",
    r"\bAIza[\w-]{30,}",
    r"\bya29\.[\w-]{16,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_\w{20,}",
    r"\bglpat-[\w-]{16,}",
    r"\bxox[abeoprs]-[\w-]{10,}",
)


@dataclass(frozen=True, slots=True)
class Redaction:
    """What to take out: the values of keys, by their names in whatever case, and what patterns match.

    `endings` are of keys that are spelled as people like: `clientSecret`, `CLIENT-SECRET` and `the_client_secret`.
    """

    keys: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pattern in self.patterns:
            why = why_unusable(pattern)
            if not why and next(_matches(pattern, ""), None) is not None:
                why = "it matches where there is nothing"
            if why:
                raise UsageError(f"The pattern “{one_line(pattern, 60)}” cannot redact: {why}.")

    def __bool__(self) -> bool:
        """Whether anything is to be taken out."""
        return bool(self.keys or self.patterns or self.endings)


def with_secrets(wishes: Redaction) -> Redaction:
    """The same, and what obviously is a secret: keys named like one, and the shapes of common ones."""
    return Redaction(wishes.keys, (*wishes.patterns, *_PATTERNS), (*wishes.endings, *_ENDINGS))


class Redactor:
    """Takes texts out of values, everywhere the same ones. First all values are looked through, then rewritten."""

    def __init__(self, wishes: Redaction) -> None:
        self._patterns = wishes.patterns
        self._keys = frozenset(key.casefold() for key in wishes.keys)
        self._endings = wishes.endings
        self._found: set[str] = set()
        self._known: re.Pattern[str] | None = None
        self._beginnings: dict[str, list[str]] = {}
        self._begins: re.Pattern[str] | None = None
        self._names: dict[str, str] = {}  # what became of each key of which something was taken out
        self._taken: set[str] = set()

    def redacted(self, value: Value) -> Value:
        """The value without what must not be read; give all that goes into one report at once."""
        try:
            self._walk(value)
            long = {spelled for text in self._found if len(text) >= SHORTEST for spelled in _spellings(text)}
            known = sorted(long, key=lambda text: (-len(text), text))
            self._known = re.compile("|".join(map(_however_spaced, known))) if known else None
            for text in known:
                self._beginnings.setdefault(text[:SHORTEST], []).append(text)
            self._begins = re.compile(f"(?=({'|'.join(map(re.escape, self._beginnings))}))") if known else None
            self._names.clear()  # as they were called without knowing all that is to be taken out
            self._taken.clear()
            return cast("Value", self._walk(value))
        except RecursionError as problem:
            raise UsageError(_TOO_DEEP) from problem

    def remains_in(self, texts: Iterable[str]) -> bool:
        """Whether anything that was taken out, or that a pattern matches, stands in texts made of the result."""
        return any(
            (self._known is not None and self._known.search(text) is not None)
            or any(next(_matches(pattern, text), None) is not None for pattern in self._patterns)
            for text in (text.replace(MARK, "") for text in texts)
        )

    def stands_in(self, report: str) -> bool:
        """Whether anything that was taken out stands in a whole report, whose own words no pattern is about."""
        return self._known is not None and self._known.search(report.replace(MARK, "")) is not None

    def _walk(self, value: object, *, inside: bool = False) -> object:
        """`inside` JSON numbers are data; the numbers of our own fields are not."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {self._key(str(key)): self._member(str(key), item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._walk(item, inside=True) for item in value]
        if type(value) is tuple:
            items = tuple(self._walk(item, inside=inside) for item in value)
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        if inside and isinstance(value, int | float) and not isinstance(value, bool):
            return value if (said := self._text(str(value))) == str(value) else said
        return self._fields(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value

    def _fields(self, value: DataclassInstance) -> object:
        changed = {}
        for field in dataclasses.fields(value):
            old = getattr(value, field.name)
            # A bare number that a call was given instead of named arguments is data, too.
            if field.name in _NAMES and isinstance(old, tuple):
                new: object = tuple(map(self._key, old))
                new = old if new == old else new
            else:
                new = self._walk(old, inside=field.name in ("args", "value"))
            if new is not old:
                changed[field.name] = new
        return dataclasses.replace(value, **changed) if changed else value

    def _key(self, key: str) -> str:
        """Two keys stay two, by marks behind them that no pattern is about."""
        told = self._text(key)
        if told == key:
            return key
        if key not in self._names:
            name = next(name for number in count() if (name := told + _number(number)) not in self._taken)
            self._names[key] = name
            self._taken.add(name)
        return self._names[key]

    def _member(self, key: str, item: object) -> object:
        if item is None or not self._is_meant(key):
            return self._walk(item, inside=True)
        if self._known is None:
            self._found.update(_leaves(item))
        return MARK

    def _is_meant(self, key: str) -> bool:
        return key.casefold() in self._keys or _letters(key).endswith(self._endings)

    def _may_hold_a_key(self, text: str) -> bool:
        """Whether it is worth while to look for keys in a text that is JSON; an escaped key may be any."""
        if "\\" in text:
            return True
        folded, letters = text.casefold(), _letters(text)
        return any(key in folded for key in self._keys) or any(ending in letters for ending in self._endings)

    def _text(self, text: str) -> str:
        text = self._json_text(text)
        for pattern in self._patterns:
            if self._known is None:
                self._found.update(_matches(pattern, text))
            try:
                text = replaced(pattern, MARK, text)
            except TimeoutError as problem:
                raise _too_slow(pattern) from problem
        return self._cut_short(self._known.sub(MARK, text)) if self._known else text

    def _cut_short(self, text: str) -> str:
        """A sentence may hold the beginning of a long one, with “…” behind it."""
        *cut, last = text.split("…")
        return "…".join([*map(self._without_beginning, cut), last])

    def _without_beginning(self, text: str) -> str:
        for found in self._begins.finditer(text) if self._begins else ():
            rest = text[found.start() :]
            if any(known.startswith(rest) for known in self._beginnings[found[1]]):
                return text[: found.start()] + MARK
        return text

    def _json_text(self, text: str) -> str:
        """Values behind keys of JSON that stands in a string go as those of JSON itself."""
        if not text.lstrip().startswith(("{", "[", '"')) or len(text) > _MOST_JSON_CHARS:
            return text
        if not self._may_hold_a_key(text):
            return text
        lost: list[str] = []

        def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
            """What is given twice is looked through, too, though the last one holds."""
            last = dict(pairs)
            if len(last) < len(pairs):
                lost.extend(key for key, item in pairs if item is not last[key])
                for key, item in pairs:
                    self._member(key, item)
            return last

        try:
            value = json.loads(text, object_pairs_hook=members)
        except ValueError:
            lines = text.split("\n")  # of JSON Lines each is a value
            return "\n".join(map(self._json_text, lines)) if len(lines) > 1 else text
        written = self._walk(value)
        return text if written == value and not lost else json.dumps(written, ensure_ascii=False)


def _number(number: int) -> str:
    """Nothing for the first, then a number in marks that are neither digits nor letters."""
    return f" {f'{number:b}'.replace('0', '′').replace('1', '″')}" if number else ""


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text).casefold()


def _spellings(text: str) -> set[str]:
    """How a text may stand in JSON, in HTML and on one line."""
    written = [text, " ".join(text.split()), *(json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (True, False))]
    return {spelled for one in written for spelled in (one, escape(one)) if len(spelled) >= SHORTEST}


def _however_spaced(text: str) -> str:
    """A pattern for a text with whatever white space between its words: nobody reads another secret in it then."""
    words = text.split()
    return r"\s+".join(map(re.escape, words)) if len(" ".join(words)) >= SHORTEST else re.escape(text)


def _leaves(value: object) -> Iterator[str]:
    """The texts and numbers of a value, as they may stand elsewhere."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)


def _matches(pattern: str, text: str) -> Iterator[str]:
    try:
        yield from matches_of(pattern, text)
    except TimeoutError as problem:
        raise _too_slow(pattern) from problem


def _too_slow(pattern: str) -> UsageError:
    return UsageError(f"The pattern “{one_line(pattern, 60)}” takes too long on one text; write a simpler one.")
