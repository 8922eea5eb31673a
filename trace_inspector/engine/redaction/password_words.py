"""Words that look like passwords wherever they stand: letters of both cases, digits and signs, and no code.

Nothing need stand beside them: whoever pastes a password into a chat seldom says so (decision 0060).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from trace_inspector.engine.redaction.known_texts import Span

_SIGNS = "!@#$%^&*?~"
_LEAST = 8
_INNER = r"[^\s\"'`“”„«»‘’|,;]"
_WORD = re.compile(
    rf"(?<!{_INNER})(?={_INNER}{{0,63}}[{re.escape(_SIGNS)}])(?={_INNER}{{0,63}}[0-9]){_INNER}{{8,64}}(?!{_INNER})"
)
_OPENING = re.compile(r"[(\[{<*_~]+|[\w.-]{1,40}[:=](?=[^/])")  # marks of emphasis, a name before the value
_CLOSING = ".,:)]}>*_"
_BRACKETS = re.compile(r"[()\[\]{}<>]")
_LETTERS = re.compile(r"[a-z]{4}|[A-Z]{4}")
# What is within an address, code, a format, an escape, a mark of emphasis, the name of a file.
_NOT_WITHIN = re.compile(
    r"\\|://|\w@[\w-]+\.\w|\*\*|__|->|=>|[=!<>+*-]=|&&|\$\$\w*\$\$|%[0-9A-Fa-f]{2}|&#?\w+;|[?&][\w.-]+="
    r"|^[\w-]{0,12}&(?:quot|apos)$|&#x?[0-9A-Fa-f]{1,6}$|(?:^|[-_/.:=])\$\{?[A-Z][A-Z_]{2,}"
    r"|\.[A-Za-z]\w{0,4}(?:$|[#?:])|^\W?[a-z]+(?:\.[a-z]+)+\W"
    r"|a-z|A-Z|0-9|##|/\*|\*/|\.\*|\d\*\w|\w\*\d|%\d*\.?\d*[a-z]|\$\d"
)
_RUN_OF_KIND = re.compile(r"[A-Za-z]{4}|[a-z]{3}|[A-Z]{3}|[0-9]{3}")
_LEAST_MADE, _MOST_MADE = 12, 40  # characters of a value that is nothing else
_LEAST_SIGNS, _LEAST_OF_KIND = 3, 2
_NOT_WHOLE = re.compile(
    r"[a-z\d_.@/-]+@[v^~]?\d[\w.-]*"  # a package and its version
    r"|[@#$%~?+&^*!][\w.:/-]*"  # a name that a sign begins: mentions, variables, topics, options
    r"|[\w./:-]*[!?*+~%]+"  # a word that signs end
    r"|[\w.:-]+/[\w./:#@+-]*"  # a path
    r"|[\d.,:]*[A-Za-z]{0,3}[$%+~^*]\d[\d.,]*\w{0,3}"  # sums and shares
    r"|\w{1,3}(?:[+*^&~]\w{1,3}){1,8}"  # terms
    r"|[\w.-]*#(?:L?\d{1,5}|[a-z_-]+)"  # anchors
)


def password_words(text: str) -> Iterator[Span]:
    """The spans of words that nobody would write but as a password."""
    if _LEAST_MADE <= len(text) <= _MOST_MADE and _is_made(text):
        yield 0, len(text)
    for match in _WORD.finditer(text):
        start, end = match.span()
        opening = _OPENING.match(text, start, end)
        while opening is not None and opening.end() < end:
            start = opening.end()
            opening = _OPENING.match(text, start, end)
        while end > start and text[end - 1] in _CLOSING:
            end -= 1
        if (
            text[start - 1 : start] == "<" and text[end : end + 1] == ">" and "@" in text[start:end]
        ):  # id of a message
            continue
        if looks_like_password(text[start:end]):
            yield start, end


def _is_made(text: str) -> bool:
    """Whether a program made it: kinds of characters in turn all the way, any sign among them, and no word."""
    if any(map(str.isspace, text)) or not text.isascii() or _RUN_OF_KIND.search(text) or _NOT_WITHIN.search(text):
        return False
    signs = {char for char in text if not char.isalnum() and char not in "-_."}
    kinds = sum(map(str.islower, text)), sum(map(str.isupper, text)), sum(map(str.isdigit, text))
    return len(signs) >= _LEAST_SIGNS and min(kinds) >= _LEAST_OF_KIND


def looks_like_password(word: str) -> bool:
    """Whether a word has letters of both cases, digits and a sign, or two signs, and is neither code nor address."""
    if len(word) < _LEAST or not word.isascii() or _NOT_WITHIN.search(word) or _NOT_WHOLE.fullmatch(word):
        return False
    signs = sum(map(word.count, _SIGNS))
    digits = sum(map(str.isdigit, word))
    if _BRACKETS.search(word) and (signs < 2 or _LETTERS.search(word)):
        return False
    is_mixed = any(map(str.islower, word)) and any(map(str.isupper, word))
    return signs > 0 and digits > 0 and sum(map(str.isalpha, word)) > 2 and (is_mixed or signs > 1)
