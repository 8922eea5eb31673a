"""Files that are no document at all, each with a sentence that says what they are and what to do."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

_HEAD = 4096
# Mostly text has none of these; a picture, an archive or a database has many.
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BINARY_SHARE = 0.02
# A suffix begins with a letter, else every decimal number would be a path.
_PATH = re.compile(rb"(?:[\w.~+ -]*/)*+[\w~+ -]+(?:\.[\w~+ -]+)*?\.[A-Za-z]\w*\n?|(?:\.{1,2}/|/(?!/))[\w./~+ -]+\n?")

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def refusal(data: bytes) -> str:
    """Why these bytes are no document, as a sentence with the next step; "" when they may be one."""
    return next((sentence for applies, sentence in _REFUSALS if applies(data)), "")


def _is_blank(data: bytes) -> bool:
    return not data[:_HEAD].strip() and not data.strip()


def _is_pointer(data: bytes) -> bool:
    return data.startswith(b"version https://git-lfs.github.com/spec/")


def _is_link(data: bytes) -> bool:
    return len(data) < _HEAD and _PATH.fullmatch(data) is not None


def _is_utf_32(data: bytes) -> bool:
    return data.startswith(_UTF_32)


def _is_bare_utf_16(data: bytes) -> bool:
    return len(data) >= 2 and not data.startswith(_UTF_16) and (data[0] == 0) != (data[1] == 0)


def _is_binary(data: bytes) -> bool:
    head = data[:_HEAD]
    if head.startswith(_UTF_16):
        return False
    return b"\0" in head or len(_BINARY.findall(head)) > _BINARY_SHARE * len(head)


_REFUSALS: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (lambda data: not data, "The file is empty. Check that the program that writes it has finished."),
    (_is_blank, "The file contains only white space. Check that the program that writes it has finished."),
    (_is_pointer, "This is a Git LFS pointer, not the file itself. Run “git lfs pull” and open it again."),
    (
        _is_link,
        "This is a symbolic link that was checked out as a text file. Open the file at the path that it contains.",
    ),
    (_is_utf_32, "The file is UTF-32, which is not read. Save it as UTF-8 and open it again."),
    (_is_bare_utf_16, "The file looks like UTF-16 without a byte-order mark. Save it as UTF-8 and open it again."),
    (_is_binary, "The file is binary, not text. Open a JSON, JSON Lines, YAML or CSV file."),
)
