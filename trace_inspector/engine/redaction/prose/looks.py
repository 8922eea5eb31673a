"""How much a word by itself looks like what people choose, or a program makes, for a password, a code or a key."""

from __future__ import annotations

import enum
import re
from functools import lru_cache
from itertools import pairwise


class Look(enum.IntEnum):
    """From a plain word to one that is hardly anything else than a secret."""

    PLAIN = 0
    WEAK = 1  # where nothing stands between it and what tells it
    POSSIBLE = 2  # where something beside it tells it
    LIKELY = 3  # where something near it tells it
    SURE = 4  # where anything in the conversation is about secrets


# What has digits and letters, or signs, and is no secret: versions, measures, names of files and models, addresses.
_ORDINARY = re.compile(
    r"(?i)(?:.*[^\W\d])?\d+(?:days?|weeks?|hours?|minutes?|seconds?|characters?|chars?|digits?|users?|zeichen|items?)|"
    r"v?\d+(?:[._-]\d+)*[a-z]{0,6}\d{0,2}|v?\d+\.\d+(?:\.\d+)?[-+._].*|.*\d\.\d.*"
    r"|[a-z]{2}_[A-Z]{2}(?:\..*)?|#[0-9a-f]{6}|(?:ami|vpc|subnet|sg|i|eni|vol|snap|rtb|igw|acl|nat"
    r"|arn|bld|build|rel|run|req|job|trace|span|evt|msg|call|img|doc|ref|inc|err|rfc|iso|cve|kb|bug"
    r"|jira|pr)[-_][\w.-]+|(?:a?gpl|lgpl|mit|bsd|apache|mpl|cc)-.*|[\w.%+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?:https?|ftp|file|mailto|s3|gs|ssh|git):.*|www\..*"
    r"|[\w./\\~-]*\.(?:jsonl?|ya?ml|toml|md|txt|csv|html?|xml|pdf|png|jpe?g|gif|svg|py|js|ts|tsx|sh"
    r"|go|rs|rb|java|c|h|cpp|php|sql|log"
    r"|bin|img|iso|apk|aab|ipa|deb|rpm|msi|jar|war|ko|dmg|pkg|heic|webp|mov|wav|parquet|db|sqlite3?|wasm|map"
    r"|zip|gz|tar|conf|cfg|ini|env|lock|docx?|xlsx?|pptx?|mp[34]|exe|dll|so|com|org|net|io|de|fr|eu"
    r"|local|example|internal|test|dev)\d?"
    r"|(?:[\w-]+\.)+(?:example|com|org|net|io|local|internal|test|dev|svc|cluster)(?:[:/].*)?"
    r"|(?:[0-9a-f]{2}[:-]){3,}[0-9a-f]{2}|[\d.:/+-]+|\d+(?:st|nd|rd|th|er|e|ème|º|ª|°)?"
    r"|(?:gpt|o\d|gemini|claude|llama|qwen|mi[sx]tral|gemma|phi|deepseek|sonnet|opus|haiku|grok|text"
    r"|whisper|dall|command|nova|titan)[-_.]?[\w.:-]*\d[\w.:-]*"
    r"|(?:sha|md|utf|base|ipv|oauth|aes|rsa|ed|python|py|i18n|l10n|k8s|x86|2fa|mp|es|hs|rs|http|tls"
    r"|ssl|ssh|wpa|cp|iso|rfc|latin|win|mac|node|java|php"
    r"|ubuntu|debian|windows|android|ios|user|server|host|test|step|page|item|line|row|col|file|image"
    r"|room|level|case|turn|call|part|group|team|task|agent"
    r"|web|app|db|api|srv|vm|eth|wlan|lan|vlan|port|pc|desk|gate|tier|phase|type|class|option|version"
    r"|figure|table|chapter|section|covid|area|zone|region"
    r"|day|week|month|year|id|nr|no|key|token|password|passwort|secret|pass|pin|code|example|sample"
    r"|foo|bar|demo|eval|param|arg|job|build|round|attempt|worker|thread|shard|pod|device|sensor"
    r"|camera)"
    r"s?[-_.]?\d[\d._-]*[a-z]{0,3}"
    r"|(?:us|eu|ap|sa|ca|me|af)-[a-z]+-\d[a-z]?|\w+\(\w*\)?|[\w.-]*\d{4}-\d\d(?:-\d\d)?.*|\d+x\d+.*"
    r"|.*\w=.*|.*(?:://|\\|\.\.\.|->|=>|&&|\|\|).*|.*%[sd]\b.*|[@#$%~+&][\w.-]*"
    r"|[\w-]+/[\w./-]*|\d+[.,]?\d*[a-z%€$£]{1,5}|[a-z]{1,2}\d{1,4}[a-z]?"
    r"|[a-z]{1,4}[-_][a-z]{0,2}\d{1,4}|v\d{1,2}[-_][a-z]+(?:[-_][a-z]+)*[-_]?|=?(?:hex|dword|qword)(?:\(\w\))?:.*"
    r"|\$\{?[A-Z_][A-Z0-9_]*\}?[\w./-]*|[a-z][-_.]?\d{1,3}[a-z]?|sha\d+[-:].*|[\w-]+:[\w-]+"
    r"|[a-z0-9]+(?:[._][a-z0-9]+)*_[a-z0-9]+(?:[._][a-z0-9]+)*\.[a-z0-9_.]+"
    r"|[\w./-]*\.[a-z]{1,4}:\d+(?::\d+)?|ssh-\w+|\d{1,2}[:h.]\d\d.*|[ivxlc]+"
)
_IDENTIFIER = re.compile(
    r"(?:[A-Z][a-z]+){2,}\d{1,2}(?:[A-Z][a-z]+)*|[a-z]+(?:_[a-z]+)+_\d{1,6}|"
    r"_*[a-z]+(?:_[a-z]+)*(?:_?v?\d{1,2})?|[A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:-[a-z]+)*|[a-z]+(?:[.:/][a-z_]+)+"
)
_SHORT_CODE = re.compile(
    r"\d{3,6}[A-Z]|[A-Z]\d{3,6}[A-Z]|[A-Z]\d[A-Z]\d|\d[A-Z]\d[A-Z]|\d[A-Z]{2,3}\d[A-Z]?|[A-Z]{2,5}[#*]\d{4,8}"
)
_WEAK = re.compile(r"[a-z]{4,12}\d{1,4}|[a-z]{3,}(?:[-.][a-z]{2,}){2,}|[a-z]{3,}(?:\.[a-z]{3,})+\.[A-Z][a-z]+")
_UUID = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEX = re.compile(r"(?i)(?:0x)?[0-9a-f]+")
_SIGNS = re.compile(r"[!@#$%^&*?~+=]")
_JOINED = re.compile(r"[^\W\d_][_.\-][^\W_]|\d[_.\-][^\W\d_]")
_INNER_CAPITAL = re.compile(r"[^\W_A-Z][_.-]?[A-Z]")
# Digits within a word, a word and a number, a capital within.
_LIKE_CHOSEN = re.compile(
    r"[a-z]\d{1,2}[a-z]{2}|\b\d[a-z]{3}|^(?:[^\W\d_]{3,24}\d{2,6}[!.?*#$%&+]{0,3}|\d{2,6}[^\W\d_]{4,24})$"
    r"|[^\W_A-Z][_.-]?[A-Z]"
)
_SHORTEST = 8
_HUMPS = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+")
_WORD_PART = re.compile(r"[^\W\d_A-Z]{3,}|[A-Z][^\W\d_A-Z]{2,}")
_URL_OR_NAME = re.compile(
    r"(?:[a-z]+\.)+[A-Za-z]+|(?:[\w-]+/)+[\w.-]*|[\w.-]*@[\w.-]+|[A-Z][\w]+(?:-[A-Z]\w+)+"
    r"|[a-z]+(?:[A-Z][a-z]+)+|\w+(?:\.\w+)+\(?\)?"
)
_PROGRAM = re.compile(
    r".*(?:Error|Exception|Form|Service|Manager|Test|Handler|Request|Response|Client|Config|Field"
    r"|View|Model|Type|Id|Key|Token|Password|Secret|Store|Provider|Factory|Policy|Event|Name|List|Set"
    r"|Map|Api|Url|Hub|Tube|Script|Bot|App)s?"
)
_KINDS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "a" * 26 + "A" * 26 + "0" * 10
)
_RUN = re.compile(r"[a-z]{4,}|[A-Z]{4,}|\d{5,}")


@lru_cache(maxsize=1 << 15)
def look_of(word: str) -> Look:
    """How much it looks like a secret; also of words with letters of other scripts."""
    if not 4 <= len(word) <= 128:
        return Look.PLAIN
    if _SHORT_CODE.fullmatch(word):
        return Look.POSSIBLE
    if _ORDINARY.fullmatch(word) or _IDENTIFIER.fullmatch(word):
        return Look.WEAK if _WEAK.fullmatch(word) else Look.PLAIN
    digits = sum(map(str.isdigit, word))
    if not any(map(str.isalpha, word)) or _UUID.fullmatch(word):
        return Look.PLAIN
    if _HEX.fullmatch(word):
        return Look.POSSIBLE if digits and len(word) >= _SHORTEST else Look.PLAIN
    return _look_of_mixed(word) if digits else _look_of_letters(word)


def _look_of_mixed(word: str) -> Look:
    """Of words with letters and digits."""
    capital, letters = sum(map(str.isupper, word)), sum(map(str.isalpha, word))
    small = letters - capital  # also those of scripts that have no capitals
    signs = len(_SIGNS.findall(word))
    if not small:  # as numbers of orders, devices and flights have
        return Look.POSSIBLE
    if len(word) < 6:
        return Look.POSSIBLE if signs or capital else Look.PLAIN
    if signs and capital and letters > 2:
        return Look.SURE
    joined = bool(_JOINED.search(word))
    if joined and capital and small >= 5 and len(word) > _SHORTEST and _INNER_CAPITAL.search(word):
        return Look.SURE
    is_likely = (
        (joined and capital and small >= 3 and len(word) > _SHORTEST)
        or (signs and letters > 2)
        or is_without_order(word)
        or (len(word) >= 7 and _LIKE_CHOSEN.search(word))
    )
    return Look.LIKELY if is_likely else Look.POSSIBLE


def _look_of_letters(word: str) -> Look:
    """Of words without a digit: with signs within, or of several words in one."""
    signs = len(_SIGNS.findall(word))
    if len(word) < 8 or _PROGRAM.fullmatch(word) or _URL_OR_NAME.fullmatch(word):
        return Look.PLAIN
    parts = _WORD_PART.findall(word)
    if len(parts) < 2:
        return Look.POSSIBLE if signs or is_without_order(word) else Look.PLAIN
    humps = len(_HUMPS.findall(word))
    if word.isupper():
        return Look.PLAIN
    if (
        signs
        or humps >= 3
        or (len(parts) >= 3 and re.search(r"[._-]", word))
        or (humps >= 2 and re.search(r"[._-]", word))
    ):
        return Look.POSSIBLE
    return Look.PLAIN


def is_without_order(word: str) -> bool:
    """Whether kinds of characters change as in random words, and hardly any run is one of a language."""
    if len(word) < 8:
        return False
    kinds = word.translate(_KINDS)
    runs = sum(map(len, _RUN.findall(word)))
    changes = sum(one != other for one, other in pairwise(kinds))
    return runs <= 0.35 * len(word) and changes >= 0.3 * len(word)


_SEVERAL_WORDS = re.compile(r"(?=.*[a-z]{2})(?=.*[A-Z])(?=.*\d)(?=.*[\w][-_&!~+.@#][\w])[^\W_][\w.!&~^+@#$%*-]{8,39}")
_LONG_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]{3,}")
_OF_PROGRAMS = re.compile(
    r"(?i)(?:test|check|step|turn|case|intent|chatcmpl|srvtoolu|toolu|model|instruct|preview|beta"
    r"|macos|windows|linux|build|page|slide|draft"
    r"|report|invoice|figure|version|final|copy|screen\s?shot|img|photo|sheet|chapter|covid|agent"
    r"|session|thread|run|eval)[-_.\d]|.*\d\.\d|[a-z]+_01\w{20,}"
    r"|[\w-]+(?:\.[\w-]+)+\Z"
)


def looks_made_of_words(word: str) -> bool:
    """Whether a word is several ones with digits and signs between, in both cases: told by itself alone."""
    if not _SEVERAL_WORDS.fullmatch(word) or _OF_PROGRAMS.match(word):
        return False
    return len(_LONG_WORD.findall(word)) >= 2
