"""What the user asked to have redacted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.summary import one_line

STILL_THERE = (
    "Nothing was written, because a text to redact would still be in it: it is spread over several values, or is "
    "part of the report's own structure. Redact by another pattern or key, or write another kind of report."
)
_NO_LETTERS = re.compile(r"[\W\d_]+")


class Redaction(Struct, frozen=True):
    """What to redact: the values of keys, by name in any letter case, and the matches of patterns.

    `endings` match keys in any spelling: `clientSecret`, `CLIENT-SECRET` and `the_client_secret`.
    """

    keys: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.patterns:
            return
        from trace_inspector.engine.scoring.patterns import why_unusable

        for pattern in self.patterns:
            if why := why_unusable(pattern):
                raise _cannot(pattern, why)
            next(matched(pattern, ""), None)

    def __bool__(self) -> bool:
        """Whether anything is to be redacted."""
        return bool(self.keys or self.patterns or self.endings)


def with_secrets(redaction: Redaction) -> Redaction:
    """The same, and obvious secrets: keys that are named like one, and the formats of common ones."""
    from trace_inspector.engine.redaction.secrets import ENDINGS, PATTERNS

    return Redaction(redaction.keys, (*redaction.patterns, *PATTERNS), (*redaction.endings, *ENDINGS))


def with_secret_keys(redaction: Redaction) -> Redaction:
    """The same, and the keys that are named like those of secrets."""
    from trace_inspector.engine.redaction.secrets import ENDINGS

    return Redaction(redaction.keys, redaction.patterns, (*redaction.endings, *ENDINGS))


def matched(pattern: str, text: str) -> Iterator[tuple[int, int]]:
    """The spans of a pattern; UsageError for an empty match, or when it takes too long."""
    from trace_inspector.engine.scoring.patterns import spans_of

    try:
        for start, end in spans_of(pattern, text):
            if start == end:
                raise _cannot(pattern, "it matches empty text")
            yield start, end
    except TimeoutError as problem:
        sentence = f"The pattern “{one_line(pattern, 60)}” takes too long on one text; write a simpler one."
        raise UsageError(sentence) from problem


def letters(text: str) -> str:
    """Only the letters of a text, in lower case."""
    return _NO_LETTERS.sub("", text).casefold()


class Keys:
    """Decides which keys are redacted."""

    def __init__(self, redaction: Redaction) -> None:
        self._keys = frozenset(key.casefold() for key in redaction.keys)
        self._by_letters = frozenset(map(letters, self._keys)) - {""}
        self._endings = redaction.endings

    def __bool__(self) -> bool:
        """Whether any key is redacted."""
        return bool(self._keys or self._endings)

    def redacts(self, key: str) -> bool:
        """Whether the value of this key is redacted."""
        return key.casefold() in self._keys or self.is_secret(key)

    def is_secret(self, key: str) -> bool:
        """Whether it ends like the key of a secret."""
        return bool(self._endings) and letters(key).endswith(self._endings)

    def redacts_spelling(self, spelled: str) -> bool:
        """The same for the letters of a key that readers accept in several spellings."""
        return spelled in self._by_letters or (bool(self._endings) and spelled.endswith(self._endings))

    def may_occur_in(self, text: str) -> bool:
        """A cheap test whether a text can contain a redacted key at all; an escaped one could be any."""
        if "\\u" in text:
            return bool(self)
        folded = text.casefold()
        if any(key in folded for key in self._keys):
            return True
        return bool(self._endings) and any(ending in plain for plain in (letters(text),) for ending in self._endings)


def _cannot(pattern: str, why: str) -> UsageError:
    return UsageError(f"The pattern “{one_line(pattern, 60)}” cannot redact: {why}.")
