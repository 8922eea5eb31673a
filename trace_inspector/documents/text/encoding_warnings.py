"""What is odd about the text of a file, whatever its format: its encoding, and bytes that are no text."""

from __future__ import annotations

import re

from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.warnings import SourceWarning

_NOT_ASCII = re.compile(rb"[^\x00-\x7f]")


def encoding_warnings(body: Body, data: bytes) -> list[SourceWarning]:
    """What to say about the encoding of a file, if anything."""
    if body.encoding.name != "utf-8":
        half = [SourceWarning("half-character", len(body.data))] if len(data) % 2 else []
        return [SourceWarning("utf-16", 0), *half]
    warnings = [SourceWarning("byte-order-mark", 0)] if body.start else []
    if body.encoding.misread and (first := _NOT_ASCII.search(body.data, body.start)):
        warnings.append(SourceWarning("double-encoded", first.start()))
    return warnings


def byte_warnings(body: Body) -> list[SourceWarning]:
    """Where the bytes stop being text, when they do."""
    try:
        body.data.decode("utf-8", body.encoding.errors if body.encoding.name != "utf-8" else "strict")
    except UnicodeDecodeError as problem:
        return [SourceWarning("invalid-utf-8", problem.start)]
    return []
