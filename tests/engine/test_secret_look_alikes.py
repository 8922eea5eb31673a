"""What an ordinary trace says in words that secrets stand beside as well: it stays as it is."""

from __future__ import annotations

import pytest

from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.pack_redactor import PackRedactor
from trace_inspector.engine.redaction.secret_finder import SecretFinder

LINES = (
    "db.lake.example:5432:boats:reader:public",
    "radius key findings 2023",
    "crypto market key levels: support and resistance",
    "key md5 checksum mismatch",
    "snmp community edition",
    "PASS rate_2023",
    "PASS test_boat_rental_2",
    'X-Request-Id "0a1b2c3d4e5f60718293"',
    'X-Trace-Context "0a1b2c3d4e5f60718293"',
    'X-Amzn-Trace-Id "Root=1-0a1b2c3d-4e5f60718293"',
    "user/Profile2023",
    "root/Folder2B",
    "/builds/pytest-of-root/pytest-159/test_boats_0/base.json",
    "https://lake.example/?p=notes-about-otters-in-winter",
    "https://lake.example/?k=quiet+keyboard+blue",
    "https://lake.example/?t=warm-coats-for-children",
    "The list of words contains lake otter river stone boat water morning fish grass cloud rain snow and more",
    "The safe word is mentioned on page 4.",
    "My maiden name is irrelevant for this.",
)
FIGURES = (
    "Run the code in cell 1300.",
    "It is safe to take 1200 mg daily",
    "The safe operating temperature is 1300 degrees",
    "Unlock 6000 points with the code of conduct quiz",
    "The code gave 4300 tickets and 2100 pesos",
    "SELECT * FROM users WHERE password_reset_token IS NOT NULL LIMIT 2000",
    "The code has 3456 tests and 1300 pass",
    "Python code: x = 34567",
    "Your verification request 772834 is pending",
    "Gate C14 opens at 1640",
    "Alarm at 1640",
    "Die Tür 1307 ist im dritten Stock",
    "Дверь 1307 открыта",
    "la puerta 1307 está al fondo",
    "Unlock 6000 coins",
    "The combination of 1300 and 2500 is 3800",
    "Pack 5030 is the combo",
    "código de error 4321",
    "El código 23456 no existe en el inventario",
    "Код товара: 23456",
    "コード 2002 のエラー",
    "kode produk 23456",
    "Ο κωδικός προϊόντος είναι 5932841",
    "パスワードを忘れました。ユーザーID 594031",
    "密码重置链接已发送，订单号 20230614002",
    "密码重置链接已发送；订单号 594031",
    "Sicherheitsfrage: wie heißt das Haustier?",
    "The phrase: long ago and far away",
    "IMEI 490154203237518",
    "order 4539578763621486 was shipped",
    "tracking: 4539578763621486",
    "Die Linie 317204958",
    "La Compagnie 317204958",
    "nie ma 3172049586",
    "Zadanie 20250917-4410",
    "The social network has 317204958 boats",
    "national id lookup returned order 317204958",
    "trwa 5 dni 71930482A",
    "BSN 482719309",
    "La carte de menu: 4929 1234 5678 9012",
    "account for otter@lake.example with invoice#31720",
    "Sign in as otter with option=remember-me",
    "Log in as otter@lake.example with 2-factor enabled",
    "safe code path E3172 error",
    "gate code review: file A3172",
    "The lock waits: one, two, three, four, five.",
    "order 3172049586317 shipped 09/28 qty 250 boats",
    "Invoice 4829384756123 from 01/02/2024 paid in 2025",
    "monkey=[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]",
    f"monkey={[7, 250, 12, 81] * 4}",
    f"sort_key={[7, 250, 12, 81] * 4}",
    f"block_key={list(range(1, 17))}",
    "wlan-key-exchange.py",
    "psk_key_derivation.py",
    "wifi-password-generator.js",
    "echo 'otters swim in lakes' | restic backup --stdin",
    "echo 'otters swim in lakes' | gpg --batch --passphrase-fd 3 -c",
    "api_test_boat3172049586317b",
    "part number ABCDE-12345-FGHIJ-67890-KLMNO",
)


@pytest.mark.parametrize("text", [*LINES, *FIGURES], ids=lambda text: text[:30])
def test_an_ordinary_line_stays(text: str) -> None:
    assert [text[one.start : one.end] for one in FINDER.find(text)] == []


@pytest.mark.parametrize(
    "args",
    [
        {"código": 48317},
        {"codigo": "48317", "nombre": "Mesa"},
        {"codice": 23456},
        {"код": 23456},
        {"コード": 2002},
        {"kode": 23456},
        {"gate": 2300},
        {"door": 1307},
        {"alarm": "0740"},
        {"lock": 4333},
        {"unlocks": 6000},
        {"combination": 1307},
        {"digits": 2345},
        {"locker": 1307},
        {"cabinet": 30442},
        {"porte": 6543},
        {"coupon": "AUTUMN2023"},
    ],
    ids=str,
)
def test_a_key_that_only_names_what_is_opened_or_counted_tells_nothing(args: dict[str, Json]) -> None:
    redactor = PackRedactor(with_secret_keys(Redaction()))
    redactor.redacted(args)
    assert redactor.redacted(args) == args
    assert FINDER.find(str(args)) == ()


STILL_TOLD = (
    ("db.lake.example:5432:boats:reader:Otter7lake", "Otter7lake"),
    ("radius-server host 203.0.113.7 key Otter7lake", "Otter7lake"),
    ("PASS Otter7lake!", "Otter7lake!"),
    ("X-Lake-Auth '0a1b2c3d4e5f60718293'", "0a1b2c3d4e5f60718293"),
    ("https://lake.example/?k=a8Kd92Lq0Zx71Bv3", "a8Kd92Lq0Zx71Bv3"),
    (
        "recovery words: lake otter river stone boat water morning fish grass cloud rain snow",
        "lake otter river stone boat water morning fish grass cloud rain snow",
    ),
    ("the code of the safe is 4471", "4471"),
    ("safe code 447188", "447188"),
    ("el código de la puerta es 4471", "4471"),
    ("код от двери 4471", "4471"),
    ("the passcode of the old phone 2503", "2503"),
    ("认证：您的验证码是594031，请勿泄露", "594031"),
    ("Password → otter7lake", "otter7lake"),
    ("card 4539578763621486", "4539578763621486"),
    ("card number 4929 1234 5678 9012", "4929 1234 5678 9012"),
    ("Log in as otter@lake.example with Wet7stone", "Wet7stone"),
    ("the garage code is now 9053H", "9053H"),
    (f"aesKey = {[7, 250, 12, 81] * 4}", str([7, 250, 12, 81] * 4)),
    ("echo 'otters swim in lakes' | gpg --batch --passphrase-fd 0 -d", "otters swim in lakes"),
    ("echo 'otters swim in lakes' | restic snapshots", "otters swim in lakes"),
    ("ak_test_8Fk2jD93ms01qpZ7x4", "ak_test_8Fk2jD93ms01qpZ7x4"),
    ("die Karte liegt da, Nummer 4929 1234 5678 9012", "4929 1234 5678 9012"),
    ("DNI 71930482Y", "71930482Y"),
    ("BSN: 482719308", "482719308"),
    ("PESEL 92041173603", "92041173603"),
    ("Aadhaar is 7319 8240 5618", "7319 8240 5618"),
    ("paid with 3782 822463 10013", "3782 822463 10013"),
)


@pytest.mark.parametrize(("text", "secret"), STILL_TOLD, ids=[secret for _text, secret in STILL_TOLD])
def test_the_secret_that_looks_alike_goes(text: str, secret: str) -> None:
    assert secret in [text[one.start : one.end] for one in FINDER.find(text)]


@pytest.mark.parametrize(("args", "secret"), [({"door_code": 4471}, "4471"), ({"puerta_codigo": "4471"}, "4471")])
def test_what_opens_and_a_code_in_one_key_tell_its_value(args: dict[str, Json], secret: str) -> None:
    assert FINDER.keys.may_be_secret(next(iter(args)), secret)


FINDER = SecretFinder(with_secret_keys(Redaction()))
