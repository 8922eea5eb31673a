"""The data of an evidence pack: gzip in base64, in an element that no browser shows, runs or looks into."""

from __future__ import annotations

import binascii
import gzip
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.documents.base.document import Container, Document, Stamp
from trace_inspector.documents.json.json_document import parse_json
from trace_inspector.documents.packing.gzip_layer import unpack
from trace_inspector.documents.zip.inflate import BOMB

ELEMENT = "trace-inspector-evidence"
_OPENING = f'<template id="{ELEMENT}">'.encode()
_DATA = re.compile(re.escape(_OPENING) + rb"([A-Za-z0-9+/=\s]*)</template>")
_DAMAGED = "The data in this evidence pack is damaged: {}. Get the file again."


def is_page(data: bytes, _path: Path) -> bool:
    """Whether bytes are a page with data of ours inside, whole or not."""
    return _OPENING in data


def element_with(data: bytes) -> str:
    """The element with this data; the same data is always the same element."""
    return f"{_OPENING.decode()}{b64encode(gzip.compress(data, mtime=0)).decode()}</template>"


def data_in(page: bytes, tick: Callable[[], None] = lambda: None) -> bytes:
    """The data in a page, never more than the size of the page allows. ReadError when it is damaged."""
    found = _DATA.search(page)
    if found is None:
        raise ReadError(_DAMAGED.format("its end is missing, or it holds characters that are none of it"))
    tick()
    try:
        packed = b64decode(b"".join(found[1].split()), validate=True)
    except binascii.Error as problem:
        raise ReadError(_DAMAGED.format("it is no base64")) from problem
    unpacked = unpack(packed, len(packed), tick)
    if unpacked.too_much:
        raise ReadError(BOMB)
    if unpacked.problem or not unpacked.end:
        raise ReadError(_DAMAGED.format(unpacked.problem or "it is not packed by gzip"))
    return unpacked.data


def parse_page(data: bytes, path: Path, stamp: Stamp | None, tick: Callable[[], None]) -> Document:
    """The data as a document. Nothing else of the page is looked at."""
    try:
        inner = parse_json(data_in(data, tick), path, stamp, tick)
    except ReadError as problem:  # lines of what is packed help nobody
        raise ReadError(problem.sentence, path=str(path)) from problem
    findings = tuple(replace(finding, line=0, column=0) for finding in inner.findings)
    return Document(path, data, Container.PAGE, inner.value, stamp, findings)
