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
    "비밀번호", "mnemonic", "seedphrase", "recoveryphrase", "recoverycodes", "backupcodes", "scratchcodes",
    "mfaseed", "totpseed", "otpseed", "faseed", "keymaterial", "sshpass", "lösenord", "adgangskode", "passord",
    "salasana", "şifre", "sifre", "parola", "jelszó", "jelszo", "heslo", "lozinka", "katasandi", "slaptažodis",
    "contrasenya", "codeverifier", "authcode", "authorizationcode", "devicecode", "requirepass", "masterauth",
)  # fmt: skip


# “Password” in more languages than sentences are taken apart in, with the endings that it may have.
PASSWORD_ABROAD = (
    r"(?:kata sandi(?:nya|mu|ku)?|lösenord(?:et)?|adgangskoden?|passord(?:et)?|salasana\w{0,3}|şifre\w{0,4}"
    r"|jelsz[óoa]\w{0,4}|hesl[oa]|parol[aă]|parool|lozink[ae]|slaptažodis|contrasenya|has[łl][oa]|парол\w{0,3}"
    r"|mật khẩu)"
)
# Of those that are written without blanks, or with letters that have marks.
PASSWORD_IN_OTHER_LETTERS = (
    r"(?:パスワード|暗証番号|密码|密碼|口令|비밀번호|암호|รหัสผ่าน"
    r"|κωδικ[όο]ς|סיסמ[הא]ת?|كلمة (?:المرور|السر)|رمز عبور|पासवर्ड)"
)


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
    SecretFormat("webhook-secret", _START + r"whsec[_-][\w+/=]{16,}", ("whsec",)),
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
    SecretFormat(
        "password-hash",
        _START + r"(?:pbkdf2[\w:.-]{0,20}|argon2\w{0,3}|bcrypt\w{0,8}|sha\d{1,3}|scrypt[\d:]{0,20}"
        r"|SCRAM-SHA-\d{1,3})"
        r"\$[\w./+=$:-]{16,}",
        ("pbkdf2", "argon2", "bcrypt", "scrypt", "SCRAM", "sha1$", "sha224$", "sha256$", "sha384$", "sha512$"),
    ),
    SecretFormat(
        "password-hash",
        r"\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,10}|BCRYPT)\}[\w./+=$-]{16,}",
        ("{SHA", "{SSHA", "{MD5}", "{SMD5}", "{CRYPT}", "{PBKDF2", "{BCRYPT}"),
    ),
    # Each begins with what it consumes, so that the engine skips to where it can begin.
    SecretFormat("password-hash", r"[0-9a-f](?<![\w:].)[0-9a-f]{31}:[0-9a-f]{32}(?![\w:])", (":",)),
    SecretFormat("password-hash", r"\*(?<![\w*].)[0-9A-F]{40}(?!\w)", ("*",)),
    SecretFormat("password-hash", r"(?<!\w)md5[0-9a-f]{32}(?!\w)", ("md5",)),
    SecretFormat("private-key", r"(?<![A-Za-z0-9])[xyz]prv[A-Za-z0-9]{90,}", ("prv",)),
    SecretFormat("google-oauth-token", r"(?<![\w/])4/0A[\w-]{30,}", ("4/0A",)),
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
        "atlassian-token",
        _START + r"(?:ATATT3|ATBB|ATCTT3"
        r"|ATSTT)[\w=-]{16,}",
        ("ATATT3", "ATBB", "ATCTT3", "ATSTT"),
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
    # Prefixes of one vendor each, and what follows them.
    SecretFormat("heroku-key", _START + r"HRKU-[\w-]{30,}", ("HRKU-",)),
    SecretFormat("brevo-key", _START + r"xkeysib-[\w-]{30,}|" + _START + r"xsmtpsib-[\w-]{30,}", ("sib-",)),
    SecretFormat("elevenlabs-key", _START + r"sk_[0-9a-f]{40,}", ("sk_",)),
    SecretFormat("nuget-key", _START + r"oy2[a-z0-9]{43}(?![a-z0-9])", ("oy2",)),
    SecretFormat("dynatrace-token", _START + r"dt0[a-z]\d{2}\.[A-Z0-9]{8,}\.[A-Z0-9]{30,}", ("dt0",)),
    SecretFormat("resend-key", _START + r"re_(?=\w*\d)(?=\w*[A-Z])[A-Za-z0-9]{6,}_?[A-Za-z0-9]{12,}", ("re_",)),
    SecretFormat("clickup-token", _START + r"pk_\d{6,}_[A-Z0-9]{20,}", ("pk_",)),
    SecretFormat("contentful-token", _START + r"CFPAT-[\w-]{20,}", ("CFPAT-",)),
    SecretFormat(
        "launchdarkly-key",
        _START + r"(?:sdk|mob|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        ("sdk-", "mob-", "api-"),
    ),
    SecretFormat("sonar-token", _START + r"sq[apu]_[0-9a-f]{40}", ("sqa_", "sqp_", "squ_")),
    SecretFormat("asana-token", r"(?<![\w/])[12]/\d{12,}(?:/\d{12,})?:[0-9a-f]{32}", ("1/", "2/")),
    SecretFormat("artifactory-key", _START + r"(?:AKCp\w{60,}|cmVmd[A-Za-z0-9]{50,})", ("AKCp", "cmVmd")),
    SecretFormat("one-password-token", _START + r"ops_eyJ[\w+/=-]{60,}", ("ops_eyJ",)),
    SecretFormat(
        "bedrock-key", _START + r"(?:ABSK[\w+/]{60,}=*|bedrock-api-key-[\w+/=]{20,})", ("ABSK", "bedrock-api-key-")
    ),
    SecretFormat("duffel-token", _START + r"duffel_(?:test|live)_[\w=-]{20,}", ("duffel_",)),
    SecretFormat("easypost-key", _START + r"EZ[AT]K\w{40,}", ("EZAK", "EZTK")),
    SecretFormat("flutterwave-key", _START + r"FLWSECK(?:_TEST)?-\w{12,}(?:-X)?", ("FLWSECK",)),
    SecretFormat("frameio-token", _START + r"fio-u-[\w=-]{30,}", ("fio-u-",)),
    SecretFormat("harness-key", _START + r"[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}", ("pat.", "sat.")),
    SecretFormat("octopus-key", _START + r"API-[A-Z0-9]{25,}(?![A-Za-z0-9])", ("API-",)),
    SecretFormat("openshift-token", r"(?<![\w-])sha256~[\w-]{40,}", ("sha256~",)),
    SecretFormat("pulumi-token", _START + r"pul-[0-9a-f]{40}", ("pul-",)),
    SecretFormat("prefect-key", _START + r"pnu_\w{30,}", ("pnu_",)),
    SecretFormat("readme-key", _START + r"rdme_\w{40,}", ("rdme_",)),
    SecretFormat("shippo-token", _START + r"shippo_(?:live|test)_[0-9a-f]{30,}", ("shippo_",)),
    SecretFormat("render-key", _START + r"rnd_\w{20,}", ("rnd_",)),
    SecretFormat("tailscale-key", _START + r"tskey-[a-z]+-[\w-]{16,}", ("tskey-",)),
    SecretFormat("scalingo-token", _START + r"tk-us-[\w-]{30,}", ("tk-us-",)),
    SecretFormat("grafana-token", _START + r"eyJrIjoi[A-Za-z0-9]{40,}={0,2}", ("eyJrIjoi",)),
    SecretFormat("maxmind-key", _START + r"\w{6}_\w{29}_mmk(?![A-Za-z0-9])", ("_mmk",)),
    SecretFormat("adobe-secret", _START + r"p8e-[A-Za-z0-9]{32}", ("p8e-",)),
    SecretFormat("crates-token", _START + r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])", ("cio",)),
    SecretFormat("clojars-token", _START + r"CLOJARS_[a-z0-9]{40,}", ("CLOJARS_",)),
    SecretFormat("posthog-key", _START + r"ph[xc]_[A-Za-z0-9]{30,}", ("phx_", "phc_")),
    SecretFormat(
        "vercel-token",
        _START + r"(?:vcp|vck|vca|vcr|vercel_blob_rw)_\w{20,}",
        ("vcp_", "vck_", "vca_", "vcr_", "vercel_"),
    ),
    SecretFormat("cerebras-key", _START + r"csk-[a-z0-9]{30,}", ("csk-",)),
    SecretFormat("firecrawl-key", _START + r"fc-[0-9a-f]{32}", ("fc-",)),
    SecretFormat(
        "vault-token",
        r"(?<![\w.])s\.(?=\w*\d)(?=\w*[A-Z])[A-Za-z0-9]{24}(?!\w)",
        (" s.", '"s.', "'s.", "=s.", ":s.", "\ns."),
    ),
    # Any maker's: what kind of key it is, for what it is, and what a program made.
    SecretFormat(
        "key-of-environment",
        _START + r"(?![srp]k_)(?:[a-z]{0,2}k|[a-z]{0,8}key|tok|token|secret|sec|api)"
        r"_(?:live|prod|production|(?:test|dev|sandbox|staging)(?=_[a-z\d]{0,40}[A-Z])(?=_[A-Z\d]{0,40}[a-z]))_"
        r"(?=[a-z]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9]{16,}",
        ("_live_", "_prod_", "_production_", "_test_", "_dev_", "_sandbox_", "_staging_"),
    ),
    SecretFormat("plaid-token", _START + r"access-(?:sandbox|development|production)-[0-9a-f-]{30,}", ("access-",)),
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
