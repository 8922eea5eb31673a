"""Bytes as text: every document is looked at as UTF-8, whatever the file's own encoding is."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import AnyStr

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.documents.text.double_encoding import doubled, misread_as, repaired


class Encoding(Struct, frozen=True):
    """How the text of a file becomes bytes. `errors` keeps undecodable input on its way there and back."""

    name: str
    mark: bytes
    errors: str
    misread: str = ""  # the encoding that its UTF-8 was once taken for, and then written as UTF-8 again


_UTF_8 = Encoding("utf-8", b"", "surrogateescape")
_MARKED = (
    Encoding("utf-8", codecs.BOM_UTF8, "surrogateescape"),
    Encoding("utf-16-le", codecs.BOM_UTF16_LE, "surrogatepass"),
    Encoding("utf-16-be", codecs.BOM_UTF16_BE, "surrogatepass"),
)


def encoding_of(data: bytes) -> Encoding:
    """UTF-8 unless a byte-order mark says otherwise."""
    head = data[:4]  # of a memory map, too, which does not know how it starts
    return next((encoding for encoding in _MARKED if head.startswith(encoding.mark)), _UTF_8)


class Body(Struct, frozen=True):
    """The text of a document as UTF-8, from `start` on.

    For UTF-8 files these are the file's own bytes and offsets; a UTF-16 file is transcoded, and UTF-8 that was
    encoded twice is repaired.
    """

    data: bytes
    start: int
    encoding: Encoding

    @property
    def _is_file(self) -> bool:
        """Whether the body is the file itself, byte for byte."""
        return self.encoding.name == "utf-8" and not self.encoding.misread

    @property
    def utf_8(self) -> Encoding:
        """The encoding of `data`, as opposed to the file's."""
        return Encoding("utf-8", self.data[: self.start], self.encoding.errors)

    def decode(self, start: int, end: int) -> str:
        """The text between two offsets, such that `encode` gives the same bytes back."""
        return self.data[start:end].decode("utf-8", self.encoding.errors)

    def encode(self, text: str) -> bytes:
        """Text in the file's own encoding."""
        data = text.encode(self.encoding.name, self.encoding.errors)
        return doubled(data, self.encoding.misread) if self.encoding.misread else data

    def file_offsets(self, offsets: Iterable[int]) -> dict[int, int]:
        """Where offsets of the body lie in the file."""
        if self._is_file:
            return {offset: offset for offset in offsets}
        result: dict[int, int] = {}
        previous, total = self.start, len(self.encoding.mark)
        for offset in sorted(set(offsets)):
            total += len(self.encode(self.decode(previous, offset)))
            result[offset] = total
            previous = offset
        return result

    def offset_of(self, data: bytes, file_offset: int, *, behind: bool = False) -> int:
        """Where an offset of the file lies in the body of the same file; inside of a character, before or behind."""
        if self._is_file:
            return file_offset
        before = data[len(self.encoding.mark) : file_offset]
        if self.encoding.misread:
            return self.start + len(repaired(before, self.encoding.misread))
        if len(before) % 2:
            before = data[len(self.encoding.mark) : file_offset + (1 if behind else -1)]
        text = before.decode(self.encoding.name, self.encoding.errors)
        return len(text.encode("utf-8", self.encoding.errors))


def body_of(data: bytes) -> Body:
    """The body of a file; an odd last byte of UTF-16 belongs to no character and is left out."""
    encoding = encoding_of(data)
    if encoding.name == "utf-8":
        return _utf_8_body(data, encoding)
    whole = data[len(encoding.mark) : len(data) - len(data) % 2]
    text = whole.decode(encoding.name, encoding.errors)
    return Body(text.encode("utf-8", encoding.errors), 0, encoding)


def _utf_8_body(data: bytes, encoding: Encoding) -> Body:
    start = len(encoding.mark)
    # A memory map is a file too large to be looked through for this.
    misread = misread_as(data[start:] if start else data) if isinstance(data, bytes) else ""
    if not misread:
        return Body(data, start, encoding)
    return Body(encoding.mark + repaired(data[start:], misread), start, replace(encoding, misread=misread))


_CHUNK = 1 << 20


def _breaks(text: AnyStr, mark: AnyStr) -> tuple[int, int, int]:
    """How many lines end in a text, where the last one does, and how long the text is."""
    count = text.count(mark)
    return count, text.rfind(mark) if count else -1, len(text)


def lines_and_columns(
    data: bytes, encoding: Encoding, offsets: Iterable[int], counted: tuple[int, int, int] | None = None
) -> dict[int, tuple[int, int]]:
    """Line and column, both from 1 and in characters, of any number of byte offsets, in one pass.

    It begins at an offset whose line and column were `counted` before, where no offset is before that.
    """
    positions: dict[int, tuple[int, int]] = {}
    decoder = codecs.getincrementaldecoder(encoding.name)(encoding.errors)
    position, line, column = counted or (len(encoding.mark), 1, 1)
    of_bytes = encoding.name == "utf-8"
    for offset in sorted(set(offsets)):
        end = min(offset, len(data))
        while position < end:
            chunk = data[position : min(end, position + _CHUNK)]
            # Where every byte is a character nothing is decoded: that is most of the time of a large file.
            is_plain = of_bytes and chunk.isascii() and not decoder.getstate()[0]
            breaks, last, length = _breaks(chunk, b"\n") if is_plain else _breaks(decoder.decode(chunk), "\n")
            line += breaks
            column = length - last if breaks else column + length
            position += len(chunk)
        positions[offset] = (line, column)
    return positions
