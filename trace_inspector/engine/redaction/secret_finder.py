"""Finds secrets in a text, however deep they are encoded: by format, by what stands before them, or as known ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.rows.evidence import LEFT_OUT
from trace_inspector.engine.redaction.checked_numbers import CHECKED, checked_numbers
from trace_inspector.engine.redaction.columns import values_by_heading
from trace_inspector.engine.redaction.decoding import (
    DecodingRoom,
    TooMuchError,
    View,
    encodes,
    inner_texts,
    is_text_in_base64,
    views_of,
)
from trace_inspector.engine.redaction.keyed_text import values_behind
from trace_inspector.engine.redaction.known_texts import KnownTexts, Span
from trace_inspector.engine.redaction.options import Keys, Redaction, letters, matched
from trace_inspector.engine.redaction.password_words import password_words
from trace_inspector.engine.redaction.prose.candidates import is_told_by_being_encoded
from trace_inspector.engine.redaction.prose.roots import trie
from trace_inspector.engine.redaction.prose.told_by_keys import is_told_by_key, told_by_keys
from trace_inspector.engine.redaction.prose.told_by_roots import NUMBER, WORD, told_by_roots
from trace_inspector.engine.redaction.random_words import (
    PublicParts,
    is_said_among_sentences,
    is_working_folder,
    random_words,
    says_nothing,
)
from trace_inspector.engine.redaction.secrets import FORMATS_OF_SECRETS, SecretFormat
from trace_inspector.engine.redaction.secrets_in_code import SECRETS_IN_CODE
from trace_inspector.engine.redaction.secrets_in_context import SECRETS_IN_CONTEXT
from trace_inspector.engine.redaction.secrets_in_forms import SECRETS_IN_FORMS
from trace_inspector.engine.redaction.secrets_in_lines import SECRETS_IN_LINES
from trace_inspector.engine.redaction.secrets_in_words import SECRETS_IN_WORDS
from trace_inspector.engine.redaction.told_nearby import NEARBY, told_nearby

_NAME_OF_FOLDER = 20  # characters before a value in which it is named
_DEEPEST = 4  # base64 in base64
_MOST_NAMES = 20_000
# Characters of all texts whose secrets are remembered: a pack is looked through several times.
_MOST_KEPT = 50_000_000
BY_KEY = "value-of-secret-key"
ANSWER = "answer-to-question"
_BY_PATTERN = "your-pattern"
_RANDOM = "random-characters"
_LIKE_PASSWORD = "like-a-password"
_KNOWN = "seen-elsewhere"
_ENCODED = "encoded-word"
_LIKE_NOISE = (_RANDOM, _LIKE_PASSWORD, NEARBY, WORD, NUMBER, _ENCODED, "azure-key")  # what stands in pictures too
_UNREADABLE = "encoded-too-deeply"
# A text may be decoded to so many times its size, and to so much whatever its size; beyond it all of it is taken out.
_MOST_TIMES = 16
_ALWAYS_DECODED = 50_000
_TOLD = (*SECRETS_IN_CODE, *SECRETS_IN_CONTEXT, *SECRETS_IN_WORDS, *SECRETS_IN_FORMS, *SECRETS_IN_LINES)
RULES = frozenset(
    {known.name for known in (*FORMATS_OF_SECRETS, *_TOLD)}
    | {
        BY_KEY,
        ANSWER,
        _BY_PATTERN,
        _RANDOM,
        _LIKE_PASSWORD,
        NEARBY,
        WORD,
        NUMBER,
        _KNOWN,
        "your-key",
        "bytes",
        _UNREADABLE,
        _ENCODED,
        *CHECKED,
    }
)
PLACEHOLDER = re.compile(rf"\[redacted (?:{'|'.join(map(re.escape, sorted(RULES)))}) \d{{1,9}}\]|{LEFT_OUT.pattern}")
HIDDEN = "█"  # stands where a placeholder is while a text is searched
_CODE = re.compile(r"[A-Za-z_][A-Za-z_.]*")  # before a bracket
_SAID_WITH = ("password", "passwd", "passphrase", "secret", "apikey", "privatekey", "accesskey", "credential")
_OF_ORDINARY = (
    "id", "ids", "name", "names", "hint", "policy", "length", "reset", "required", "type", "count", "field", "url",
    "uri", "expiry", "expires", "expiresat", "updatedat", "changedat", "manager", "version", "arn", "path", "file",
    "enabled", "strength", "limit", "status", "ary", "aries", "label", "title", "format", "rules", "error", "message",
    "placeholder", "tooshort", "toolong", "mismatch", "prompt", "faq", "encryption", "validation", "authentication",
)  # fmt: skip
_SHORT_NAMES = frozenset(
    {
        "pass", "pw", "psw", "psk", "mdp", "pin", "otp", "totp", "cvv", "cvc", "auth", "authkey", "sig", "pepper",
        "cred", "creds",
    }
)  # fmt: skip
# Keys that name something else than what unlocks: digests, places in a cache, what everybody may have.
_OF_OTHER_KEYS = ("publickey", "cachekey", "primarykey", "foreignkey", "partitionkey", "sortkey", "idempotencykey")
# Members of an object named like a secret that tell how and where it is used.
_OPEN_MEMBERS = frozenset(
    {
        "issuer", "iss", "audience", "aud", "alg", "algorithm", "type", "url", "uri", "host", "hostname", "endpoint",
        "baseurl", "expires", "expiresin", "expiry", "ttl", "region", "scope", "scopes", "realm", "version",
        "enabled",
        "port", "provider",
    }
)  # fmt: skip
_PROGRAM_FILE = re.compile(r"\.(?:java|py|tsx?|jsx?|go|rb|kt|cs|cpp|c|h|rs|php|swift|scala|yaml|yml|json)\Z")
_PASS = re.compile(r"(?:[^A-Za-z]|[a-z](?=P))(?i:pass|psk|pw|creds?|salt|pepper)\Z")
_OFTEN_SECRET = (
    "key",
    "keys",
    "sid",
    "session",
    "nonce",
    "signature",
    "signing",
    "license",
    "appid",
    "assertion",
    "totp",
    "otp",
    "seed",
)
_TICKETS = ("boardingpass", "seasonpass", "daypass", "skipass", "buspass", "railpass", "bypass", "compass")
_BEFORE_PASS = ("db", "user", "smtp", "redis", "mysql", "postgres", "pg", "admin", "root", "ftp", "mail", "login")


class Secret(Struct, frozen=True):
    """One secret in a text: where, what it is when every escape is read, how else it stands there, by which rule."""

    start: int
    end: int
    text: str
    rule: str
    others: tuple[str, ...] = ()
    depth: int = 0


class SecretKeys(Keys):
    """Decides by name whether the value of a key is a secret."""

    def __init__(self, redaction: Redaction) -> None:
        super().__init__(redaction)
        self._decided: dict[str, bool] = {}  # the same names occur again and again

    def is_secret(self, key: str) -> bool:
        """Whether it is named like the key of a secret, at its end or before an addition like “_prod”."""
        decided = self._decided.get(key)
        if decided is None:
            if len(self._decided) >= _MOST_NAMES:
                self._decided.clear()
            decided = self._decided[key] = self._is_secret(key)
        return decided

    def _is_secret(self, key: str) -> bool:
        if HIDDEN in key or PLACEHOLDER.search(key):  # what it was called is not known any more
            return False
        plain = letters(key)
        if _PROGRAM_FILE.search(key) or plain.removesuffix("token").endswith(_OF_OTHER_KEYS):
            return False
        if super().is_secret(key) or plain in _SHORT_NAMES:
            return True
        if _PASS.search(key) and not plain.endswith(_TICKETS):
            return True
        if plain.endswith("pass") and plain[:-4].endswith(_BEFORE_PASS):
            return True
        return any(word in plain and not plain.endswith(_OF_ORDINARY) for word in _SAID_WITH)

    def may_occur_in(self, text: str) -> bool:
        """Names are too many to look for beforehand."""
        return bool(text)

    def is_open(self, key: str) -> bool:
        """Whether it tells how a secret is used, not what it is, in an object named like one."""
        return letters(key) in _OPEN_MEMBERS

    def may_be_secret(self, key: str, value: str) -> bool:
        """Whether a value looks random behind a key that ends like that of a secret or of an ordinary thing."""
        plain = letters(key)
        return (plain.endswith(_OFTEN_SECRET) and _is_opaque(value)) or is_told_by_key(key, value)


def placeholder(rule: str, number: int) -> str:
    """What stands in the place of a text that was taken out."""
    return f"[redacted {rule} {number}]"


def is_ordinary(text: str) -> bool:
    """Whether a value is none that anybody would hide: a word of schemas, a mask, a name in place of it."""
    plain = PLACEHOLDER.sub("", text).strip().strip("\"'`")
    return says_nothing(plain) or not plain.strip(HIDDEN)


class SecretFinder:
    """Finds secrets in texts; those that are known already it finds in any spelling."""

    def __init__(self, redaction: Redaction) -> None:
        self.keys = SecretKeys(redaction)
        self._patterns = redaction.patterns
        self._known: KnownTexts | None = None
        self._found: dict[str, tuple[Secret, ...]] = {}
        self._kept = 0  # characters

    def know(self, texts: Iterable[str]) -> None:
        """Find these everywhere from now on, in all their spellings."""
        known = tuple(texts)
        if known:
            self._known = KnownTexts(known)
            self._found.clear()
            self._kept = 0

    def find(self, text: str) -> tuple[Secret, ...]:
        """The secrets in order; where several overlap the longest, or the one whose escapes are read furthest."""
        if text in self._found:
            return self._found[text]
        hidden = PLACEHOLDER.sub(lambda match: HIDDEN * len(match[0]), text)
        room = DecodingRoom(_ALWAYS_DECODED + _MOST_TIMES * len(text))
        try:
            secrets = tuple(_apart(self._in_text(hidden, 0, room)))
        except TooMuchError:
            secrets = (Secret(0, len(text), text, _UNREADABLE),)
        if self._kept + len(text) <= _MOST_KEPT:
            self._kept += len(text)
            self._found[text] = secrets
        return secrets

    def _in_text(self, text: str, depth: int, room: DecodingRoom) -> Iterator[Secret]:
        public = PublicParts(text)
        inside: dict[str, list[Secret]] = {}  # several views of a text have the same base64 in them
        for view in views_of(text):
            room.take(len(view.text) if depth or view.starts else 0)
            for span, rule in self._in_view(view.text, room):
                found = view.text[span[0] : span[1]]
                if not is_ordinary(found) and not (rule in _LIKE_NOISE and public.touches(view.original(span))):
                    yield _at(view, span, found, rule, text)
            for span, inner in inner_texts(view.text, room):
                if depth == _DEEPEST:
                    raise TooMuchError
                if inner not in inside:
                    inside[inner] = list(self._in_text(inner, depth + 1, room))
                    if is_told_by_being_encoded(inner) and encodes(view.text[span[0] : span[1]], inner):
                        inside[inner].append(Secret(0, len(inner), inner, _ENCODED))
                for secret in inside[inner]:
                    outer = _at(view, span, secret.text, secret.rule, text)
                    yield replace(outer, others=(*outer.others, *secret.others), depth=outer.depth + 10)

    def _in_view(self, text: str, room: DecodingRoom) -> Iterator[tuple[Span, str]]:
        for known, group in _formats_in(text):
            spans = (match.span(group) for match in _compiled(known).finditer(text))
            yield from ((_whole(text, span) if group else span, known.name) for span in spans)
        for pattern in self._patterns:
            yield from ((span, _BY_PATTERN) for span in matched(pattern, text))
        yield from self._behind_keys(text)
        for span in random_words(text):
            if not is_text_in_base64(text[span[0] : span[1]], room):
                yield span, _RANDOM
        yield from ((span, _LIKE_PASSWORD) for span in password_words(text))
        yield from told_nearby(text)
        yield from told_by_roots(text)
        yield from checked_numbers(text)
        if self._known is not None:
            yield from ((span, _KNOWN) for span in self._known.spans_in(text) if not _is_part_of_number(text, span))

    def _behind_keys(self, text: str) -> Iterator[tuple[Span, str]]:
        yield from ((span, BY_KEY) for span in told_by_keys(text))
        yield from ((span, BY_KEY) for span in values_by_heading(text, self.keys))
        for value in values_behind(text, self.keys):
            start, end = value.span
            if text[end : end + 1] in ("(", "[") and _CODE.fullmatch(text, start, end):
                continue
            before = text[max(0, start - _NAME_OF_FOLDER) : start]
            if is_said_among_sentences(text, start, end) or is_working_folder(before, text[start:end]):
                continue
            if text[start : start + 1] not in ("{", "["):
                yield _whole(text, value.span), BY_KEY
            elif '"type"' not in text[start:end]:  # else a schema tells what the value is to be
                yield from ((span, BY_KEY) for span in _leaves(text, start, end, self.keys))


# Signs that end a value elsewhere, but not in the midst of a word that began without a quotation mark.
_MORE = re.compile(
    r"(?:(?:&(?:#\w{1,7}|[a-z]{2,8});|&(?![\w.-]{1,40}=|\s)|[\"'](?=[\w!#$%*@^~?/&<])"
    r"|<(?![A-Za-z][^<>\s]{0,80}>|[A-Za-z]+\s[\w-]+=|[/!]))"
    r"[^\s\"'<>&,;(){}\[\]]*)+"
)


def _whole(text: str, span: Span) -> Span:
    """The span of a word to its end, also beyond signs that may end a value."""
    start, end = span
    if start and text[start - 1] in "\"'`>«“„":
        return span
    more = _MORE.match(text, end)
    return (start, more.end()) if more else span


def _is_part_of_number(text: str, span: Span) -> bool:
    """Whether digits stand among others: then they are no secret, but a piece of some number."""
    start, end = span
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return text[start:end].isdigit() and any(map(str.isdigit, beside))


_OPAQUE = re.compile(r"[\w+/=.~-]{16,}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _is_opaque(value: str) -> bool:
    if not _OPAQUE.fullmatch(value) or _UUID.fullmatch(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


# Keys match too, and what has no end, so that each character is looked at once.
_LEAF = re.compile(r"""["']((?:[^"'\\]|\\.)++)(?:["'](?P<key>\s{0,8}:)?|\Z)|(?<![\w"'])(-?\d[\w.+-]*)""")


def _leaves(text: str, start: int, end: int, keys: SecretKeys) -> Iterator[Span]:
    is_open = False
    for match in _LEAF.finditer(text, start, end):
        if match["key"] is None and not is_open:
            yield match.span(1 if match[1] else 3)
        is_open = match["key"] is not None and keys.is_open(match[1])


def _at(view: View, span: Span, found: str, rule: str, text: str) -> Secret:
    start, end = view.original(span)
    written = text[start:end]
    return Secret(start, end, found, rule, (written,) if written != found else (), view.depth)


def _apart(secrets: Iterable[Secret]) -> Iterator[Secret]:
    """Without overlaps: of several the longest counts, of equally long ones that with most escapes read."""
    chosen: list[Secret] = []
    for secret in sorted(
        secrets,
        key=lambda one: (
            one.start,
            one.start - one.end,
            -one.depth,
            one.rule in (_RANDOM, _LIKE_PASSWORD, NEARBY, WORD, NUMBER, _KNOWN),
            one.rule,
        ),
    ):
        last = chosen[-1] if chosen else None
        if last is None or secret.start >= last.end:
            chosen.append(secret)
        else:
            others = dict.fromkeys((*last.others, secret.text, *secret.others))
            others.pop(last.text, None)
            chosen[-1] = replace(last, end=max(last.end, secret.end), others=tuple(others))
    yield from chosen


# Each format with the group that is the secret, and for each hint which of them may be in a text that has it.
_FORMATS = (*((known, 0) for known in FORMATS_OF_SECRETS), *((known, 1) for known in _TOLD))
_BY_HINT: dict[str, list[int]] = {}
for _index, (_known, _group) in enumerate(_FORMATS):
    for _hint in _known.hints:
        _BY_HINT.setdefault(_hint, []).append(_index)
_SHORT_HINT = 3  # characters; shorter ones stand nearly everywhere, and one look for each finds them soonest
_SHORT_HINTS = tuple((hint, hinted) for hint, hinted in _BY_HINT.items() if len(hint) < _SHORT_HINT)
_LONG_HINTS = {hint: hinted for hint, hinted in _BY_HINT.items() if len(hint) >= _SHORT_HINT}
# At each place the longest hint that begins there; those that it begins with are in the text too.
_HINTS = re.compile(f"(?=({trie(_LONG_HINTS)}))")
_HINTED = {
    hint: tuple({index for other, hinted in _LONG_HINTS.items() if hint.startswith(other) for index in hinted})
    for hint in _LONG_HINTS
}


def _formats_in(text: str) -> Iterator[tuple[SecretFormat, int]]:
    """The formats that a text may have: most have none, and all hints are looked for at once."""
    indexes: set[int] = set()
    for hint in set(_HINTS.findall(text)):
        indexes.update(_HINTED[hint])
    for hint, hinted in _SHORT_HINTS:
        if hint in text:
            indexes.update(hinted)
    return (_FORMATS[index] for index in sorted(indexes))


_COMPILED: dict[str, re.Pattern[str]] = {}


def _compiled(known: SecretFormat) -> re.Pattern[str]:
    pattern = _COMPILED.get(known.pattern)
    if pattern is None:
        pattern = _COMPILED[known.pattern] = re.compile(known.pattern)
    return pattern
