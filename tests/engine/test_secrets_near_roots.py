"""Secrets that a word near them tells in any language, and what stays beside the same words."""

from __future__ import annotations

import base64

import pytest

from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.pack_redactor import PackRedactor
from trace_inspector.engine.redaction.secret_finder import SecretFinder

TOLD = (
    ("Das Kennwort fürs Archiv lautet jetzt Birnbaum_92.", "Birnbaum_92"),
    ("Der Tresorcode ist 70 41 88, bitte merken", "70 41 88"),
    ("mon mdp c'est Moulin-Vert14 au cas où", "Moulin-Vert14"),
    ("le code de l'alarme de la cave, 48812, change demain", "48812"),
    ("mi clave del banco es ColibriAzul77", "ColibriAzul77"),
    ("il codice del cancello 4417#", "4417#"),
    ("hasło do wifi: BocianLata33", "BocianLata33"),
    ("пароль от вайфая Сирень2019 проверь", "Сирень2019"),
    ("код домофона 38К4417", "38К4417"),
    ("a jelszavam Gesztenye_55 volt", "Gesztenye_55"),
    ("kapı kodu 7719", "7719"),
    ("dörrkoden är 6652", "6652"),
    ("κωδικός: Elia_Kalamata9", "Elia_Kalamata9"),
    ("הקוד לדלת 5512", "5512"),
    ("كلمة السر هي Tamr_Hindi88", "Tamr_Hindi88"),
    ("मेरा पासवर्ड Gulab@jamun44 है", "Gulab@jamun44"),
    ("รหัสผ่านคือ Somtam_2540", "Somtam_2540"),
    ("mật khẩu wifi là PhoBo2024ngon", "PhoBo2024ngon"),
    ("パスワードはSakuraMochi_88です", "SakuraMochi_88"),
    ("门禁密码 448812", "448812"),
    ("현관 비번 4471*", "4471*"),
    ("The combination for the gym locker is 14-32-08", "14-32-08"),
    ("HomeKit code of the lock is 482-19-734", "482-19-734"),
    ("gate code 4471, then straight ahead", "4471"),
    ('hasło "gruszka" działa', "gruszka"),
    ("code word - marzipan forest, please", "marzipan forest"),
)


@pytest.mark.parametrize(("text", "secret"), TOLD, ids=[secret for _text, secret in TOLD])
def test_a_word_near_it_tells_a_secret_in_any_language(text: str, secret: str) -> None:
    assert secret not in without(text)


STAYS = (
    "The password must have at least 12 characters and 2 digits.",
    "Das Passwort muss mindestens 12 Zeichen haben, seit Version 4.18.3.",
    "Enter the 6-digit code we sent to +49 170 5550123.",
    "Your order number is 48120394 and the invoice RE-2024-1188; the PIN comes by mail.",
    "status code 404, exit code 1, error code 40312",
    "El código postal es 28013 y el pedido 881203.",
    "Kundennummer 5512034, Passwort vergessen",
    "Wi-Fi password of the Brother HL-L2350DW printer? See page 12.",
    "tokens: prompt 10233 completion 2211",
    "user anna83 forgot her password",
    "your password was changed on 14.03.2026 at 09:12",
    "The secret of the 1984 novel",
)


@pytest.mark.parametrize("text", STAYS, ids=lambda text: text[:24])
def test_what_stands_beside_the_same_words_and_is_none_stays(text: str) -> None:
    assert without(text) == text


NUMBERS = (
    ("4539 5787 6362 1486", "4539 5787 6362 1487"),
    ("CH9300762011623852957", "CH9300762011623852958"),
    ("ABCDE-12345-FGHIJ-67890-KLMNO", "ABCDE-12345"),
)


@pytest.mark.parametrize(("number", "other"), NUMBERS)
def test_a_number_that_proves_itself_goes_and_one_with_a_wrong_digit_stays(number: str, other: str) -> None:
    assert without(f"paid with {number} today") == "paid with […] today"
    assert without(f"paid with {other} today") == f"paid with {other} today"


LINES = (
    (" ip ospf authentication-key OspfZeb9", "OspfZeb9"),
    (" ip ospf message-digest-key 1 md5 7 Zebra_Key9", "Zebra_Key9"),
    ("crypto isakmp key Lake.Otter.IX address 203.0.113.7", "Lake.Otter.IX"),
    ("    stats auth ops:seeGraphs!", "seeGraphs!"),
    ('203.0.113.7 : PSK "two otters in a lake"', "two otters in a lake"),
    ("snmpget -v3 -u nms -A 'first.Otter' -X 'second.Otter' host", "second.Otter"),
    ("PASS oauth:abcdefghij0123456789abcdefghij", "abcdefghij0123456789abcdefghij"),
    ("$krb5tgs$23$*svc$CORP$SQL/db*$aabbccddeeff00112233445566778899$00112233", "aabbccddeeff00112233445566778899"),
    ("inv/scans_pw_Otter88Lake.txt", "Otter88Lake"),
    ('rcon_password "zombieHat7"', "zombieHat7"),
)


@pytest.mark.parametrize(("text", "secret"), LINES, ids=[secret for _text, secret in LINES])
def test_lines_of_settings_and_protocols_tell_theirs(text: str, secret: str) -> None:
    assert secret not in without(text)


@pytest.mark.parametrize("secret", ["Otter-by-the-Lake7", "ops:wet_otters"])
def test_a_word_that_was_encoded_alone_is_one(secret: str) -> None:
    encoded = base64.b64encode(secret.encode()).decode()
    assert encoded not in without(f"run it with {encoded} please")


@pytest.mark.parametrize(
    ("args", "secrets"),
    [
        ({"türcode_pin": "4711#", "code": "4065"}, ["4711#"]),
        ({"alarm": {"disarm": "2580#"}, "status_code": "40312"}, ["2580#"]),
        ({"recovery_codes": ["m3xx-71pa", "tt9c-40rd"]}, ["m3xx-71pa", "tt9c-40rd"]),
        ({"security_answer": "uncle Heinz"}, ["uncle Heinz"]),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_key_in_any_language_tells_its_value(args: dict[str, Json], secrets: list[str]) -> None:
    shown = str(PackRedactor(with_secret_keys(Redaction())).redacted(args))
    assert not [secret for secret in secrets if secret in shown]
    assert all(value in shown for value in ("4065", "40312") if value in str(args))


def test_a_message_after_one_about_a_password_gives_it_in_few_words() -> None:
    assert "knedlik4zelo" not in talk("Vaše heslo k modemu je staré.", "aha, tak knedlik4zelo prosím")
    assert "knedlik4zelo" in talk("Where is my parcel?", "it went to knedlik4zelo")


def talk(first: str, second: str) -> str:
    turns = (
        Turn(index=0, user=(Text("Hello"),), final_response=(Text(first),), place="/0"),
        Turn(index=1, user=(Text(second),), place="/1"),
    )
    return str(PackRedactor(with_secret_keys(Redaction())).redacted(Trace(id="t", turns=turns, place="/0")))


def without(text: str) -> str:
    pieces = []
    end = 0
    for secret in SecretFinder(with_secret_keys(Redaction())).find(text):
        pieces += [text[end : secret.start], "[…]"]
        end = secret.end
    return "".join((*pieces, text[end:]))
