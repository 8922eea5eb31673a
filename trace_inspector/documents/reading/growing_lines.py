"""A file of JSON lines that another program appends to: what is new is read from the last whole line on.

It takes sound lines alone. Whatever is odd about the file, and whatever happens to it beside growing, it leaves to a
reading of the whole file, which has a finding for it.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from pathlib import Path
from typing import BinaryIO

from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.text.double_encoding import misread_as
from trace_inspector.regular_file import opened

MOST_BYTES = 1 << 28  # larger files are read in pieces, which gives other turns
MOST_LINE_BYTES = 1 << 26
MOST_AT_ONCE_BYTES = 1 << 21  # a file that grows faster than it is read is shown on the way
_CLOSED_BYTES = 1 << 20  # a last line that is longer waits for its end
_COMPARED_BYTES = 1 << 12  # at both ends of what was read, to notice that it was written anew
_LINES_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_BRACKETS = ((b"{", b"}"), (b"[", b"]"))
_BRACKETS_A_BYTE = 12  # as the reader of whole files refuses what is almost nothing but brackets
_DENSE_FROM = 4 << 20


class GrowingLines:
    """`new` are the values of the lines that `more` took. It is false for good when it was false once."""

    def __init__(self, path: Path) -> None:
        self.new: list[Json] = []
        self.taken_bytes = 0  # the end of the last line that was taken
        self.has_rest = False  # the file goes on behind it, with a line that is not whole yet
        self.is_behind = False  # more is there than was read at once
        self._path = path
        self._starts = array("q")  # of each line: its offset,
        self._numbers = array("q")  # and its number, from 1
        self._line_ends = 0
        self._scanned_bytes = 0  # no line ends between `taken_bytes` and here
        self._inode: int | None = None
        self._hash = hashlib.sha256()
        self._head = self._tail = b""
        self._is_sound = False  # not all that is not ASCII was encoded twice
        self._brackets = 0

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that were taken."""
        return self._hash.hexdigest()

    def more(self, until: int | None = None) -> bool:
        """Take the lines that are whole now, of the first `until` bytes where that is given."""
        self.new = []
        with opened(self._path) as file:
            status = os.fstat(file.fileno())
            size = status.st_size if until is None else min(until, status.st_size)
            if not self._goes_on(file, status.st_ino, size):
                return False
            if size < self._scanned_bytes:  # a line that is not whole was cut off
                self._scanned_bytes = self.taken_bytes
            end = min(size, self._scanned_bytes + MOST_AT_ONCE_BYTES)
            self.is_behind = end < size
            seen = _bytes_at(file, self._scanned_bytes, end - self._scanned_bytes)
            last = seen.rfind(b"\n") + 1
            until_last, self._scanned_bytes = self._scanned_bytes + last, self._scanned_bytes + len(seen)
            new = _bytes_at(file, self.taken_bytes, until_last - self.taken_bytes) if last else b""
            if not self._take_lines(new):
                return False
            if self._scanned_bytes - self.taken_bytes > MOST_LINE_BYTES:
                return False
            return self._take_rest(file, size) and self._are_documents()

    def is_unchanged(self) -> bool:
        """Whether the bytes that were taken are still there; the two ends are compared before every look."""
        found, left = hashlib.sha256(), self.taken_bytes
        with opened(self._path) as file:
            while left and (data := file.read(min(left, _CLOSED_BYTES))):
                found.update(data)
                left -= len(data)
        return not left and found.digest() == self._hash.digest()

    def line_at(self, number: int) -> tuple[int, int, int]:
        """Where the line of that value begins and ends, and its number in the file."""
        end = self._starts[number + 1] if number + 1 < len(self._starts) else self.taken_bytes
        return self._starts[number], end, self._numbers[number]

    def _goes_on(self, file: BinaryIO, inode: int, size: int) -> bool:
        """Whether this is the file that was read, with all that was read of it, as far as its two ends tell."""
        if self._inode is None:
            self._inode = inode
        if inode != self._inode or size < self.taken_bytes or size > MOST_BYTES:
            return False
        tail_at = self.taken_bytes - len(self._tail)
        return (
            _bytes_at(file, 0, len(self._head)) == self._head
            and _bytes_at(file, tail_at, len(self._tail)) == self._tail
        )

    def _take_lines(self, data: bytes) -> bool:
        offset = 0
        while offset < len(data):
            end = data.index(b"\n", offset) + 1
            if not self._take_line(data[offset:end].rstrip(), self.taken_bytes + offset):
                return False
            self._line_ends += 1
            offset = end
        self._pass(data)
        return True

    def _take_rest(self, file: BinaryIO, size: int) -> bool:
        """The last line needs no end when it is an object that is closed: what follows would be another value."""
        length = size - self.taken_bytes
        self.has_rest = length > 0
        if not self.has_rest or self.is_behind or length > _CLOSED_BYTES:
            return True
        rest = _bytes_at(file, self.taken_bytes, length)
        if rest[:1] != b"{" or rest[-1:] != b"}" or not _is_whole(rest):
            return True
        self.has_rest = False
        if not self._take_line(rest, self.taken_bytes):
            return False
        self._pass(rest)
        self._scanned_bytes = max(self._scanned_bytes, self.taken_bytes)
        return True

    def _take_line(self, line: bytes, offset: int) -> bool:
        if not line:
            return True
        if self._numbers and self._numbers[-1] == self._line_ends + 1:
            return False  # a second value behind one that was taken before its line ended
        if not any(line.startswith(opening) and line.endswith(closing) for opening, closing in _BRACKETS):
            return False
        if not (self._is_sound or line.isascii()):
            if misread_as(line):
                return False
            self._is_sound = True
        self._brackets += line.count(b"{") + line.count(b"[")
        try:
            value = fast_value(line)
        except ValueError:
            return False
        if not isinstance(value, dict | list):
            return False
        self.new.append(value)
        self._starts.append(offset)
        self._numbers.append(self._line_ends + 1)
        return True

    def _pass(self, data: bytes) -> None:
        self._hash.update(data)
        self.taken_bytes += len(data)
        self._head = (self._head + data[:_COMPARED_BYTES])[:_COMPARED_BYTES]
        self._tail = (self._tail + data[-_COMPARED_BYTES:])[-_COMPARED_BYTES:]

    def _are_documents(self) -> bool:
        """Whether a reading of the whole file would take its lines one by one, and take it at all."""
        in_lines = len(self._starts) > 1 or self._path.suffix.lower() in _LINES_SUFFIXES
        dense = self.taken_bytes > _DENSE_FROM and _BRACKETS_A_BYTE * self._brackets > self.taken_bytes
        return in_lines and not dense


def _is_whole(line: bytes) -> bool:
    try:
        fast_value(line, unique=False)
    except ValueError:
        return False
    return True


def _bytes_at(file: BinaryIO, offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)
