"""Numbers that prove by their own digits what they are: of payment cards, bank accounts and recovery keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
_OF_PART = re.compile(r"(?i)(?<![a-z])(?:part|serial|sku|item|model)\W{0,4}(?:(?:no|nr|num|number|id)\W{0,4})?\Z")
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
CHECKED = ("card-number", "bank-account", "recovery-key", "product-key")


def checked_numbers(text: str) -> Iterator[tuple[Span, str]]:
    """The spans of such numbers, and by which rule."""
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if _ISSUERS[len(digits)].match(digits) is None or (match[0].isdigit() and _is_named(text, match, _OF_ORDER)):
            continue
        if digits not in _TEST_CARDS and _is_card(digits):
            yield match.span(), "card-number"
    for match in _ACCOUNT.finditer(text):
        length = _LENGTHS.get(match[0][:2])
        written = match[0].replace(" ", "")
        if length is not None and written[:length] not in _EXAMPLES and _is_account(written[:length], length):
            end = match.end()
            while len(text[match.start() : end].replace(" ", "")) > length:
                end -= 1
            yield (match.start(), len(text[:end].rstrip())), "bank-account"
    for match in _RECOVERY.finditer(text):
        if all(int(group) % 11 == 0 for group in re.split(r"[ -]", match[0])):
            yield match.span(), "recovery-key"
    for match in _PRODUCT.finditer(text):
        if not _is_named(text, match, _OF_PART):
            yield match.span(), "product-key"


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
