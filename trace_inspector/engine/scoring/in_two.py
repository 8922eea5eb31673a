"""Work in numbered blocks, shared with a second process: each block is done by one of the two, and none is lost."""

from __future__ import annotations

import pickle
import struct
from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias, TypeVar

from trace_inspector.second_process import SecondProcess, Serve

Answer = TypeVar("Answer")
# Does one block; it is called with ascending numbers, so that it may go on from what it knows of those before.
Step: TypeAlias = Callable[[int], Answer]

_NUMBER = struct.Struct("<q")
_SENT = 3  # blocks that the other process may be asked for at once


def in_two(begin: Callable[[], Step[Answer]], blocks: int, first: int) -> Iterator[tuple[int, Answer]]:
    """The answers to all blocks, each with its number, in any order. Each of the two processes begins by itself.

    The first ones are done here, the others by whoever has time. Where the other process is gone, or anything breaks,
    what is left is done here in its order: so the first block that cannot be done is the same as with one process.
    """
    done = bytearray(blocks)
    try:
        for number, answer in _shared(begin, blocks, first):
            done[number] = True
            yield number, answer
    except Exception:
        pass
    if not all(done):
        step = begin()
        for number in range(blocks):
            if not done[number]:
                yield number, step(number)


def _shared(begin: Callable[[], Step[Answer]], blocks: int, first: int) -> Iterator[tuple[int, Answer]]:
    own, rest, sent = deque(range(first)), deque(range(first, blocks)), deque[int]()
    other = SecondProcess(_serving(begin))
    try:
        other.start()
        step = begin()
        while own or rest or sent:
            while rest and len(sent) < _SENT:
                other.ask(_NUMBER.pack(rest[0]))
                sent.append(rest.popleft())
            while sent and (other.is_answered() or not (own or rest)):
                answer: Answer = pickle.loads(other.answer() or b"")
                yield sent.popleft(), answer
            if own or rest:
                number = (own or rest).popleft()
                yield number, step(number)
    finally:
        other.end()


def _serving(begin: Callable[[], Step[Answer]]) -> Serve:
    """What the other process does; it begins when it is asked for the first time."""
    step: Step[Answer] | None = None

    def serve(request: bytes) -> bytes:
        nonlocal step
        if step is None:
            step = begin()
        (number,) = _NUMBER.unpack(request)
        return pickle.dumps(step(number), pickle.HIGHEST_PROTOCOL)

    return serve
