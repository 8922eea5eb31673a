"""Text from traces as reports show it: characters that command, hide or turn others are spelled out."""

from __future__ import annotations

import re

# Controls, halves of characters, and what turns, hides or breaks the text around it. Joiners stay: scripts need them.
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f]"
)
_PIECES = re.compile(f"({_ODD.pattern}+)")
CUT = "…"


def spelled(char: str) -> str:
    """An odd character as one would write it in a program: \\x1b, \\u202e."""
    return char.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """The text with every odd character spelled out; line ends and tabs stay."""
    return _ODD.sub(lambda match: spelled(match.group()), text.replace("\r\n", "\n"))


def has_odd(text: str) -> bool:
    """Whether an odd character stands in it."""
    return _ODD.search(text) is not None


def odd_pieces(text: str) -> list[tuple[bool, str]]:
    """The text in pieces, each with whether it is of odd characters, which are spelled out."""
    pieces = _PIECES.split(text.replace("\r\n", "\n"))
    return [(number % 2 == 1, visible(piece) if number % 2 else piece) for number, piece in enumerate(pieces)]


def cut(text: str, limit: int) -> str:
    """No more than so many characters, with an ellipsis where some are left out."""
    return text if len(text) <= limit else text[: limit - 1] + CUT


def left_out(count: int, thing: str = "", of: str = "") -> str:
    """What is told of things that there was no room for; "" where there was."""
    if count <= 0:
        return ""
    things = f" {thing}" + ("" if count == 1 else "s") if thing else ""
    return f"{count:,} more{things} {'is' if count == 1 else 'are'} left out{of}"
