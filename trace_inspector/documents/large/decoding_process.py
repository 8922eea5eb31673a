"""A second process that decodes pieces of a large file, where there is a second processor.

It is forked, so that nothing is imported again, and gets nothing but offsets. It ends when its end of a pipe closes,
however the process that reads the file ends.
"""

from __future__ import annotations

import contextlib
import marshal
import mmap
import os
import re
import select
import signal
import struct
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from trace_inspector.documents.large.pieces import Shape

Decode: TypeAlias = Callable[[bytes, bool], Sequence[Any] | None]

_REQUEST = struct.Struct("<QQB")  # where a group begins and ends, and the number of its decoder
_SIZE = struct.Struct("<q")  # of the answer; negative where the decoder leaves the group to another reader
_PLANNED = 8
_SENT = 4  # groups that the other process may be asked for at once
_PIPE_BYTES = 1 << 20
_DROPPED_BYTES = 1 << 25
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_LEAVE_ALONE = 3  # standard input and output


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
        self._process = 0
        self._requests = self._answers = -1
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
        for descriptor in (self._requests, self._answers):
            if descriptor >= 0:
                os.close(descriptor)
        self._requests = self._answers = -1
        if self._process:
            with contextlib.suppress(OSError):
                os.kill(self._process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(self._process, 0)
            self._process = 0

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
        if not self._process and not self._is_over:
            try:
                self._start()
            except OSError:  # no more processes or files for this person: all is decoded here
                self.end()
        while self._waiting and len(self._sent) < _SENT and not self._is_over:
            group = self._waiting.popleft()
            try:
                number = self._decoders.index(group.decode)
                os.write(self._requests, _REQUEST.pack(group.start, group.end, number))
            except OSError:
                self._waiting.appendleft(group)
                self._give_up()
            else:
                self._sent.append(group)

    def _is_answered(self) -> bool:
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        return bool(waiting.poll(0))

    def _receive(self) -> None:
        group = self._sent[0]
        try:
            (size,) = _SIZE.unpack(_read(self._answers, _SIZE.size))
            if size >= 0:
                group.records = marshal.loads(_read(self._answers, size))
        except (OSError, EOFError):
            self._give_up()
            return
        group.is_decoded = True
        self._sent.popleft()

    def _give_up(self) -> None:
        """The other process is gone: what it was asked for is decoded here."""
        self._waiting.extendleft(reversed(self._sent))
        self.end()

    def _start(self) -> None:
        theirs, self._requests = os.pipe()
        self._answers, ours = os.pipe()
        _widen(ours)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # none may find the child in the parent's code
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # another thread waits for the end of the parent
                self._process = os.fork()
            if not self._process:
                _serve(self._data, self._decoders, theirs, ours, unique=self._unique)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(theirs)
            os.close(ours)


def can_fork() -> bool:
    """Whether this system forks processes safely, and has a second processor for one."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _decoders(shape: Shape) -> Iterator[Decode]:
    for inner in shape.inside():
        if inner.decode is not None:
            yield inner.decode
        yield from _decoders(inner)


def _widen(pipe: int) -> None:
    """Room for some answers, so that the other process need not wait for each to be taken."""
    import fcntl

    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _serve(data: mmap.mmap, decoders: Sequence[Decode], requests: int, answers: int, *, unique: bool) -> NoReturn:
    """In the other process: decode what is asked for until nobody can ask any more."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the one that asks, and so this one
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        _close_all_but(requests, answers)
        passed = 0
        while True:
            start, end, number = _REQUEST.unpack(_read(requests, _REQUEST.size))
            records = decoders[number](b"[" + data[start:end] + b"]", unique)
            answer = b"" if records is None else marshal.dumps(records)
            _write(answers, _SIZE.pack(-1 if records is None else len(answer)) + answer)
            if end - passed > _DROPPED_BYTES:
                first = passed - passed % mmap.PAGESIZE
                data.madvise(mmap.MADV_DONTNEED, first, end - first)
                passed = end
    finally:
        os._exit(0)  # nothing of the parent's may run here


def _close_all_but(*kept: int) -> None:
    """Whoever waits for the parent's end of a pipe or connection to close must not wait for this process."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in range(_LEAVE_ALONE):
        os.dup2(nowhere, standard)
    last = _LEAVE_ALONE
    for descriptor in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(last, descriptor)
        last = descriptor + 1


def _read(descriptor: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(descriptor, size)
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
