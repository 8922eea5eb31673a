"""Traces by where they came from, for reports that show conversations; what is not held is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from trace_inspector.core.trace.trace import Trace
from trace_inspector.engine.pairing.pairing import Elsewhere, Recorded, TraceFile
from trace_inspector.engine.reports.sources import Key
from trace_inspector.flows.opening.given_files import HELD_BYTES, size_bytes


class TracesAgain(Mapping[Key, Trace]):
    """A report asks in the order of the cases: files are kept while there is room, because cases may take turns."""

    def __init__(self, recorded: Iterable[Recorded], held_bytes: int = HELD_BYTES) -> None:
        self._recorded = {(one.path, one.trace.place, one.trace.id): one for one in recorded}
        self._held_bytes = held_bytes
        self._files: dict[TraceFile, tuple[Sequence[Trace], int]] = {}  # those read last, with their sizes

    def __getitem__(self, key: Key) -> Trace:
        found = self._recorded[key]
        return self._again(found.elsewhere) if found.elsewhere else found.trace

    def __iter__(self) -> Iterator[Key]:
        return iter(self._recorded)

    def __len__(self) -> int:
        return len(self._recorded)

    def _again(self, elsewhere: Elsewhere) -> Trace:
        known = self._files.pop(elsewhere.file, None)
        if known is None:
            traces = elsewhere.file.traces()
            known = traces, sum(map(size_bytes, traces))
            while self._files and sum(size for _traces, size in self._files.values()) + known[1] > self._held_bytes:
                del self._files[next(iter(self._files))]
        self._files[elsewhere.file] = known
        return known[0][elsewhere.number]
