"""Words that look random, as keys do, and what is known to be no secret though it looks so."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import pairwise

from trace_inspector.engine.redaction.known_texts import Span

# Behind a backslash the first letter belongs to an escape, which another view of the text reads.
_TOKEN = re.compile(r"(?<![A-Za-z0-9\\])[A-Za-z0-9][A-Za-z0-9+/_=-]{23,}")
_WORD_OF_TOKEN = re.compile(r"[A-Za-z0-9]+")
_IDS = re.compile(
    r"(?:call|toolu|msg|resp|chatcmpl|run|thread|asst|file|batch|req|gen|fc|rs|tooluse|container|item"
    r"|evt|step|srvtoolu|ctc|ws|prompt)[_-]"
)
_HEX = re.compile(r"[0-9a-fA-F-]+|0x[0-9a-fA-F]{40}")  # an address of a wallet too, whose capitals are its checksum
_SID = re.compile(r"(?:AC|SM|MM|CA|MG|PN|VA|WA)[0-9a-f]{32}")  # accounts, messages and calls of a telephone service
# What says right before a word that it names a thing. Everybody may have such names.
_NAMED = re.compile(
    r"(?i)(?:(?<![a-z])(?:client|app|application|doc(?:ument)?|file|folder|drive|(?:spread)?sheet|board|site|tenant|project|team"
    r"|org(?:ani[sz]ation)?|message|request|trace|span|correlation|event|channel|object|resource|response"
    r"|page|block)[ _-]?id"
    r"|polyline|e-?tag|cursor|digest(?=[\"']?\s{0,3}[:=])"
    r"|check-?sum|fingerprint|content-md5|integrity|public[ _-]?key)"
    r"[\"']?\s{0,3}[:=]?\s{0,3}[\"']?\Z"
)
_NAMED_WITHIN, _ADDRESS, _LONGEST_SHOWN = 40, 240, 24
# Of an address the parts that are ids of what it shows, and where its parts end.
_IN_ADDRESS = re.compile(r"://[^\s\"'<>]{0,200}\Z")
_SHOWN = re.compile(
    r"(?:\A|/)(?:(files?|documents?|d)|folders|boards?|design|spreadsheets|presentation|videos?|watch)/\Z"
)
_GOES_ON = re.compile(r"/\w")
_LEAST_OF_LINK = 24  # characters of a key at the end of a link to share
_PART = re.compile(r"[^/]+")
_ENDING = re.compile(r"\.(?:jsonl?|eval|ya?ml|html?|txt|log|csv|py|js|png|jpe?g|gif|pdf|gz|zip)\b")  # of a file
_KIND = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "a" * 26 + "A" * 26 + "0" * 10
)
_RUN = re.compile(r"[a-z]{3,}")  # as in NamesLikeThis
_MOST_RUNS = 0.5
_LEAST_CHANGES = 0.3  # of the neighbours in a random token, at least so many are of different kinds
# Digests of content, public keys, certificates, pictures and documents.
_PUBLIC = re.compile(
    r"(?:(?<![A-Za-z0-9])(?i:sha(?:1|256|384|512)|md5)[-:]|(?i:public[ _-]?key)[\"']?\s?[=:]\s?[\"']?)"
    r"[A-Za-z0-9+/=_-]{16,}"
    r"|(?<![A-Za-z0-9+/])(?:AAAAB3NzaC1|AAAAC3NzaC1|AAAAE2VjZHNh|iVBORw0KGgo|/?9j/4|R0lGOD|JVBERi0|UklGR)"
    r"[A-Za-z0-9+/=_-]+"
    r"|-----BEGIN (?:[A-Z0-9 ]{0,30}PUBLIC KEY|CERTIFICATE(?: REQUEST)?|PGP SIGNATURE)-----[^-]*(?:-[^-]+)*+-----END "
)


class PublicParts:
    """The parts of a text that anybody may see, whatever they look like."""

    def __init__(self, text: str) -> None:
        spans = [match.span() for match in _PUBLIC.finditer(text)]
        self._starts = [start for start, _end in spans]
        self._ends = [end for _start, end in spans]

    def touches(self, span: Span) -> bool:
        """Whether what begins or ends there lies in one of them: “DIGEST=sha512-…” begins before it."""
        return self._covers(span[0]) or self._covers(span[1] - 1)

    def _covers(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]


def random_words(text: str) -> Iterator[Span]:
    """The spans of words that look random."""
    for match in _TOKEN.finditer(text):
        if not looks_random(match[0]) or _ENDING.match(text, match.end()) or _is_named(text, match.start()):
            continue
        if "/" in match[0] and _IN_ADDRESS.search(text, max(0, match.start() - _ADDRESS), match.start()):
            yield from _parts_of_address(match)
        else:
            yield match.span()


def _is_named(text: str, start: int) -> bool:
    return _NAMED.search(text, max(0, start - _NAMED_WITHIN), start) is not None


def _parts_of_address(match: re.Match[str]) -> Iterator[Span]:
    """Of a path only what looks random, as the rest says where it is."""
    text, (start, end) = match.string, match.span()
    for part in _PART.finditer(text, start, end):
        if looks_random(part[0]) and not _is_shown(part, start):
            yield part.span()


def _is_shown(part: re.Match[str], start: int) -> bool:
    """Whether a part is the id of what an address shows, not what lets whoever knows it in, at its end."""
    text = part.string
    shown = _SHOWN.search(text, max(start, part.start() - _LONGEST_SHOWN), part.start())
    if shown is None:
        return False
    is_last = _GOES_ON.match(text, part.end()) is None
    return not (is_last and shown[1] is not None and len(part[0]) >= _LEAST_OF_LINK)


def looks_random(token: str) -> bool:
    """Whether a word is made of letters of both cases and digits without any order, as keys are and no words."""
    if _IDS.match(token) or _HEX.fullmatch(token) or _SID.fullmatch(token):
        return False
    longest: str = max(_WORD_OF_TOKEN.findall(token), key=len, default="")
    if len(longest) < 16 or not _is_mixed(longest):
        return False
    kinds = longest.translate(_KIND)
    if sum(map(len, _RUN.findall(longest))) > _MOST_RUNS * len(longest):
        return False
    changes = sum(one != other for one, other in pairwise(kinds))
    return changes >= _LEAST_CHANGES * len(longest)


def _is_mixed(word: str) -> bool:
    return any(map(str.islower, word)) and any(map(str.isupper, word)) and any(map(str.isdigit, word))


# Values of keys named like secrets that are none: what schemas, forms and prose say.
_ORDINARY = frozenset(
    {
        "", "none", "null", "true", "false", "undefined", "string", "number", "integer", "object", "array",
        "boolean", "str", "int", "bool", "bytes", "float", "dict", "list", "type", "required", "optional",
        "description", "text", "value", "name", "key", "yes", "no", "the",
        "and", "for", "password", "token", "secret", "bearer", "basic", "incorrect", "invalid", "expired",
        "missing", "wrong", "empty", "redacted", "[redacted]", "hidden", "masked", "not", "set", "unset", "default",
        "with", "from", "your", "minimum", "maximum", "must", "should", "cannot", "please", "enter", "current",
        "sensitive", "example", "changeme",
        "md5", "sha1", "sha256", "sha512", "bcrypt", "scrypt", "argon2", "argon2id", "pbkdf2", "scram-sha-256",
        "aes256",
    }
)  # fmt: skip
_MASKED = re.compile(
    r"[\W_]*|[*xX•.…]+|<[^<>]*>|\$?\{[^{}\"':]*\}|\$[A-Z_]+|%[A-Z_]+%|(?:(?:Bearer|Token) )?[A-Z]+(?:_[A-Z]+)+"
    r"|\([\w -]*\)|!(?:Ref|GetAtt|Sub)\b.*|await|req(?:uest)?\.[a-z.]+"
    # A member of an object in code: “args.password”.
    r"|(?:args|self|this|config|cfg|conf|settings|options|opts|params|props|ctx|context|state|request|req|body|data"
    r"|user|form|event|creds|credentials|env|environ)(?:(?:\??\.|->)[A-Za-z_]\w*){0,4}?(?:\??\.|->)"
    r"[A-Za-z_]*(?i:pass|pwd|passwd|password|passphrase|secret|token|key)"
    # A beginning and a mask, or what tells the reader to put in his own: “sk-...”, “ghp_xxxx”, “your-key-here”.
    r"|(?:[A-Za-z\d]{1,12}[-_.]){0,3}(?:\.{3,}|…|[xX]{4,}|[*•]{3,})[-_\w]{0,4}"
    r"|(?i:(?:[a-z]{1,12}[-_.]){0,2}(?:your|insert|replace)[-_](?:[a-z]{1,12}[-_]){0,5}(?:key|token|secret|password|here))"
    # Published digests, and ids that name an account.
    r"|(?i:sha256):(?:[0-9a-f]{64}|[A-Za-z0-9+/]{38,43}=?)|AC[0-9a-f]{32}"
)
# What schemas, translations and documentation say about a secret is longer than most secrets, and names it.
_NOUN = (
    r"\b(?:pass(?:word|code|phrase)s?|tokens?|keys?|secrets?|passw[oö]rt|kennwort|mot de passe|contraseña|senha)\b"
)
_SAID = r"[^\W\d_](?:[^\d@#$%^&*+=~_]|(?<!\w)\d{1,3}(?!\w))*"
_SAYS_OF_SECRET = re.compile(
    rf"(?i)(?=.*{_NOUN})"
    r"(?=.*\b(?:your|the|an?|is|are|must|should|cannot|please|enter|too|dein|ihr|das|ist|bitte|votre|le|est|la|es|tu|su|sua)\b)"
    rf"{_SAID}"
)
# What it must be, or what the reader is asked to do: phrases that people choose say neither of what they are.
_ASKS_FOR_SECRET = re.compile(
    rf"(?i)(?=.*{_NOUN}(?:[^\w\n]+\w+){{0,4}}?[^\w\n]+(?:must|should|cannot|can['’]?t|may not|ha(?:s|ve) to|needs? to"
    r"|muss|darf|sollte|doit|debe|deve|do(?:es)?(?: not|n['’]t) match|stimmen nicht"
    r"|(?:is|are|was|ist|est|es|é)\s(?:not\s|nicht\s)?"
    r"(?:too|zu|trop|required|optional|valid|invalid|correct|incorrect|wrong|missing|expired|empty|weak"
    r"|erforderlich|falsch|ungültig|abgelaufen|requise?|obligatoire|incorrecte?|invalide|obligatori[ao]|incorrecta|inválid[ao]))\b"
    rf"|.*\b(?:please|bitte)\b(?:[^\w\n]+\w+){{0,6}}?[^\w\n]+{_NOUN}"
    r"|.*\b(?:enter|type|choose|provide|confirm|repeat|forgot|reset|saisissez|introduce|ingrese|digite)\s(?:in\s)?"
    rf"(?:your|votre|su|tu|sua)\s(?:\w+\s){{0,3}}?{_NOUN})"
    rf"{_SAID}"
)
_LEAST_BLANKS, _LONGEST_SAID = 3, 300
_LONGEST_OBJECT = 2_000  # characters on either side, of which one is read for what stands beside a value
_LEAST_OTHERS = 2  # members of an object beside one that is a sentence about a secret
_PATH = re.compile(r"(?:~?/[\w.@+-]+){2,}/?|~?/|[A-Za-z]:\\[^\"';]*")
_SHELL_KEEPS = re.compile(r"(?i)(?<![a-z_-])(?:old)?pwd[\"']?\s{0,4}[:=]\s{0,4}[\"']?\Z")


def says_nothing(plain: str) -> bool:
    """Whether nobody would hide it: a word of schemas, a mask, a sentence that asks for secrets."""
    if plain.casefold() in _ORDINARY or _MASKED.fullmatch(plain) is not None:
        return True
    return _is_sentence(plain) and _ASKS_FOR_SECRET.fullmatch(plain) is not None


def is_said_of_secret(value: object, members: Mapping[object, object]) -> bool:
    """Whether a value is a sentence about a secret among sentences, as in translations and descriptions of fields."""
    if not isinstance(value, str) or not _is_sentence(value) or _SAYS_OF_SECRET.fullmatch(value) is None:
        return False
    return len(members) > _LEAST_OTHERS and all(
        isinstance(item, str) and _is_sentence(item) for item in members.values()
    )


def is_said_among_sentences(text: str, start: int, end: int) -> bool:
    """Whether a value in an object that is written as JSON is a sentence as all others there are."""
    opening = text.rfind("{", max(0, start - _LONGEST_OBJECT), start)
    closing = text.find("}", end, end + _LONGEST_OBJECT)
    if min(opening, closing) < 0 or " " not in text[start:end]:
        return False
    try:
        members = json.loads(text[opening : closing + 1])
    except ValueError:
        return False
    return isinstance(members, dict) and is_said_of_secret(text[start:end], members)


def is_working_folder(before: str, value: str) -> bool:
    """Whether a value is a path behind the variable in which shells keep where they are."""
    return _PATH.fullmatch(value) is not None and _SHELL_KEEPS.search(before) is not None


def _is_sentence(plain: str) -> bool:
    return len(plain) <= _LONGEST_SAID and plain.count(" ") >= _LEAST_BLANKS
