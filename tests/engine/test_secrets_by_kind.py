"""Kinds of contexts that tell a secret, several of each, and for each kind what looks alike and stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.pack_redactor import PackRedactor
from trace_inspector.engine.redaction.secret_finder import SecretFinder

WORD, MIXED, CHOSEN, SIGNED = "greenotter", "quietMeadow58", "Amber_Kiln4471", "FogLark380!"
OPAQUE, LETTERS = "nT4xLq8ZbW2vRk6Ps", "QzXvRtKbWnMpLsJdHgFcYwTb"
HEX, UUID = "9c41e07ab35d2f8866f01b7c3de4a529", "0b7e4d16-53af-4c92-8d01-f6a92b3c7e58"
BASE32, GROUPS, RESCUE = "MFRGGZDFMZTWQ2LKNNWG", "k3vp 9xwq t6mz r2hd b8nc", "wqzke-hnbrt"

TOLD: Mapping[str, Sequence[tuple[str, str]]] = {
    "a word beside the noun, in compounds and other languages": (
        (f"Der Gast-Kennwort {CHOSEN} steht auf dem Zettel", CHOSEN),
        (f"Sie nannte mir das Routerpasswort {SIGNED} am Telefon", SIGNED),
        (f"I tried the guest-password {MIXED} and it opened", MIXED),
        (f"avec le mot de passe {CHOSEN} on entre", CHOSEN),
        (f"la password {SIGNED} funziona ancora", SIGNED),
        (f"парольный диалог принял пароль {CHOSEN} сразу", CHOSEN),
        (f"log in as root with {MIXED} please", MIXED),
        (f"it is {MIXED}, which is my password", MIXED),
    ),
    "an opaque word near “key”, “token”, “secret”": (
        (f"the security token {LETTERS}, then the instance", LETTERS),
        (f"my Vercel key is {OPAQUE} by the way", OPAQUE),
        (f"API-Schlüssel {OPAQUE} ist abgelaufen", OPAQUE),
        (f"token ({OPAQUE}) works", OPAQUE),
        (f"clé API {OPAQUE}", OPAQUE),
        (f"the access key, `{LETTERS}`, was rotated", LETTERS),
        (f"deploy token {HEX} was revoked", HEX),
    ),
    "the name of a variable": (
        (f"BILLING_API_KEY is set to {OPAQUE}, so all is well", OPAQUE),
        (f"SHOP_DB_PASSWORD is set to {WORD}, fine", WORD),
        (f"it printed DEPLOY_TOKEN\t{OPAQUE}", OPAQUE),
        (f"I found `{HEX}` as TWILIO_AUTH_TOKEN there", HEX),
        (f"{OPAQUE} is stored in SESSION_SECRET", OPAQUE),
        (f"JWT_SECRET here is {WORD}", WORD),
    ),
    "options of any command": (
        (f"rdesktop -u admin -p {OPAQUE} host.example.org", OPAQUE),
        (f"xfreerdp /v:host /u:bob /p:{SIGNED} /cert:ignore", SIGNED),
        (f"evil-winrm -i 10.0.0.1 -u admin -p {WORD}", WORD),
        (f"failed because `--password {WORD}` was passed", WORD),
        (f'["--password", "{WORD}"]', WORD),
        (f"(--api-key={OPAQUE})", OPAQUE),
        (f"7z x -p{WORD} a.7z", WORD),
        (f"nmcli dev wifi connect Home password {WORD}", WORD),
        (f"gh secret set X --body {OPAQUE}", OPAQUE),
        (f"psexec corp/bob:{MIXED}@10.0.0.1", MIXED),
    ),
    "keys for authenticators, in groups or behind “seed”": (
        (f"type the setup key `{GROUPS}` into your app", GROUPS),
        (f"Secret key (manual): {GROUPS.upper()}", GROUPS.upper()),
        (f"Einrichtungsschlüssel: {GROUPS}", GROUPS),
        (f"setup key {GROUPS.replace(' ', '-')}", GROUPS.replace(" ", "-")),
        (f'{{"mfa_seed": "{BASE32}"}}', BASE32),
        (f"oathtool --totp -b {BASE32}", BASE32),
    ),
    "codes for once, and for when the telephone is lost": (
        (f"# backup code {RESCUE}", RESCUE),
        (f"recovery codes {RESCUE} abcde-fghij", "abcde-fghij"),
        (f"código de respaldo: {RESCUE}", RESCUE),
        (f"Wiederherstellungscode {RESCUE}", RESCUE),
        ("Ihr Bestätigungscode lautet 730164", "730164"),
        ("730164 is your Example verification code", "730164"),
        ("Use 730164 to sign in", "730164"),
        ("验证码：730164", "730164"),
    ),
    "addresses that open to whoever knows them": (
        (f"https://calendar.example.com/ical/a%40b.com/private-{HEX}/basic.ics", HEX),
        (f"https://app.example.org/feeds/private/{HEX}.rss", HEX),
        (f"https://boards.example.com/calendar/5f/6a/{HEX}.ics", HEX),
        (f"webcal://p01.example.com/published/2/{OPAQUE}", OPAQUE),
        (f"https://example.org/shared-secret/{HEX}/x", HEX),
        (f"https://example.org/set-password/{OPAQUE}", OPAQUE),
    ),
    "what is typed into a field": (
        (f'{{"selector": "#password", "action": "type", "text": "{MIXED}"}}', MIXED),
        (f'{{"text": "{WORD}", "element": "Password field"}}', WORD),
        (f'driver.find_element(By.ID, "password").send_keys("{WORD}")', WORD),
        (f"cy.get('#password').type('{WORD}')", WORD),
        (f'Typed "{WORD}" into the password field', WORD),
        (f'I fill in "Password" with "{WORD}"', WORD),
        (f'- textbox "Password" [ref=e3]: {WORD}', WORD),
    ),
    "marked up": (
        ("Your password is <b>hk5&#x27;delOG&lt;ugC&quot;L9&amp;R/Z</b>, user admin.", "L9&amp;R"),
        (f"<p>Your temporary password:<br><strong>{WORD}</strong></p>", WORD),
        (f"**Password:** `{WORD}`", WORD),
        (f"| API key | `{OPAQUE}` |", OPAQUE),
    ),
    "signs within a word that began without a quotation mark": (
        ("password: ab3\"de'fg7<hi&jk9, then", "jk9"),
        ('{"\\u30d1\\u30b9\\u30ef\\u30fc\\u30c9": "1k\\u0022u8H2\\u0027f9ny", "id": 7}', "f9ny"),
    ),
    "languages of which only the word for it is known": (
        (f"Lösenordet till databasen är {CHOSEN}.", CHOSEN),
        (f"Kata sandi untuk server adalah {SIGNED}, ya", SIGNED),
        (f"Sunucunun şifresi {SIGNED} oldu", SIGNED),
        (f"รหัสผ่านของเครื่อง 10.1.2.3 คือ {SIGNED} ครับ", SIGNED),
        (f"heslo: {WORD}", WORD),
        (f"segue a chave da API:\n{HEX}\nobrigado", HEX),
    ),
    "a word alone below a line that ends with a colon": (
        (f"Please use the following password to proceed:\n\n{HEX}\n\nok", HEX),
        (f"Your new API key is:\n\n    {OPAQUE}\n\nStore it", OPAQUE),
        (f"Token:\n```\n{OPAQUE}\n```", OPAQUE),
        (f'A: which password shall I set?\nB: make it "{MIXED}", please', MIXED),
    ),
    "strings of code": (
        (f"new PDO('mysql:host=x;dbname=y', 'admin', '{WORD}')", WORD),
        (f'DriverManager.getConnection(url, "u", "{WORD}")', WORD),
        (f'ks.load(in, "{WORD}".toCharArray())', WORD),
        (f'config.setPassword("{MIXED}")', MIXED),
        (f'admin_password = """{SIGNED}"""', SIGNED),
        (f"[(1, 'deploy', 'pwd', '{SIGNED}')]", SIGNED),
        (f'{{"SecretString": "{{\\"user\\": \\"x\\", \\"other\\": \\"{WORD}\\"}}"}}', WORD),
    ),
    "sessions, protocols and settings": (
        (f"curl -b '_forge_session={HEX}; a=1' https://example.org", HEX),
        (f'OP_SESSION_my="{OPAQUE}{OPAQUE}" op item get x', OPAQUE),
        ("S: 334 UGFzc3dvcmQ6\nC: Z3JlZW5vdHRlcg==", "Z3JlZW5vdHRlcg"),
        (f"user worker on >{WORD} ~jobs:* +@all", WORD),
        (f"CORP\\Administrator:{SIGNED} (valid)", SIGNED),
        ("WLAN-Netzwerkschlüssel: 15268693579840847874", "15268693579840847874"),
        (f'# ~/.google_authenticator\n{BASE32}\n" TOTP_AUTH\n92987149\n79029288', "79029288"),
    ),
    "members that name a value by its kind or id": (
        (f'{{"id": "password", "type": "concealed", "value": "{WORD}"}}', WORD),
        (f'{{"ParameterKey": "DBPassword", "ParameterValue": "{WORD}"}}', WORD),
        (f'{{"k": "db.password", "v": "{WORD}"}}', WORD),
        (f'pass := "{WORD}"', WORD),
    ),
    "codes for doors and cards": (
        ("the door code is 4821", "4821"),
        ("the code for the alarm is 4821", "4821"),
        ("CVV: 7301", "7301"),
    ),
    "what one vendor's keys begin with": (
        (f"wrong window, HRKU-{UUID} is still live", UUID),
        (f"see xkeysib-{HEX}{HEX}-kQ7zP2vXr9LmT4wB", HEX),
        ("that is dt0c01.5TVRTGKYYC6IMPNM.P62VSHBJE7AF7QLRNKCNMW6KIHTB2BMULXVP", "P62VSHBJE7AF7Q"),
        (f"and sqp_{HEX}{HEX[:8]} too", HEX),
    ),
}


@pytest.mark.parametrize("kind", TOLD)
def test_each_kind_of_context_tells_its_secret(kind: str) -> None:
    assert [(text, secret) for text, secret in TOLD[kind] if secret in without(text)] == []


STAYS = (
    "The password policy asks for 12characters and RotateEvery90Days",
    "class PasswordLoginView2FA(LoginRequiredMixin): key = SomeClassName2Foo",
    "The token count of gpt-4o-mini is 128000, the key is user_id",
    "primary key order_items_2024_pkey and foreign key customer_ref_fk2",
    "sudo -u bob mkdir -p build2 && python -u train.py -p config",
    "docker run -u root -p 8080:80 library/nginx:1.25@sha256:abc",
    "ssh -l bob -p 2222 host",
    "Your order number is 730164 and error code 4821 is known",
    "zip code 90210, the code of line 4821 and HTTP status code 40412",
    f"https://example.org/commit/{HEX} and https://example.org/calendar/2024-05-01/week.html",
    '{"selector": "a.forgot-password", "text": "Click"}',
    '{"element": "Search box", "text": "cheap flights"}',
    "SHOP_API_KEY is set in the environment, DB_PASSWORD is required",
    "this code will open with 2022 keys that fits most test sets",
    "our backup code lives in two-step and recovery key is kept",
    '{"SecretString": "{name of the secret}"}',
    "C:\\Users\\bob:12345 and the parole of Carolina",
    "tokens:\n  first: 12345678\n  second: 87654321",
    "the keys are:\n- first_item_0001\n- other",
    "fields = ('name', 'token', 'count')",
    "new Connect('a', 'b')",
    'MISSING_CREDENTIALS = """Your default credentials were not found.\nSet them up."""',
    '{"type": "token", "value": "while"}',
    '{"id": "secret-scanning", "value": "enabled"}',
    "| Password | Strength |\n| weak | low |",
    "a trace 9c41e07ab35d2f8866f01b7c3de4a529 of run 0b7e4d16-53af-4c92-8d01-f6a92b3c7e58",
)


@pytest.mark.parametrize("text", STAYS, ids=lambda text: text[:24])
def test_what_looks_alike_stays(text: str) -> None:
    assert without(text) == text


@pytest.mark.parametrize(
    ("args", "secret"),
    [
        ({"selector": "#password", "action": "type", "text": MIXED, "field": "password"}, MIXED),
        ({"element": "Password textbox", "ref": "e8", "text": WORD, "submit": True}, WORD),
        ({"target": "Passwort", "keys": SIGNED}, SIGNED),
        ({"mfa_seed": BASE32, "period": 30}, BASE32),
        ({"totp": BASE32}, BASE32),
        ({"id": "password", "type": "concealed", "value": WORD}, WORD),
        ({"question": "Please enter the sudo password", "answer": WORD}, WORD),
        ({"question": "What is your PIN?", "answer": "sure, it is 4821 I think"}, "4821"),
        ({"name": "oathtool", "args": ["--totp", "-b", BASE32]}, BASE32),
        ({"SecretString": f'{{"user": "bob", "other": "{WORD}"}}'}, WORD),
    ],
    ids=str,
)
def test_members_of_a_value_tell_each_other(args: dict[str, Json], secret: str) -> None:
    redacted = PackRedactor(Redaction()).redacted(ToolCall("type", args, place="/0"))
    assert secret not in str(redacted)
    assert all(key in str(redacted) for key in args)


def test_captions_beside_the_description_of_a_field_stay() -> None:
    call = ToolCall("click", {"element": "Password", "text": "Submit"}, place="/0")
    assert PackRedactor(Redaction()).redacted(call) == call


def without(text: str) -> str:
    """A text with its secrets taken out."""
    for secret in reversed(SecretFinder(with_secret_keys(Redaction())).find(text)):
        text = f"{text[: secret.start]}[…]{text[secret.end :]}"
    return text
