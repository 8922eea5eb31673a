"""Takes secrets out of everything that is shown to others, the same one by the same placeholder everywhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.evidence import RedactedText
from trace_inspector.core.trace.parts import Media
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.json_numbers import number_text
from trace_inspector.engine.redaction.asked_secrets import answers_in_members, answers_in_messages, answers_in_turns
from trace_inspector.engine.redaction.decoding import views_of
from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.random_words import is_said_of_secret, is_working_folder
from trace_inspector.engine.redaction.redactor import Redactor
from trace_inspector.engine.redaction.secret_finder import (
    ANSWER,
    BY_KEY,
    PLACEHOLDER,
    Secret,
    SecretFinder,
    is_ordinary,
    placeholder,
)
from trace_inspector.engine.redaction.secrets import bare_token
from trace_inspector.engine.redaction.secrets_in_forms import typed_into_field
from trace_inspector.engine.redaction.spellings import SHORTEST, spellings

Value = TypeVar("Value")
_MOST_WORDS = 1_000  # of a command
_PART = re.compile(r"[^\s;,=&:\"']{8,}")
_SCHEMA_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


class PackRedactor(Redactor):
    """The redactor of evidence packs: everything that looks like a secret goes, wherever it stands."""

    def __init__(self, redaction: Redaction) -> None:
        wanted = with_secret_keys(redaction)
        super().__init__(wanted)
        self._finder = SecretFinder(wanted)
        self.keys = self._finder.keys
        self._learned = False
        self._rules: dict[str, str] = {}  # of each secret, in the order in which they were found
        self._same: dict[str, str] = {}  # other ways to write a secret
        self._spelled: dict[str, str] = {}  # every spelling, folded
        self._counts: Counter[str] = Counter()
        self.media = 0  # whose bytes were taken out

    @property
    def report(self) -> tuple[RedactedText, ...]:
        """What was taken out, in the order of the placeholders."""
        numbered = enumerate(self._rules.items(), 1)
        return tuple(
            RedactedText(placeholder(rule, number), rule, self._counts[secret])
            for number, (secret, rule) in numbered
            if self._counts[secret]
        )

    def again(self, value: Value) -> Value:
        """What was redacted, looked through once more; the same where nothing is left."""
        self._things.clear()
        return cast("Value", self._walk(value))

    def know(self, secrets: Mapping[str, str]) -> None:
        """These are secrets too, by these rules: what was redacted is to be redacted anew."""
        for text, rule in secrets.items():
            self._collect(text, rule)
        self._learn()

    def finds(self, text: str) -> tuple[Secret, ...]:
        """The secrets in a text, those that were found before in any spelling."""
        return self._finder.find(text)

    def removed_in(self, text: str) -> list[Span]:
        """The spans of secrets."""
        return [(secret.start, secret.end) for secret in self.finds(text)]

    def _learn(self) -> None:
        self._learned = True
        self._numbers = {secret: number for number, secret in enumerate(self._rules, 1)}
        for written, secret in (*self._same.items(), *((secret, secret) for secret in self._rules)):
            if len(written) >= SHORTEST and not is_ordinary(written):
                for spelled in spellings(written):
                    self._spelled.setdefault(_folded(spelled), secret)
                self._spelled.setdefault(_folded(written), secret)
        self._finder.know(
            spelled
            for written in {*self._same, *self._rules}
            if len(written) >= SHORTEST and not is_ordinary(written)
            for spelled in spellings(written)
        )
        self._counts.clear()
        self.media = 0

    def _collect(self, text: str, rule: str, others: Iterable[str] = ()) -> None:
        secret = self._same.get(text, text)
        self._rules.setdefault(secret, rule)
        read = (view.text for view in islice(views_of(text), 1, None))
        for other in (*others, *read):
            if other not in self._rules and other:
                self._same.setdefault(other, secret)

    def _placeholder_of(self, text: str, rule: str) -> str:
        secret = text if text in self._rules else self._same.get(text) or self._spelled.get(_folded(text)) or text
        self._rules.setdefault(secret, rule)
        self._counts[secret] += 1
        number = self._numbers.setdefault(secret, len(self._numbers) + 1)
        return placeholder(self._rules[secret], number)

    def _without(self, text: str) -> str:
        return self._replaced(text, self._finder.find(text))

    def _replaced(self, text: str, secrets: Iterable[Secret]) -> str:
        if not self._learned:
            for secret in secrets:
                self._collect(secret.text, secret.rule, secret.others)
            return text
        pieces: list[str] = []
        end = 0
        for secret in secrets:
            pieces += (text[end : secret.start], self._placeholder_of(secret.text, secret.rule))
            end = secret.end
        return "".join((*pieces, text[end:]))

    def _text(self, text: str) -> str:
        # Nothing is remembered: each place is counted, and the finder remembers what it found.
        return self._without(text)

    def _member(self, key: str, item: object, *, redact: bool = False) -> object:
        secret = redact or self.keys.redacts(key)
        opaque = isinstance(item, str | int) and self._finder.keys.may_be_secret(key, str(item))
        if isinstance(item, list) and not secret and self._are_secrets(key, item):
            return [self._member(key, one) for one in item]
        is_folder = isinstance(item, str) and is_working_folder(f"{key}=", item)
        if item is None or is_folder or not (secret or opaque):
            return self._walk(item, inside=True)
        return self._removed_value(item)

    def _are_secrets(self, key: str, items: list[object]) -> bool:
        """Whether a list of texts is one of secrets, as of recovery codes."""
        return all(isinstance(item, str) for item in items) and any(
            self._finder.keys.may_be_secret(key, str(item)) for item in items
        )

    def _collect_answers(self, answers: Iterable[str]) -> None:
        for answer in answers:
            if not PLACEHOLDER.search(answer):
                self._collect(answer, ANSWER)

    def _object(self, value: Mapping[object, object]) -> object:
        """What is typed into a field goes where the field is described beside it as one for a secret."""
        if not self._learned:
            self._collect_answers(answers_in_members(value))
        typed = typed_into_field(value)
        said = [key for key, item in value.items() if is_said_of_secret(item, value)]
        if not typed and not said:
            return super()._object(value)
        return {
            self._key(str(key)): self._walk(item, inside=True)
            if key in said and key not in typed
            else self._member(str(key), item, redact=key in typed)
            for key, item in value.items()
        }

    def _list(self, value: list[object]) -> object:
        """The words of a command tell each other: “--password”, and what follows it."""
        if not self._learned:
            self._collect_answers(answers_in_messages(value))
        words = [item for item in value if isinstance(item, str)]
        if not 1 < len(words) == len(value) <= _MOST_WORDS or not any(word.startswith("-") for word in words):
            return super()._list(value)
        secrets = self._finder.find(" ".join(words))
        clean: list[str] = []
        start = 0
        for word in words:
            end = start + len(word)
            inside = [each for each in secrets if start <= each.start and each.end <= end]
            moved = [replace(each, start=each.start - start, end=each.end - start) for each in inside]
            clean.append(self._text(self._replaced(word, moved)))
            start = end + 1
        return clean

    def _removed_value(self, item: object) -> object:
        """The same shape with a placeholder for each text and number."""
        if isinstance(item, Mapping):
            if _is_schema(item):
                return self._walk(item, inside=True)
            return {
                self._key(str(key)): self._walk(inner, inside=True)
                if self._finder.keys.is_open(str(key))
                else self._removed_value(inner)
                for key, inner in item.items()
            }
        if isinstance(item, list | tuple):
            return [self._removed_value(inner) for inner in item]
        if item is None or isinstance(item, bool):
            return item
        text = number_text(item) if isinstance(item, int | float) else str(item)
        if is_ordinary(text):
            return item
        if not self._learned:
            parts = (part for part in _PART.findall(text) if part != text and not is_ordinary(part))
            self._collect(text, BY_KEY, filter(None, (bare_token(text), *self._written(text), *parts)))
            return item
        return self._placeholder_of(text, BY_KEY)

    def _written(self, text: str) -> Iterable[str]:
        """What else in it is a secret by itself, decoded or not."""
        for secret in self._finder.find(text):
            yield from (secret.text, *secret.others)

    def _fields(self, value: Struct) -> object:
        if isinstance(value, Media):
            head, comma, rest = (value.uri or "").partition(",")
            written = bool(rest) and head.startswith("data:")
            self.media += int(written or value.data is not None)
            if written:  # the bytes stand in the address itself
                value = replace(value, uri=head + comma)
        if isinstance(value, Trace | Case) and not self._learned:
            self._collect_answers(answers_in_turns(value.turns))
        return super()._fields(value)


def _folded(text: str) -> str:
    return " ".join(text.split()).lower() or text


def _is_schema(item: Mapping[object, object]) -> bool:
    """Whether an object describes a value instead of being one, as in the declaration of a tool."""
    kind = item.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    return bool(kinds) and all(isinstance(one, str) and one.casefold() in _SCHEMA_TYPES for one in kinds)
