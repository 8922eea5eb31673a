"""Packing with deflate as something was packed before, so that the same data gives the same bytes."""

from __future__ import annotations

import zlib

USUAL_LEVEL = 6

_TRIED_BYTES = 1 << 18


def deflate(data: bytes, level: int) -> bytes:
    """A raw deflate stream."""
    stream = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


def level_of(packed: bytes, stated: int) -> int:
    """The level that a stream was packed at, found by trying on its beginning; else the one that is stated."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    packed = packed[:_TRIED_BYTES]
    data = stream.decompress(packed, _TRIED_BYTES)
    packed = packed[: len(packed) - len(stream.unused_data)]
    levels: tuple[int, ...] = (stated, *range(1, 10))
    for level in levels:
        trial = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
        again = trial.compress(data) + (trial.flush() if stream.eof else b"")
        if again == packed if stream.eof else packed.startswith(again):
            return level
    return stated
