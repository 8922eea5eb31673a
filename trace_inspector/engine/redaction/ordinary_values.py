"""Values behind names of secrets that are none: words of schemas, masks, what documentation and forms say."""

from __future__ import annotations

import re

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
    # A beginning and a mask, or what tells the reader to put in his own: “sk-...”, “ghp_xxxx”, “your-key-here”.
    r"|(?:[A-Za-z\d]{1,12}[-_.]){0,3}(?:\.{3,}|…|[xX]{4,}|[*•]{3,})[-_\w]{0,4}"
    r"|(?i:(?:[a-z]{1,12}[-_.]){0,2}(?:your|insert|replace)[-_](?:[a-z]{1,12}[-_]){0,5}(?:key|token|secret|password|here))"
    # Published digests, and ids that name an account.
    r"|(?i:sha256):(?:[0-9a-f]{64}|[A-Za-z0-9+/]{38,43}=?)|AC[0-9a-f]{32}"
)
# What schemas, translations and documentation say about a secret is longer than most secrets, and names it.
_SAYS_OF_SECRET = re.compile(
    r"(?i)(?=.*\b(?:pass(?:word|code|phrase)s?|tokens?|keys?|secrets?|passw[oö]rt|kennwort|mot de passe"
    r"|contraseña|senha)\b)"
    r"(?=.*\b(?:your|the|an?|is|are|must|should|cannot|please|enter|too|dein|ihr|das|ist|bitte|votre|le|est|la|es|tu|su|sua)\b)"
    r"[^\W\d_](?:[^\d@#$%^&*+=~_]|(?<!\w)\d{1,3}(?!\w))*"
)
_LEAST_BLANKS, _LONGEST_SAID = 3, 300


def says_nothing(plain: str) -> bool:
    """Whether nobody would hide it: a word of schemas, a mask, a sentence about secrets."""
    if plain.casefold() in _ORDINARY or _MASKED.fullmatch(plain) is not None:
        return True
    is_long = len(plain) <= _LONGEST_SAID and plain.count(" ") >= _LEAST_BLANKS
    return is_long and _SAYS_OF_SECRET.fullmatch(plain) is not None
