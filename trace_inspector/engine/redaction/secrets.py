"""Obvious secrets: how their keys end, and the formats of common ones."""

from __future__ import annotations

import re

# Compared by letters alone. Not “tokens”: with “token_count” it is a count.
ENDINGS = (
    "password", "passwords", "passwd", "pwd", "passphrase", "secret", "secrets", "secretstring", "token",
    "apikey", "apikeys", "accesskey", "privatekey", "secretkey", "signingkey", "encryptionkey", "connectionstring",
    "credential", "credentials", "authorization", "cookie",
)  # fmt: skip
PATTERNS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
    r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*",  # JSON web tokens
    r"(?i)\b(?:bearer|basic)\s+[\w.~+/=-]{16,}",
    r"(?<=\b[A-Za-z][\w+.-]{1,20}://[^\s/:@]{0,80}:)[^\s/@]+(?=@)",  # the password of an address
    r"(?<=\s(?:-u|--user)[ =]['\"]?[\w.@-]{1,80}:)[^\s'\"]+",
    r"\bsk-[\w-]{16,}",
    r"\b[sr]k_(?:live|test)_\w{10,}",
    r"\bwhsec_\w{16,}",
    r"\bhf_\w{20,}",
    r"\bAIza[\w-]{30,}",
    r"\bya29\.[\w-]{16,}",
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_\w{20,}",
    r"\bglpat-[\w-]{16,}",
    r"\bnpm_\w{30,}",
    r"\bxox[abeoprs]-[\w-]{10,}",
)
_SCHEME = re.compile(r"(?i)\s*(?:bearer|basic|digest|token|apikey)\s+(\S{4,})\s*")


def bare_token(text: str) -> str:
    """The token of “Bearer TOKEN”, "" of anything else."""
    scheme = _SCHEME.fullmatch(text)
    return scheme[1] if scheme else ""
