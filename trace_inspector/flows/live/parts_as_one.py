"""For the run at the end: what goes on from one part of a recording to the next is one conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.trace.trace import Trace
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.engine.pairing.pairing import TraceLocation
from trace_inspector.flows.live.growing import FORMAT, key_of, keys_of, value_of
from trace_inspector.flows.opening.given_files import Given, RereadFile
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.common.format import Source
from trace_inspector.formats.spans.otlp import SentRecord, records_in


def as_one(given: Sequence[Given]) -> tuple[Given, ...]:
    """The parts of a recording, in order, with what lies in several of them as one, in the first of these.

    Of a turn that another part has, the place says which part that is; in its file there is no such place.
    """
    if len(given) < 2:
        return tuple(given)
    linked = _Linked()
    for number, file in enumerate(given):
        for record in _records(file):
            linked.take(keys_of(record), number)
    divided = linked.divided()
    if not divided:
        return tuple(given)
    pieces: dict[str, list[Piece]] = {}
    for number, file in enumerate(given):
        for record in _records(file):
            root = linked.root(keys_of(record)[0])
            if root in divided:
                elsewhere = number > divided[root]
                piece = replace(record.piece, place=f"/part {number + 1}{record.piece.place}") if elsewhere else None
                pieces.setdefault(root, []).append(piece or record.piece)
    whole: list[dict[str, tuple[Trace, ...]]] = [{} for _file in given]
    for root, listed in pieces.items():
        whole[divided[root]][root] = tuple(_traces(given[divided[root]], listed))
    told = (_joined(file, linked, divided, own) for file, own in zip(given, whole, strict=True))
    return tuple(file for files in told for file in files)


class _Linked:
    """What belongs together of all records, by their keys, and in which parts it lies."""

    def __init__(self) -> None:
        self._above: dict[str, str] = {}
        self._parts: dict[str, tuple[int, int]] = {}  # the first and the last one, of each root

    def take(self, keys: Sequence[str], part: int) -> None:
        """One record of a part."""
        first = self.root(keys[0])
        lowest, highest = self._parts.get(first, (part, part))
        for key in keys[1:]:
            other = self.root(key)
            if other != first:
                self._above[other] = first
                other_lowest, other_highest = self._parts.pop(other, (part, part))
                lowest, highest = min(lowest, other_lowest), max(highest, other_highest)
        self._parts[first] = lowest, max(highest, part)

    def root(self, key: str) -> str:
        """What stands for all that belongs to a key."""
        above = self._above.setdefault(key, key)
        while above != key:
            self._above[key] = self._above[above]
            key, above = above, self._above[above]
        return key

    def divided(self) -> dict[str, int]:
        """Those that lie in several parts, each with its first part."""
        return {root: first for root, (first, last) in self._parts.items() if first != last}

    def root_of(self, trace: Trace) -> str:
        """What a trace of a file belongs to; "" where no record says so."""
        key = key_of(trace, self._above)
        return self.root(key) if key else ""


def _records(given: Given) -> Iterator[SentRecord]:
    """Read again: what a run holds of a file has no spans any more."""
    number = 0
    path = Path(given.path)
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield from records_in(value_of(line.rstrip(b"\n"), path), f"/{number}")
                number += 1


def _traces(given: Given, pieces: Sequence[Piece]) -> Iterator[Trace]:
    """Without spans, as a run needs none."""
    source = Source(None, Path(given.path).name, pieces=pieces)
    for trace in collect(FORMAT, BY_NAME[FORMAT].read(source)).traces:
        yield replace(trace, turns=tuple(replace(turn, spans=()) for turn in trace.turns), spans=())


def _joined(
    given: Given, linked: _Linked, divided: dict[str, int], whole: dict[str, tuple[Trace, ...]]
) -> tuple[Given, ...]:
    """A part in which each conversation that lies in several stands where it begins, or is gone.

    Of a part that is only outlined the rest is read again by its old numbers, beside what is held.
    """
    roots = [linked.root_of(trace) for trace in given.contents.traces]
    if not any(root in divided for root in roots):
        return (given,)
    left = dict(whole)
    again = RereadFile(given.path, given.digest)
    old = given.places or tuple(TraceLocation(again, number) for number in range(len(roots)))
    stretches: list[tuple[list[Trace], list[TraceLocation]]] = []  # in order; places only of what is read again
    for number, (root, trace) in enumerate(zip(roots, given.contents.traces, strict=True)):
        held = root in divided
        traces = left.pop(root, ()) if held else (trace,)
        if not traces:
            continue
        if not stretches or (given.outlined and held is bool(stretches[-1][1])):
            stretches.append(([], []))
        stretches[-1][0].extend(traces)
        if given.outlined and not held:
            stretches[-1][1].append(old[number])
    if not given.outlined:
        traces = tuple(trace for stretch, _places in stretches for trace in stretch)
        return (replace(given, contents=replace(given.contents, traces=traces)),)
    files = [
        replace(given, contents=Contents(FORMAT, traces=tuple(traces)), places=tuple(places))
        if places
        else Given(given.path, Contents(FORMAT, traces=tuple(traces)), given.digest)
        for traces, places in stretches
    ]
    if not files:
        return (replace(given, contents=replace(given.contents, traces=()), places=()),)
    first = files[0].contents
    return (replace(files[0], contents=replace(given.contents, traces=first.traces)), *files[1:])
