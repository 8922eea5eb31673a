"""Secrets in forms and tables: what is typed into a field, marked up, or told by the name of a variable."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trace_inspector.engine.redaction.secrets import SecretFormat
from trace_inspector.engine.redaction.secrets_in_words import HINTS, PASSWORD, PLAIN, STATE

# What the description of a field says where a secret is typed into it.
FIELD = (
    r"(?:pass(?:word|wd|code|phrase)|passwort|kennwort|(?<![^\W_])pwd?(?![^\W_])|(?<![^\W_])pin(?![^\W_])"
    r"|contraseña"
    r"|mot de passe|senha|wachtwoord|パスワード|密码|비밀번호|api[ _-]?key|access[ _-]?key|(?<![^\W_])secret"
    r"|(?:auth|access|api|bearer)[ _-]?token|(?<![^\W_])otp(?![^\W_])|(?<![^\W_])cv[vc](?![^\W_]))"
)
_FIELD_HINTS = (
    "ass", "ASS", "pw", "PW", "pin", "PIN", "Pin", "ennwort", "ontrase", "senha", "Senha", "achtwoord", "パスワ",
    "密码", "비밀",
    "key", "Key", "KEY", "ecret", "SECRET", "oken", "TOKEN", "otp", "OTP", "cvv", "cvc", "CVV", "CVC",
)  # fmt: skip
_NAMING = (
    r"(?:element|selector|locator|target|label|field\w*|placeholder|xpath|css|control|textbox|name|feldname"
    r"|question|prompt)"
)
_NAMING_HINTS = (
    "element", "selector", "ocator", "target", "label", "ield", "laceholder", "xpath", "control", "textbox",
    "feldname", "Feldname", "question", "prompt",
)  # fmt: skip
_NAMED = r"(?:text|values?|keys|input|content|typed|data|string|wert|answer|response|reply)"
_TYPED = r"[\"']((?:[^\s\"'\\]|\\.){3,200})[\"']"
_BETWEEN = r"(?:[^{}\[\]\n\"']|\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'){0,24}?"
_OF_NO_FIELD = r"(?i:forg[eo]t|reset|link|button|toggle|show|hide|hint|error|strength|remember)"
_NAMES_FIELD = (
    rf"[\"']?\b{_NAMING}[\"']?\s{{0,4}}[:=]\s{{0,4}}(?![\"'][^\"'\n]{{0,80}}?{_OF_NO_FIELD})(?:\"[^\"\n]{{0,80}}?"
    rf"(?i:{FIELD})[^\"\n]{{0,40}}\"|'[^'\n]{{0,80}}?(?i:{FIELD})[^'\n]{{0,40}}')"
)
_CAPTION_TEXT = r"(?:[A-Z]?[a-z]+ing|[A-Z][a-z]+|(?i:submit|clear|click|type|enter|password|token))"
_IS_TYPED = rf"[\"']?\b{_NAMED}[\"']?\s{{0,4}}[:=]\s{{0,4}}(?![\"']{_CAPTION_TEXT}[\"']){_TYPED}"
_MARKS = r"(?:[*_`]{1,3}|</?[a-z][^<>\n]{0,100}>)"
_VARIABLE = (
    r"(?<![\w-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|PAT|CREDENTIALS?|PIN)"
    r"(?:_[A-Z]{2,8})?"
)


def _typed(pattern: str, hints: tuple[str, ...] = _FIELD_HINTS) -> SecretFormat:
    return SecretFormat("typed-into-field", pattern, hints)


def _words(pattern: str, hints: tuple[str, ...] = HINTS) -> SecretFormat:
    return SecretFormat("password-in-words", pattern, hints)


SECRETS_IN_FORMS = (
    _typed(rf"{_NAMES_FIELD}{_BETWEEN}{_IS_TYPED}", _NAMING_HINTS),
    _typed(rf"{_IS_TYPED}{_BETWEEN}{_NAMES_FIELD}", _NAMING_HINTS),
    _typed(
        r"(?i)\b(?:typ(?:ed|ing|es?)|enter(?:ed|ing|s)?|fill(?:ed|ing|s)?|writ(?:ing|es?)|wrote|put(?:ting|s)?"
        r"|past(?:ed|ing|es?)"
        r"|insert(?:ed|ing|s)?|input(?:ted|ting)?)\s(?:in\s)?[\"'“`]?(?=[^\s\"'“`])([^\s\"'”`,;]{4,80})[\"'”`]?\s"
        rf"(?:in|into|as|for|in to)\s(?:the\s|a\s|my\s|its\s)?[\"'“#]?(?:[\w-]{{1,20}}\s){{0,2}}?{FIELD}",
    ),
    _typed(
        r"(?i)\b(?:fill|enter|type|set|input|put)\w{0,4}\s(?:in\s)?(?:the\s)?[\"'“][^\"'”\n]{0,20}"
        rf"{FIELD}[^\"'”\n]{{0,20}}[\"'”]\s(?:field\s)?(?:with|to|as|=)\s[\"'“`]([^\"'”`\n]{{3,100}})[\"'”`]",
        (' with "', " with '", " with “", " with `", ' to "', " to '", " to “", ' as "', ' = "'),
    ),
    _typed(
        rf"(?i)\b(?:textbox|textfield|input|edit|field)\s[\"'][^\"'\n]{{0,40}}{FIELD}[^\"'\n]{{0,20}}[\"']"
        rf"(?:\s\[[^\]\n]{{0,40}}\]){{0,5}}:"
        r"\s{1,2}[\"']?([^\s\"']{3,100})",
        ('textbox "', "textbox '", "textfield", 'input "', "input '", 'edit "', 'field "', "field '"),
    ),
    # Marked up: **Password:** `word`, <b>word</b>, | API key | word |
    _words(
        rf"(?i:(?<![\w-]){PASSWORD})(?:\s+[\w@.-]{{1,40}}){{0,4}}?\s{{0,3}}(?i:is|was|ist|lautet|es|est"
        rf"|é)?{_MARKS}?\s?[:=]?\s?(?:{_MARKS}\s?){{0,3}}"
        r"<[a-z]\w{0,10}(?:\s[^<>\n]{0,100})?>([^<>\n]{3,200})</",
        ("</",),
    ),
    _words(
        rf"(?i:(?<![\w-]){PASSWORD})(?:\s+[\w@.-]{{1,40}}){{0,4}}?\s?(?:[*_]{{1,3}}\s?[:=]"
        rf"|[:=]\s?[*_]{{1,3}})\s?[*_`]{{0,3}}({PLAIN})(?=[*_`]{{1,3}})",
        ("*:", ":*", "_:", ":_"),
    ),
    SecretFormat(
        "key-in-words",
        r"(?i)\|[ \t]{0,8}[*`]{0,3}[\w .-]{0,30}(?:key|token|secret|password"
        r"|credential)[*`]{0,3}[ \t]{0,8}\|[ \t]{0,8}[*`]{0,3}"
        r"(?=[^\s|]{0,60}\d)([^\s|*`]{6,200})[*`]{0,3}[ \t]{0,8}\|",
        ("|",),
    ),
    # A variable, what a sentence says of it, and its value.
    SecretFormat(
        "value-of-variable",
        rf"{_VARIABLE}[\"'`]?(?:\s(?:env|environment|var|variable|value|here|currently|now|there)){{0,2}}"
        rf"\s(?:is|was|equals|contains|contained|holds|has|to|is set to|set to|currently holds|reads)\s[\"'`]?"
        rf"(?!(?i:set|only|used|required|missing|empty"
        rf"|undefined|in|for|from|via|by|and|or)\b)({PLAIN}|[A-Za-z0-9](?=[^\s]{{0,60}}\d)[^\s\"'`,;"
        rf"()]{{7,200}})(?<![.])",
        ("_KEY", "_TOKEN", "_SECRET", "_PASS", "_PWD", "_PAT", "_CRED", "_PIN"),
    ),
    _words(
        rf"(?i:\b{PASSWORD})[^\n\"'`]{{0,40}}?\b(?:got|was|received|tried|used|entered)[: ]\s?[\"'`](?!{STATE})"
        rf"([^\s\"'`]{{4,100}})[\"'`]",
    ),
    _words(
        rf"(?i:(?<![\w-])(?:login|user(?:name)?|benutzer|usuario|utilisateur)\b(?:\s*+[:=])?\s*+\S{{1,60}}\s?"
        rf"(?:[/,;&+-]|and|und|et|y)?\s?"
        rf"(?:{PASSWORD}|pw|pass)\s?[:=]?)\s({PLAIN})",
        (*HINTS, "pass", "Pass"),
    ),
    _words(r"(?i)\bpin(?:-code|nummer|-nummer)?\s(?:lautet|ist|est|es|é)\s(\d{4,8})(?!\d)", ("pin", "PIN", "Pin")),
    _words(
        r"(?i)\bapp(?:[ -]specific)?[ -]password\b[^\n]{0,24}?(?<![a-z])([a-z]{4}(?:[ -][a-z]{4}){3})(?![a-z])",
        ("assword",),
    ),
    SecretFormat("card-code", r"(?i)\bcv[vc]2?\b(?:\s(?:is|code))?\s?[:=]?\s?(\d{3,4})(?!\d)", ("cv", "CV", "Cv")),
    SecretFormat("one-time-key", r"\boathtool\b[^\n|;]{0,80}?\s[\"']?([A-Z2-7]{16,64})\b", ("oathtool",)),
    SecretFormat(
        "one-time-key",
        r"(?i:(?:mfa|otp|totp|2fa)[_-]?seed)[\"']?\s{0,4}[:=]\s{0,4}[\"']?([A-Za-z2-7]{16,64})\b",
        ("seed", "SEED", "Seed"),
    ),
)

_IS_FIELD = re.compile(f"(?i){FIELD}")
_NO_FIELD = re.compile(_OF_NO_FIELD)
_DESCRIBES = re.compile(f"(?i){_NAMING}")
_HOLDS_TYPED = re.compile(f"(?i){_NAMED}")
_LONGEST_NAME = 200
_VALUES = frozenset({"value", "val", "v", "parametervalue"})
_IS_ID = re.compile(r"(?i)type|id|k|parameterkey|item_?name|field_?name")
_NAMES_ONE = re.compile(r"(?i)[\w.-]{0,40}?(?:password|passwd|passphrase|passcode|pwd|api[_-]?key|secret)")
_CAPTION = re.compile(_CAPTION_TEXT)


def typed_into_field(value: Mapping[object, object]) -> frozenset[object]:
    """The keys of what is typed into a field for a secret, or is its value, as other members describe it."""
    texts = {str(key): item for key, item in value.items() if isinstance(item, str) and len(item) < _LONGEST_NAME}
    typed: set[object] = set()
    if any(_IS_ID.fullmatch(key) and _NAMES_ONE.fullmatch(item) for key, item in texts.items()):
        typed.update(key for key in value if str(key).casefold() in _VALUES)
    if any(
        _DESCRIBES.fullmatch(key) and _IS_FIELD.search(item) and not _NO_FIELD.search(item)
        for key, item in texts.items()
    ):
        typed.update(key for key, item in value.items() if _HOLDS_TYPED.fullmatch(str(key)) and _is_typed(item))
    return frozenset(typed)


def _is_typed(item: object) -> bool:
    """Whether a value is what people type for a secret: one word, and no caption."""
    if isinstance(item, int) and not isinstance(item, bool):
        return True
    return (
        isinstance(item, str) and len(item) > 2 and not any(map(str.isspace, item)) and not _CAPTION.fullmatch(item)
    )
