"""Finds the words of a list in a sentence or a key: words, beginnings, phrases, and parts of unspaced scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.words import split_words

_CJK: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN: Final = re.compile(rf"[{_CJK}]+|\d+|[^\W\d_{_CJK}]+")
_IS_CJK: Final = re.compile(rf"[{_CJK}]")
_MAX_TOKENS: Final = 400
_MAX_TOKEN_CHARS: Final = 60
_PREFIX_CHARS: Final = 3
_COMPOUND_CHARS: Final = 10
_MAX_REMEMBERED: Final = 1 << 14
_STEMMED_CHARS: Final = 4


class Token(NamedTuple):
    """A word or number of a sentence, at characters [start, end), folded."""

    text: str
    start: int
    end: int

    @property
    def is_unspaced(self) -> bool:
        """Whether it is a run in a script without spaces, which may hold several words."""
        return not self.text.isascii() and _IS_CJK.match(self.text) is not None


class Hit(NamedTuple):
    """A word of the list at characters [start, end)."""

    name: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """The words and numbers of a text; runs of one script each."""
    tokens = []
    for match in _TOKEN.finditer(text):
        if match.end() - match.start() <= _MAX_TOKEN_CHARS:
            tokens.append(Token(fold(match[0]), *match.span()))
        if len(tokens) >= _MAX_TOKENS:
            break
    return tokens


def key_tokens(key: str) -> list[Token]:
    """The words of a key in snake_case or camelCase, as a sentence."""
    return tokens_of(" ".join(split_words(key)) if not any(char.isdigit() for char in key) else key.replace("_", " "))


def _singular(word: str) -> str:
    """A word without the ending of a plural."""
    return next((word[: -len(end)] for end in ("es", "en", "s", "n") if word.endswith(end) and len(word) > 5), word)


class WordTable:
    """A list of names with their words, one a line: `name | word word* two_words ^word_of_keys`."""

    def __init__(self, lines: str, *, for_keys: bool = False, inflects: bool = True) -> None:
        self._inflects = inflects
        self._found: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, set[str]] = {}
        self._stems: dict[str, set[str]] = {}
        self._beginnings: dict[str, list[tuple[str, str]]] = {}
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._parts: dict[str, list[tuple[str, str]]] = {}
        for line in lines.strip().splitlines():
            name, _, words = line.partition("|")
            for word in words.split():
                if for_keys or not word.startswith("^"):
                    self._add(name.strip(), fold(word.lstrip("^")))

    def find(self, tokens: Sequence[Token]) -> list[Hit]:
        """The words of the list among those of a text, phrases before their words."""
        hits: list[Hit] = []
        known, phrases = self._found, self._phrases
        for index, token in enumerate(tokens):
            text, start, end = token
            if not text.isascii() and token.is_unspaced:
                hits += self._in_run(token)
                continue
            if text in phrases:
                hits += self._phrases_at(tokens, index)
            names = known.get(text)
            if names is None:
                names = self._remember(text)
            if names:
                hits += [Hit(name, start, end) for name in names]
        return hits

    def _add(self, name: str, word: str) -> None:
        if _IS_CJK.match(word):
            self._parts.setdefault(word[0], []).append((word, name))
        elif "_" in word:
            first, *rest = word.split("_")
            self._phrases.setdefault(first, []).append((tuple(rest), name))
        elif word.endswith("*"):
            self._beginnings.setdefault(word[:_PREFIX_CHARS], []).append((word[:-1], name))
        else:
            self._words.setdefault(word, set()).add(name)
            self._stems.setdefault(_singular(word), set()).add(name)

    def _remember(self, word: str) -> tuple[str, ...]:
        """The names of a word, looked up once: words come again and again."""
        names = tuple(sorted(self._at(word)))
        if len(self._found) < _MAX_REMEMBERED:
            self._found[word] = names
        return names

    def _at(self, word: str) -> set[str]:
        found = set(self._words.get(word, ()))
        if not found and self._inflects and len(word) > _STEMMED_CHARS:
            found = set(self._stems.get(_singular(word), ()))
        found.update(name for start, name in self._beginnings.get(word[:_PREFIX_CHARS], ()) if word.startswith(start))
        if not found and len(word) >= _COMPOUND_CHARS:
            found.update(self._in_compound(word))
        return found

    def _in_compound(self, word: str) -> Iterator[str]:
        """The names of the parts of a German compound such as Versandkosten."""
        for cut in range(4, len(word) - 3):
            head, tail = word[:cut], word[cut:]
            yield from self._words.get(head, ()) if cut >= 6 else ()
            yield from self._words.get(tail, ()) if len(tail) >= 5 else ()

    def _phrases_at(self, tokens: Sequence[Token], index: int) -> Iterator[Hit]:
        second = tokens[index + 1].text if index + 1 < len(tokens) else ""
        for rest, name in self._phrases.get(tokens[index].text, ()):
            if rest[0] != second and not (rest[0][-1:] == "*" and second.startswith(rest[0][:-1])):
                continue
            following = tokens[index + 1 : index + 1 + len(rest)]
            if len(following) == len(rest) and all(
                token.text == word or (word.endswith("*") and token.text.startswith(word[:-1]))
                for token, word in zip(following, rest, strict=True)
            ):
                yield Hit(name, tokens[index].start, following[-1].end)

    def _in_run(self, token: Token) -> Iterator[Hit]:
        for offset, char in enumerate(token.text):
            for part, name in self._parts.get(char, ()):
                if token.text.startswith(part, offset):
                    yield Hit(name, token.start + offset, token.start + offset + len(part))
