"""The bytes of a YAML file as the parser should see them: one character a byte, and none that it refuses or folds.

The parser (libyaml) counts characters, refuses control characters and halves of surrogate pairs, and takes three
further characters for line ends, as YAML 1.1 did. So every byte above ASCII and every control character goes in as a
character of a private area, and comes out as itself. Offsets of the parser then are offsets of the body.
"""

from __future__ import annotations

import codecs
import re

_PRIVATE = 0xE000  # bytes come first, then the backslash of an escape that is none of the parser's business
_BACKSLASH = chr(_PRIVATE + 0x100)
_PLAIN = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x7F))
_TABLE = "".join(chr(byte if byte in _PLAIN else _PRIVATE + byte) for byte in range(256))
_BYTES = codecs.charmap_build(_TABLE)

_CHUNK = 1 << 16
_RUN = re.compile("[\ue000-\ue0ff]+")
# Surrogates, and the private area itself: what the parser would refuse, and what would look like a byte afterwards.
_ESCAPE = r"(?:u|U0000)(?:[dD][89a-fA-F]|[eE][01])[0-9a-fA-F]{2}"
_HIDDEN = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=" + _ESCAPE + ")")
_ESCAPED = re.compile(_BACKSLASH + "(?:u|U0000)([0-9a-fA-F]{4})")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class Source:
    """A stream for the parser. Chunks end with a line, so that no escape is cut."""

    def __init__(self, data: bytes, start: int) -> None:
        self._data = data
        self._at = start

    def read(self, _size: int = -1) -> str:
        """The next characters, as many as the bytes they stand for."""
        start = self._at
        self._at = self._data.find(b"\n", start + _CHUNK) + 1 or len(self._data)
        text, _ = codecs.charmap_decode(self._data[start : self._at], "strict", _TABLE)
        return _HIDDEN.sub(r"\1" + _BACKSLASH, text) if "\\" in text else text


def restored(text: str, errors: str, *, is_quoted: bool) -> str:
    """What a text of the parser really says; only double quotation marks make escapes of escapes."""
    if text.isascii():
        return text
    text = _RUN.sub(lambda run: codecs.charmap_encode(run[0], "strict", _BYTES)[0].decode("utf-8", errors), text)
    if _BACKSLASH not in text:
        return text
    if not is_quoted:
        return text.replace(_BACKSLASH, "\\")
    text = _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), text)
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
