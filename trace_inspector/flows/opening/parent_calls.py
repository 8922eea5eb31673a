"""Which call started a sub-agent whose conversation is a file of its own: asked of its parent's file near by."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json
from trace_inspector.regular_file import opened

StartsIn = Callable[[Json], Iterator[tuple[str, str]]]

_OF_SUB_AGENTS = "subagents"  # in a folder that is named after their parent
_FOLDERS_ABOVE = 3  # agents write the files of sub-agents two folders below that of their parent, or beside it
_MOST_ENTRIES = 10_000
_MOST_BYTES = 1 << 28
_MOST_MENTIONS = 200
_LEAST_NAME = 4  # shorter ids stand anywhere


def with_parent_call(trace: Trace, path: Path, starts_in: StartsIn | None) -> Trace:
    """The trace of a sub-agent with the call that started it, where its parent's file lies near by and says so."""
    parent = trace.parent
    if starts_in is None or parent is None or parent.call_id is not None:
        return trace
    if path.parent.name == _OF_SUB_AGENTS and path.parents[1].with_name(f"{path.parents[1].name}.jsonl").is_file():
        parent = replace(parent, trace_id=path.parents[1].name)
        trace = replace(trace, parent=parent)
    if min(len(trace.id), len(parent.trace_id)) < _LEAST_NAME:
        return trace
    file = _file_of(parent.trace_id, path)
    if file is None:
        return trace
    for record in _mentions(file, trace.id):
        for started, call in starts_in(record):
            if started == trace.id:
                return replace(trace, parent=replace(parent, call_id=call))
    return trace


def _file_of(identity: str, path: Path) -> Path | None:
    """The file named after a conversation, beside a path or a little above."""
    ending = f"{identity}.jsonl"
    for folder in path.parents[:_FOLDERS_ABOVE]:
        try:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in islice(entries, _MOST_ENTRIES) if entry.name.endswith(ending)]
        except OSError:  # there is no such folder, as within an archive, or nobody may look into it
            continue
        if names and (found := folder / min(names, key=len)) != path:
            return found
    return None


def _mentions(file: Path, identity: str) -> Iterator[Json]:
    """The records of a file in lines that name an id. None of it is copied: it may have hundreds of sub-agents."""
    with ExitStack() as closing:
        try:
            opening = closing.enter_context(opened(file))
            data = closing.enter_context(mmap.mmap(opening.fileno(), 0, access=mmap.ACCESS_READ))
        except (OSError, ValueError):  # an empty file cannot be mapped
            return
        name = identity.encode("utf-8", "surrogatepass")
        found = data.find(name, 0, _MOST_BYTES)
        for _ in range(_MOST_MENTIONS):
            if found < 0:
                return
            start, end = data.rfind(b"\n", 0, found) + 1, data.find(b"\n", found)
            end = len(data) if end < 0 else end
            yield _record(data[start:end])
            found = data.find(name, end, _MOST_BYTES)


def _record(line: bytes) -> Json:
    try:
        record: Json = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record
