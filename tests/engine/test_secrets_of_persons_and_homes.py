"""Secrets that no key names: numbers of persons, codes as they are said, phrases of several words, keys as bytes."""

from __future__ import annotations

import base64

import pytest

from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.pack_redactor import PackRedactor
from trace_inspector.engine.redaction.secret_finder import SecretFinder

FINDER = SecretFinder(with_secret_keys(Redaction()))
BYTES = "[12, 250, 7, 81, 99, 3, 204, 17, 68, 90, 131, 5, 222, 44, 160, 71]"
RESTORING = "lake otter river stone boat water morning fish grass cloud rain snow wind hill bridge"
TOLD = (
    ("My social security number is 318-52-7741, thanks.", "318-52-7741"),
    ("CPF 529.982.247-25", "529.982.247-25"),
    ("AHV 756.9217.0769.85", "756.9217.0769.85"),
    ("Mein Personnummer ist 850709-9805", "850709-9805"),
    ("card 4539 5787 6362 1486, 09/28, on the back 619", "619"),
    ("my card is 4539 5787 6362 1487", "4539 5787 6362 1487"),
    ("the pin is four two oh nine seven", "four two oh nine seven"),
    ("Le code de la porte est K7316", "K7316"),
    ("the gate code: 9053H", "9053H"),
    ("Test login is otter@lake.example with wet stone 22.", "wet stone 22"),
    ("kata sandi router: teh.susu.panas.sekali", "teh.susu.panas.sekali"),
    ("backup codes:\n1. 3381 9021\n2. 7714 0655\n", "7714 0655"),
    (f"network_key: {BYTES}", BYTES),
    ("Server=lake;User ID=otter;Password=Wet(moss)[7];Encrypt=True", "Wet(moss)[7]"),
    ("SELECT pgp_sym_decrypt(note, 'Otter-Stone-9')", "Otter-Stone-9"),
    ("echo 'no otter without lake' | ssh-add -", "no otter without lake"),
    ("vault --vault-password-file <(echo 'nine otters & a lake')", "nine otters & a lake"),
    ("net use Z: \\\\nas\\scan Wetstone26;A /user:LAKE\\otter", "Wetstone26;A"),
    ("wlan_key_Otterstone2024.txt", "Otterstone2024"),
    ("krbtgt:aes256-cts-hmac-sha1-96:" + "6f4c" * 16, "6f4c" * 16),
    ("pk is 0x" + "1c3e" * 16, "0x" + "1c3e" * 16),
    ("ak_prod_8fk2jd93ms01qpz7x4", "ak_prod_8fk2jd93ms01qpz7x4"),
    ("INSERT INTO u (id, pw) VALUES (1, 'otter1lake'), (2, 'stone2boat')", "stone2boat"),
    ("system;login;pwd\nlake;otter;Stone;HB2\n", "Stone;HB2"),
    ("p3[Yt;8Kv)Ws6,", "p3[Yt;8Kv)Ws6,"),
    (
        "wallet words? lake,otter,river,stone,boat,water,morning,fish,grass,cloud,rain,snow",
        "lake,otter,river,stone,boat,",
    ),
    ('{"password": "The key lies under the stone"}', "The key lies under the stone"),
    ('password="my token is the red boat"', "my token is the red boat"),
    ("IDEMPOTENCY_KEY_SECRET=otter2x", "otter2x"),
    ("publickey_secret=otter2x", "otter2x"),
    ('{"primaryKey": "otterotterotterotterotter=="}', "otterotterotterotterotter=="),
    ("h.Set('Authorization', 'Digest zYx9wVuTsRqPoNm4lKjI3hGf')", "zYx9wVuTsRqPoNm4lKjI3hGf"),
    ("API token name: Wk8nQr3wM6uS5xA9cP2dR4e", "Wk8nQr3wM6uS5xA9cP2dR4e"),
    ("https://lake.example/d/zYx9wVuTsRqPoNm4lKjI3hGfEdC7bA", "zYx9wVuTsRqPoNm4lKjI3hGfEdC7bA"),
    ("see https://lake.example/files/zYx9wVuTsRqPoNm4lKjI3hGfEdC7bA?dl=1", "zYx9wVuTsRqPoNm4lKjI3hGfEdC7bA"),
    ("Password=wet moss;Server=lake", "wet moss"),
    ("Data Source=lake;Pwd=wet/moss (7);", "wet/moss (7)"),
    (f"{'seed ' * 40}phrase: {RESTORING}", RESTORING),
    ('PASSPHRASE="Enter the river, key is mine"', "Enter the river, key is mine"),
)


@pytest.mark.parametrize(("text", "secret"), TOLD, ids=[text[:24] for text, _secret in TOLD])
def test_it_is_told_without_a_key(text: str, secret: str) -> None:
    found = [text[one.start : one.end] for one in FINDER.find(text)]
    assert any(secret in one for one in found), found


def test_words_and_a_number_that_were_encoded_alone_go() -> None:
    phrase = "otters swim over stone 42"
    assert phrase in [one.text for one in FINDER.find(phrase.encode().hex())]
    assert FINDER.find(base64.b64encode(b"otters swim over stones in the lake").decode()) == ()


STAYS = (
    "key md5 checksum 9e107d9d372bb6826bd81d3542a419d6",
    "密码已重置；订单 730268",
    "It reads secrets.yaml. The sensor model is QR-0731-8840-15.",
    'key_vault_name       = "vault-lake-north-07"',
    'CACHE_KEY: "wheels-v3-$GIT_BRANCH_NAME"',
    "key: v4-poetry-{{ lockfile }}",
    '"PublicKeyToken": "c81e728d9d4c2f63"',
    "{'message': 'invalid api token', 'id': '3b241101-e2bb-4255-8caf-4136c566a962'}",
    'export OPENAI_API_KEY="sk-..."',
    "password_hint_text: 'Please choose a password that is longer (at least 12 letters)'",
    "password_encryption=md5",
    "tokens\nTEAM_ID=4HT8W1ZC3P",
    "its token goes to releases new otter@7.1.3+902",
    "https://lake.example/v1/files/zYx9wVuTsRqPoNm4lK",
    "https://lake.example/document/d/zYx9wVuTsRqPoNm4lKjI3hGfEdC7bA/edit",
    '{"primaryKey": "boats-by-lake", "PublicKeyToken": "c81e728d9d4c2f63"}',
    "wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "MODEL_DIGEST=sha512-Qm7/Zt4LpX9vRk2NsW8cYb3HdJ6gFa1UeTo5iVxKq0yMBzCn+DfGhSjPwErLtAu==",
    "product id 00245-70000-00000-BB902",
    "at lake.SecretStore.run(SecretStore.java:214)",
    "password prompt shown; image lake-router7-os.REL.12-4.M2.bin",
    "SSN as in 123-45-6789",
    "card 4111-2222-3333-4444",
    "the code takes one two three four steps",
    "order 318-52-7741 was shipped",
    "password = request.getParameter(name); String b = c;",
    "password = args.password; host = lake;",
    "password = getenv(LAKE_PASS); port = 1",
    "const password = await prompt(); server = 3",
    "PWD=/home/otter/lake; cd lake",
    "pwd = os.getcwd(); database = 4",
    '{"password": "The password must have eight letters"}',
    '{"password": "Please enter your password here"}',
    '{"title": "Sign in to lakes", "password": "This is the password of yours", "name": "This is your name here"}',
)


@pytest.mark.parametrize("text", STAYS, ids=lambda text: text[:24])
def test_what_only_looks_so_stays(text: str) -> None:
    assert [text[one.start : one.end] for one in FINDER.find(text)] == []


def test_of_the_address_of_a_webhook_only_its_token_goes() -> None:
    text = "https://discord.com/api/webhooks/9024417730551186432/tR5mWq9LzX2bNc7v-4Kd8sJhYg3Fp6-aEuViBoTxZ"
    assert [one.text for one in FINDER.find(text)] == ["tR5mWq9LzX2bNc7v-4Kd8sJhYg3Fp6-aEuViBoTxZ"]


@pytest.mark.parametrize(
    ("args", "left"),
    [
        ({"creds": "otter:Wq7tRzmLkd"}, []),
        ({"pickup_codeword": "Regenbogen"}, []),
        ({"jwt": {"Issuer": "https://lake.example/", "SigningKey": "Qz8kd92Lq0"}}, ["https://lake.example/"]),
        (
            {"password": "This is the password of yours", "name": "Say who you are", "note": "A line of words"},
            ["password of"],
        ),
        ({"PWD": "/home/otter/lake"}, ["/home/otter/lake"]),
        ({"twilio_auth": {"sid": "AC" + "5f47" * 8}}, ["AC" + "5f47" * 8]),
    ],
    ids=str,
)
def test_a_member_that_tells_how_a_secret_is_used_stays(args: dict[str, Json], left: list[str]) -> None:
    redactor = PackRedactor(with_secret_keys(Redaction()))
    redactor.redacted(args)
    clean = str(redactor.redacted(args))
    assert "[redacted" in clean or left
    assert all(text in clean for text in left)
    assert not any(text in clean for text in ("Wq7tRzmLkd", "Regenbogen", "Qz8kd92Lq0"))
