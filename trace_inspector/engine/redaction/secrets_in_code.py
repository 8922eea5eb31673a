"""What tells a secret in code: calls that are given one, statements of SQL, defaults of variables."""

from __future__ import annotations

from trace_inspector.engine.redaction.secrets import SecretFormat

_PASSWORD_HINTS = ("assword=", "ASSWORD=", "wd=", "WD=", "assword =", "wd =", "WD =")
_OF_CONNECTION = (
    r"(?:server|data source|addr(?:ess)?|host(?:name)?|port|uid|user ?id|user ?name|user|database(?:name)?"
    r"|initial catalog|dsn|dbq"
    r"|driver|provider|encrypt|integrated security|trusted_connection|persist security info)\s?="
)
_MEMBER = r"[a-z_$][\w$]*(?:(?:\.|->|::)[a-z_$][\w$]*)"
# What is no call, no member of an object, no path, and not in quotation marks, which other rules read.
_IN_CONNECTION = (
    rf"\s?+=\s?+(?![\"'{{]|(?:await|new)\s|(?:[a-z_$][\w$]*|{_MEMBER}+)\([^;\n]{{0,100}}\)\s{{0,4}}(?=[;\"'])"
    rf"|(?<=\s){_MEMBER}+\s{{0,4}};|{_MEMBER}*(?:\.|->|::)\w*(?:pass|pwd|secret)\w*\s{{0,4}};"
    rf"|~?/)([^;\"'\n]{{3,120}})"
)

SECRETS_IN_CODE = (
    SecretFormat("application-key", r"\bbase64:([A-Za-z0-9+/]{40,}={0,2})", ("base64:",)),
    SecretFormat(
        "generated-password",
        r"random_password[\s\S]{0,400}?\"result\":\s{0,4}\"((?:[^\"\\]|\\.){4,200})\"",
        ("random_password",),
    ),
    SecretFormat(
        "password-in-words", r"(?i)\bidentified\s+by\s+(?:password\s+)?['\"]([^'\"\n]{3,100})['\"]", ("by ", "BY ")
    ),
    SecretFormat(
        "default-of-variable",
        r"variable\s+\"[^\"\n]{0,60}(?:password|passwd|secret|token|key|pass)[^\"\n]{0,30}\"\s*\{"
        r"[^{}]{0,600}?default\s*=\s*\"([^\"\n]{3,200})\"",
        ("variable",),
    ),
    SecretFormat(
        "password-in-code",
        r"(?:\.login\(|\bauth\s?=\s?\(|BasicAuth\(|[Cc]redentials?\("
        r"|\bauthenticate\()\s{0,4}[\"'][^\"'\n]{1,100}[\"']\s{0,4},\s{0,4}[\"']([^\"'\n]{4,200})[\"']",
        ("login(", "auth", "Auth(", "redential", "authenticate("),
    ),
    SecretFormat(
        "password-in-code",
        r"(?:\bPDO|mysqli?\w*|getConnection|[cC]onnect\w*|Sequelize)\(\s{0,4}(?:[\w$.-]{1,40}"
        r"|[\"'][^\"'\n]{1,300}[\"'])"
        r"\s{0,4},\s{0,4}[\"'][^\"'\n]{0,100}[\"']\s{0,4},\s{0,4}[\"']([^\"'\n]{3,200})[\"']",
        ("PDO(", "mysql", "onnect", "Sequelize("),
    ),
    SecretFormat("password-in-code", r"[\"']([^\"'\n]{3,200})[\"']\.toCharArray\(\)", ("toCharArray",)),
    SecretFormat(
        "password-in-code",
        r"(?i)\.(?:p12|pfx|jks|keystore|kdbx)[\"']\)?\s{0,4},\s{0,4}(?:\w{1,20}\s?[:=]\s?)?b?[\"']"
        r"([^\"'\n]{3,200})[\"']",
        (".p12", ".pfx", ".jks", ".keystore", ".kdbx"),
    ),
    SecretFormat(
        "password-in-code",
        r"(?:(?<![A-Za-z_])|\b(?:set|with|use|hash|check|verify)_?)(?i:password|passwd|passphrase|secret|token"
        r"|api_?key)"
        r"\(\s{0,4}b?[\"'](?=[^\"'\s]{0,200}[\d!@#$%^&*+?~])([^\"'\s]{4,200})[\"']\s{0,4}[,)]",
        ("ord(", "swd(", "rase(", "ecret(", "oken(", "ey("),
    ),
    SecretFormat("password-in-code", r"[\"']AC[0-9a-f]{32}[\"']\s{0,4},\s{0,4}[\"']([0-9a-f]{32})[\"']", ("AC",)),
    SecretFormat(
        "password-in-words",
        r"(?i)\bwith\s+(?:encrypted\s+)?password\s{0,4}=?\s{0,4}N?['\"]([^'\"\n]{3,100})['\"]",
        ("ith ", "ITH "),
    ),
    SecretFormat(
        "password-in-words",
        r"(?i)\bset\s+password\s+for\s+[^=\n]{1,100}=\s{0,4}(?:password\()?['\"]([^'\"\n]{3,100})['\"]",
        ("et ", "ET "),
    ),
    SecretFormat(
        "password-in-words",
        r"(?i)\b(?:crypt|pgp_sym_(?:en|de)crypt|password)\(\s{0,4}['\"]([^'\"\n]{4,100})['\"]",
        ("crypt(", "CRYPT(", "assword(", "ASSWORD("),
    ),
    SecretFormat(
        "password-in-words",
        r"(?i)\b(?:pgp_sym_(?:en|de)crypt(?:_bytea)?|aes_(?:en|de)crypt|(?:en"
        r"|de)cryptbypassphrase)\([^'\"\n]{1,80}?,\s{0,4}"
        r"['\"]([^'\"\n)]{4,100})['\")]",
        ("crypt(", "CRYPT(", "_bytea("),
    ),
    # A connection string, which another of its keys tells: the value goes to the next semicolon, whatever is in it.
    SecretFormat(
        "password-in-words",
        rf"(?i)(?:;\s?|^|(?<=[\"'\s]))(?:password"
        rf"|pwd){_IN_CONNECTION}(?=;(?:[^\n\"']{{0,300}};)?\s?{_OF_CONNECTION})",
        _PASSWORD_HINTS,
    ),
    SecretFormat(
        "password-in-words",
        rf"(?i)(?<![\w.]){_OF_CONNECTION}[^;\n\"']{{0,200}};(?:[^\n\"']{{0,300}}?;)?\s?(?:password"
        rf"|pwd){_IN_CONNECTION}(?=[;\"'])",
        _PASSWORD_HINTS,
    ),
    # Of accounts in a cloud there are two keys; in a table the key of a row is called so too, but is no base64.
    SecretFormat(
        "key-in-words",
        r"(?i)(?<![a-z])(?:primary|secondary)_?key[\"']?\s{0,4}[:=]\s{0,4}[\"']?([a-z0-9+/]{20,100}={1,2})(?![\w=])",
        ("ary", "ARY"),
    ),
    # Keys as lists of bytes, as many as ciphers take; no order of rows, and no numbers that run.
    SecretFormat(
        "bytes-of-key",
        r"(?i)(?<![a-z\d_-])(?!(?:sort|order|primary|foreign|partition|cache|public|group)[_-]?key)"
        r"(?:[\w-]{0,30}[_-]|[a-z][a-z\d]{0,30}(?-i:(?<=[a-z\d])(?=K)))?key[\"']?\s{0,4}[:=]\s{0,4}(?:\w{1,12}\()?"
        r"(?![\[{]\s{0,4}(?:[01],\s{0,4})?1,\s{0,4}2,|[\[{]\s{0,4}(?:0,\s{0,4}){3})"
        r"([\[{](?:\s{0,4}(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,4},){15,63}\s{0,4}(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,4}[\]}])",
        ("key:", "key =", "key=", 'key"', "KEY =", "KEY=", "key'", "Key =", "Key:", "Key="),
    ),
    SecretFormat(
        "password-in-words",
        r"(?i)\bsp_addlinkedsrvlogin\b[^\n;]{0,200},\s{0,4}N?'([^'\n]{4,100})'",
        ("sp_addlinked",),
    ),
    SecretFormat(
        "password-in-words", r"(?i)\bpragma\s+(?:hex)?(?:re)?key\s*=\s*[\"']([^\"'\n]{3,200})[\"']", ("key", "KEY")
    ),
    SecretFormat(
        "password-in-words", r"(?i)\battach\b[^\n;]{1,200}?\skey\s+[\"']([^\"'\n]{3,200})[\"']", ("key", "KEY")
    ),
)
