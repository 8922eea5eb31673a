"""What is odd about the text of a file before anybody asks what it says: its encoding, and bytes that are no text."""

from __future__ import annotations

import re

from trace_inspector.documents.text.encoding import Body
from trace_inspector.documents.text.warnings import Oddity

_NOT_ASCII = re.compile(rb"[^\x00-\x7f]")


def odd_encoding(body: Body, data: bytes) -> list[Oddity]:
    """What to say about the encoding of a file, if anything."""
    if body.encoding.name != "utf-8":
        half = [Oddity("half-character", len(body.data))] if len(data) % 2 else []
        return [Oddity("utf-16", 0), *half]
    oddities = [Oddity("byte-order-mark", 0)] if body.start else []
    if body.encoding.misread and (first := _NOT_ASCII.search(body.data, body.start)):
        oddities.append(Oddity("double-encoded", first.start()))
    return oddities


def odd_bytes(body: Body) -> list[Oddity]:
    """Where the bytes stop being text, when they do."""
    try:
        body.data.decode("utf-8", body.encoding.errors if body.encoding.name != "utf-8" else "strict")
    except UnicodeDecodeError as problem:
        return [Oddity("invalid-utf-8", problem.start)]
    return []
