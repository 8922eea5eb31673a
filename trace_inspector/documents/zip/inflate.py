"""Unpacking deflate, piece by piece: it stops at a limit, and keeps what came before damage."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from msgspec import Struct

MOST_UNPACKED_BYTES = 1 << 30
MOST_TIMES = 200  # traces in JSON pack 20 to 40 times, one record again and again 150 to 230, a bomb 1,000 times
ALWAYS_ALLOWED_BYTES = 4 << 20  # harmless however small it was packed

_FIRST_PIECE = 512  # a file may be thousands of tiny streams, and what follows one is copied
_LARGEST_PIECE = 1 << 18
_GROWTH = 8
_OUT = 1 << 20
_AHEAD = 1 << 16  # dense parts may come before others

BOMB = (
    f"This would unpack to more than {MOST_TIMES} times its size, as a zip bomb does, or to more than 1 GiB. "
    "It was not unpacked; if you trust it, unpack it yourself."
)


class Inflated(Struct, frozen=True):
    """What a stream held, how many packed bytes it took, and whether it came to its end."""

    data: bytes
    used: int
    whole: bool
    too_much: bool = False  # more than was asked for
    too_dense: bool = False  # as only bombs are, seen as soon as it shows


def allowance(packed_bytes: int) -> int:
    """How many bytes may come out of so many packed ones; what holds more is a bomb."""
    return min(MOST_UNPACKED_BYTES, max(ALWAYS_ALLOWED_BYTES, packed_bytes * MOST_TIMES))


def inflate(packed: memoryview, most: int, tick: Callable[[], None]) -> Inflated:
    """One raw deflate stream at the beginning of some bytes; never more than `most` bytes are unpacked."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    chunks: list[bytes] = []
    done, used, piece = 0, 0, _FIRST_PIECE
    pending: bytes | memoryview = b""
    try:
        while not stream.eof:
            tick()
            if not pending:
                pending = packed[used : used + piece]
                used += len(pending)
                piece = min(piece * _GROWTH, _LARGEST_PIECE)
            chunk = stream.decompress(pending, min(_OUT, most - done + 1))
            chunks.append(chunk)
            done += len(chunk)
            if done > most:
                return Inflated(b"", used, whole=False, too_much=True)
            if done > allowance(used - len(stream.unconsumed_tail) + _AHEAD):
                return Inflated(b"", used, whole=False, too_dense=True)
            if not chunk and not pending:  # the packed bytes end too early
                break
            pending = stream.unconsumed_tail
    except zlib.error:
        return Inflated(b"".join(chunks), used, whole=False)
    return Inflated(b"".join(chunks), used - len(stream.unused_data), whole=stream.eof)
