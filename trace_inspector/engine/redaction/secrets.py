"""Obvious secrets: how their keys end, and the formats of common ones."""

from __future__ import annotations

import re

from msgspec import Struct

# Compared by letters alone. Not “tokens”: with “token_count” it is a count.
ENDINGS = (
    "password", "passwords", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets", "secretstring", "token",
    "apikey", "apikeys", "accesskey", "privatekey", "secretkey", "signingkey", "encryptionkey", "accountkey",
    "masterkey", "authkey", "sharedkey", "licensekey", "connectionstring", "connstring", "credential", "credentials",
    "authorization", "cookie", "cookies", "bearer", "jwt", "passwort", "kennwort", "secretvalue", "tokenvalue",
    "contraseña", "contrasena", "motdepasse", "senha", "wachtwoord", "hasło", "пароль", "パスワード", "密码", "密碼",
    "비밀번호", "mnemonic", "seedphrase", "recoveryphrase", "recoverycodes", "backupcodes",
)  # fmt: skip


class SecretFormat(Struct, frozen=True):
    """One format of secrets. The whole match is the secret; without any of the `hints` in a text nobody searches."""

    name: str
    pattern: str
    hints: tuple[str, ...]


_START = r"(?<![A-Za-z0-9])"


def _prefixed(name: str, prefix: str, rest: str) -> SecretFormat:
    """A prefix that nothing else has, and what follows it."""
    return SecretFormat(name, f"{_START}{re.escape(prefix)}{rest}", (prefix,))


FORMATS_OF_SECRETS = (
    SecretFormat(
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-[^-]+)*+"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        ("PRIVATE KEY",),
    ),
    SecretFormat(
        "private-key",
        r"PuTTY-User-Key-File-\d(?:(?!PuTTY-User-Key)[\s\S])*?Private-MAC: ?\w+",
        ("PuTTY-User-Key-File",),
    ),
    SecretFormat("private-key", r"AGE-SECRET-KEY-1[A-Z0-9]{30,}", ("AGE-SECRET-KEY-1",)),
    SecretFormat("json-web-token", r"(?<![\w-])eyJ[\w-]{8,}={0,2}\.[\w-]{8,}={0,2}(?:\.[\w-]*){0,3}", ("eyJ",)),
    SecretFormat(
        "authorization-header",
        r"(?i)\b(?:bearer|basic)\s+[\w.~+/=-]{16,}",
        ("earer", "asic", "EARER", "ASIC"),
    ),
    _prefixed("openai-or-anthropic-key", "sk-", r"[\w-]{16,}"),
    SecretFormat("stripe-key", _START + r"[srp]k_(?:live|test|prod)_\w{10,}", ("k_live_", "k_test_", "k_prod_")),
    _prefixed("webhook-secret", "whsec_", r"[\w+/=]{16,}"),
    _prefixed("hugging-face-token", "hf_", r"\w{20,}"),
    _prefixed("google-api-key", "AIza", r"[\w-]{30,}"),
    _prefixed("google-api-key", "AQ.Ab8", r"[\w-]{20,}"),
    _prefixed("google-oauth-token", "ya29.", r"[\w.-]{16,}"),
    _prefixed("google-oauth-token", "1//0", r"[\w-]{20,}"),
    _prefixed("google-client-secret", "GOCSPX-", r"[\w-]{20,}"),
    SecretFormat(
        "aws-access-key",
        _START + r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])",
        ("AKIA", "ASIA", "ABIA", "ACCA", "AROA", "AIDA", "AGPA", "ANPA"),
    ),
    SecretFormat(
        "aws-session-token",
        _START + r"(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[\w+/=]{20,}",
        ("IQoJb3", "oGZXIvYXdz"),
    ),
    SecretFormat(
        "github-token",
        _START + r"(?:gh[pousr]|github_pat)_\w{20,}",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
    ),
    SecretFormat(
        "gitlab-token",
        _START + r"(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct)-|GR1348941)[\w.-]{16,}",
        ("gl", "GR1348941"),
    ),
    _prefixed("npm-token", "npm_", r"\w{30,}"),
    SecretFormat("slack-token", _START + r"xox[a-z]-[\w%-]{10,}", ("xox",)),
    SecretFormat("slack-token", _START + r"xapp-\d-[\w-]{10,}", ("xapp-",)),
    _prefixed("sendgrid-key", "SG.", r"[\w-]{16,}\.[\w-]{16,}"),
    _prefixed("mailgun-key", "key-", r"[0-9a-f]{32}"),
    SecretFormat("mailchimp-key", _START + r"[0-9a-f]{32}-us\d{1,2}\b", ("-us",)),
    SecretFormat("twilio-key", _START + r"SK[0-9a-f]{32}(?![A-Za-z0-9])", ("SK",)),
    SecretFormat("telegram-token", r"(?:(?<![A-Za-z0-9])|(?<=/bot))\d{8,10}:A[\w-]{34}(?![\w-])", (":A",)),
    SecretFormat("discord-token", r"(?<![\w.-])[MNO][A-Za-z\d_-]{22,27}\.[\w-]{6}\.[\w-]{27,}", (".",)),
    SecretFormat("shopify-token", _START + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{24,}", ("shp",)),
    SecretFormat("square-token", _START + r"(?:sq0[a-z]{3}-[\w-]{20,}|EAAA[\w-]{50,})", ("sq0", "EAAA")),
    SecretFormat("facebook-token", _START + r"EAA[A-Za-z0-9]{30,}", ("EAA",)),
    SecretFormat("digital-ocean-token", _START + r"do[opr]_v1_[0-9a-f]{40,}", ("_v1_",)),
    SecretFormat(
        "password-hash",
        r"\$(?:2[abxy]|[156y]|apr1|argon2(?:id|i|d)|scrypt|pbkdf2[\w-]{0,20}|P)\$[\w./+$,=-]{20,}",
        ("$",),
    ),
    _prefixed("honeycomb-key", "hcaik_", r"\w{20,}"),
    _prefixed("pypi-token", "pypi-", r"[\w-]{30,}"),
    SecretFormat("docker-token", _START + r"dckr_(?:pat|oat)_[\w-]{20,}", ("dckr_",)),
    SecretFormat("vault-token", _START + r"hv[sbr]\.[\w-]{20,}", ("hvs.", "hvb.", "hvr.")),
    SecretFormat("terraform-token", r"(?<![\w-])[\w-]{10,}\.atlasv1\.[\w-]{40,}", (".atlasv1.",)),
    _prefixed("linear-key", "lin_api_", r"\w{20,}"),
    SecretFormat("notion-token", _START + r"(?:ntn_\w{30,}|secret_[A-Za-z0-9]{30,})", ("ntn_", "secret_")),
    _prefixed("figma-token", "figd_", r"[\w-]{20,}"),
    SecretFormat("airtable-token", _START + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{32,}", ("pat",)),
    SecretFormat("databricks-token", _START + r"dapi[0-9a-f]{32}(?:-\d)?", ("dapi",)),
    SecretFormat("grafana-token", _START + r"gl(?:sa|c)_[\w+/=]{20,}", ("glsa_", "glc_")),
    SecretFormat("new-relic-key", _START + r"NR(?:AK|JS|II|RA)-[\w-]{16,}", ("NRAK-", "NRJS-", "NRII-", "NRRA-")),
    SecretFormat("sentry-token", _START + r"sntry[su]_[\w+/=.-]{20,}", ("sntry",)),
    _prefixed("postman-key", "PMAK-", r"[\w-]{20,}"),
    SecretFormat("planetscale-token", _START + r"pscale_(?:tkn|pw|oauth)_[\w.-]{16,}", ("pscale_",)),
    SecretFormat("supabase-token", _START + r"(?:sbp_[0-9a-f]{30,}|sb_secret_[\w-]{16,})", ("sbp_", "sb_secret_")),
    _prefixed("netlify-token", "nfp_", r"\w{20,}"),
    SecretFormat("fly-token", r"\bFlyV1 [\w+/=,-]{20,}|\bfm[12][ar]?_[\w+/=,-]{20,}", ("FlyV1", "fm1", "fm2")),
    SecretFormat("doppler-token", _START + r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{20,}", ("dp.",)),
    _prefixed("perplexity-key", "pplx-", r"\w{20,}"),
    _prefixed("groq-key", "gsk_", r"\w{20,}"),
    _prefixed("xai-key", "xai-", r"[\w-]{20,}"),
    _prefixed("replicate-token", "r8_", r"\w{20,}"),
    _prefixed("fireworks-key", "fw_", r"\w{16,}"),
    SecretFormat("langsmith-key", _START + r"ls(?:v2)?_+(?:pt|sk|_)_?\w{20,}", ("lsv2_", "ls__")),
    _prefixed("langfuse-key", "pk-lf-", r"[\w-]{16,}"),
    _prefixed("tavily-key", "tvly-", r"[\w-]{16,}"),
    _prefixed("pinecone-key", "pcsk_", r"\w{20,}"),
    _prefixed("e2b-key", "e2b_", r"\w{20,}"),
    _prefixed("nvidia-key", "nvapi-", r"[\w-]{20,}"),
    _prefixed("jina-key", "jina_", r"\w{20,}"),
    _prefixed("voyage-key", "pa-", r"[A-Za-z0-9_-]{40,}"),
    SecretFormat("azure-client-secret", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])", ("Q~",)),
    SecretFormat(
        "azure-key",
        _START + r"[A-Za-z0-9+/]{76}(?:APIM|ACDb|AAAA)[\w+/=]{4,}"
        r"|(?<![A-Za-z0-9+/])(?<!sha512-)[A-Za-z0-9+/]{86}==",
        ("==", "APIM", "ACDb", "AAAA"),
    ),
    SecretFormat(
        "atlassian-token", _START + r"(?:ATATT3|ATBB|ATCTT3|ATSTT)[\w=-]{16,}", ("ATATT3", "ATBB", "ATCTT3", "ATSTT")
    ),
    SecretFormat("mapbox-token", _START + r"[sp]k\.eyJ[\w-]{16,}\.[\w-]{10,}", (".eyJ",)),
    SecretFormat("circleci-token", _START + r"CCIP(?:RJ|AT)_\w{16,}", ("CCIP",)),
    SecretFormat("buildkite-token", _START + r"bk(?:ua|aj|pat)_\w{20,}", ("bkua_", "bkaj_", "bkpat_")),
    SecretFormat("sourcegraph-token", _START + r"sg[pd]_\w{20,}", ("sgp_", "sgd_")),
    SecretFormat("alibaba-key", _START + r"LTAI[A-Za-z0-9]{12,}", ("LTAI",)),
    SecretFormat("tencent-key", _START + r"AKID[A-Za-z0-9]{28,}", ("AKID",)),
    SecretFormat("paypal-token", r"access_token\$(?:production|sandbox)\$\w+\$\w+", ("access_token$",)),
    SecretFormat("firebase-key", _START + r"AAAA[\w-]{7}:[\w-]{100,}", ("AAAA",)),
    SecretFormat("rubygems-key", _START + r"rubygems_\w{20,}", ("rubygems_",)),
    SecretFormat(
        "cloudflare-token",
        _START + r"v1\.0-[0-9a-f]{20,}-[0-9a-f]{40,}|" + _START + r"cf(?:at|ut|k)_\w{20,}",
        ("v1.0-", "cfat_", "cfut_", "cfk_"),
    ),
    SecretFormat("okta-token", _START + r"00(?=\w*[A-Z])(?=\w*[a-z])[\w-]{40}(?![\w-])", ("00",)),
    SecretFormat("dropbox-token", _START + r"sl\.(?:u\.)?[\w-]{60,}", ("sl.",)),
    SecretFormat("hubspot-token", _START + r"pat-(?:na|eu|ap)\d-[0-9a-f-]{30,}", ("pat-",)),
    SecretFormat("intercom-token", _START + r"dG9r[A-Za-z0-9+/=]{50,}", ("dG9r",)),
    SecretFormat("plaid-token", _START + r"access-(?:sandbox|development|production)-[0-9a-f-]{30,}", ("access-",)),
)
# What stands before a secret, or around it, tells it: the group is the secret.
_PASSWORD = (
    r"(?:password|passwd|passcode|passphrase|pwd|passwort|kennwort|contrase[ñn]a|clave|senha|mot de passe|code secret"
    r"|wachtwoord|hasło|пароль)s?"
)
_IS = r"(?:is|was|are|ist|lautet|set to|changed to|reset to|es|est|é|è|jest)"
_SAID = rf"(?i:\b(?:{_PASSWORD}|pins?)(?:\s+[^\s\"'“„`]{{1,80}}){{0,6}}?\s+{_IS}\s*:?\s+)"
_TOLD = rf"(?i:\b(?:token|secret|api[ _-]?key|credential)s?(?:\s+\w+){{0,3}}?\s+{_IS}\s*:?\s+(?!\d+\b))"
# What nobody would write but a password: letters, a digit, and a capital within or a sign.
_STRONG = r"(?=[^\s\"'”“`,;]*\d)(?=[^\s\"'”“`,;]*[A-Za-z])(?=[^\s\"'”“`,;]*(?:[!@#$%^&*?~+=]|[a-z\d][_.-]?[A-Z]))"
_EAST = r"(?:パスワード|暗証(?:番号|フレーズ)|パスフレーズ|密码|密碼|口令|비밀번호)"
SECRETS_IN_CONTEXT = (
    SecretFormat(
        "password-in-address",
        r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://[^\s/:@\"'<>]{0,80}:(?!\d+/)((?:(?!://)[^\s\"'<>█]){1,1000})@(?=[\w\[])",
        ("://",),
    ),
    SecretFormat("password-of-command", r"\s(?:-u|--user)[ =]['\"]?[\w.@-]{1,80}:([^\s'\"]+)", (" -u", " --user")),
    SecretFormat("password-of-command", r"sshpass\s{1,3}-p\s{0,3}['\"]?([^\s'\"]+)", ("sshpass",)),
    SecretFormat(
        "password-of-command",
        r"(?i)(?:^|\s)--?[\w-]{0,30}(?:password|passwd|pass|token|secret|api-?key)[ =]['\"]?([^\s'\"-][^\s'\"]{3,})",
        ("-",),
    ),
    SecretFormat(
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})",
        ("hooks.slack.com",),
    ),
    SecretFormat("webhook-address", r"discord(?:app)?\.com/api/webhooks/(\d+/[\w-]{20,})", ("/api/webhooks/",)),
    SecretFormat("webhook-address", r"webhook\.office\.com/webhookb2/([\w@/-]{20,})", ("webhook.office.com",)),
    SecretFormat("webhook-address", r"hooks\.zapier\.com/hooks/catch/([\w/]{8,})", ("hooks.zapier.com",)),
    SecretFormat(
        "element-of-secret",
        r"(?i)<[\w:-]{0,40}(?:password|passwd|pwd|token|secret|api-?_?key|access-?_?key|credential)[\w-]{0,40}"
        r"(?:\s[^<>]{0,200})?>([^<>\s][^<>]{2,})</",
        ("</",),
    ),
    SecretFormat("password-in-words", r"\blogin\s+\S+\s+password\s+(\S+)", ("login",)),
    SecretFormat(
        "session-cookie",
        r"(?i)(?<![\w-])(?:session_?id|session|sid|phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|[cx]srf_?token)"
        r"=([\w%+/=.~-]{12,})",
        ("=",),
    ),
    SecretFormat(
        "signature-in-address",
        r"(?i)[?&;](?:sig|signature|x-amz-signature|x-goog-signature|code|key|auth|sid|session|sessionid)=([\w%+/=.~-]{12,})",
        ("=",),
    ),
    SecretFormat(
        "cookie",
        r"(?i)(?<![\w-])(?:set-)?cookie[\"']?\s{0,3}[:=]\s{0,3}[\"']?([^\s\"'\\=;]+=[^\r\n\"'\\]+)",
        ("ookie", "OOKIE"),
    ),
    SecretFormat(
        "password-in-words",
        rf"(?:{_SAID}|{_TOLD})(?=[^\s]*[\d!@#$%^&*+=])([^\s\"'”“`,;]{{4,}}(?<![.]))",
        (" ",),
    ),
    SecretFormat(
        "password-in-words",
        rf"(?:{_SAID}|{_TOLD})[\"'“„`]([^\"'”“`\n]{{4,200}})[\"'”“`]",
        (" ",),
    ),
    SecretFormat(
        "key-in-words",
        r"(?i)(?:key|token|secret|password|credential|auth)s?\b[^\w\n]{0,4}(?:\w+[^\w\n]{1,4}){0,3}(?<![\w-])([0-9a-f]{32,64})(?![\w-])",
        ("ey", "oken", "ecret", "assword", "redential", "uth", "EY", "OKEN", "ECRET"),
    ),
    SecretFormat(
        "password-in-words",
        rf"(?i:(?<![\w-])(?:{_PASSWORD}|pass|pw))(?:['’]s)?(?:\s+\w{{1,20}}){{0,2}}?[\s:=–-]{{1,4}}['\"“„`«]?\s?{_STRONG}"
        r"([^\s\"'”“`,;]{6,}(?<![.]))",
        (" ", ":", "="),
    ),
    SecretFormat(
        "password-in-words",
        rf"(?i)\b(?:{_PASSWORD}|pass|pw)\s+(?:\w+\s+){{0,2}}?[\"'“„`«](?=[^\"'”“`\n]{{0,100}}\d)([^\s\"'”“`\n]{{6,100}})[\"'”“`»]",
        ('"', "'", "“", "`", "«"),
    ),
    SecretFormat(
        "password-in-words",
        rf"{_EAST}[^\sA-Za-z0-9「『\"':：]{{0,10}}[\s「『\"':：]{{0,4}}([!-~]{{4,}}?)(?=[」』\"'\s]|[^!-~]|\Z)",
        ("パス", "暗証", "密", "口令", "비밀"),
    ),
    SecretFormat(
        "password-beside-name",
        r"(?<![\w/.-])[\w.@-]{2,60} / (?=[^\s\"'`]*\d)(?=[^\s\"'`]*[A-Za-z])(?=[^\s\"'`]*[!@#$%^&*?~+=])"
        r"([^\s\"'`,;]{8,}(?<![.]))",
        (" / ",),
    ),
    SecretFormat(
        "aws-secret-key",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}\W{1,12}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        ("AKIA", "ASIA"),
    ),
    SecretFormat("password-in-address", r":thin:[\w.-]{1,80}/([^\s@/\"']{1,200})@", (":thin:",)),
    SecretFormat(
        "password-of-command",
        r"(?:redis-cli|mongosh?)\b[^\n|;]{0,300}?\s-(?:a|p)\s?['\"]?([^\s'\"-][^\s'\"]{3,})",
        ("redis-cli", "mongo"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?:sqlcmd|bcp|osql)\b[^\n|;]{0,300}?\s-P\s?['\"]?([^\s'\"]{4,})",
        ("sqlcmd", "bcp", "osql"),
    ),
    SecretFormat("password-of-command", r"ldap\w{3,9}\b[^\n|;]{0,300}?\s-w\s?['\"]?([^\s'\"]{4,})", ("ldap",)),
    SecretFormat("password-of-command", r"mysql\w{0,8}\b[^\n|;]{0,300}?\s-p['\"]?([^\s'\"]{4,})", ("mysql",)),
    SecretFormat(
        "password-of-command", r"\s(?:--auth|-a)[ =]['\"]?[\w.@-]{1,80}:([^\s'\"]+)", ("--auth ", "--auth=", " -a ")
    ),
    SecretFormat("password-of-command", r"\blftp\b[^\n]{0,200}?-u\s?['\"]?[\w.@-]{1,80},([^\s'\"]+)", ("lftp",)),
    SecretFormat("password-of-command", r"/user:[\w\\.@-]{1,80}\s+['\"]?([^\s'\"/][^\s'\"]{3,})", ("/user:",)),
    SecretFormat("password-of-command", r"\s?-U['\",\s]{1,6}[^\s'\"%]{1,80}%([^\s'\"]{3,})", ("-U",)),
    SecretFormat("password-of-command", r"echo\s+(?:-n\s+)?['\"]?([^\s'\"|]{4,})['\"]?\s*\|\s*sudo\s+-S", ("sudo",)),
    SecretFormat(
        "field-of-password",
        r"(?i)<input\b[^<>]{0,300}?type=[\"']?password[\"']?[^<>]{0,300}?value=[\"']([^\"'<>]{3,})[\"']",
        ("assword",),
    ),
    SecretFormat("one-time-key", r"TOTP\(\s{0,4}[\"']([A-Z2-7]{16,})", ("TOTP(",)),
    SecretFormat(
        "seed-phrase",
        r"(?i)(?:(?:seed|recovery|secret|wallet)[ _-]phrase|mnemonic|wallet words)[\s\S]{0,80}?"
        r"(?<![a-z])((?:[a-z]{3,8}[ \n]){11,23}[a-z]{3,8})(?![a-z])",
        ("hrase", "nemonic", "allet"),
    ),
    SecretFormat(
        "recovery-codes",
        r"(?i)(?:recovery|backup|scratch)[ -]codes?\b[^\n]{0,100}\n"
        r"((?:[ \t>*•-]{0,6}(?:\d{1,2}[.)] )?(?=[\w-]{0,23}\d)[\w-]{6,24}[ \t]{0,3}(?:\n|\Z)){1,30})",
        ("code", "Code", "CODE"),
    ),
    SecretFormat("application-key", r"\bbase64:([A-Za-z0-9+/]{40,}={0,2})", ("base64:",)),
    SecretFormat("key-in-words", r"\.key\s{1,4}([0-9a-f]{32,64})\b", (".key",)),
    SecretFormat(
        "generated-password",
        r"random_password[\s\S]{0,400}?\"result\":\s{0,4}\"((?:[^\"\\]|\\.){4,200})\"",
        ("random_password",),
    ),
)
# For the option, where the whole match is taken out.
PATTERNS = (
    *(known.pattern for known in FORMATS_OF_SECRETS),
    r"(?<=\b[A-Za-z][\w+.-]{1,20}://[^\s/:@]{0,80}:)[^\s/@]+(?=@)",  # the password of an address
    r"(?<=\s(?:-u|--user)[ =]['\"]?[\w.@-]{1,80}:)[^\s'\"]+",
)
_SCHEME = re.compile(r"(?i)\s*(?:bearer|basic|digest|token|apikey)\s+(\S{4,})\s*")


def bare_token(text: str) -> str:
    """The token of “Bearer TOKEN”, "" of anything else."""
    scheme = _SCHEME.fullmatch(text)
    return scheme[1] if scheme else ""
