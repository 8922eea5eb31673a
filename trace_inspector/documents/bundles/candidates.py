"""What may be a document, by its name or by its first bytes: for folders, where nobody named the files."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import PurePath

from trace_inspector.documents.text.encoding import body_of
from trace_inspector.documents.text.event_stream import in_event_stream
from trace_inspector.documents.text.magic import is_archive, is_gzip, is_zstd

HEAD_BYTES = 512
SIDE_SUFFIX = ".trace-inspector.json"  # what lies beside a document and is read along with it

_BY_NAME = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".pb", ".binpb"})
# Zip archives that nobody means as folders of traces.
_NEVER = frozenset(
    {".apk", ".docx", ".egg", ".epub", ".jar", ".nupkg", ".odp", ".ods", ".odt", ".pptx", ".war", ".whl", ".xlsx"}
)
_SQLITE = b"SQLite format 3\0"
# An object, an array of objects, arrays or texts, or one of them written into a string; no line of a log.
_TEXT = re.compile(rb'\s*(?:\{\s*(?:["}/]|\Z)|\[\s*(?:[\[{"\]/]|\Z)|"\s*[\[{])')


def may_be_document(path: PurePath, head: Callable[[], bytes]) -> bool:
    """Whether a file is worth opening; `head` gives its first bytes when the name does not decide."""
    suffix = path.suffix.lower()
    if suffix in _NEVER or path.name.endswith(SIDE_SUFFIX):
        return False
    if suffix in _BY_NAME:
        return True
    start = head()
    if is_gzip(start):
        inner = path.with_suffix("") if suffix == ".gz" else path
        return inner.suffix.lower() in _BY_NAME or _is_document(_gzip_head(start))
    if is_zstd(start):
        return path.with_suffix("").suffix.lower() in _BY_NAME
    return _is_document(start)


def has_document_name(path: PurePath) -> bool:
    """Whether the name alone says that it is a document."""
    return path.suffix.lower() in _BY_NAME


def _is_document(head: bytes) -> bool:
    if is_archive(head) or head.startswith(_SQLITE):
        return True
    body = body_of(head)
    return _TEXT.match(body.data, body.start) is not None or in_event_stream(body)


def _gzip_head(head: bytes) -> bytes:
    from trace_inspector.documents.packing import gzip_layer

    start = gzip_layer.header_end(head, 0)
    if start is None:
        return b""
    try:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(head[start:], HEAD_BYTES)
    except zlib.error:
        return b""
