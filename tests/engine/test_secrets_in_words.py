"""Words beside secrets: sentences, commands, code, configuration; and sentences about secrets that tell none."""

from __future__ import annotations

import base64

import pytest

from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.page.document import data_in
from trace_inspector.engine.evidence.evidence_file import evidence_file
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.password_words import looks_like_password
from trace_inspector.engine.redaction.secret_finder import SecretFinder

WORD, MIXED, OPAQUE = "bluewalrus", "harborWillow73", "kQ7zP2vXr9LmT4wB"
HEX, UUID = "3f9a1c77b2e84d05a6617fe0c9d2b843", "7d1f3c52-9a0e-4c1b-8f27-c5a1f6b2e913"
TOLD: tuple[tuple[str, str], ...] = (
    (f"define('DB_PASSWORD', '{MIXED}');", MIXED),
    (f'os.environ.setdefault("STRIPE_SECRET", "{OPAQUE}")', OPAQUE),
    (f'headers.append(("X-Api-Key", "{HEX}"))', HEX),
    (f"setenv('DB_PASS', '{WORD}', 1)", WORD),
    (f'client.login("deploy", "{MIXED}")', MIXED),
    (f"smtp.login('ops@example.org', '{MIXED}')", MIXED),
    (f"auth=('admin', '{MIXED}')", MIXED),
    (f"requests.get(u, auth=HTTPBasicAuth('svc', '{WORD}'))", WORD),
    (f"APP_SALT={OPAQUE}", OPAQUE),
    (f"ENCRYPTION_IV={OPAQUE}", OPAQUE),
    (f"PEPPER={MIXED}", MIXED),
    (f"HMAC_KEY={HEX}", HEX),
    (f"LICENSE={UUID}", UUID),
    (f"SENTRY_DSN=https://{HEX}@o12.ingest.sentry.io/5", HEX),
    (f"SIGNING={HEX}", HEX),
    (f"JWT_SIGNING={OPAQUE}", OPAQUE),
    (f"MYSQL_ROOT_PW={WORD}", WORD),
    (f"ftp_pw: {WORD}", WORD),
    (f"spring.mail.pwd={WORD}", WORD),
    (f'<add key="ApiKey" value="{OPAQUE}"/>', OPAQUE),
    (f'<property name="password" value="{WORD}"/>', WORD),
    (f'<setting name="DbPassword"><value>{WORD}</value></setting>', WORD),
    (f"<server><username>x</username><password>{WORD}</password></server>", WORD),
    (f'"DefaultPassword"="{WORD}"', WORD),
    (f'"DefaultPassword"=REG_SZ:{WORD}', WORD),
    (f'- name: DB_PASSWORD\n  value: "{WORD}"', WORD),
    (f"- name: API_TOKEN\n  value: {OPAQUE}", OPAQUE),
    (f'{{"name": "DB_PASSWORD", "value": "{WORD}"}}', WORD),
    (f'{{"key":"token","value":"{HEX}"}}', HEX),
    (f'{{"Name":"PASSWORD","Value":"{WORD}","Type":"SecureString"}}', WORD),
    (f"ENV SECRET_KEY {OPAQUE}", OPAQUE),
    (f"ARG NPM_TOKEN {UUID}", UUID),
    (f"set API_KEY={HEX}", HEX),
    (f'$env:API_TOKEN = "{UUID}"', UUID),
    (f"export TOKEN={WORD}", WORD),
    (f"setx DB_PASSWORD {WORD}", WORD),
    (f"set -gx SECRET {WORD}", WORD),
    (f"--set auth.password={WORD}", WORD),
    (f"--set-string postgresql.auth.postgresPassword={WORD}", WORD),
    (f"--from-literal=password={WORD}", WORD),
    (f"--build-arg TOKEN={UUID}", UUID),
    (f"-e POSTGRES_PASSWORD={WORD}", WORD),
    (f"-Dpassword={WORD}", WORD),
    (f"/p:Password={WORD}", WORD),
    (f"//npm.example.org/:_authToken={UUID}", UUID),
    (f"//npm.example.org/:_auth={OPAQUE}", OPAQUE),
    (f"_password={OPAQUE}", OPAQUE),
    (f"index-url = https://user:{WORD}@pypi.example.org/simple", WORD),
    (f"machine git.example.org\n  login x\n  password {WORD}", WORD),
    ("enable secret 5 $1$mERr$hx5rVt7rPNoS4wqbXKX7m0", "$1$mERr$hx5rVt7rPNoS4wqbXKX7m0"),
    ("enable password 7 08204E1A0D0A", "08204E1A0D0A"),
    (f"snmp-server community {MIXED} RO", MIXED),
    (f"neighbor 10.1.1.1 password {WORD}", WORD),
    ("wpa_passphrase=harbor-willow-9", "harbor-willow-9"),
    (f'psk="{WORD}"', WORD),
    (
        "wireguard\nPrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=",
        "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=",
    ),
    ("PresharedKey = FpCyhws9cxwWoV4xELtfJvjJN+zQVRPISllRWgeopVE=", "FpCyhws9cxwWoV4xELtfJvjJN+zQVRPISllRWgeopVE="),
    (f"AccountKey=abc{OPAQUE}Zz09ABCDEFGHIJ==;EndpointSuffix=core", OPAQUE),
    (f"Server=tcp:x;User ID=sa;Pwd={WORD};", WORD),
    (f"host=x user=y password={WORD} dbname=z", WORD),
    (f"jdbc:oracle:thin:scott/{WORD}@//h:1521/x", WORD),
    (f"jdbc:postgresql://h/x?user=u&password={WORD}", WORD),
    (f"mongodb+srv://u:{WORD}@c.example.org/", WORD),
    (f"redis://:{WORD}@h:6379/0", WORD),
    (f"amqps://u:{WORD}@h/vh", WORD),
    (f'curl -H "Authorization: token {HEX}" x', HEX),
    (f"curl -H 'X-Auth-Token: {OPAQUE}' x", OPAQUE),
    (f"curl -H 'PRIVATE-TOKEN: {OPAQUE}'", OPAQUE),
    (f'curl -d "user=a&pass={WORD}"', WORD),
    (f"wget --http-user=a --http-password={WORD}", WORD),
    (f"wget --password {WORD}", WORD),
    (f"PGPASSWORD={WORD} psql", WORD),
    (f"MYSQL_PWD={WORD} mysqldump", WORD),
    (f'psql "postgresql://u:{WORD}@h"', WORD),
    (f"openssl enc -k {WORD} -in x", WORD),
    (f"openssl rsa -passin pass:{WORD}", WORD),
    (f"gpg --batch --passphrase {WORD} -d x", WORD),
    (f"keytool -storepass {WORD} -keypass x", WORD),
    (f"plink -pw {WORD} u@h", WORD),
    (f'pscp -pw "{WORD}" f u@h:', WORD),
    (f"smbclient //h/s -U u%{WORD}", WORD),
    (f"mount -t cifs -o username=u,password={WORD}", WORD),
    (f"rclone obscure {WORD}", WORD),
    (f'expect "assword:" {{ send "{WORD}\\r" }}', WORD),
    (f"net use Z: \\\\h\\s /user:u {WORD}", WORD),
    (f"cmdkey /add:h /user:u /pass:{WORD}", WORD),
    (f'ConvertTo-SecureString "{WORD}" -AsPlainText -Force', WORD),
    (f"New-Object PSCredential('u', (ConvertTo-SecureString '{WORD}' -AsPlainText))", WORD),
    (f"kubectl create secret docker-registry x --docker-password={WORD}", WORD),
    (f"docker login -u x -p {WORD} r", WORD),
    (f"az login --service-principal -u x -p {OPAQUE} --tenant y", OPAQUE),
    (f"aws_secret_access_key = {OPAQUE}{OPAQUE}kQ7zP2vX", OPAQUE),
    (f"vault kv put secret/x password={WORD}", WORD),
    (f"consul kv put app/token {UUID}", UUID),
    (f"etcdctl put /app/password {WORD}", WORD),
    (f"redis> AUTH {WORD}", WORD),
    (f"CONFIG SET requirepass {WORD}", WORD),
    (f"ALTER USER x WITH PASSWORD '{WORD}'", WORD),
    (f"CREATE USER 'x'@'%' IDENTIFIED BY '{WORD}'", WORD),
    (f"ALTER LOGIN sa WITH PASSWORD = N'{WORD}'", WORD),
    (f"SET PASSWORD FOR 'x' = '{WORD}'", WORD),
    (f"INSERT INTO users (name, password) VALUES ('x', '{WORD}')", WORD),
    (f"UPDATE users SET password='{WORD}' WHERE", WORD),
    (f"SELECT crypt('{WORD}', gen_salt('bf'))", WORD),
    (f"EXEC sp_addlinkedsrvlogin 'x','false',NULL,'sa','{WORD}'", WORD),
    (f"https://api.telegram.org/bot123456789:AAH{OPAQUE}{OPAQUE}x/send", "AAH"),
    (f"https://x.example.org/cb?code={OPAQUE}", OPAQUE),
    (f"https://x.example.org/reset/{HEX}", HEX),
    (f"https://x.example.org/reset-password?t={OPAQUE}", OPAQUE),
    (f"https://x.example.org/invite/{OPAQUE}", OPAQUE),
    (f"https://x.example.org/magic?token={OPAQUE}", OPAQUE),
    (f"https://s3.example.org/x?X-Amz-Signature={HEX}{HEX}", HEX),
    (f"https://h.blob.core.windows.net/c?sv=2022&sig={OPAQUE}%3D", OPAQUE),
    (f"grant_type=password&username=u&password={WORD}", WORD),
    (f"client_secret={OPAQUE}", OPAQUE),
    (f"refresh_token={OPAQUE}", OPAQUE),
    (f"code_verifier={OPAQUE}", OPAQUE),
    (f'oauth_token_secret="{OPAQUE}"', OPAQUE),
    (f"id_token_hint={OPAQUE}", OPAQUE),
    (f"The password is {WORD}.", WORD),
    (f"my password: {WORD}", WORD),
    (f"password is '{WORD}'", WORD),
    (f"pw {MIXED}", MIXED),
    (f"pw = {WORD}", WORD),
    (f"login with admin/{MIXED}", MIXED),
    (f"Use admin:{MIXED} to log in", MIXED),
    (f"user: bob, pass: {WORD}", WORD),
    (f"credentials bob / {MIXED}", MIXED),
    (f"Login: bob Passwort: {WORD}", WORD),
    (f"Das Passwort lautet {WORD}", WORD),
    (f"Das Kennwort ist «{WORD}»", WORD),
    (f"Mein Zugang: bob, {MIXED}", MIXED),
    (f"le mot de passe est {WORD}", WORD),
    (f"mdp : {WORD}", WORD),
    (f"la contraseña es {WORD}", WORD),
    (f"A senha é {WORD}", WORD),
    (f"パスワードは{WORD}です", WORD),
    (f"密码：{MIXED}", MIXED),
    (f"the wifi code is {MIXED}", MIXED),
    (f"WLAN-Schlüssel: {MIXED}", MIXED),
    ("PIN 4821", "4821"),
    ("my pin is 4821", "4821"),
    ("The verification code is 482913", "482913"),
    ("Your one-time code: 482 913", "482 913"),
    ("unlock phrase: correct horse battery staple", "correct horse battery staple"),
    ("passphrase: correct horse battery staple", "correct horse battery staple"),
    (f"I reset it to {MIXED}, please change it", MIXED),
    (f"temp password for bob = {WORD}", WORD),
    (f"try {MIXED} as the password", MIXED),
    (f'"{MIXED}" is the password', MIXED),
    (f"{MIXED} (that's the root password)", MIXED),
    (f"It's {MIXED} for the admin account", MIXED),
    (f"admin password? {MIXED}", MIXED),
    (f"what's the password?\n{MIXED}", MIXED),
    (f"what's the password?\nBob: {MIXED}", MIXED),
    (f"bob: whats the pw\nann: {WORD}", WORD),
    (f"[debug] token={HEX}", HEX),
    (f"Bearer {OPAQUE}", OPAQUE),
    (f"Set-Cookie: sid={OPAQUE}; Path=/", OPAQUE),
    (f"Cookie: a=b; JSESSIONID={HEX}", HEX),
    (f"+ PASSWORD={WORD}", WORD),
    (f"+ curl -u ci:{WORD} https://x", WORD),
    (f"Using token: {UUID}", UUID),
    (f"token [{HEX}] accepted", HEX),
    (f"authenticated with key {HEX}", HEX),
    (f"##vso[task.setvariable variable=Pw;issecret=true]{WORD}", WORD),
    (f"echo {WORD} | docker login --password-stdin", WORD),
    (f"DEBUG env TOKEN -> {UUID}", UUID),
    (f"secret '{WORD}' not masked", WORD),
    (f"password {MIXED} rejected for bob", MIXED),
    (f"Login failed with password '{WORD}'", WORD),
    (f"Access denied for user 'bob' (using password: {WORD})", WORD),
    (f"Incorrect API key provided: {OPAQUE}", OPAQUE),
    (f"root:$6$abcdefgh$Zx{OPAQUE}{OPAQUE}{OPAQUE}{OPAQUE}:19000:0", OPAQUE),
    (f"bob:$apr1$abcdefgh$Zx{OPAQUE}aa", OPAQUE),
    (f"admin:{HEX}:::", HEX),
    (f"Administrator:500:aad3b435b51404eeaad3b435b51404ee:{HEX}:::", HEX),
    (f"NTLM: {HEX}", HEX),
    (f"hash {HEX} cracked: {WORD}", WORD),
    (f"sha256$abcd${HEX}{HEX}", HEX),
    (f"md5(password)={HEX}", HEX),
    (f"scram: SCRAM-SHA-256$4096:{OPAQUE}$x:y", OPAQUE),
    ("otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSW&issuer=y", "JBSWY3DPEHPK3PXPJBSW"),
    ("2FA secret: JBSW Y3DP EHPK 3PXP", "JBSW Y3DP EHPK 3PXP"),
    ("Enter this key manually: jbsw y3dp ehpk 3pxp", "jbsw y3dp ehpk 3pxp"),
    ("Backup codes:\n1. abcd-12ef\n2. 34gh-ij56", "34gh-ij56"),
    ("recovery codes: 12345678 87654321 11223344", "87654321"),
    ("Your backup codes are abcd-12ef, 34gh-ij56 and 99zz-77yy", "99zz-77yy"),
    (f"webhook url: https://hooks.example.com/services/{OPAQUE}/x", OPAQUE),
    (f"https://maker.ifttt.com/trigger/x/with/key/{OPAQUE}", OPAQUE),
    (f"https://chat.googleapis.com/v1/spaces/A/messages?key=k&token={OPAQUE}", OPAQUE),
    (f"https://open.feishu.cn/open-apis/bot/v2/hook/{UUID}", UUID),
    (f"https://oapi.dingtalk.com/robot/send?access_token={HEX}", HEX),
    (f"https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key={UUID}", UUID),
    (f"https://events.pagerduty.com/integration/{HEX}/enqueue", HEX),
    (f"https://api.opsgenie.com GenieKey {UUID}", UUID),
    (f"https://ntfy.sh/{OPAQUE}", OPAQUE),
    (f"https://hc-ping.com/{UUID}", UUID),
    (f"https://prod-12.westeurope.logic.azure.com/workflows/{HEX}/triggers/manual?sig={OPAQUE}", OPAQUE),
    ("https://mattermost.example.org/hooks/kq7zp2vxr9lmt4wbabcdefghij", "kq7zp2vxr9lmt4wb"),
    (f"algolia admin key {HEX}", HEX),
    (f"Datadog: DD_API_KEY={HEX}", HEX),
    (f"DD-API-KEY: {HEX}", HEX),
    (f"X-Api-Key: {UUID}", UUID),
    (f"apikey {UUID}", UUID),
    (f"heroku key {UUID}", UUID),
    (f"HEROKU_API_KEY={UUID}", UUID),
    (f"x-functions-key: {OPAQUE}==", OPAQUE),
    (f"Ocp-Apim-Subscription-Key: {HEX}", HEX),
    (f"cloudflare global key {HEX}abc12", HEX),
    (f"my openweather appid={HEX}", HEX),
    (f"maps.googleapis.com?key=AIzaSyA{OPAQUE}{OPAQUE}", "AIzaSyA"),
    (f"twilio.rest.Client('AC{HEX}', '348b2d9c0ef7166a50d48e2b77c1a9f3')", "348b2d9c0ef7166a50d48e2b77c1a9f3"),
    (f"Mailjet {HEX}:348b2d9c0ef7166a50d48e2b77c1a9f3", "348b2d9c0ef7166a50d48e2b77c1a9f3"),
    (f"zendesk bob@x.org/token:{OPAQUE}", OPAQUE),
    (f"jira bob@x.org:{OPAQUE}", OPAQUE),
    (f"ElevenLabs xi-api-key {HEX}", HEX),
    (f"deepl key {UUID}:fx", UUID),
    (f"AssemblyAI authorization: {HEX}", HEX),
    (f"splunk HEC Splunk {UUID}", UUID),
    (f"Authorization: Splunk {UUID}", UUID),
    (f"Authorization: ApiKey {OPAQUE}==", OPAQUE),
    (f"Authorization: SSWS 00{OPAQUE}{OPAQUE}", OPAQUE),
    (f"Authorization: Token token={HEX}", HEX),
    (f"Authorization: AWS4-HMAC-SHA256 Credential=x, Signature={HEX}{HEX}", HEX),
)
ORDINARY = (
    "The password is required, and your password was changed yesterday.",
    "Das Passwort ist abgelaufen; the password is too short, the token is invalid.",
    "Le mot de passe est incorrect. La contraseña es obligatoria.",
    "password = getpass.getpass()  # asks for it",
    "What is the password policy? It says 12 characters.",
    "def login(user: str, password: str) -> Session: ...",
    'client.get("user", "status")',
    "The door code is on page 12 of GPT-4o's manual, and error code 482913 means nothing.",
    "npm i @types/node@20.1.0 left-pad@1.3.0 actions/checkout@v4",
    "https://example.com/a/b?page=2&sort=Name#Top10",
    "x = (a*b + C3) ** 2 if n%2 else f(2*x+3)",
    "Total: $1,299.50 (12% off), 5*3 and Q1+Q2, C# 12, **Turn1** and *Step2*!",
    "^[A-Za-z0-9_]+$ matches, [^\\s]{8,64} too; %-8.3f%% and &#x27;",
    "mail Jo.Doe+trip2@example.com or @JoDoe99, see #Issue42 in $HOME/Dir1",
    "the backup runs at 10pm for the admin account",
    "projects/tessera/secrets/billing-key/versions/747",
    "INSERT INTO users (name, city) VALUES ('bob', 'Paris')",
)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told[0][:28])
def test_what_stands_beside_a_secret_tells_it(told: tuple[str, str]) -> None:
    text, secret = told
    assert secret not in without(text)


@pytest.mark.parametrize("text", ORDINARY, ids=lambda text: text[:28])
def test_a_sentence_about_secrets_or_code_that_tells_none_stays(text: str) -> None:
    assert without(text) == text


@pytest.mark.parametrize(
    "word", ["saddleDolphin@843", "Walnut1809$$meadow", "yjM=2H+8!#%5L*f", "Tr0ub4dor&3x!", "p4ss!w0rd?9"]
)
def test_a_word_that_looks_like_a_password_needs_nothing_beside_it(word: str) -> None:
    assert looks_like_password(word)
    for text in (
        word,
        f"so: {word}, ok",
        f"({word})",
        f"X={word}",
        base64.b64encode(f"use {word} now".encode()).decode(),
    ):
        assert word not in without(text)
        assert without(text) != text


def test_what_is_a_secret_only_where_the_page_shows_it_together_goes_from_the_data_too() -> None:
    """Apart, in the values of two arguments, nothing tells it; the page writes the arguments below each other."""
    args: dict[str, Json] = {"hint": "what's the password?", "guess": WORD}
    event = Event(author="bob", parts=(ToolCall(name="ask", args=args, place="/0"),), place="/0")
    turn = Turn(id="t", index=0, user=(), events=(event,), place="/0")
    pack = EvidencePack("run", (EvidenceSide("run", traces=(Trace(id="t", turns=(turn,), place="/0"),)),))
    made = evidence_file(pack, Redaction())
    assert made.left == 0
    assert [(each.rule, each.count) for each in made.redacted] == [("password-in-words", 1)]
    assert WORD.encode() not in made.data + data_in(made.data)


def without(text: str) -> str:
    """A text with its secrets taken out."""
    for secret in reversed(SecretFinder(with_secret_keys(Redaction())).find(text)):
        text = f"{text[: secret.start]}[…]{text[secret.end :]}"
    return text
