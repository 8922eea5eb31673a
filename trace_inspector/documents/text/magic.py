"""The bytes with which packed files and databases begin."""

from __future__ import annotations

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
SQLITE = b"SQLite format 3\0"
# A record of a zip archive, or the end of an empty one.
ARCHIVES = (b"PK\x03\x04", b"PK\x05\x06")


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is a zip archive."""
    return head.startswith(ARCHIVES)


def is_gzip(head: bytes) -> bool:
    """Whether a file that begins so is packed by gzip."""
    return head.startswith(GZIP)


def is_zstd(head: bytes) -> bool:
    """Whether a file that begins so is packed by Zstandard."""
    return head.startswith(ZSTD)
