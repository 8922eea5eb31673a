"""What a caller may give as traces, goldens and criteria: paths, what was read before, and values in memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import replace

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.library.values import File, Trace

PathLike: TypeAlias = "str | os.PathLike[str]"
# A path; what `read` gave; a value in memory of any format that is read, such as the dump of an ADK session.
Input: TypeAlias = "PathLike | File | Trace | Mapping[str, Any] | Iterable[Any]"

_DEPTH = 200  # of values in memory, as of files


def given(inputs: Input, besides: Iterable[Path] = ()) -> tuple[Given, ...]:
    """The files that are meant, opened; values in memory as a file of their own."""
    paths: list[Path] = []
    chosen: dict[str, set[str]] = {}  # places of single conversations, by path
    values: list[Any] = []
    for each in _each(inputs):
        match each:
            case str() | os.PathLike():
                paths.append(Path(each))
            case File():
                paths.append(Path(each.path))
            case Trace():
                paths.append(Path(each.path))
                chosen.setdefault(each.path, set()).add(each.place)
            case _:
                values.append(each)
    opened = [_only(file, chosen.get(file.path)) for file in open_given(dict.fromkeys(paths), besides)]
    opened += [file for value in values for file in _in_memory(value)]
    if not opened:
        raise UsageError("Nothing was given to read. Give a path, a value of “read”, or the data itself.")
    return tuple(opened)


def _each(inputs: Input) -> Iterator[Any]:
    """A list is several inputs, but for one of messages or events, which is one conversation."""
    if isinstance(inputs, str | os.PathLike | File | Trace | Mapping) or hasattr(inputs, "model_dump"):
        yield inputs
        return
    listed = list(inputs)
    if listed and all(isinstance(each, Mapping) or hasattr(each, "model_dump") for each in listed):
        yield listed
        return
    yield from listed


def _only(file: Given, places: set[str] | None) -> Given:
    if places is None:
        return file
    traces = tuple(trace for trace in file.contents.traces if trace.place in places)
    suites = tuple(
        replace(suite, cases=tuple(case for case in suite.cases if case.place in places))
        for suite in file.contents.suites
    )
    return replace(file, contents=replace(file.contents, traces=traces, suites=suites))


def _in_memory(value: Any) -> tuple[Given, ...]:
    with value_as_file(value, "in-memory.json") as path:
        return open_given([path])


@contextmanager
def value_as_file(value: Any, name: str) -> Iterator[Path]:
    """A value of plain parts, or of pydantic models, as a file that is gone afterwards."""
    text = json_text(_plain(value, _DEPTH))
    with tempfile.TemporaryDirectory(prefix="trace-inspector-") as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        yield path


def _plain(value: Any, depth: int) -> Any:
    """The value as JSON holds it; who made it of pydantic models is asked for their dump."""
    if depth == 0:
        raise UsageError(f"The data is nested deeper than {_DEPTH} levels.")
    dump: Callable[..., Any] | None = getattr(value, "model_dump", None)
    if dump is not None and not isinstance(value, type):
        return _plain(dump(mode="json", by_alias=True, exclude_none=True), depth - 1)
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(name): _plain(item, depth - 1) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item, depth - 1) for item in value]
    kind = one_line(type(value).__name__, 60)
    raise UsageError(f"A value of type “{kind}” cannot be read as a trace. Give plain JSON values or a path.")


def criteria_of(criteria: PathLike | Mapping[str, Any] | None) -> Criteria | None:
    """Criteria of a file, or of a mapping: metrics with their thresholds, or a whole configuration."""
    if criteria is None:
        return None
    from trace_inspector.flows.runs.criteria_files import read_criteria

    if not isinstance(criteria, Mapping):
        return read_criteria(Path(criteria))
    whole = criteria if "criteria" in criteria else {"criteria": dict(criteria)}
    with value_as_file(whole, "test_config.json") as path:
        return replace(read_criteria(path), source="given by the caller")
