"""A second process that decodes pieces of a large file, where there is a second processor.

It has the file as the process has that reads it, and gets nothing but offsets.
"""

from __future__ import annotations

import marshal
import mmap
import re
import struct
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from trace_inspector.documents.large.pieces import Shape
from trace_inspector.second_process import SecondProcess, Serve

Decode: TypeAlias = Callable[[bytes, bool], Sequence[Any] | None]

_REQUEST = struct.Struct("<QQB")  # where a group begins and ends, and the number of its decoder
_PLANNED = 8
_SENT = 4  # groups that the other process may be asked for at once
_DROPPED_BYTES = 1 << 25


class Group(Struct, eq=False):
    """Members of a list between two offsets, to be decoded here or there.

    `seam` is what stood between those before it, and `following` is where the next member begins.
    """

    start: int
    end: int
    decode: Decode
    seam: re.Pattern[bytes]
    following: int
    is_decoded: bool = False
    records: Sequence[Any] | None = None


# Finds the next group from an offset on, where a seam is known; None at the end of a list, or where it looks unusual.
Find: TypeAlias = Callable[[int, re.Pattern[bytes]], Group | None]


class DecodingProcess:
    """Decodes groups in two processes; each takes the next one when it has time. Without the other, all here."""

    def __init__(self, data: mmap.mmap, shape: Shape, *, unique: bool) -> None:
        self._data = data
        self._decoders = list(_decoders(shape))
        self._unique = unique
        self._other: SecondProcess | None = None
        self._is_over = False
        self._planned: deque[Group] = deque()  # those below among them, in the order of the file
        self._waiting: deque[Group] = deque()
        self._sent: deque[Group] = deque()

    def group(self, offset: int, seam: re.Pattern[bytes], find: Find) -> Group | None:
        """The group that begins at an offset, decoded; `find` finds the next one from an offset and a seam on."""
        if self._planned and self._planned[0].start != offset:
            self.forget()
        while len(self._planned) < _PLANNED:
            if self._planned:
                offset, seam = self._planned[-1].following, self._planned[-1].seam
            found = find(offset, seam)
            if found is None:
                break
            self._planned.append(found)
            self._waiting.append(found)
        self._send()
        return self._decoded(self._planned.popleft()) if self._planned else None

    def forget(self) -> None:
        """Nothing that was found is needed."""
        self._planned.clear()
        self._waiting.clear()
        while self._sent:
            self._receive()
        self._waiting.clear()  # what the other process was asked for, if it ended just now

    def end(self) -> None:
        """End the other process."""
        self._is_over = True
        self._sent.clear()
        if self._other is not None:
            self._other.end()
            self._other = None

    def _decoded(self, group: Group) -> Group:
        while not group.is_decoded:
            if group not in self._sent:
                self._waiting.remove(group)
                self._decode(group)
            elif self._waiting and not self._is_answered():
                self._decode(self._waiting.popleft())
            else:
                self._receive()
            self._send()
        return group

    def _decode(self, group: Group) -> None:
        group.records = group.decode(b"[" + self._data[group.start : group.end] + b"]", self._unique)
        group.is_decoded = True

    def _send(self) -> None:
        if self._other is None and not self._is_over:
            try:
                self._other = SecondProcess(_serving(self._data, self._decoders, unique=self._unique))
                self._other.start()
            except OSError:  # no more processes or files for this person: all is decoded here
                self.end()
        while self._waiting and len(self._sent) < _SENT and self._other is not None:
            group = self._waiting.popleft()
            try:
                number = self._decoders.index(group.decode)
                self._other.ask(_REQUEST.pack(group.start, group.end, number))
            except OSError:
                self._waiting.appendleft(group)
                self._give_up()
            else:
                self._sent.append(group)

    def _is_answered(self) -> bool:
        return self._other is None or self._other.is_answered()

    def _receive(self) -> None:
        group = self._sent[0]
        try:
            answer = self._other.answer() if self._other is not None else None
        except (OSError, EOFError):
            self._give_up()
            return
        group.records = None if answer is None else marshal.loads(answer)
        group.is_decoded = True
        self._sent.popleft()

    def _give_up(self) -> None:
        """The other process is gone: what it was asked for is decoded here."""
        self._waiting.extendleft(reversed(self._sent))
        self.end()


def _decoders(shape: Shape) -> Iterator[Decode]:
    for inner in shape.inside():
        if inner.decode is not None:
            yield inner.decode
        yield from _decoders(inner)


def _serving(data: mmap.mmap, decoders: Sequence[Decode], *, unique: bool) -> Serve:
    """What the other process does: decode a group, and give the pages that were read back now and then."""
    passed = 0

    def serve(request: bytes) -> bytes | None:
        nonlocal passed
        start, end, number = _REQUEST.unpack(request)
        records = decoders[number](b"[" + data[start:end] + b"]", unique)
        if end - passed > _DROPPED_BYTES:
            first = passed - passed % mmap.PAGESIZE
            data.madvise(mmap.MADV_DONTNEED, first, end - first)
            passed = end
        return None if records is None else marshal.dumps(records)

    return serve
