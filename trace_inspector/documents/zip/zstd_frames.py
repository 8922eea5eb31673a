"""Zstandard: several frames one after the other are one text. Its library is optional, and imported only here.

Newer versions of Codex pack their rollouts so, and newer ones of Inspect the members of their archives. Whoever has
none of them need not install what unpacks them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.text.magic import ZSTD
from trace_inspector.documents.zip.inflate import allowance
from trace_inspector.extras import ZSTD as EXTRA
from trace_inspector.extras import install_line

FILE, MEMBER = "This file", "This part of the archive"
_PIECE = 1 << 10  # packed bytes that are unpacked at once: what few bytes hold may be 100,000 times as much
_WINDOW = 1 << 27  # bytes that a frame may refer back to; packers keep within it unless they are told otherwise
_AHEAD = 1 << 16  # dense parts may come before others


class Frames(Struct, frozen=True):
    """What frames hold. `end` is where the last whole one ends; `problem` says what is wrong with them."""

    data: bytes
    end: int
    problem: str = ""
    too_much: bool = False  # more than was asked for
    too_dense: bool = False  # as only bombs are, seen as soon as it shows


def unpack_frames(packed: bytes | memoryview, most: int, tick: Callable[[], None], what: str = FILE) -> Frames:
    """The text of frames, as far as it can be read; ReadError where the library that unpacks them is missing."""
    zstandard = _library(what)
    offset, done = 0, 0
    chunks: list[bytes] = []
    while packed[offset : offset + len(ZSTD)] == ZSTD:
        frame = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        start = offset
        while not frame.eof and start < len(packed):
            tick()
            piece = packed[start : start + _PIECE]
            try:
                chunk: bytes = frame.decompress(piece)
            except zstandard.ZstdError:
                return Frames(b"".join(chunks), offset, "it is damaged, or packed in a way that is not known")
            start += len(piece)
            done += len(chunk)
            if done > most or done > allowance(start + _AHEAD):
                return Frames(b"", offset, too_much=done > most, too_dense=done <= most)
            chunks.append(chunk)
        if not frame.eof:
            return Frames(b"".join(chunks), offset, "its end is missing")
        offset = start - len(frame.unused_data)
    return Frames(b"".join(chunks), offset)


def head_of_frame(packed: bytes, most: int) -> bytes:
    """The beginning of what packed bytes hold, which may be cut off; none where that cannot be told."""
    try:
        zstandard = _library(FILE)
    except ReadError:
        return b""
    try:
        head: bytes = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj().decompress(packed[:most])
    except zstandard.ZstdError:
        return b""
    return head[:most]


def pack_frame(data: bytes) -> bytes:
    """Data as one frame with a checksum."""
    packed: bytes = _library(FILE).ZstdCompressor(write_checksum=True).compress(data)
    return packed


def _library(what: str) -> ModuleType:
    try:
        import zstandard
    except ImportError as problem:
        sentence = (
            f"{what} is packed by Zstandard, and the Python package “zstandard” that unpacks it is not installed. "
            f"Install it with {install_line(EXTRA)}, or unpack it with another program and open that."
        )
        raise ReadError(sentence) from problem
    return zstandard
