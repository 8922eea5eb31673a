"""Numbers that prove by their own digits what they are: of payment cards, bank accounts and recovery keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from trace_inspector.engine.redaction.known_texts import Span

_CARD = re.compile(
    r"[2-6](?<![\w.-].)\d(?:\d{2}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|\d{2}[ -]?\d{6}[ -]?\d{5})(?![\w-]|\.\d)"
)
_ISSUERS = {
    15: re.compile(r"3[47]"),
    16: re.compile(r"4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6(?:011|5|4[4-9])|35(?:2[89]|[3-8])|5[06-8]|67"),
}
_NAMED = 24  # characters in which something may name a number
_OF_ORDER = re.compile(
    r"(?i)(?<![a-z])(?:orders?|id|tracking|shipment|parcel|imei)\W{0,4}(?:(?:no|nr|num|number|id)\W{0,4})?\Z"
)
_OF_PART = re.compile(
    r"(?i)(?<![a-z])(?:part|serial|sku|item|model|product(?=\W?id))\W{0,4}(?:(?:no|nr|num|number|id)\W{0,4})?\Z"
)
# Published for tests.
_TEST_CARDS = frozenset(
    {
        "4242424242424242", "4111111111111111", "4000056655665556", "5555555555554444", "5105105105105100",
        "378282246310005", "371449635398431", "6011111111111117", "4012888888881881", "4000000000000002",
        "2223003122003222", "3566002020360505", "4000000000009995", "5200828282828210",
    }
)  # fmt: skip
_ACCOUNT = re.compile(r"[A-Z](?<![\w-].)[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])")
_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18,
    "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23,
    "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MT": 31, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PT": 25, "QA": 29,
    "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "XK": 20,
}  # fmt: skip
_EXAMPLES = frozenset(
    {"DE89370400440532013000", "GB29NWBK60161331926819", "GB82WEST12345698765432", "FR1420041010050500013M02606"}
)
_RECOVERY = re.compile(r"\d(?<![\w-].)\d{5}(?:[ -]\d{6}){7}(?![\w-])")
_PRODUCT = re.compile(
    r"[A-Z0-9](?<![\w-].)(?=[A-Z0-9-]{0,30}\d)(?=[A-Z0-9-]{0,30}[A-Z])[A-Z0-9]{4}(?:-[A-Z0-9]{5}){3,4}(?![\w-])"
)
# Digits in the groups of a card, though the last one is wrong: somebody says that it is one, and mistyped it.
_CALLED_CARD = re.compile(
    r"(?i)(?:(?<![^\W_])(?:(?:credit|debit|bank|payment|visa|master) ?)?cards?|kreditkarten?(?:nummer)?"
    r"|(?:karten|kort|kaart)nummer"
    r"|carte (?:bancaire|bleue|de crédit)|(?:numéro|nº|n°) de (?:la )?carte|(?:número"
    r"|nº) d[aeo] (?:la )?(?:tarjeta|cartão)"
    r"|tarjeta de (?:crédito|débito)|cartão de (?:crédito|débito)|carta di credito|numero (?:della |di )?carta"
    r"|num(?:er|ăr)\w{0,2} kart\w|номер карт\w|カード番号|卡号|מספר כרטיס"
    r"|(?<![^\W_])(?:karten?|tarjeta|cart[ea]|cartão|kort\w{0,3}|kaart)(?:[^\w\n]{1,3}[^\W\d]{1,12}){0,3}[^\w\n]{1,3}"
    r"(?:nummer|número|numéro|numero|nr|no))"
    r"(?![^\W\d_])(?:[^\w\n]{1,3}(?:number|no|nr|num|is|was|ist|lautet|es|est|è|é|ends?|my|the|are|and|or"
    r"|pay with)){0,3}[^\w\n]{0,3}\Z"
)
# Behind the number of a card and when it expires, however it is said: “09/28, the three on the back 619”.
_CODE_OF_CARD = re.compile(
    r"[^\d\n]{1,60}(?:0[1-9]|1[0-2])\s?/\s?(?:20)?\d\d(?![\d/])[^\d\n]{1,40}(\d{3,4})(?![\w/.,-]?\d)(?!\s?[€$£%])"
)
_CALLED_WITHIN = 60
_MADE_UP = re.compile(r"\d{4}(\d)\1{3}(\d)\2{3}")  # as in documentation: 2222 3333


class _OfPerson(Struct, frozen=True):
    """Numbers of one kind that a state gives a person for life: how written, how called, and what proves it."""

    written: re.Pattern[str]
    called: re.Pattern[str] | None
    proves: Callable[[str], bool]


_OF_NOBODY = ("078051120", "123456789", "219099999", "111111111")  # of advertisements and documentation


def _is_given(digits: str) -> bool:
    """Whether a social security number of the United States is one that is given to anybody."""
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return (
        area not in ("000", "666")
        and area < "900"
        and group != "00"
        and serial != "0000"
        and digits not in _OF_NOBODY
    )


def _is_weighed(digits: str, weights: str, modulo: int, last: str) -> bool:
    total = sum(int(digit) * int(weight, 36) for digit, weight in zip(digits, weights, strict=False))
    return last[total % modulo] == digits[-1]


def _is_cpf(digits: str) -> bool:
    """Whether the last two digits of a tax number of Brazil are those that the others ask for."""
    return len(set(digits)) > 1 and all(
        (sum(int(digit) * (length + 1 - place) for place, digit in enumerate(digits[:length])) * 10) % 11 % 10
        == int(digits[length])
        for length in (9, 10)
    )


def _is_dni(digits: str) -> bool:
    """Whether a number of an identity card of Spain, or of a foreigner there, ends with the letter it asks for."""
    number = int(digits[:-1].translate(str.maketrans("XYZ", "012")))
    return digits[-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def _is_bsn(digits: str) -> bool:
    return (
        sum(int(digit) * weight for digit, weight in zip(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0
    )


def _is_aadhaar(digits: str) -> bool:
    """Whether the last digit is the one of the dihedral group that the others ask for, from right to left."""
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = _of_square(check, _turned(place % 8, int(digit)))
    return check == 0


def _of_square(one: int, other: int) -> int:
    """Two symmetries of a pentagon, one after the other: 0 to 4 turn it, 5 to 9 turn it over."""
    turn = (one + other) % 5 if one < 5 else (one - other) % 5
    return turn + 5 * ((one < 5) != (other < 5))


def _turned(times: int, digit: int) -> int:
    for _time in range(times):
        digit = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[digit]
    return digit


def _named(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![^\W_])(?:{names})(?![^\W\d_])")


_SOCIAL = _named(
    r"social[ -]security|ssn|sozialversicherung\w*|sécurité sociale|sécu|nir|seguridad social|itin|tax ?id"
)
_NATIONAL = _named(
    r"personnummer|fødselsnummer|personal(?:ausweis)?nummer|steuer-?id\w*|steuernummer|identifikationsnummer"
    r"|codice fiscale|nif"
    r"|national id|national insurance|identity (?:number|card)|身份证号?|주민등록번호|マイナンバー"
)
_CALLED_PERSON = 25  # characters between a number and what it is called
_LONGEST_CALLED = 40
# What it is when this stands nearer to it.
_OF_OTHERS = re.compile(
    r"(?i)(?<![^\W_])(?:orders?|invoices?|tickets?|tracking|shipments?|tasks?|jobs?|build|commit|version|users?"
    r"|request|case"
    r"|bestell\w*|auftrag\w*|rechnung\w*|commande|facture|pedido|factura|zamówieni\w*|zadani\w*|ordine"
    r"|bestelling)(?![^\W\d_])"
)
_OF_PERSONS = (
    _OfPerson(
        re.compile(r"\d(?<![\w.-].)\d\d([ -])\d\d\1\d{4}(?![\w-])|\d(?<![\w.-].)\d{8}(?![\w-])"), _SOCIAL, _is_given
    ),
    _OfPerson(re.compile(r"\d(?<![\w.-].)\d\d\.\d{3}\.\d{3}-\d\d(?![\w-])"), None, _is_cpf),
    _OfPerson(
        re.compile(r"756(?<![\w.-]...)\.\d{4}\.\d{4}\.\d\d(?![\w-])"),
        None,
        lambda digits: _is_weighed(digits, "131313131313", 10, "0987654321"),
    ),
    _OfPerson(
        re.compile(r"[1-9](?<![\w.-].)\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dX](?![\w-])"),
        None,
        lambda digits: _is_weighed(digits, "79A584216379A5842", 11, "10X98765432"),
    ),
    _OfPerson(
        re.compile(r"[XYZ\d](?<![\w-].)\d{7}-?[A-Z](?![\w-])"),
        _named(r"dni|nif|(?-i:NIE)(?=\s?[:=]|\s(?:is|es|number|número|nº))"),
        _is_dni,
    ),
    _OfPerson(re.compile(r"\d(?<![\w.-].)(?:[ .]?\d){8}(?![\w-])"), _named("bsn|burgerservicenummer"), _is_bsn),
    _OfPerson(
        re.compile(r"\d(?<![\w.-].)(?: ?\d){10}(?![\w-])"),
        _named("pesel"),
        lambda digits: _is_weighed(digits, "1379137913", 10, "0987654321"),
    ),
    _OfPerson(re.compile(r"[2-9](?<![\w.-].)\d{3}([ -]?)\d{4}\1\d{4}(?![\w-])"), _named("aadhaar"), _is_aadhaar),
    _OfPerson(
        re.compile(
            r"[A-CEGHJ-PR-TW-Z](?<![\w-].)[A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?![\w-])"
            r"|\d(?<![\w.-].)\d{5}(?:\d\d)?[-+]\d{4}(?![\w-])"
            r"|[A-Z](?<![\w-].)[A-Z]{5}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z](?![\w-])"
            r"|\d(?<![\w.-].)\d{3} ?\d{4} ?\d{4}(?![\w-])"
            r"|\d(?<![\w.-].)(?:\d ?){8,10}(?![\w-])|\d(?<![\w.-].)\d{5}-[1-8]\d{6}(?![\w-])"
        ),
        _NATIONAL,
        bool,
    ),
)
CHECKED = ("person-number", "card-number", "bank-account", "recovery-key", "product-key")


def checked_numbers(text: str) -> Iterator[tuple[Span, str]]:
    """The spans of such numbers, and by which rule."""
    for span in _cards(text):
        yield span, "card-number"
        code = _CODE_OF_CARD.match(text, span[1])
        if code is not None:
            yield code.span(1), "card-code"
    yield from ((span, "bank-account") for span in _accounts(text))
    for match in _RECOVERY.finditer(text):
        if all(int(group) % 11 == 0 for group in re.split(r"[ -]", match[0])):
            yield match.span(), "recovery-key"
    for kind in _OF_PERSONS:
        numbers = kind.written.finditer(text)
        yield from ((match.span(), "person-number") for match in numbers if _is_of(kind, match))
    for match in _PRODUCT.finditer(text):
        if not _is_named(text, match, _OF_PART):
            yield match.span(), "product-key"


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _ISSUERS[len(digits)].match(digits) is None or (match[0].isdigit() and _is_named(text, match, _OF_ORDER)):
            continue
        if digits in _TEST_CARDS or _MADE_UP.match(digits):
            continue
        if _is_card(digits) or _CALLED_CARD.search(text, max(0, match.start() - _CALLED_WITHIN), match.start()):
            yield match.span()


def _accounts(text: str) -> Iterator[Span]:
    for match in _ACCOUNT.finditer(text):
        length = _LENGTHS.get(match[0][:2])
        written = match[0].replace(" ", "")
        if length is not None and written[:length] not in _EXAMPLES and _is_account(written[:length], length):
            end = match.end()
            while len(text[match.start() : end].replace(" ", "")) > length:
                end -= 1
            yield match.start(), len(text[:end].rstrip())


def _is_of(kind: _OfPerson, match: re.Match[str]) -> bool:
    is_called = kind.called is None or _is_called(kind.called, match.string, match.start())
    return is_called and kind.proves(re.sub(r"[^\dA-Z]", "", match[0]))


def _is_called(names: re.Pattern[str], text: str, start: int) -> bool:
    """Whether a name stands before a number, and nothing nearer that says it is something else."""
    earliest = max(0, start - _CALLED_PERSON - _LONGEST_CALLED)
    ends = [name.end() for name in names.finditer(text, earliest, start)]
    return bool(ends) and start - ends[-1] <= _CALLED_PERSON and not _OF_OTHERS.search(text, ends[-1], start)


def _is_named(text: str, match: re.Match[str], names: re.Pattern[str]) -> bool:
    """Whether what stands right before a number says that it is something else."""
    return names.search(text, max(0, match.start() - _NAMED), match.start()) is not None


def _is_card(digits: str) -> bool:
    """Whether its last digit is the one that the others ask for."""
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0


def _is_account(written: str, length: int) -> bool:
    turned = written[4:] + written[:4]
    return len(written) == length and int("".join(str(int(char, 36)) for char in turned)) % 97 == 1
