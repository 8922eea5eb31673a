"""The conversations of files, each with what its file reports of it and what our own newest run made of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.review.candidates import Judged
from trace_inspector.flows.runs.store_run import RunRecord, list_runs, load_run


def judged_in(paths: Iterable[Path]) -> Iterator[Judged]:
    """The conversations in order. A run counts where the file is still the one that it evaluated."""
    given = open_given(paths)
    runs = _newest_runs({file.digest for file in given})
    for file in given:
        record = runs.get(file.digest)
        scored = _of_file(record, file) if record else ()
        yield from _judged(file, (*scored, *file.contents.reported))


def judged_by(record: RunRecord) -> Iterator[Judged]:
    """The conversations that a run is about, of the files that are still the same."""
    for path, digest in record.inputs.items():
        given = open_given([Path(path)]) if Path(path).is_file() else ()
        for file in given:
            if file.digest == digest:
                yield from _judged(file, _of_file(record, file))


def _judged(file: Given, verdicts: Iterable[CaseVerdict]) -> Iterator[Judged]:
    by_trace: dict[tuple[str, str | None], list[CaseVerdict]] = {}
    for verdict in verdicts:
        by_trace.setdefault((verdict.trace_place, verdict.trace_id), []).append(verdict)
    for recorded in recorded_in(file):
        trace = recorded.trace
        yield Judged(file.path, trace, tuple(by_trace.get((trace.place, trace.id), ())))


def _newest_runs(digests: set[str]) -> dict[str, RunRecord]:
    """The newest run of each file, by its digest."""
    newest: dict[str, str] = {}
    for line in list_runs().lines:
        for digest in digests & {*line.inputs.values()}:
            newest.setdefault(digest, line.id)
    records = {run_id: load_run(run_id) for run_id in {*newest.values()}}
    return {digest: record for digest, run_id in newest.items() if (record := records[run_id]) is not None}


def _of_file(record: RunRecord, file: Given) -> tuple[CaseVerdict, ...]:
    """The verdicts of a run on a file, under whatever path it was then."""
    paths = {path for path, digest in record.inputs.items() if digest == file.digest}
    return tuple(verdict for verdict in record.judged.cases if verdict.trace_path in paths)
