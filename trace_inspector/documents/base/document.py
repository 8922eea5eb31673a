"""A document: one file on disk as it is, and what a parser makes of it."""

from __future__ import annotations

import enum
import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from trace_inspector.core.finding import Finding
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.place_cache import PlaceCache
from trace_inspector.documents.packing.packing import Packing


class Container(enum.Enum):
    """How a file packs its values."""

    JSON = "json"
    JSON_LINES = "jsonl"  # several documents, one after the other; the view is an array of them
    TEXT = "text"  # JSON that a string of another document holds
    YAML = "yaml"  # several documents make an array, too
    CSV = "csv"  # an array of objects, one for each row; cells that hold JSON are seen through
    SQLITE = "sqlite"  # an object of tables, each an array of rows
    PROTOBUF = "protobuf"  # as protobuf writes itself in JSON
    PAGE = "page"  # an HTML page with JSON packed inside
    BUNDLE = "bundle"  # an object of files by name, each with its own document


# Their values stand in no text: no line and column leads to one, and no edit can splice one.
TEXTLESS = frozenset({Container.SQLITE, Container.PROTOBUF, Container.PAGE, Container.BUNDLE})


class Stamp(Struct, frozen=True):
    """What a file looked like on disk when it was read, to notice that somebody else changed it."""

    size: int
    modified_ns: int
    inode: int


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file whose status was just asked."""
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


class Document(Struct, frozen=True):
    """The original bytes are the truth; `value` is the view. Findings are about bytes and syntax only.

    `plain` says that the bytes are strict JSON without a duplicate key, so that places are found without care.
    """

    path: Path
    data: bytes
    container: Container
    value: Json
    stamp: Stamp | None = None
    findings: tuple[Finding, ...] = ()
    plain: bool = False
    packing: Packing | None = None  # None for a file that is not packed
    members: Mapping[str, Document] = field(default_factory=dict)  # of a bundle, those that have text
    # Of one that is edited, kept over changes, as looking through 5 MB takes as long as a key press may:
    place_cache: PlaceCache | None = None
    has_escapes: bool | None = None  # é is written as an escape
