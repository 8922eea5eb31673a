"""Words that look made up, where something near them on the line tells a secret: “key”, “password”, “logs in as”."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from trace_inspector.engine.redaction.known_texts import Span
from trace_inspector.engine.redaction.secrets import PASSWORD_ABROAD, PASSWORD_IN_OTHER_LETTERS
from trace_inspector.engine.redaction.secrets_in_forms import FIELD

NEARBY = "told-nearby"
_BEFORE, _BEHIND = 90, 60  # characters in which something may tell it
_FAR_BEFORE = 160  # of codes, which others may stand between
_INNER = r"[\w!@#$%^&*?~+=/.-]"
# Words with a digit, and long ones of letters in both cases. Here and below a pattern begins with what it consumes
# and looks at what stands before afterwards: so the engine skips to where it can begin.
_WORD = re.compile(
    r"[A-Za-z0-9](?<![^\s\"'“`„«(\[{<>=:|*].)(?:"
    rf"(?:(?<=[0-9])|(?=[A-Za-z_!@#$%^&*?~+=/.-]{{0,63}}+[0-9])){_INNER}{{7,199}}|[A-Za-z]{{15,199}})"
)
_CLOSING = ".*?!"
_NO_SECRET = re.compile(
    r"(?i)(?:v|gpt|gemini|claude|llama|qwen|sha|md|utf|base|https?|ipv|oauth|aes|rsa|ed|python|i18n|x86|2fa|mp"
    r"|es|hs|rs)"
    r"[-_.]?\d[\w.-]*"
    r"|[\w.-]*\.[a-z]{1,5}\d?|\d+(?:st|nd|rd|th|[smhd]|ms|[kmgt]i?b|px|x\d+)|[\d.,:/+-]+|[\w.-]+/[\w./-]*"
    r"|.*(?:\w=\w|//|\.\.|\w@\w[\w-]*\.\w|@sha\d|(?-i:\.[a-z]+[A-Z])).*"
    r"|\d{4}-\d\d-\d\d.*|[al]?gpl-.*"
)
_KINDS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "a" * 26 + "A" * 26 + "0" * 10
)
_RUN = re.compile(r"[a-z]{3,}|[A-Z]{4,}")
_HEX = re.compile(r"[0-9a-f]{32,64}")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LEAST_OPAQUE = 14
_INNER_CAPITAL = re.compile(r"[a-z\d][_.-]?[A-Z]")
_SIGN = re.compile(r"[!@#$%^&*?~]")
_GAP = r"(?:[^\w\n]{1,4}[^\W\d]+){0,8}[^\w\n]{0,4}\n?\Z"  # a few words without a digit
_KEY_NOUN = (
    r"(?:key|token|secret|password|credential|authori[sz]ation|auth|license|licence|schlüssel|clé|clave|pat"
    r"|signature|totp|otp|mfa|2fa|authenticator|seed|chave|chiave|sleutel|klucz|anahtar\w{0,3}|nyckeln?|nøglen?"
    r"|avain|kulcs|klíč|kunci|キー|トークン|密钥|令牌|ключ|токен)"
)
# What says right before a word that it is something else: “'id': '…'”, “the model is …”, “md5 checksum …”.
_OTHER_TELLS = re.compile(
    r"(?i)(?:(?<![^\W_])(?:id|uuid|guid|(?<!key )(?<!token )(?<!secret )name"
    r"|url|uri|host|path|file|region|zone|version|type|slug|prefix|model|serial|sku|crc"
    r"|(?:md5|sha\d{0,3})?[ _-]?(?:checksum|digest|sum)|md5|fingerprint|etag|commit|revision|thumbprint|order"
    r"|ticket|invoice"
    r"|(?:idempotency|cache|partition|sort|primary|foreign|dedup\w{0,10}|object|routing|row|public)[ _-]?key"
    r"|(?:public[ _-]?)?key[ _-]?token(?=[\"'=]))"
    r"|(?-i:[a-z](?:Id|Name|Url|Uri|Version|Type)))"
    r"(?:\s(?:no\.?|number|nr\.?|name|code|is|was|ist|of)){0,2}[\"'`]?\s{0,3}[:=#(]?\s{0,3}[\"'`]?\Z"
)
_OTHER = 40
_KEY_TELLS = re.compile(rf"(?i)(?<![^\W_])(?:\w*[ _-]?){_KEY_NOUN}(?:s|e|en)?(?![^\W_]){_GAP}")
_ID_TELLS = re.compile(  # what else is often an id is told by fewer words
    r"(?i)(?:(?<![^\W_])(?:api|access|auth|secret|private|signing|deploy|admin|server|sdk|account|service|app)"
    r"[ _-]?|_)"
    r"(?:key|token|secret)s?(?![^\W_])(?:(?:[^\w\n]{0,4}[^\W\d]+){0,3}|[^\n.]{0,60}\bvalue)[^\w\n]{0,4}\Z"
)
_KEY_FOLLOWS = re.compile(
    r"(?i)[\"'`)]{0,2}\s(?:as|is|for|was|in|=>|being)(?:\s[a-z]+){0,3}?\s[\"'`(]?"
    r"(?-i:[A-Z][A-Z\d]*_(?:[A-Z\d]+_)*(?:KEY|TOKEN|SECRET|PASSWORD|PASS|PWD|PAT))(?!\w)"
    r"|\s\([\w -]{0,30}(?:key|token|secret|password)\)"
)
_PASSWORD_TELLS = re.compile(
    r"(?i)(?:(?:password|passwd|passcode|passphrase|passwor[td]|kennwort|(?<![^\W_])pwd?|(?<![^\W\d_])pass"
    r"|credential"
    r"|creds|zugang|zugangsdaten|login|logged in|log in|sign(?:ed)? in|einloggen|anmeldung|anmelden|angemeldet"
    r"|connexion|connecter|identifiant|mot de passe|mdp|contraseña|contrasena|clave|senha|wachtwoord"
    rf"|{PASSWORD_ABROAD}|(?<!\w)auth(?:enticat\w+)?(?: failed)?|as root|as admin|(?:reset|changed|set) it"
    r"|(?<!\w)ssh|(?<!\w)-pw?|(?<!\w)-P)(?:s|en|['’]s)?(?![^\W_])"
    r"(?:[^\w\n(){};=]{1,4}[^\W\d][\w.]*){0,10}?[^\w\n]{0,4}\n?\Z"
    rf"|{PASSWORD_IN_OTHER_LETTERS}[^\n]{{0,60}}?\Z"
    r"|pass(?:word|code|phrase)[^\n]{0,60}\?\s{0,4}\n[^\n]{0,60}\Z)"
)
_PASSWORD_FOLLOWS = re.compile(
    r"(?i)[\"'`)”]{0,2},?\s{1,2}(?:which |that )?(?:\(|as |is |for |into |in |to )?(?:the|my|our|your|a|an|its)?"
    r"\s?(?:\w+\s){0,2}?"
    r"(?:password|passwd|passcode|pwd?|login|passwort|kennwort|basic auth)(?!\w)"
)


_RESCUE = (
    r"(?:(?:recovery|backup|back-up|scratch|emergency|rescue)[ _-]?(?:codes?|keys?)"
    r"|(?:ersatz|wiederherstellungs|notfall|backup|einmal)-?(?:codes?|schlüssel)"
    r"|codes? de (?:secours|récupération|sauvegarde)|códigos? de (?:respaldo|recuperación|recuperação|backup)"
    r"|リカバリーコード|バックアップコード|恢复码|备用码)"
)
_ONE_TIME = (
    r"(?:(?:door|gate|garagen?|alarm|entry|access|keypad|lock(?:box|er)?|tür|tor|haus|zugangs)[ -]?code"
    r"|code (?:for|of|to) (?:the|my|our) (?:door|alarm|gate|safe|garage|lock\w*|keypad)"
    r"|(?:bestätigungs|sicherheits|einmal|verifizierungs|anmelde|freischalt)-?code|\b(?:sms-?|m-?)?tan\b"
    r"|code de (?:vérification|sécurité|confirmation|validation)"
    r"|código de (?:verificaci[óo]n|seguridad|verificação|segurança|confirmaci[óo]n)"
    r"|認証コード|確認コード|验证码|驗證碼|인증번호|\botp\b|\b(?:2fa|mfa) code\b)"
)
_CODE_KIND = (
    r"(?:one-time|verification|security|login|sign-in|confirmation|bestätigungs|sicherheits|code de|código)\w{0,4}"
)
_GROUPS = r"[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8}){1,8}"
_LINKING = r"(?:\s*(?:is|was|are|ist|war|lautet|es|est|é|now|still|number|#?\d)\b){0,2}[^\w\n]{0,4}"
_FOLDED = r"(?=(?:[A-Za-z0-9]{3,4}[ -]){0,5}(?:[A-Za-z]{1,3}\d|\d{1,3}[A-Za-z]))"


class Nearby(Struct, frozen=True):
    """Words of one kind, and what may tell them: something before them on the line, something behind, or both."""

    rule: str
    words: re.Pattern[str]
    before: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    both: bool = False
    hints: tuple[str, ...] = ()

    def tells(self, text: str, start: int, end: int) -> bool:
        """Whether what stands around a word tells that it is a secret."""
        told = self.before is not None and bool(self.before.search(text[max(0, start - _FAR_BEFORE) : start]))
        if self.behind is None or told is not self.both:
            return told
        return bool(self.behind.match(text, end, end + _BEHIND))


_NUMBER = re.compile(r"([0-9](?<![\w.,:/].)(?:\d{2}[ -]?\d{3}|\d{3,7}))(?![\w%]|[.,:/-]\d)")
_CODES = ("ode", "ódigo", "コード", "码", "碼", "인증", "OTP", "otp", "TAN", "tan ")
_TABLE = (
    Nearby(
        "one-time-code",
        _NUMBER,
        re.compile(rf"(?i){_ONE_TIME}{_LINKING}\Z"),
        re.compile(
            rf"(?i)\s(?:is|ist|est|es)\s(?:your|the|ihr|dein|votre|tu|su)\s"
            rf"(?:[\w-]+\s){{0,3}}?{_CODE_KIND}"
        ),
        hints=_CODES,
    ),
    Nearby(
        "one-time-code",
        _NUMBER,
        re.compile(r"(?i)\b(?:use|enter|type|with)\s(?:(?:the\s)?code\s)?\Z"),
        re.compile(
            r"(?i)\s(?:to|as|for)\s(?:your\s)?(?:sign|log|verify|confirm|complete|authenticate|verification|login)"
        ),
        both=True,
        hints=("sign", "log", "erif", "onfirm", "omplete", "uthent"),
    ),
    Nearby(
        "recovery-codes",
        re.compile(r"([A-Za-z0-9](?<![\w-].)[A-Za-z0-9]{3,7}(?:-[A-Za-z0-9]{4,8}){1,8})(?![\w-])"),
        re.compile(rf"(?i){_RESCUE}{_LINKING}(?:{_GROUPS}[,\s]{{1,3}}(?:and\s)?){{0,8}}\Z"),
        hints=("code", "Code", "CODE", "key", "Key", "lüssel", "ódigo", "コード", "码"),
    ),
    Nearby(
        "one-time-key",
        re.compile(rf"([A-Za-z0-9](?<![\w-].){_FOLDED}[A-Za-z0-9]{{3}}(?:[ -][A-Za-z0-9]{{4}}){{3,15}})(?![\w-])"),
        re.compile(r"(?i)(?:key|seed|secret|schlüssel|clé|clave|setup|authenticator|app|キー)(?!\w)[^\n]{0,40}?\Z"),
        hints=("ey", "EY", "eed", "ecret", "lüssel", "cl", "etup", "uthent", "app", "キー"),
    ),
    Nearby(
        "one-time-key",
        re.compile(r"([A-Z2-7](?<![A-Za-z0-9].)(?=[A-Z]{0,40}[2-7])[A-Z2-7]{15,63})(?![A-Za-z0-9])"),
        re.compile(r"(?i)(?:[th]otp|otp|mfa|2fa|two[ -]factor|authenticator|seed)(?![^\W_])[^\n]{0,60}?\n?\Z"),
        hints=("otp", "OTP", "mfa", "MFA", "2fa", "2FA", "actor", "uthent", "seed", "Seed"),
    ),
    # A line that ends with a colon, and a word alone on one below it.
    Nearby(
        NEARBY,
        re.compile(
            r"[:：][ \t]{0,8}\r?\n(?:```\w{0,20}\n)?[\s>]{0,20}(?=\S{0,100}\d)([^\s/\\(){}\[\]<>\"';,:"
            r"|]{8,120})[ \t]{0,8}(?=\r?\n|\Z)"
        ),
        re.compile(
            rf"(?i)(?:{_KEY_NOUN}|{PASSWORD_ABROAD}|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord"
            rf"|{PASSWORD_IN_OTHER_LETTERS})(?!\w)[^\n]{{0,100}}[:：][ \t]*\r?\n(?:```\w{{0,20}}\n)?[\s>]{{0,20}}\Z"
        ),
        hints=(":\n", "：\n", ":\r", ": \n"),
    ),
    Nearby(
        "typed-into-field",
        re.compile(
            r"[.\s](?:fill|type|send_?[kK]eys|set_?[vV]alue|input|fill_in|press_?[sS]equentially|enter"
            r"|clear_and_type)"
            r"\w{0,12}\(\s{0,4}[\"']((?:[^\s\"'\\]|\\.){3,200})[\"']"
        ),
        re.compile(rf"(?i)[\"'][^\n;]{{0,60}}?{FIELD}[^\n;]{{0,60}}\Z"),
        hints=("fill", "type", "end", "alue", "input", "enter"),
    ),
)


def told_nearby(text: str) -> Iterator[tuple[Span, str]]:
    """The spans of words that something near them on the line tells, and by which rule."""
    for kind in _TABLE:
        if any(hint in text for hint in kind.hints):
            for match in kind.words.finditer(text):
                if kind.tells(text, match.start(1), match.end(1)):
                    yield match.span(1), kind.rule
    for match in _WORD.finditer(text):
        start, end = match.span()
        while end > start and text[end - 1] in _CLOSING and not (text[end - 1] == "!" and _may_end(text, end)):
            end -= 1
        if _is_told(text, start, end):
            yield (start, end), NEARBY


def _is_told(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    is_key, is_id = looks_opaque(word), bool(_HEX.fullmatch(word) or _UUID.fullmatch(word))
    is_password = looks_chosen(word)
    if not (is_key or is_id or is_password):
        return False
    if _OTHER_TELLS.search(text, max(0, start - _OTHER), start):
        return False
    before = text[max(0, start - _BEFORE) : start]
    behind = text[end : end + _BEHIND]
    if (is_key or is_id) and (_ID_TELLS.search(before) or _KEY_FOLLOWS.match(behind)):
        return True
    if is_key and _KEY_TELLS.search(before):
        return True
    return (is_password or is_key) and bool(_PASSWORD_TELLS.search(before) or _PASSWORD_FOLLOWS.match(behind))


def _may_end(text: str, end: int) -> bool:
    """Whether “!” belongs to a word rather than to its sentence: the sentence goes on behind it."""
    return text[end : end + 1] in (" ", ",", ")", '"', "'", "`") or end == len(text)


def looks_opaque(word: str) -> bool:
    """Whether a word is without order: letters of both cases, or of one and digits, often in turn."""
    if len(word) < _LEAST_OPAQUE or _NO_SECRET.fullmatch(word):
        return False
    kinds = word.translate(_KINDS)
    share = sum(map(len, _RUN.findall(word))) / len(word)
    changes = sum(one != other for one, other in pairwise(kinds)) / len(word)
    has = [kind in kinds for kind in "aA0"]
    if all(has):
        return share <= 0.5 and changes >= 0.3
    if has[2]:
        return share <= 0.4 and changes >= 0.3 and not _UUID.fullmatch(word) and not _HEX.fullmatch(word)
    return all(has[:2]) and share <= 0.5 and changes >= 0.35


def looks_chosen(word: str) -> bool:
    """Whether a word is one as people choose for passwords: letters and digits, and a capital within or a sign."""
    if len(word) < 8 or len(word) > 64 or _NO_SECRET.fullmatch(word):
        return False
    if sum(map(str.isalpha, word)) < 3 or not any(map(str.isdigit, word)):
        return False
    return bool(_SIGN.search(word) or (_INNER_CAPITAL.search(word) and any(map(str.islower, word))))
