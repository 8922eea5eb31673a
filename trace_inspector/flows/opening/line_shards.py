"""A large file of documents in lines, outlined in parts and divided into shards that workers read by themselves.

What spans two parts is outlined once more from all of its lines. So a shard gives what the whole file would.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, overload

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.spilled import Picked, Spilled
from trace_inspector.documents.large.large import large_file
from trace_inspector.flows.opening.line_parts import (
    CHANGED,
    Asked,
    ConversationOutline,
    LineShard,
    Part,
    Range,
    merged_ranges,
    outline_part,
)
from trace_inspector.flows.opening.ties import Numbers, Places, Ties
from trace_inspector.formats import recognise
from trace_inspector.regular_file import open_regular
from trace_inspector.settings import ready_data_folder

if TYPE_CHECKING:
    from trace_inspector.engine.running.engine import Engine

PART_BYTES = 1 << 24
MOST_BYTES = 1 << 28  # of one part, or of conversations that cannot be told apart: a worker holds them at once
SHARD_BYTES = 1 << 24  # some seconds of work
SHARD_TURNS = 2_000
_HASHED_BYTES = 1 << 20
_ROUNDS = 20  # of finding out what hangs together; each one joins what it found

_Group: TypeAlias = tuple[tuple[Range, ...], frozenset[str]]
Sharded: TypeAlias = tuple[Contents, str, Places]


def sharded(path: Path, engine: Engine | None) -> Sharded | None:
    """Outlines of a file, its digest, and where each of its traces is read; None where it is read otherwise."""
    cut = _cut(path)
    if cut is None:
        return None
    format_name, sections = cut
    digest = _Digest(path)
    asked = [Asked(str(path), format_name, (section,)) for section in sections]
    known = _Known()
    findings = known.take_all(_whole(_each(engine, asked)))
    if len(known.parts) < len(asked):
        return None
    joined = _joined(known, str(path), format_name, engine)
    if joined is None:
        return None
    places = Places()
    for shard in _shards(known.outlines[number] for number in joined):
        if any(outline.trace.abandoned for outline in shard):  # which of them count only the whole file tells
            return None
        listed = [(outline.trace.id, outline.ranges, outline.digest) for outline in shard]
        places.add(LineShard.of(str(path), format_name, listed), len(shard))
    traces = _Traces(known.outlines, joined)
    return Contents(format_name, traces=traces, findings=findings), digest.result(), places


def _cut(path: Path) -> tuple[str, list[Range]] | None:
    """The format of a file, and sections of it that end with a line."""
    with large_file(path, 0) as large:
        if large is None or not large.is_lines():
            return None
        file_format = recognise(large.sketch(_no_tick))
        if file_format is None or file_format.linked is None:
            return None
        sections: list[Range] = []
        start, size = len(large.encoding.mark), len(large.data)
        while start < size:
            end = large.data.find(b"\n", min(start + PART_BYTES, size) - 1) + 1 or size
            if end - start > MOST_BYTES:
                return None
            sections.append((start, end, 0))
            start = end
        return file_format.name, sections


def _each(engine: Engine | None, asked: Sequence[Asked]) -> Iterator[Part]:
    return engine.each(outline_part, asked) if engine is not None else map(outline_part, asked)


def _whole(parts: Iterator[Part]) -> Iterator[Part]:
    """The parts up to the first in which something cannot be told apart."""
    return itertools.takewhile(lambda part: part.is_whole, parts)


class _Known:
    """All outlines, and in memory what hangs them together, part by part."""

    def __init__(self) -> None:
        self.outlines = Spilled[ConversationOutline](ready_data_folder)
        self.ties = Ties()
        self.parts: list[Numbers] = []

    def add(self, outline: ConversationOutline) -> int:
        """One more outline, and its number."""
        self.outlines.append(outline)
        return self.ties.add(outline.ranges[0][2], outline.keys)

    def take_all(self, parts: Iterable[Part]) -> tuple[Finding, ...]:
        """The outlines of parts, with documents counted from the beginning of the file; one finding of each kind."""
        findings: dict[str, Finding] = {}
        documents = lines = 0
        for part in parts:
            self.parts.append(array("Q", (self.add(_moved(outline, documents)) for outline in part.outlines)))
            for finding in part.findings:
                findings.setdefault(
                    finding.code, replace(finding, line=finding.line + lines) if finding.line else finding
                )
            documents += part.documents
            lines += part.lines
        return tuple(findings.values())


def _moved(outline: ConversationOutline, documents: int) -> ConversationOutline:
    _, number, rest = outline.trace.place.split("/", 2)
    trace = replace(outline.trace, place=f"/{int(number) + documents}/{rest}")
    return replace(outline, trace=trace, ranges=tuple((a, b, first + documents) for a, b, first in outline.ranges))


class _Traces(Sequence[Trace]):
    """The traces of outlines."""

    def __init__(self, outlines: Sequence[ConversationOutline], numbers: Sequence[int]) -> None:
        self._outlines = Picked(outlines, numbers)

    def __len__(self) -> int:
        return len(self._outlines)

    @overload
    def __getitem__(self, index: int) -> Trace: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Trace]: ...
    def __getitem__(self, index: int | slice) -> Trace | Sequence[Trace]:
        if isinstance(index, slice):
            return Picked(self, range(len(self))[index])
        return self._outlines[index].trace


def _joined(known: _Known, path: str, format_name: str, engine: Engine | None) -> Numbers | None:
    """All outlines in the order of the file; those tied to another part are made again.

    None where too much of the file is tied together.

    Made from all of its lines, a conversation may turn out to be tied to more: only then its session is known.
    """
    parts, ties = known.parts, known.ties
    for _ in range(_ROUNDS):
        tied = ties.tied(parts)
        if not tied:
            return ties.in_order(parts)
        apart, others = array("Q"), array("Q")
        for number in itertools.chain.from_iterable(parts):
            (apart if tied.isdisjoint(ties.keys(number)) else others).append(number)
        groups = list(_by_ties(known.outlines[number] for number in others))
        if any(_size(ranges) > MOST_BYTES for ranges, _keys in groups):
            break
        together = list(_together(groups))
        made = _each(engine, [Asked(path, format_name, ranges) for ranges, _keys in together])
        # The same lines may hold pieces of conversations that are asked for elsewhere.
        again = [
            array("Q", [known.add(outline) for outline in part.outlines if not outline.links.isdisjoint(keys)])
            for part, (_ranges, keys) in zip(made, together, strict=True)
        ]
        parts = [apart, *again]
    return None


def _by_ties(outlines: Iterable[ConversationOutline]) -> Iterator[_Group]:
    """The lines and keys of conversations that are tied to each other, group by group."""
    groups: dict[str, list[ConversationOutline]] = {}
    for outline in outlines:
        found = {id(group): group for key in outline.keys if (group := groups.get(key)) is not None}
        merged = [outline, *itertools.chain.from_iterable(found.values())]
        for key in {key for each in merged for key in each.keys}:
            groups[key] = merged
    for group in {id(group): group for group in groups.values()}.values():
        keys = frozenset[str]().union(*(outline.keys for outline in group))
        yield merged_ranges(part for outline in group for part in outline.ranges), keys


def _together(groups: Iterable[_Group]) -> Iterator[_Group]:
    """Small groups as one, up to the size of a part."""
    ranges: list[Range] = []
    keys: frozenset[str] = frozenset()
    for own, own_keys in groups:
        if ranges and _size(ranges) + _size(own) > PART_BYTES:
            yield merged_ranges(ranges), keys
            ranges, keys = [], frozenset()
        ranges += own
        keys |= own_keys
    if ranges:
        yield merged_ranges(ranges), keys


def _size(ranges: Iterable[Range]) -> int:
    return sum(end - start for start, end, _number in ranges)


def _shards(ordered: Iterable[ConversationOutline]) -> Iterator[list[ConversationOutline]]:
    """Conversations that are read together, in the order of the file."""
    shard: list[ConversationOutline] = []
    ranges: set[Range] = set()
    turns = size = 0
    for outline in ordered:
        own = _size(part for part in outline.ranges if part not in ranges)
        if shard and (turns + len(outline.trace.turns) > SHARD_TURNS or size + own > SHARD_BYTES):
            yield shard
            shard, ranges, turns, size = [], set(), 0, 0
            own = _size(outline.ranges)
        shard.append(outline)
        ranges.update(outline.ranges)
        turns += len(outline.trace.turns)
        size += own
    if shard:
        yield shard


class _Digest:
    """The SHA-256 of a file, found in a thread while workers read its parts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256()
        self._problem: OSError | None = None
        self._thread = threading.Thread(target=self._read, name="digest", daemon=True)
        self._thread.start()

    def result(self) -> str:
        """The digest, once it is known."""
        self._thread.join()
        if self._problem is not None:
            raise ReadError(CHANGED, path=str(self._path)) from self._problem
        return self._digest.hexdigest()

    def _read(self) -> None:
        try:
            with os.fdopen(open_regular(self._path), "rb") as file:
                while text := file.read(_HASHED_BYTES):
                    self._digest.update(text)
        except OSError as problem:
            self._problem = problem


def _no_tick() -> None:
    """Reports no progress."""
