"""What a session is about, by the beginning of its file: for lists of folders with thousands of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.trace.outline import FullCounts, Outline
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import (
    Trace,
    Turn,
    calls_of,
    input_tokens,
    output_tokens,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Json
from trace_inspector.documents.json.strict import fast_value
from trace_inspector.documents.reading.reading import stamp_at
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.flows.opening.open_file import Recognised, stream_file
from trace_inspector.formats import recognise
from trace_inspector.formats.common.format import Format, Source
from trace_inspector.regular_file import opened

# The beginning that is read: of most sessions the first has a reply, of those with long instructions the second.
_BEGINNINGS = (1 << 14, 1 << 18)
_CERTAIN = 90  # a file beside others of a format that is so sure of it is not shown to all the others
_TITLE_CHARS = 80


class Outlines:
    """Outlines of files in lines, one after the other; of all other files only the size is told."""

    def __init__(self) -> None:
        self._likely: Format | None = None

    def outline(self, path: Path) -> Outline:
        """The outline of a file; OSError where it cannot be read."""
        if path.is_dir():  # files that are one document together
            stamp = stamp_at(path)
            return Outline(path, stamp.size if stamp else 0, written_ns=stamp.modified_ns if stamp else 0)
        with opened(path) as file:
            stat = os.fstat(file.fileno())
            outline = Outline(path, stat.st_size, written_ns=stat.st_mtime_ns)
            for size in _BEGINNINGS:
                file.seek(0)
                data = file.read(size)
                with gc_paused():
                    outline = self._with_records(outline, [*_records(data, is_whole=len(data) >= outline.size_bytes)])
                is_unknown = not outline.format and b"\n" in data  # else its first line alone is longer
                if outline.model or is_unknown or len(data) >= outline.size_bytes:
                    break
        return outline

    def _with_records(self, outline: Outline, records: list[Json]) -> Outline:
        file_format = self._format_of(records)
        if file_format is None:
            return outline
        outline = replace(outline, format=file_format.name)
        trace: Trace | None = None
        for item in file_format.read(Source(records, outline.path.name)):
            if isinstance(item, Trace):
                if trace is not None:
                    break
                trace = item
                parent = item.parent.trace_id if item.parent is not None else ""
                outline = replace(outline, id=item.id, title=item.title, parent=parent)
            elif isinstance(item, Turn):
                outline = _with_turn(outline, item)
        return outline

    def _format_of(self, records: list[Json]) -> Format | None:
        if not records:
            return None
        likely = self._likely
        if likely is None or likely.recognise(records) < _CERTAIN:
            likely = recognise(records)
            self._likely = likely or self._likely
        return likely


def full_counts(path: Path) -> FullCounts:
    """A file read to its end; an InspectorError where it cannot be read."""
    turns = calls = asked = answered = 0
    name, is_abandoned = "", False
    with gc_paused():
        for item in stream_file(path, in_haste=True, placed=False):
            if isinstance(item, Recognised):
                name = item.format
            elif isinstance(item, Trace):
                is_abandoned = item.abandoned
            elif isinstance(item, Turn) and not is_abandoned:
                usage = turn_usage(item)
                turns += 1
                calls += len(calls_of(item))
                asked += input_tokens(usage) or 0
                answered += output_tokens(usage) or 0
    return FullCounts(name, turns, calls, asked, answered)


def _with_turn(outline: Outline, turn: Turn) -> Outline:
    model = next((event.model for event in turn.events if event.model), "")
    return replace(
        outline,
        title=outline.title or one_line(user_text(turn), _TITLE_CHARS),
        start_s=turn.start_s if outline.start_s is None else outline.start_s,
        model=outline.model or model,
    )


def _records(data: bytes, *, is_whole: bool) -> Iterator[Json]:
    """The objects in whole lines; none where the first line is none, as of a file that is one document."""
    for number, line in enumerate(data.split(b"\n")[: None if is_whole else -1]):
        try:
            value = fast_value(line, unique=False) if line.strip() else None
        except ValueError:
            value = None
        if isinstance(value, dict):
            yield value
        elif not number:
            return
