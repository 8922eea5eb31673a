"""What tells a secret beside it: addresses, options of commands, elements, cookies."""

from __future__ import annotations

from trace_inspector.engine.redaction.secrets import SecretFormat

# What stands before a secret, or around it, tells it: the group is the secret.
SECRETS_IN_CONTEXT = (
    SecretFormat(
        "password-in-address",
        r"(?<![\w+.-])[A-Za-z][\w+.-]{1,20}://[^\s/:@\"'<>]{0,80}:(?!\d+/)((?:(?!://)[^\s\"'<>█]){1,1000})@"
        r"(?=[\w\[])",
        ("://",),
    ),
    SecretFormat("password-of-command", r"\s(?:-u|--user)[ =]['\"]?[\w.@-]{1,80}:([^\s'\"]+)", (" -u", " --user")),
    SecretFormat("password-of-command", r"sshpass\s{1,3}-p\s{0,3}['\"]?([^\s'\"]+)", ("sshpass",)),
    SecretFormat(
        "password-of-command",
        r"(?i)(?:^|(?<=[\s\"'`(\[{«|]))--?[\w-]{0,30}(?:password|passwd|pass|token|secret|api-?key)"
        r"(?:[ =]['\"]?|[\"'`],\s{0,4}[\"'`])([^\s'\"`,-][^\s'\"`]{3,})",
        ("-",),
    ),
    # Whoever names a user to any command names the password beside it.
    SecretFormat(
        "password-of-command",
        r"(?:^|(?<=[\s\"'`]))--?(?:u|U|l|user|username|login)[ =]['\"]?(?!-|\S{1,60}\.(?:py|js|ts|sh"
        r"|rb)\b)[\w.@\\-]{1,60}['\"]?\s"
        r"(?:(?!\s-p|mkdir)[^\n|;&]){0,120}?(?<=\s)--?(?:p|P|A|w|pw|pwd|pass)(?:[ =]|(?=\S{0,40}\d))['\"]?"
        r"(?![\d.:]+(?:\s|$)|/)"
        r"([^\s'\"`-][^\s'\"`]{3,})",
        (" -u", " -U", " -l", " --user", " --login"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)/u(?:ser)?:\S{1,80}\s[^\n|;&]{0,120}?(?<=\s)/p(?:ass(?:word)?|w)?:['\"]?([^\s'\"]{4,})",
        ("/u:", "/user:", "/U:"),
    ),
    SecretFormat(
        "password-of-command", r"\b(?:7z|7za|rar|unrar)\s[^\n|;&]{0,80}?\s-p['\"]?([^\s'\"]{4,})", ("7z", "rar")
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)\b(?:wifi|wlan|nmcli|wpa_cli)\b[^\n]{0,80}?\s(?:password|psk|wep_key0)\s['\"]{0,2}([^\s'\"]{4,})",
        ("wifi", "wlan", "nmcli", "wpa_cli"),
    ),
    SecretFormat("password-of-command", r"\bcf auth\s\S{1,80}\s['\"]?([^\s'\"]{4,})", ("cf auth",)),
    SecretFormat(
        "password-of-command",
        r"(?i)\bsecrets?\b[^\n|;&]{0,100}?\s(?:--(?:body|value|data)[ =]|-b\s?)['\"]?([^\s'\"$]{4,})",
        ("secret",),
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)\bconfig set (?:-\S+ ){0,3}?--secret (?:-\S+ ){0,3}?[\w.:-]{1,60} ['\"]?([^\s'\"-][^\s'\"]{3,})",
        ("--secret",),
    ),
    SecretFormat(
        "password-in-address",
        r"(?<![\w/:.-])[\w.-]{1,40}/[\w.-]{1,60}:([^\s@:/'\"]{3,100})@(?!sha\d)(?:\d{1,3}(?:\.\d{1,3}){3}"
        r"|[A-Za-z])",
        ("@",),
    ),
    SecretFormat("password-in-address", r"ORA-\d{5}\b[^\n]{0,80}?\b[\w.-]{1,60}/([^\s@'\"]{3,})@", ("ORA-",)),
    # Addresses that show something to whoever knows them.
    SecretFormat(
        "token-in-address",
        r"(?i)://[^\s\"'<>]{1,300}?/(?:[\w.%-]{0,20}(?:private|secret|webcal|published|shared?|invite|ical"
        r"|feeds?|tokens?"
        r"|magic|capability))(?:[-_/][\w%@.-]{1,80}){0,3}?[-/](?=[\w-]{0,40}\d)([\w-]{16,})",
        ("://",),
    ),
    SecretFormat(
        "token-in-address",
        r"(?i)(?:webcal://[^\s\"'<>]{1,200}?/(?=[\w-]{0,60}\d)([\w-]{16,}))",
        ("webcal://",),
    ),
    SecretFormat(
        "token-in-address",
        r"(?i)://[^\s\"'<>]{1,300}?/(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])([\w-]{20,})(?:/[\w.-]{1,40})?\.(?:ics"
        r"|rss|atom)\b",
        (".ics", ".rss", ".atom"),
    ),
    SecretFormat(
        "slack-webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})",
        ("hooks.slack.com",),
    ),
    SecretFormat("webhook-address", r"/api/webhooks/\d+/([\w-]{20,})", ("/api/webhooks/",)),
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
        r"(?i)(?<![\w-])(?:session_?id|session|sid|phpsessid|jsessionid|asp\.net_sessionid|connect\.sid"
        r"|[cx]srf_?token)"
        r"=([\w%+/=.~-]{12,})",
        ("=",),
    ),
    SecretFormat(
        "session-cookie",
        r"(?i)(?<![\w-])[\w.-]{0,30}_session(?:_[\w-]{1,16})?=[\"']?(?=[\w%+/=.~-]{0,60}\d)"
        r"(?=[\w%+/=.~-]{0,60}[a-z])"
        r"([\w%+/=.~-]{16,})",
        ("_session", "_SESSION"),
    ),
    SecretFormat(
        "cookie",
        r"\bcurl\b[^\n|]{0,300}?\s(?:-b|--cookie)[ =][\"']?([\w.-]{1,60}=[^\s\"']+"
        r"(?:;\s?[\w.-]{1,60}=[^\s\"']+){0,20})",
        ("curl",),
    ),
    SecretFormat(
        "signature-in-address",
        r"(?i)[?&;](?:sig|signature|x-amz-signature|x-goog-signature|code|key|auth|sid|session|sessionid)="
        r"([\w%+/=.~-]{12,})",
        ("=",),
    ),
    SecretFormat(
        "cookie",
        r"(?i)(?<![\w-])(?:set-)?cookie[\"']?\s{0,3}[:=]\s{0,3}[\"']?([^\s\"'\\=;]+=[^\r\n\"'\\]+)",
        ("ookie", "OOKIE"),
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
    SecretFormat(
        "password-of-command",
        r"echo\s+(?:-n\s+)?['\"]?([^\s'\""
        r"|]{4,})['\"]?\s*\|\s*sudo\s+-S",
        ("sudo",),
    ),
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
        r"((?:[ \t>*•-]{0,6}(?:\d{1,2}[.)] )?(?=[\w-]{0,23}\d)(?:[\w-]{6,24}|\d{3,5} \d{3,5})[ \t]{0,3}(?:\n"
        r"|\Z)){1,30})",
        ("code", "Code", "CODE"),
    ),
    SecretFormat("key-in-words", r"\.key\s{1,4}([0-9a-f]{32,64})\b", (".key",)),
    SecretFormat(
        "password-of-command",
        r"(?:docker|podman|helm|az|twine|mosquitto_\w{3}|zip|unzip|7z|ipmitool|rar|mongo\w*)\b[^\n|;&]{0,200}?"
        r"\s-[pP](?:\s{1,3}['\"]?|['\"]|(?=[^\s'\"]*\d))(?![\d.:]+(?:[\s/]|$))([^\s'\"-][^\s'\"]{3,})",
        ("docker", "podman", "helm", "az ", "twine", "mosquitto", "zip", "7z", "ipmitool", "rar", "mongo"),
    ),
    SecretFormat(
        "password-of-command",
        r"echo\s+(?:-n\s+)?['\"]?([^\s'\"|$]{4,})['\"]?\s*\|\s*"
        r"(?:docker|podman|helm|gh|base64|openssl|kinit|passwd|sudo|cryptsetup)\b",
        ("echo",),
    ),
    # Of several words in quotation marks, to what asks for nothing else.
    SecretFormat(
        "password-of-command",
        r"(?:echo|printf)\s{1,4}(?:-n\s{1,4}|['\"]?%s(?:\\n)?['\"]?\s{1,4})?['\"]((?<=').{4,120}?(?=')"
        r"|[^\"$\n]{4,120}?(?=\"))['\"]\s{0,4}"
        r"\|\s{0,4}(?:[A-Z_]{2,40}=\S{0,60}\s{1,4}){0,4}(?:sudo\s{1,4}(?:-\S{1,20}\s{1,4}){0,4})?"
        r"(?:ssh-add|kinit|passwd|cryptsetup|keepassxc-cli|age|gpg2?\s[^\n|]{0,120}--passphrase-fd[ =]0"
        r"|ansible-vault|(?:borg|restic)(?![^\n|;&]{0,200}(?:--stdin|\s-(?![^\s\"'`)]))))\b",
        ("echo", "printf"),
    ),
    SecretFormat(
        "password-of-command",
        r"pass(?:word|phrase)?[\w-]{0,20}[ =]<\((?:echo"
        r"|printf)\s{1,4}(?:-n\s{1,4})?['\"]([^'\"\n]{4,120})['\"]\s{0,4}\)",
        ("<(echo", "<(printf"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)\bnet\s{1,4}use\s{1,4}(?:(?:\w:"
        r"|\*)\s{1,4})?\\{2,4}[^\s\"']{1,120}\s{1,4}(?![/*])['\"]?([^\s'\"]{4,80})",
        ("net use", "NET USE", "Net use"),
    ),
    SecretFormat(
        "password-of-command",
        r"echo\s+['\"]?[\w.-]{1,40}:([^\s'\"|]{4,})['\"]?\s*\|\s*(?:sudo\s+)?chpasswd",
        ("chpasswd",),
    ),
    SecretFormat("password-of-command", r"\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+['\"]?([^\s'\"]{4,})", ("htpasswd",)),
    SecretFormat(
        "password-of-command",
        r"(?:rabbitmqctl\s+(?:add_user|change_password)|net\s+user)\s+[\w.@-]{1,60}\s+['\"]?"
        r"([^\s'\"/][^\s'\"]{3,})",
        ("rabbitmqctl", "net user"),
    ),
    SecretFormat(
        "password-of-command", r"(?<![\w-])-?pass(?:in|out)?[ =:]{1,2}pass:['\"]?([^\s'\"]{3,})", ("pass:",)
    ),
    SecretFormat(
        "password-of-command", r"\b(?:vault|gh|gcloud|npm|doctl)\s+(?:auth\s+)?login\s+([\w.-]{16,})", ("login",)
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)(?:aws configure set|npm config set)\s+\S*(?:key|token|secret)\S*\s+['\"]?([^\s'\"]{8,})",
        ("set ",),
    ),
    SecretFormat("password-of-command", r"<<<\s?['\"]?(?=[^\s'\"]*\d)([^\s'\"$]{8,})", ("<<<",)),
    SecretFormat("password-of-command", r"send\s+(?:--\s+)?['\"](?=[^'\"]*\d)([^'\"\\]{4,})\\[rn]", ("send ",)),
    SecretFormat(
        "password-in-address", r"(?<![\w/])[\w.-]{1,60}:([^\s@:/'\"]{3,100})@(?:tcp|unix)\(", ("@tcp(", "@unix(")
    ),
    SecretFormat(
        "password-in-address", r"sqlplus\w?\s+(?:-\w\s+)*[\w.-]{1,60}/['\"]?([^\s@'\"]{3,})['\"]?@", ("sqlplus",)
    ),
    SecretFormat("token-in-address", r"://(?=[\w.~-]*\d)([\w.~-]{16,})@[\w-]", ("://",)),
    SecretFormat(
        "webhook-address",
        r"https?://[\w.-]{0,80}(?:hook|webhook)[\w.-]{0,80}/(?:[\w.-]{1,80}/){0,6}?(?=[\w-]*\d)([\w-]{16,})",
        ("hook",),
    ),
    SecretFormat(
        "webhook-address",
        r"/(?:bot/v2/hook|with/key|webhook|integration)/(?=[\w-]*\d)([\w-]{16,})",
        ("hook/", "key/", "ration/"),
    ),
    SecretFormat("masked-in-log", r"::add-mask::([^\s'\"]{4,})", ("::add-mask::",)),
    SecretFormat("masked-in-log", r"(?i)issecret=true[;\w=]{0,40}\]([^\s'\"]{4,})", ("issecret", "isSecret")),
    SecretFormat("private-key", r"\"d\"\s{0,4}:\s{0,4}\"([\w-]{40,})\"", ('"d"',)),
    SecretFormat(
        "private-key",
        r"(?i)private[ _-]?key\b[^\w\n]{0,4}(?:\w+[^\w\n]{1,4}){0,3}(?:0x)?([0-9a-f]{64})(?!\w)",
        ("rivate", "RIVATE"),
    ),
    SecretFormat(
        "one-time-key",
        r"(?i)(?:totp|2fa|otp|mfa|authenticator|setup)[ _-]?(?:secret|key|seed|code)?\b"
        r"[^\w\n]{0,4}(?:\w+[^\w\n]{1,4}){0,4}?"
        r"(?-i:([A-Z2-7]{4}(?: ?[A-Z2-7]{4}){3,15}))(?!\w)",
        ("totp", "TOTP", "2fa", "2FA", "otp", "OTP", "mfa", "MFA", "uthenticator", "etup"),
    ),
    SecretFormat(
        "recovery-codes",
        r"(?i)(?:recovery|backup|scratch|one[ -]time|verification|2fa|otp)[ _-]?(?:codes?|pass(?:words?|codes?))\b"
        r"[^\w\n]{0,4}(?:(?!\d)[a-z]+[^\w\n]{1,3}){0,5}?[:=\s]\s?[\[\"'(]{0,3}"
        r"((?=[\w -]{0,20}\d)[\w-]{4,24}(?:[\"']?[,;]?[ \n]{1,3}[\"']?(?=[\w-]{0,20}\d)[\w-]{4,24}){0,20})",
        ("code", "Code", "CODE", "pass", "Pass"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)(?:^|\s)--?(?:passphrase|pw|pwd|psk|pin|storepass|keypass|obscure)[ =]['\"]?([^\s'\"-][^\s'\"]{3,})",
        (" -", "-p", "-k", "-s", "-o"),
    ),
    SecretFormat(
        "password-of-command",
        r"\bopenssl\s+enc\b[^\n|;]{0,200}?\s-k\s+['\"]?"
        r"([^\s'\"]{4,})",
        ("openssl",),
    ),
    SecretFormat("password-of-command", r"\brclone\s+obscure\s+['\"]?([^\s'\"]{4,})", ("rclone",)),
    SecretFormat(
        "password-of-command", r"assword:?[\s\S]{0,40}?send\s+(?:--\s+)?['\"]([^'\"\\]{4,})\\[rn]", ("send ",)
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)ConvertTo-SecureString\s+(?:-String\s+)?['\"]([^'\"\n]{4,100})['\"]",
        ("ecureString", "ecurestring"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?m)^[ \t]{0,80}(?i:(?:RUN\s+)?(?:ENV|ARG|export|setx|set(?:\s-\w+)*))\s+"
        r"(?:\w*(?i:password|passwd|secret|token|_pw|_key|_pass|pwd))\s+['\"]?([^\s'\"=]{4,})",
        ("ENV ", "ARG ", "set"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?i)\bput\s+[\w./-]{0,100}(?:password|passwd|token|secret|key|pass)[\w.-]{0,60}\s+"
        r"(?:\w{1,20}=)?['\"]?([^\s'\"=]{4,})",
        ("put ",),
    ),
    SecretFormat(
        "password-of-command", r"(?i)\b(?:set)?user\s\S{1,60}\s(?:on|off)\s[^\n]{0,80}?>([^\s\"']{4,})", (" >",)
    ),
    SecretFormat(
        "password-in-base64",
        r"334 UGFzc3dvcmQ6[^A-Za-z0-9+/]{0,12}(?:[nr]\W{0,3}){0,2}(?:(?:send|reply|C|client)\W{1,8})?"
        r"([A-Za-z0-9+/]{8,}={0,2})",
        ("UGFzc3dvcmQ6",),
    ),
    SecretFormat("password-in-base64", r"AUTH(?:ENTICATE)? PLAIN ([A-Za-z0-9+/]{8,}={0,2})", (" PLAIN ",)),
    SecretFormat(
        "password-beside-name",
        r"(?<![\w\\/:.])[A-Za-z][\w.-]{1,30}\\{1,2}[\w.$-]{1,40}:(?=[^\s:\"']{0,60}[A-Za-z])"
        r"(?=[^\s:\"']{0,60}[\d!@#$%^&*?~+=])([^\s:\\/\"']{6,80})",
        ("\\",),
    ),
    SecretFormat(
        "recovery-codes",
        r"\"\s?(?:TOTP|HOTP)_(?:AUTH|COUNTER\s\d+)\s{1,4}(\d{8}(?:\s{1,4}\d{8}){0,20})",
        ("TOTP_AUTH", "HOTP_"),
    ),
    SecretFormat(
        "password-in-words",
        r"(?i)(?:netzwerk-?schlüssel|network (?:security )?key|wpa\d?(?:-psk)?[ -](?:key"
        r"|passphrase)|wep key"
        r"|wi-?fi key|clé (?:wi-?fi|wpa\d?|réseau))(?:\s(?:is|ist|est|lautet))?\s?:?\s?[\"'`]?"
        r"(?=[^\s\"'`,;]{0,60}\d|[a-z]{0,40}[A-Z])"
        r"([^\s\"'`,;]{8,63})(?<![.])",
        (
            "etzwerkschl",
            "etzwerk-",
            "etwork key",
            "etwork Key",
            "ecurity key",
            "ecurity Key",
            "wpa",
            "WPA",
            "wep key",
            "WEP key",
            "i key",
            "i Key",
            "lé ",
        ),
    ),
    SecretFormat(
        "password-of-command",
        r"(?:>\s?AUTH|(?i:\brequirepass|\bmasterauth))\s+['\"]?([^\s'\"]{4,})",
        ("AUTH ", "requirepass", "masterauth"),
    ),
    SecretFormat(
        "password-of-command",
        r"(?m)^[ \t]{0,80}(?:neighbor|username|enable|ppp|ip|snmp-server|tacacs-server|radius-server|standby"
        r"|key)\b[^\n]{0,80}?"
        r"\b(?:password|secret|key|community|key-string)\s+(?:[0-9]\s+)?([^\s]{4,})",
        ("neighbor", "username", "enable", "snmp-server", "-server", "standby", "ppp", "key-string"),
    ),
    SecretFormat(
        "token-in-address",
        r"(?i)://[^\s\"'<>]{1,200}/(?:reset|reset-password|set-password|password-reset|invite|invitation|verify"
        r"|verification|confirm|magic|magic-link|activate"
        r"|unsubscribe|hooks?|services)/(?=[\w-]*\d)(?=[\w-]*[a-z])([\w-]{16,})",
        ("://",),
    ),
    SecretFormat("token-in-address", r"(?:hc-ping\.com|ntfy\.sh)/(?=[\w-]*\d)([\w-]{16,})", ("hc-ping", "ntfy.sh")),
    SecretFormat(
        "token-in-address",
        r"(?i)://[^\s\"'<>]{1,200}?/[\w-]{0,40}(?:reset|verify|magic|confirm|invite)[\w-]{0,40}/?\?"
        r"(?:[\w-]+=[^\s&\"']*&){0,4}[tkhc]=([\w-]{12,})",
        ("://",),
    ),
)
