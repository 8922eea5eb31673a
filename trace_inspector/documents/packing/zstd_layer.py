"""Zstandard: several frames one after the other are one text. Its library is optional, and imported only here.

Newer versions of Codex pack their rollouts so. Whoever has none of them need not install what unpacks them.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.packing.gzip_layer import Unpacked
from trace_inspector.documents.text.magic import ZSTD
from trace_inspector.documents.zip.inflate import allowance

_PIECE = 1 << 10  # packed bytes that are unpacked at once: what few bytes hold may be 100,000 times as much
_WINDOW = 1 << 27  # bytes that a frame may refer back to; packers keep within it unless they are told otherwise
_AHEAD = 1 << 16  # dense parts may come before others


def unpack(packed: bytes, allowed_for: int, tick: Callable[[], None]) -> Unpacked:
    """The text of a file, as far as it can be read and no more than its size on disk allows."""
    zstandard = _library()
    room, offset, done = allowance(allowed_for), 0, 0
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
                return Unpacked(b"".join(chunks), offset, "it is damaged, or packed in a way that is not known")
            start += len(piece)
            done += len(chunk)
            if done > room or done > allowance(start + _AHEAD):
                return Unpacked(b"", offset, too_much=True)
            chunks.append(chunk)
        if not frame.eof:
            return Unpacked(b"".join(chunks), offset, "its end is missing")
        offset = start - len(frame.unused_data)
    return Unpacked(b"".join(chunks), offset)


def pack(data: bytes) -> bytes:
    """Data as one frame with a checksum."""
    packed: bytes = _library().ZstdCompressor(write_checksum=True).compress(data)
    return packed


def _library() -> ModuleType:
    try:
        import zstandard
    except ImportError as problem:
        sentence = (
            "This file is packed by Zstandard, and the Python package “zstandard” that unpacks it is not installed. "
            "Install it, or unpack the file with “zstd -d” and open that."
        )
        raise ReadError(sentence) from problem
    return zstandard
