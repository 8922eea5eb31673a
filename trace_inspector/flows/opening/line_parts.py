"""Part of a large file of documents in lines, as whoever works on it reads it: some ranges of its bytes."""

from __future__ import annotations

import hashlib
import os
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, msgpack
from msgspec.structs import replace

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding
from trace_inspector.core.rows.contents import Holds
from trace_inspector.core.trace.trace import Trace
from trace_inspector.documents.large.large import CUT_BYTES, GROUP_BYTES
from trace_inspector.documents.large.piece_reader import PieceReader
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.documents.text.encoding import body_of
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.documents.text.warnings import findings_of
from trace_inspector.engine.pairing.pairing import outlined
from trace_inspector.flows.opening.input_notes import LOST
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.common.format import Linked, Source
from trace_inspector.regular_file import open_regular

Range: TypeAlias = tuple[int, int, int]  # where it begins and ends, and the index of its first document in the file
Listed: TypeAlias = tuple[str, tuple[Range, ...], bytes]  # the id of a conversation, its lines, their digest
CHANGED = "The file changed while it was being evaluated, so this case was not judged. Evaluate it again."


class Asked(Struct, frozen=True):
    """Some ranges of a file, and its format."""

    path: str
    format: str
    ranges: tuple[Range, ...]


class ConversationOutline(Struct, frozen=True):
    """What pairing needs of a conversation, which ids tie it to others, and the lines that it is read from."""

    trace: Trace
    links: frozenset[str]
    ranges: tuple[Range, ...]
    digest: bytes  # of the bytes of these lines

    @property
    def keys(self) -> frozenset[str]:
        """Whatever has one of these in another part belongs to the same conversation, or to one tied to it."""
        return self.links | {f"conversation {self.trace.id}"}


class Part(Struct, frozen=True):
    """The conversations of some ranges, and how much was read. `is_whole`: all of it can be told apart."""

    outlines: tuple[ConversationOutline, ...] = ()
    findings: tuple[Finding, ...] = ()
    documents: int = 0
    lines: int = 0
    is_whole: bool = True


class _Read(Struct):
    linked: list[Linked]
    findings: list[Finding]
    line_places: list[Range]  # of every line
    texts: dict[int, bytes]  # the bytes of each range, by where it begins
    documents: int = 0

    def lines_of(self, documents: Iterable[int]) -> tuple[Range, ...]:
        """The lines in which documents stand; neighbours are one range."""
        merged: list[Range] = []
        for index in sorted({bisect_right(self.line_places, n, key=lambda line: line[2]) - 1 for n in documents}):
            start, end, number = self.line_places[index]
            if merged and merged[-1][1] == start:
                merged[-1] = (merged[-1][0], end, merged[-1][2])
            else:
                merged.append((start, end, number))
        return tuple(merged)

    def digest(self, ranges: Sequence[Range]) -> bytes:
        """Of the bytes of ranges that lie in those that were read."""
        starts = sorted(self.texts)
        digest = hashlib.sha256()
        for start, end, _number in ranges:
            position = bisect_right(starts, start) - 1
            if position >= 0:
                first = starts[position]
                digest.update(memoryview(self.texts[first])[start - first : end - first])
        return digest.digest()


def outline_part(asked: Asked) -> Part:
    """What a worker tells of a part of a file before anything is paired."""
    with gc_paused():
        read = _read(asked)
        if read is None:
            return Part(is_whole=False)
        tied = _tied(read.linked)
        outlines = []
        for linked in read.linked:
            ranges = read.lines_of(tied[linked.trace.id])
            outlines.append(ConversationOutline(_outlined(linked.trace), linked.links, ranges, read.digest(ranges)))
        findings = tuple(finding for finding in read.findings if finding.code in LOST)
        lines = sum(text.count(b"\n") for text in read.texts.values())
        return Part(tuple(outlines), findings, read.documents, lines)


class LineShard(Struct, frozen=True):
    """Some conversations of a file: each with its id, the lines that it is read from, and their digest.

    They are `packed`: a run holds them for a million conversations.
    """

    path: str
    format: str
    packed: bytes

    @staticmethod
    def of(path: str, format_name: str, conversations: Sequence[Listed]) -> LineShard:
        """A shard of these."""
        # Ids as they are: half a character in one is odd, and still its name.
        packed = [(name.encode("utf-8", "surrogatepass"), ranges, digest) for name, ranges, digest in conversations]
        return LineShard(path, format_name, zlib.compress(msgpack.encode(packed)))

    @property
    def conversations(self) -> tuple[Listed, ...]:
        """Id, lines and digest of each."""
        return _listed(self.packed)

    def __hash__(self) -> int:
        return hash((self.path, self.packed))

    def traces(self) -> tuple[Trace, ...]:
        """All of them, whole; ReadError when the file has changed."""
        ranges = merged_ranges(part for _id, own, _digest in self.conversations for part in own)
        with gc_paused():
            read = _read(Asked(self.path, self.format, ranges))
            if read is None:
                raise ReadError(CHANGED, path=self.path)
            by_id = {linked.trace.id: linked.trace for linked in read.linked}
            for name, own, digest in self.conversations:
                if name not in by_id or read.digest(own) != digest:
                    raise ReadError(CHANGED, path=self.path)
            return tuple(_without_spans(by_id[name]) for name, _own, _digest in self.conversations)

    def identity(self, number: int) -> Sequence[object]:
        """What one of them follows from, in whichever shard it is."""
        name, _ranges, digest = self.conversations[number]
        return [self.path, name, digest.hex()]


@lru_cache(maxsize=8)  # one after the other is asked for its conversations, each many times
def _listed(packed: bytes) -> tuple[Listed, ...]:
    listed = msgpack.decode(zlib.decompress(packed), type=tuple[tuple[bytes, tuple[Range, ...], bytes], ...])
    return tuple((name.decode("utf-8", "surrogatepass"), ranges, digest) for name, ranges, digest in listed)


def merged_ranges(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Ranges in order, each byte once; those that touch are one."""
    merged: list[Range] = []
    for start, end, number in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((start, end, number))
    return tuple(merged)


def _read(asked: Asked) -> _Read | None:
    """The conversations of some ranges; None where something in them cannot be told apart."""
    implementation = BY_NAME[asked.format].load()
    linked_in, shape = implementation.linked, implementation.shape
    if linked_in is None or shape is None:
        return None
    read = _Read([], [], [], {})

    def pieces() -> Iterator[Piece]:
        with os.fdopen(open_regular(Path(asked.path)), "rb") as file:
            for start, end, number in asked.ranges:
                file.seek(start)
                text = read.texts[start] = file.read(end - start)
                reader = PieceReader(
                    text, shape, _no_tick, group_bytes=GROUP_BYTES, cut_bytes=CUT_BYTES, unique=False
                )
                reader.line_places = []
                following = yield from reader.lines(0, number)
                read.line_places += [(start + a, start + b, first) for first, a, b in reader.line_places]
                read.documents += following - number
                read.findings += findings_of(body_of(text), reader.warnings, reader.hidden, is_lines=False)

    source = Source(None, Path(asked.path).name, _no_tick, pieces())
    try:
        for item in linked_in(source):
            match item:
                case Linked():
                    read.linked.append(item)
                case Finding():
                    read.findings.append(item)
                case Holds():
                    return None
    except OSError as problem:
        raise ReadError(f"The file could not be read ({problem.strerror or problem}).", path=asked.path) from problem
    return read


def _tied(conversations: Sequence[Linked]) -> dict[str, list[int]]:
    """By conversation the documents of all that share an id with it, directly or through others."""
    above: dict[str, str] = {}

    def top(key: str) -> str:
        while (over := above.setdefault(key, key)) != key:
            above[key] = above.setdefault(over, over)
            key = over
        return key

    for linked in conversations:
        for link in linked.links:
            above[top(f"trace {link}")] = top(f"conversation {linked.trace.id}")
    documents: dict[str, list[int]] = {}
    for linked in conversations:
        documents.setdefault(top(f"conversation {linked.trace.id}"), []).extend(linked.documents)
    return {linked.trace.id: documents[top(f"conversation {linked.trace.id}")] for linked in conversations}


def _outlined(trace: Trace) -> Trace:
    turns = tuple(map(outlined, trace.turns))
    return replace(trace, turns=turns, agents=(), spans=(), final_state=None)


def _without_spans(trace: Trace) -> Trace:
    turns = tuple(replace(turn, spans=()) if turn.spans else turn for turn in trace.turns)
    return replace(trace, spans=(), turns=turns)


def _no_tick() -> None:
    """Reports no progress."""
