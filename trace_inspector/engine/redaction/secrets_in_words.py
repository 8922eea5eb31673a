"""Passwords, codes and keys that sentences tell, in several languages, and answers to whoever asked for one."""

from __future__ import annotations

from trace_inspector.engine.redaction.secrets import PASSWORD_ABROAD, SecretFormat

PASSWORD = (
    r"(?:password|passwd|passcode|pass[ -]?phrase|pwd|passwort|kennwort|contrase[ñn]a|clave|senha|mot de passe|mdp"
    r"|code secret"
    r"|wachtwoord|hasło|пароль|unlock phrase|(?:wi-?fi|wlan|wlan-)[ -]?(?:code|key|schlüssel|pass))s?"
)
HINTS = (
    "passw", "Passw", "PASSW", "passc", "Passc", "passp", "Passp", "pwd", "PWD", "pw", "PW", "ennwort", "ontrase",
    "clave", "Clave", "senha", "Senha", "mot de passe", "Mot de passe", "mdp", "MDP", "code secret", "achtwoord",
    "hasło", "Hasło", "пароль", "Пароль", "phrase", "wifi", "Wifi", "WiFi", "WIFI", "i-fi", "i-Fi", "wlan", "WLAN",
)  # fmt: skip
_HINTS_ABROAD = (
    "sandi", "ösenord", "dgangskode", "assord", "alasana", "şifre", "Şifre", "jelsz", "Jelsz", "hesl", "Hesl",
    "parol", "Parol", "paroo", "ozink", "laptaž", "ontrasenya", "hẩu", "hasł", "парол",
)  # fmt: skip
_TOLD_HINTS = (*HINTS, "pin", "PIN", "oken", "ecret", "OKEN", "ECRET", "api", "API", "redential")
_IS = r"(?:is|was|are|ist|lautet|set to|changed to|reset to|es|est|é|è|jest|to)"
_THEN = r"(?:\s*+:)?\s++"  # one way alone to divide white space, however much of it there is
_SAID = rf"(?i:\b(?:{PASSWORD}|pins?)(?:\s+[^\s\"'“„`]{{1,80}}){{0,6}}?\s+{_IS}{_THEN})"
_TOLD = rf"(?i:\b(?:token|secret|api[ _-]?key|credential)s?(?:\s+\w+){{0,3}}?\s+{_IS}{_THEN}(?!\d+\b))"
_EAST = r"(?:パスワード|暗証(?:番号|フレーズ)|パスフレーズ|密码|密碼|口令|비밀번호)"
# Letters and a digit, but no measure, count, ordinal or name of a version.
_MIXED = (
    r"(?=[^\s\"'”“`,;]{0,60}\d)(?=[^\s\"'”“`,;]{0,60}[A-Za-z])(?!\d+(?:st|nd|rd|th|[hms]|ms|[kKMG]B)\b)"
    r"(?!(?:v|gpt|gemini|claude|sha|md|utf|base|http|ipv|oauth|aes|python|i18n|x86|2fa|mp)[-_]?\d)"
)
# What stands behind “password is” and is none: how it is, what happens to it, where it is kept.
STATE = (
    r"(?i:(?:not|no|too|a|an|the|at|in|on|by|of|to|for|from|with|as|so|very|your|my|his|her|our|their|its|this"
    r"|that|what|where|which|who|how"
    r"|always|never|also|only|now|still|already|just|usually|likely|same|other|than|less|more|all|any|one|and"
    r"|or|but|if|case|kept"
    r"|correct|incorrect|longer|shorter|stronger|wrong|invalid|valid|weak|strong|empty|blank|missing|secret"
    r"|public|private|secure|safe"
    r"|sensitive|confidential|optional|mandatory"
    r"|old|new|short|long|unique|unknown|known|visible|available|different|important|necessary|default|null"
    r"|none|true|false|okay|fine|good|bad"
    r"|ready|broken|shown|hidden|sent|set|stored|reset|lost|right|there|here|required|about|up|out|over|due"
    r"|between|under|again|because|when|must|should|can|will"
    r"|falsch|richtig|nicht|zu|leer|sicher|gültig|ungültig|abgelaufen|erforderlich|nötig|geheim|schwach|stark"
    r"|bekannt|der|die|das|ein|eine|dein|ihr|kein|nur|noch|schon"
    r"|pas|trop|incorrecte?|invalide|requis|le|la|les|une?|votre|ton|mon|vide|muy|demasiado|incorrecta"
    r"|inválida|requerida|obligatori[ao]|el|su|tu|mi"
    r"|muito|inválid[ao]|incorret[ao]|obrigatóri[ao]|uma?|sua)(?![\w])"
    r"|[a-zà-ÿ]+(?:ed|ing|ly|able|ible|ten|iert|ert|ado|ada|ido|ida|ées?|és?)(?![\w]))"
)
PLAIN = rf"(?!{STATE})(?![a-z]{{1,4}}[ .,;:!?)])[A-Za-z][^\s\"'”“`,;:()\[\]{{}}<>|]{{4,60}}(?<![.!?])"
_ASKED = (
    r"(?i:(?:password|passwd|passcode|passphrase|pwd|pw|passwort|kennwort|credentials?|mdp|contraseña|senha)\b"
    r"[^\n?]{0,80}\?|what(?:['’]?s| is) (?:the|your|my) (?:\w+ )?(?:password|pw|passcode|pwd)\b)"
)
_OPAQUE = r"(?=[\w+/=.~-]*\d)(?=[\w+/=.~-]*[A-Za-z])[\w+/=.~-]"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


def _words(pattern: str, hints: tuple[str, ...] = HINTS, name: str = "password-in-words") -> SecretFormat:
    return SecretFormat(name, pattern, hints)


# Digits as people say them.
_SPOKEN = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwo|zwei|drei|vier|fünf|sechs|sieben"
    r"|acht|neun"
    r"|zéro|un|deux|trois|quatre|cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|due|tre"
    r"|quattro|cinque|sei|sette|otto|nove|um|dois|três|quatro|sete|oito|een|twee|drie|vijf|zes|zeven|negen)"
)
_SPOKEN_HINTS = (
    "seven", "eight", "nine ", "three", "four ", "five ", "sieben", "acht ", "neun ", "vier ", "sept ", "huit ",
    "neuf ",
    "siete", "ocho ", "nueve", "sette", "otto ", "nove ", "zeven", "negen",
)  # fmt: skip
# What a code of few signs opens, and how such a code is written.
_OPENED = (
    r"(?:gate|door|garage|barrier|entrance|lobby|alarm|safe|vault|cabinet|locker|key ?box|portail|portillon"
    r"|porte|coffre"
    r"|barrière|garagentor|tor|tür|haustür|schranke|safe|tresor|puerta|portal|verja|reja|cancell\w|cancello"
    r"|portone|portão"
    r"|hek|poort|brama|bramy|furtka|furtki)"
)
_OF_FEW_SIGNS = r"(?-i:([A-Z]\d{4,6}|\d{3,5}[A-Z]|[A-Z]\d{3,5}[A-Z]))(?![\w-])"
# A word of programs behind “code” tells that it is one of those.
_IS_CODE = (
    r"(?:\s(?!path|review|base|coverage|error|quality|block|file|line|sample|change)[^\W\d_]{1,12}){0,4}?"
    r"(?:\s(?:is|was|est|ist|lautet|é|è|es|jest)|\s?[:=])(?:\s(?:now|jetzt|still|ahora))?\s{0,3}[\"'`“„]?"
)
# Digits that are counted, not told.
_COUNTED = (
    r"(?!(?:(?:zero|null|zéro|cero),? )?(?:one, two, three|eins, zwei, drei|un, deux, trois|uno, dos, tres"
    r"|uno, due, tre"
    r"|um, dois, três|een, twee, drie|two, three, four|three, four, five)\b)"
)
_USER = r"(?:[\w.+-]{2,40}@[\w.-]{3,60}|(?:as|is|als|ist|comme|est|como|es)\s[\w.@-]{2,40})"

SECRETS_IN_WORDS = (
    _words(
        r"(?i)\b(?:pin|code|passcode|combination|kombination|geheimzahl|código|codice|cabinet|safe|keypad|lock"
        r"|gate|door)"
        rf"\b[^\n\d]{{0,60}}?(?<![^\W\d_]){_COUNTED}((?:{_SPOKEN}[ ,-]{{1,2}}){{3,9}}{_SPOKEN})"
        rf"(?=\s{{0,3}}(?:[.,;:!?)\"'…]|\n|\Z|(?:and|or|und|et|y|e|en|for|für)\b))",
        _SPOKEN_HINTS,
        "spoken-code",
    ),
    _words(
        rf"(?i)\b(?:c[oó]d(?:e|igo|ice)|kod|kode)\s(?:(?:du|de|del|della|do|da|of|for|to|vom|für|til"
        rf"|van)\s)?(?:(?:the|la|le|el|der"
        rf"|die|das|my|our|het)\s|l['’])?{_OPENED}\b{_IS_CODE}{_OF_FEW_SIGNS}",
        (
            "ode de",
            "ode du",
            "ode of",
            "ode for",
            "ode to",
            "ode v",
            "ode f",
            "ódigo de",
            "odigo de",
            "odice de",
            "kod do",
        ),
        "code-in-words",
    ),
    _words(
        rf"(?i)\b{_OPENED}(?:[ -]?(?:code|pin|kod|kode)\b{_IS_CODE}|[^\n.!?]{{0,20}}?\sopens\s(?:with"
        rf"|w/)[^\n\d.!?]{{0,20}}?(?<![\w-])){_OF_FEW_SIGNS}",
        (
            "ate code",
            "oor code",
            "arm code",
            "afe code",
            "ult code",
            "ker code",
            "box code",
            "age code",
            "opens w",
            "orcode",
            "ürcode",
            "ate pin",
            "ate PIN",
            "oor pin",
            "oor PIN",
        ),
        "code-in-words",
    ),
    # Who logs in, and with what: one word that looks chosen, or a few and a number.
    _words(
        rf"(?i)\b(?:log[ -]?ins?|logs in|signs? in|einloggen|anmelde\w{{0,2}}|connexion)\b[^\n]{{0,60}}?\s{_USER}"
        r"\s(?:with|mit|avec|con|com|met|med)\s(?!(?:the|a|an|his|her|your|my"
        r"|our)\b)((?=[^\s]{0,60}[\d+!@#$%^&*])(?=[^\s]{0,60}[a-z])(?!\w+=|\d{1,2}-[a-z]"
        r"|(?:invoice|order|ticket|issue|ref|id|pr|case|bug)[#-]?\d|[\w.+-]+@[\w-]+\.\w)[^\s,;\"'(]{6,60}(?<![.:])"
        r"|[^\W\d_]{3,12}(?: [^\W\d_]{3,12}){1,3} \d{2,4}(?=[,.;\n]|\Z))",
        ("ogin is", "ogin as", "ogs in as", "ogin", "og in", "og-in", "ign in", "igns in", "onnexion", "nmelde"),
    ),
    _words(rf"(?:{_SAID}|{_TOLD})(?=[^\s]*[\d!@#$%^&*+=])([^\s\"'”“`,;]{{4,}}(?<![.]))", _TOLD_HINTS),
    _words(rf"(?:{_SAID}|{_TOLD})[\"'“„`«]([^\"'”“`»\n]{{4,200}})[\"'”“`»]", _TOLD_HINTS),
    _words(
        rf"(?i:\b{PASSWORD})(?:\s+[\w@.-]{{1,40}}){{0,4}}?\s+(?i:is|was|are|ist|lautet|es|est|é|jest){_THEN}"
        rf"({PLAIN})"
    ),
    _words(
        rf"(?i:(?<![\w-])(?:{PASSWORD}|pw))(?:\s+[\w@.-]{{1,40}}){{0,4}}?\s?[:=]\s?({PLAIN})(?=\s*(?:\Z|\n|[.,;)]"
        rf"(?:\s|\Z)))"
    ),
    _words(
        rf"(?i:(?<![\w-]){PASSWORD_ABROAD})(?:\s+[\w@.-]{{1,40}}){{0,4}}?\s?[:=]\s?({PLAIN})(?=\s*(?:\Z|\n|[.,;)]"
        rf"(?:\s|\Z)))",
        _HINTS_ABROAD,
    ),
    _words(
        rf"(?i:(?<![\w-])(?:login|user(?:name)?|benutzer|usuario)\b(?:\s*+[:=])?\s*+\S{{1,60}}\s+{PASSWORD}"
        rf")\s+({PLAIN})"
    ),
    _words(
        r"(?i:\b(?:unlock|pass|recovery|secret)[ -]?phrase)\s*[:=]\s*("
        r"(?:[a-z]{3,10}[ -]){3,23}[a-z]{3,10})(?![a-z])"
    ),
    _words(
        r"(?i)\bpin(?:[ -](?:code|number))?(?:\s+(?:is|for|of|on|the|my|your|card|sim)){0,4}(?:\s*+[:=])?\s*+"
        r"(\d{4,8})(?!\d)",
        ("pin", "PIN", "Pin"),
    ),
    _words(
        r"(?i)\b(?:verification|one[ -]time|security|login|sign-?in|2fa|mfa|otp|sms|authenti(?:cation"
        r"|cator))[ -](?:pass)?code"
        r"(?:\s+(?:is|was|for|the|sent|to|your|today)){0,4}(?:\s*+[:=])?\s*+(\d{3}[ -]?\d{3,5})(?!\d)",
        ("code", "Code", "CODE"),
        "one-time-code",
    ),
    _words(
        rf"(?<![^\s\"'“`(])(?=\w){_MIXED}([^\s\"'”“`,;:/()]{{6,60}})[\"'”“`]?,?\s*(?:\((?:that|it)[’']?s |as "
        rf"|is |for )"
        rf"(?i:(?:the|my|our|your|a|an)\s+(?:\w+\s+){{0,3}}?(?:{PASSWORD}|pw|login|account)\b)",
        (*HINTS, "login", "account"),
    ),
    _words(rf"(?i:\b{PASSWORD})\s+(?:is\s+)?\(?[\"'“„`«]([^\s\"'”“`»\n]{{4,100}})[\"'”“`»]"),
    _words(rf"{_ASKED}[ \t]*[\"'“`]?(?=\w){_MIXED}([^\s\"'”“`,;]{{6,64}})(?<![.])"),
    _words(
        rf"{_ASKED}[^\n]{{0,40}}\n(?:[^\n]{{0,60}}[:>]\s)?[ \t]*[\"'“`]?"
        r"(?!(?i:thanks?|thank you|unknown|please|sorry|nothing|resetting|checking)\b)"
        r"([^\s\"'”“`,;]{6,64})[\"'”“`]?[ \t]*[.!]?[ \t]*(?=\n|\Z)"
    ),
    _words(
        rf"(?i)\b(?:{PASSWORD}|pass|pw)\s+(?:\w+\s+){{0,2}}?[\"'“„`«](?=[^\"'”“`\n]{{0,100}}\d)"
        rf"([^\s\"'”“`\n]{{6,100}})[\"'”“`»]",
        ('"', "'", "“", "`", "«"),
    ),
    _words(
        rf"{_EAST}[^\sA-Za-z0-9「『\"':：；;，。、！？]{{0,10}}[\s「『\"':：]{{0,4}}([!-~]{{4,}}?)(?=[」』\"'\s]|[^!-~]|\Z)",
        ("パス", "暗証", "密", "口令", "비밀"),
    ),
    _words(r"(?i)\bsecret\s+['\"]([^'\"\s]{4,100})['\"]", ("ecret",)),
    SecretFormat(
        "password-beside-name",
        r"(?<![\w/.-])[\w.@-]{2,60} / (?=[^\s\"'`]*\d)(?=[^\s\"'`]*[A-Za-z])(?=[^\s\"'`]*[!@#$%^&*?~+=])"
        r"([^\s\"'`,;]{8,}(?<![.]))",
        (" / ",),
    ),
    SecretFormat(
        "password-beside-name",
        r"(?i:\b(?:admin|root|login|user|credentials?|ssh|ftp|sudo|account)\b)(?:\s[\w@.-]{1,30}){0,3}? ?/ ?"
        r"(?=[A-Za-z][a-z]+[_.-]?[A-Z]\w*\d)([\w.-]{8,60}(?<![.]))",
        ("/",),
    ),
    SecretFormat(
        "password-beside-name",
        rf"(?i:\b(?:admin|root|sa|postgres|deploy|service)(?:istrator)?):(?=[A-Za-z]){_MIXED}"
        rf"([\w.!@#$%^&*?~+-]{{8,60}}(?<![.]))",
        (":",),
    ),
    SecretFormat(
        "key-in-words",
        r"(?i)\bx-[\w-]{1,40}(?:key|token|secret|auth|signature)[\"']?\s?:\s{0,4}[\"']?([^\s\"']{8,})",
        ("-",),
    ),
    SecretFormat(
        "password-beside-name",
        rf"[\w.+-]{{1,64}}@[\w-]{{1,60}}\.[\w.]{{2,60}}:(?!\d+(?:/|\b)){_MIXED}([^\s:,;\"'/]{{6,100}})(?<!\.git)",
        ("@",),
    ),
    SecretFormat(
        "key-in-words",
        r"(?i)(?:key|token|secret|password|credential|auth|ntlm|appid|signing)s?\b[^\w\n]{0,4}"
        r"(?:(?!md5|sha-?\d|check-?sum|digest|fingerprint|commit|revision|etag|crc)\w+[^\w\n]{1,4}){0,3}"
        r"(?<![\w-])([0-9a-f]{32,64})(?![\w-])",
        (
            "ey",
            "oken",
            "ecret",
            "assword",
            "redential",
            "uth",
            "EY",
            "OKEN",
            "ECRET",
            "NTLM",
            "ntlm",
            "appid",
            "IGNING",
            "igning",
        ),
    ),
    SecretFormat(
        "key-in-words",
        rf"(?i:\b(?:api[ _-]?key|apikey|[a-z]+ key|geniekey|token|license|licence|splunk)\b)[\s:=\"'`-]{{1,4}}"
        rf"(?:(?:is|provided|>)[\s:]{{1,3}})?({_UUID}(?::fx)?)",
        ("ey", "oken", "OKEN", "icen", "ICEN", "plunk", "KEY"),
    ),
    SecretFormat(
        "key-in-words",
        rf"(?i:\b(?:api[ _-]?key|token|secret)s?(?:\s+(?:provided|used|was|is|rejected"
        rf"|invalid)){{0,2}}[ \t]?(?:[:=]\s?)?[\"'`]?)(?<=[\s:=\"'`])(?=\w)({_OPAQUE}{{16,200}})(?<![.])",
        ("ey ", "ey:", "oken", "ecret"),
    ),
    SecretFormat(
        "authorization-header",
        rf"(?i:authorization[\"']?\s?[:=]\s?[\"']?(?:splunk|apikey|api-key|ssws|geniekey|key|token|basic"
        rf"|bearer)\s)({_OPAQUE}{{16,}})",
        ("uthorization", "UTHORIZATION"),
    ),
    SecretFormat(
        "password-hash",
        r"(?<![\w:])[^\s:]{1,60}:(?:\d{1,8}:)?(?:[0-9a-fA-F]{32}:)?([0-9a-fA-F]{32}):::",
        (":::",),
    ),
    _words(r"(?i)\b(?:cracked|recovered)\s*[:=]\s*([^\s\"']{4,64})", ("racked", "ecovered")),
    SecretFormat(
        "one-time-key",
        r"(?i:(?:key manually|setup key|secret|authenticator)[^\n]{0,30}?)(?<![a-z0-9])("
        r"(?=[a-z2-7 ]{0,80}[2-7])[a-z2-7]{4}(?: [a-z2-7]{4}){3,15})(?![a-z0-9])",
        ("manually", "etup", "ecret", "uthenticator"),
    ),
    SecretFormat(
        "recovery-codes",
        r"(?i:(?:recovery|backup|scratch)[ _-]?codes?\s+(?:are|were)\s+)"
        r"((?=[\w-]{0,23}\d)[\w-]{4,24}(?:(?:,? and |, | )(?=[\w-]{0,23}\d)[\w-]{4,24}){0,20})",
        ("code", "Code"),
    ),
)
