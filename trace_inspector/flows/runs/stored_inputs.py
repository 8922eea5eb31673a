"""Stored runs by id or name, and what they were about, of files that are still the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePath

from msgspec import Struct

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.runs.store_run import RunRecord, load_run, runs_named

_CHARS = 80
_NAMED = 3


class StoredInputs(Struct, frozen=True):
    """The files of a run, and the names of those that are gone or changed."""

    files: tuple[Given, ...]
    missing: tuple[str, ...] = ()


def record_named(name: str) -> RunRecord:
    """The stored run of this id or name. UsageError where there is none, or more than one."""
    ids = runs_named(name)
    if len(ids) != 1:
        many = f"{len(ids):,} runs are" if ids else "There is no file and no run"
        raise UsageError(f"{many} named “{one_line(name, _CHARS)}”. “Runs” in the window lists them.")
    record = load_run(ids[0])
    if record is None:
        raise UsageError(f"Run “{one_line(name, _CHARS)}” can no longer be read.")
    return record


def unchanged_inputs(record: RunRecord, only: Sequence[str] | None = None) -> StoredInputs:
    """The files that a run was about, all or some of their paths, of which the bytes are the same."""
    files: list[Given] = []
    missing: list[str] = []
    for path, digest in record.inputs.items():
        if only is not None and path not in only:
            continue
        try:
            same = [given for given in open_given([Path(path)]) if given.digest == digest]
        except InspectorError:
            same = []
        files += same
        missing += [] if same else [PurePath(path).name]
    return StoredInputs(tuple(files), tuple(missing))


def conversations_named(name: str) -> tuple[Given, ...]:
    """The conversations of a run: a file or folder, else a stored run by id or name, all of it unchanged."""
    path = Path(name)
    if is_there(path):
        given = open_given([path])
    else:
        record = record_named(name)
        traces = record.configuration.get("traces")
        stored = unchanged_inputs(record, [str(each) for each in traces] if isinstance(traces, list) else None)
        if stored.missing:
            named = ", ".join(stored.missing[:_NAMED])
            raise UsageError(f"Run “{one_line(name, _CHARS)}” was about {named}, gone or changed since. Name files.")
        given = stored.files
    if not any(each.contents.traces or each.contents.suites for each in given):
        raise UsageError("There is no recorded conversation in it. Name a file or folder with a run.", path=name)
    return given
