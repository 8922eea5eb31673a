"""What tells a secret in lines of configuration, of protocols and consoles: routers, servers, clients, games."""

from __future__ import annotations

from trace_inspector.engine.redaction.secrets import SecretFormat

_VALUE = r"[\"']?([^\s\"';,]{3,200})"
# Not a plain word: those stand all over a text, and what was found once goes everywhere.
_CHOSEN = r"(?=[\"']?[^\s\"';,]{0,80}(?:\d|[!@#$%^&*+?~=_](?=[^\s\"';,])|(?-i:(?<=[a-z._-])[A-Z])))"
_LEVEL = r"(?:[0-9]{1,2}\s{1,3})?"  # how it is written there: 0 plain, 5 and 7 encoded
_KINDS = r"(?:ascii-text|ascii|hexadecimal|hex|plain(?:-?text)?|clear(?:text)?|local|remote|simple|cipher|encrypted)"


# Of lists that restore a wallet: never a word that only joins others.
_SEED_WORD = (
    r"(?!(?:the|and|for|that|with|this|from|are|was|not|you|have|will|your|which|when|dan|und|les|des|pour|con"
    r"|para|por"
    r"|dengan|yang)\b)[a-zà-öø-ÿ]{3,9}(?![a-zà-öø-ÿ])"
)


def _line(pattern: str, *hints: str, name: str = "secret-in-settings") -> SecretFormat:
    return SecretFormat(name, pattern, hints)


SECRETS_IN_LINES = (
    _line(
        r"(?i)(?<![\w$])(?:authentication-key|auth-?key|key-string|pre-shared-key|shared-key"
        r"|shared-secret|psksecret|preshared-?key"
        r"|wpa-psk|wpa_psk|wpa-passphrase|wpa_passphrase|auth-?pass|auth_pass|authentication-password"
        r"|privacy-password|encryption-key|community-string)"
        rf"(?:\s{{1,3}}{_KINDS}){{0,2}}\s{{1,3}}{_LEVEL}(?:ENC\s{{1,3}})?(?!=|:|{{){_VALUE}",
        "cation-key",
        "uth-key",
        "uthkey",
        "key-string",
        "shared-",
        "psk",
        "PSK",
        "-pass",
        "_pass",
        "-password",
        "ryption-key",
        "ty-string",
    ),
    _line(
        rf"(?i)\b(?:isakmp|ikev[12]|crypto|radius(?:-server)?|tacacs(?:-server)?|tacplus|standby|vrrp"
        rf"|eigrp|bgp|nhrp)\b[^\n]{{0,60}}?\skey"
        rf"\s{{1,3}}(?:{_KINDS}\s{{1,3}})?{_LEVEL}(?!chain|string|\d+\s){_CHOSEN}{_VALUE}",
        "isakmp",
        "ikev",
        "crypto",
        "radius",
        "tacacs",
        "tacplus",
        "standby",
        "nhrp",
    ),
    _line(
        rf"(?i)\b(?:message-digest-key|authentication-key|ntp\s\S{{1,30}}key|key"
        rf"|authentication)\s{{1,3}}(?:\d{{1,5}}\s{{1,3}})?(?:md5|hmac-sha-?\d*|sha\d?|text|mode\smd5)"
        rf"\s{{1,3}}{_LEVEL}(?!key-chain|key\s){_CHOSEN}{_VALUE}",
        "digest-key",
        "cation-key",
        "md5 ",
        "MD5 ",
        "hmac-sha",
    ),
    _line(
        rf"(?i)\b(?:snmp-server\s{{1,3}}community|snmp\s{{1,3}}community(?=\s{{1,3}}{_CHOSEN})|r[ow]community6?"
        rf"|com2sec\s\S{{1,40}}\s\S{{1,40}})\s{{1,3}}(?!(?:public|private)\b){_VALUE}",
        "community",
        "com2sec",
    ),
    _line(
        rf"(?i)\b(?:auth|createUser\s\S{{1,40}})\s{{1,3}}(?:md5|sha(?:-?\d{{1,3}})?)\s{{1,3}}{_LEVEL}{_VALUE}",
        "auth",
        "createUser",
    ),
    _line(rf"(?i)\bpriv\s{{1,3}}(?:des|3des|aes)(?:[ -]?\d{{2,3}})?\s{{1,3}}{_LEVEL}{_VALUE}", "priv"),
    _line(rf"\bcreateUser\s[^\n]{{1,100}}?\s(?:DES|AES)\s{{1,3}}{_VALUE}", "createUser"),
    _line(rf"\bsnmp\w{{2,8}}\b[^\n|;&]{{0,200}}?\s-A\s{{0,3}}{_VALUE}", "snmp"),
    _line(rf"\bsnmp\w{{2,8}}\b[^\n|;&]{{0,200}}?\s-X\s{{0,3}}{_VALUE}", "snmp"),
    _line(
        r"(?i)(?<![a-z])(?:pw|pwd|pass|passwd|password|passwort|kennwort|mdp|senha|clave"
        r"|pin)[_-](?=[A-Za-z]{0,40}\d)(?=\w{0,40}(?-i:[A-Z]))([A-Za-z0-9]{6,40})(?=[_.-]|\b)",
        "pw_",
        "pw-",
        "pwd_",
        "pass_",
        "Pass_",
        "pass-",
        "word_",
        "wort_",
        "mdp_",
        "senha_",
        "clave_",
        "pin_",
    ),
    _line(
        # Of such words right behind each other the first is enough to begin at.
        r"(?i)\b(?<!seed )(?<!mnemonic )(?<!recovery )(?<!wallet )(?<!phrase )(?<!words )"
        r"(?:seed|mnemonic|recovery|wallet|phrase|semilla|bip-?39|récupération|frasa|frase"
        r"|(?:12|15|18|21|24)[ -]words?)\b[^\n]{0,120}?"
        r"(?:[:=?\"'“„(>—-]\s?|\b(?:seed|mnemonic|words?|phrase|is|are|ist|es|wörter|mots|palabras|wallet)\s)"
        # By threes, as such lists have 12, 15, 18, 21 or 24 words.
        rf"(?-i:({_SEED_WORD}(?:[ ,]{{1,2}}{_SEED_WORD}){{2}}(?:(?:[ ,]{{1,2}}{_SEED_WORD}){{3}}){{3,7}}+)"
        rf"(?![a-zà-ÿ]|[ ,]{{1,2}}{_SEED_WORD}))",
        "words",
        "BIP",
        "bip",
        "cupération",
        "frasa",
        "rase ",
        "seed",
        "Seed",
        "nemonic",
        "ecovery",
        "allet",
        "phrase",
        "emilla",
        name="seed-phrase",
    ),
    _line(r"(?i)\b(?:stats\s{1,3}auth|auth-basic)\s{1,3}[\w.@-]{1,40}:([^\s\"']{3,100})", "stats", "auth-basic"),
    _line(
        r"(?m)(?:^|\s):\s{0,3}(?:PSK|EAP|XAUTH|NTLM|PIN|RSA\s\S{1,80}|PKCS12\s\S{1,80}|P12\s\S{1,80}"
        r"|ECDSA\s\S{1,80})\s{1,3}\"([^\"\n]{3,200})\"",
        ": PSK",
        ":PSK",
        ": EAP",
        ": XAUTH",
        ": NTLM",
        ": PIN",
        ": RSA",
        ": P12",
        ": PKCS12",
        ": ECDSA",
    ),
    _line(
        r"(?m)^[ \t]{0,8}\"?[\w.@\\*-]{1,60}\"?[ \t]{1,20}\*[ \t]{1,20}\"?([^\s\"*]{4,100})\"?[ \t]{1,20}("
        r"?:\*|[\d.]{7,15})",
        "*",
    ),
    _line(
        r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:"
        rf"{_CHOSEN.replace('(?-i:', '(?:')}([^\s:]{{3,100}})[ \t]*$",
        ":",
    ),
    _line(rf"(?i)\bmachine\s\S{{1,80}}\s{{1,9}}login\s\S{{1,80}}\s{{1,9}}password\s{{1,9}}{_VALUE}", "machine"),
    _line(
        r"(?m)(?:^|[>\s:\"])(?:PASS|IDENTIFY|AUTHINFO PASS|OPER\s\S{1,40})\s{1,2}(?!(?:ED|\d+)\b|[A-Z]+\b"
        r"|[a-z]+(?:_[a-z0-9]+)+\b|Test|[(\[]\s?\d"
        r"|[\w./-]+\.\w{1,5}\b)(?=\S*[\d!@#$%^&*])(?:[\w.-]{1,30}\s(?=\S))?:?([^\s\"']{4,200})",
        "PASS ",
        "IDENTIFY ",
        "OPER ",
    ),
    _line(
        r"(?i)\b(?:nickserv|chanserv|ns)\s:?(?:identify|ghost\s\S{1,40}|register)\s(?:\S{1,40}\s)?([^\s\"']{4,100})",
        "erv ",
        "/ns ",
        "/NS ",
    ),
    _line(r"(?i)\b[a-z]?\w{1,8}\sLOGIN\s\"?[\w.@+-]{1,80}\"?\s\"?([^\s\"]{4,100})\"?", " LOGIN "),
    _line(r"\b(oauth:[a-z0-9]{20,})", "oauth:"),
    _line(
        r"(?i)(?<![\w-])(?:rcon_?password|rcon\.password|sv_password|server_?password|admin_?password"
        r"|g_password|rcon_?pass|rcon)\s{0,3}[:=\s]\s{0,3}\"?([^\s\"]{3,100})",
        "rcon",
        "Rcon",
        "RCON",
        "sv_password",
        "g_password",
        "server_password",
        "serverpassword",
        "admin_password",
    ),
    _line(
        r"\.ROBLOSECURITY[\"']?\s{0,3}[=:,]?\s{0,3}[\"']?(_\|WARNING[^|]{0,300}\|_[\w.-]{20,}|[A-F0-9]{100,})",
        "ROBLOSECURITY",
    ),
    _line(r"(_\|WARNING:-DO-NOT-SHARE-THIS[^|]{0,300}\|_[\w.-]{20,})", "DO-NOT-SHARE"),
    _line(
        r"(?i)(?<![\w$])(?:rpcpassword|rpcauth|walletpassphrase|bindpw|bind_?password|olcRootPW|rootpw"
        r"|ldap_default_authtok)\s{0,3}[=:\s]\s{0,3}[\"']?([^\s\"']{3,200})",
        "rpcpass",
        "rpcauth",
        "walletpass",
        "bindpw",
        "bind_pass",
        "bindpass",
        "ootpw",
        "RootPW",
        "authtok",
    ),
    _line(
        r"(?i)\b(?:secure_link_md5|hmac_secret|auth_jwt_key|encryption_key)\s{1,3}\"(?:[^\"\n]{0,100}\s)?("
        r"[^\s\"$]{4,100})\"",
        "secure_link_md5",
        "hmac_secret",
        "auth_jwt_key",
        "encryption_key",
    ),
    _line(  # what joins the parts of a trace is none
        r"(?i)\bX-(?!(?:Request|Trace|Correlation|Session(?!-(?:Token|Key))|B3|Amzn|Amz-Cf|Cloud-Trace|Span"
        r"|Transaction|Datadog|Parent)\b)[\w-]{2,40}\s{1,3}[\"']([\w.~+/=-]{16,})[\"']",
        "X-",
        "x-",
    ),
    _line(
        r"(?i)\b(?:opening|unlocking|unlocked|decrypt\w*|opened|loading|loaded)\s(?:the\s)?(?:p12|pfx|jks"
        r"|keystore|zip|vault|archive|kdbx|pdf|key)\b[^\n]{0,20}?\swith\s[\"'\[(`]([^\"'\])`\n]{3,100})[\""
        r"'\])`]",
        "p12",
        "pfx",
        "jks",
        "keystore",
        "kdbx",
        " zip",
        "archive",
    ),
    _line(r"\blftp\b[^\n]{0,200}?-u\s{0,3}['\"]?[\w.@-]{1,80}['\"]?,\s?['\"]?([^\s'\"]{3,100})", "lftp"),
    _line(
        r"(?i)(?:password|passphrase|secret|token)[\"'\]]{0,3}\s{0,3}=\s{0,3}%[qQ][({\[]([^\n]{3,100}?)[)}"
        r"\]](?:\s*$|\s*\n)",
        "%q",
        "%Q",
    ),
    _line(
        r"(?i)(?:passphrase|password|secret|hmac\.new|signing_?key"
        r"|encryption_?key)\(\s{0,4}b?[\"']([^\"'\n]{4,200})[\"']\s{0,4}[,)]",
        "hrase(",
        "assword(",
        "ecret(",
        "hmac.new(",
        "gning_key(",
        "ption_key(",
    ),
    _line(
        r"(?i)(?<![\w/.-])(?:root|admin|administrator|sa|pi|ubuntu|guest"
        r"|user)/(?!(?-i:[A-Z][a-z]+\d{1,4}[A-Z]?)(?![^\s\"'.,;:)]))"
        r"(?=[^\s\"'/]{0,40}(?-i:[A-Z!@#$%^&*]))(?=[^\s\"'/]{0,40}\d)([^\s\"'/]{6,40})(?![/\w])",
        "root/",
        "dmin/",
        "rator/",
        "ubuntu/",
        "guest/",
        "user/",
        " pi/",
        " sa/",
    ),
    _line(r"sshpass\s{1,3}-p\s{0,3}(?:'([^'\n]{3,100})'|$)", "sshpass"),
    _line(
        r"(?m)^[ \t]{0,8}AUTH\s{1,3}(?:[\w.-]{1,30}\s)?(?=\S{0,60}\d)(?!(?:LOGIN|PLAIN|CRAM|NTLM"
        r"|XOAUTH)\b)([^\s\"']{6,100})[ \t]*$",
        "AUTH ",
    ),
    _line(
        r"(?i)\b(?:pass-?phrase|maiden name|safe ?word|code ?word|secret word|security answer"
        r"|secret answer|losungswort|codewort|mädchenname|sicherheitsantwort)"
        r"(?:\s[^\W\d_]{1,12}){0,4}?(?:\s(?:is|was|ist|war|lautet)|\s?[:=])\s[\"'“„]?(?!(?:the|a|an|not"
        r"|too|your|my|required|empty|invalid|wrong|correct|missing|set|used|stored|needed|optional|never"
        r"|only|longer|irrelevant|in|on|at|known|unknown|given|here|there|what|about|also|different|private"
        r"|something|one|part)\b|[a-z]+ed\s(?:in|on|at|by|to|for|as|with)\b)([^\n.,;!?\"”“<>(){}\[\]=]{4,80})",
        "phrase",
        "aiden ",
        "word is",
        "word was",
        "word:",
        "answer is",
        "answer:",
        "wort ist",
        "wort war",
        "wort laut",
        "wort:",
        "ädchenname",
    ),
    # Hashes as tools for cracking write them.
    _line(
        r"(\$(?:krb5\w{2,8}|DCC2?|NETN?TLM\w*|bitlocker|zip2|pkzip2?|RAR3|rar5|office|oldoffice|pdf"
        r"|keepass|sshng|gpg|ethereum|bitcoin|ansible|PHPS|episerver"
        r"|mysqlna|racf|fde|dmg|itunes_backup|luks|y|7|8|9|S|H|gy|sm3|md5|sha1|sm|rc2)\$[\w*$./+=:@ -]{16,}[\w./+=])",
        "$",
        name="password-hash",
    ),
    _line(
        r"(?i)(?<![\w:])[\w.$-]{1,40}::[\w.-]{0,40}:([0-9a-f]{16}:[0-9a-f]{32}:[0-9a-f]{20,})",
        "::",
        name="password-hash",
    ),
    _line(r"(WPA\*0[12]\*[0-9a-f]{32}\*[\w*]{20,})", "WPA*0", name="password-hash"),
    _line(
        r"(?<![0-9a-f])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])", "ailgun", "AILGUN", name="mailgun-key"
    ),
    _line(r"(?<![A-Za-z0-9_])([ps]k_[0-9a-f]{30,})(?![A-Za-z0-9])", "pk_", "sk_", name="vendor-key"),
    _line(r"\bAC[0-9a-f]{32}\b[^\n]{1,40}?(?<![0-9a-f])([0-9a-f]{32})(?![0-9a-f])", "AC", name="vendor-key"),
    _line(
        r"(?m)(?<![\w-])[A-Z][A-Z0-9_]{2,40}_(?:ADMIN|APP|API|AUTH|KEY|SIGN|SALT|HMAC|HASH|ACCESS"
        r"|MASTER)[A-Z_]{0,10}\s?=\s?[\"']?([0-9a-f]{32,64})(?![0-9a-f])",
        "_ADMIN",
        "_APP",
        "_API",
        "_AUTH",
        "_KEY",
        "_SIGN",
        "_SALT",
        "_HMAC",
        "_HASH",
        "_ACCESS",
        "_MASTER",
    ),
    _line(
        r"(?i)(?:infura|alchemy|quicknode|quiknode|ankr|moralis|blastapi|chainstack"
        r"|getblock)[\w.-]{0,40}(?:/v\d|/rpc|/eth)?(?:/[\w-]{1,20}){0,2}?/([\w-]{30,64})(?![\w-])",
        "nfura",
        "lchemy",
        "quicknode",
        "quiknode",
        "ankr",
        "lastapi",
        "hainstack",
        "getblock",
        name="token-in-address",
    ),
    _line(
        r"(?m)\b(?:aes(?:128|256)|arcfour|des3?)-[\w-]{2,40}[\s:][^\n]{0,80}?(?<![0-9a-f])(?:0x)?([0-9a-f]{32"
        r"}|[0-9a-f]{64})(?![0-9a-f])",
        "aes128-",
        "aes256-",
        "arcfour-",
        "des3-",
        "des-",
        name="kerberos-key",
    ),
    _line(
        # A parameter of one letter is also a page or what is looked for.
        r"[?&](?:(?:pw|pwd|pass|psk|pin|apikey|tok|token|st|sk)="
        r"|[kpt]=(?=[\w%+/=.~-]{0,40}\d)(?=[\w%+/=.~-]{0,40}[A-Za-z])(?![a-z]{2,}[-+_.%]|[\w%+/=.~-]{0,60}[a-z]{5}))"
        r"([\w%+/=.~-]{16,})",
        "=",
        name="signature-in-address",
    ),
    _line(
        r"(?i)\bp(?:riv(?:ate)?)?[ _-]?k(?:ey)?\b[^\w\n]{0,4}(?:(?:is|was|ist|es)\s)?(0x[0-9a-f]{64})(?!\w)",
        "0x",
        name="private-key",
    ),
    _line(
        r"(?i)(?<![^\W_])(?:wlan|wi-?fi|psk|wpa\d?)[_-](?:key|code|pw|pass|password"
        r"|psk)[_-](?=[^\s\"'/\\_.-]{0,40}\d)([^\s\"'/\\_.-]{6,40}?)(?=\.[a-z]{2,4}\b)",
        "_key_",
        "-key-",
        "_pw_",
        "-pw-",
        "_pass",
        "-pass",
        "_code_",
        "_psk_",
    ),
    # Sessions as servers keep them, each a file.
    _line(
        r"(?<![A-Za-z0-9])sess(?:ion)?[_-]([0-9a-f]{40}|(?=[a-z]{0,25}\d)[0-9a-v]{26})(?![A-Za-z0-9])",
        "sess",
        name="session-cookie",
    ),
    _line(r"\b(MT:[A-Z0-9.-]{19,24})(?![\w.-])", "MT:", name="setup-code"),
    _line(r"\bX-HM://([A-Z0-9]{9,})", "X-HM://", name="setup-code"),
    _line(r"\bWIFI:(?:(?!WIFI:)[^\n]){0,100}?(?<=[:;])P:((?:[^;\\\n]|\\.){3,100});", "WIFI:"),
    _line(r"otpauth://[^\s\"']{1,200}?[?&]secret=([A-Za-z2-7]{8,})", "otpauth", name="one-time-key"),
)
