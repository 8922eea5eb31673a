"""The conversations of files, each with what its file reports of it and what our own newest run made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict
from trace_inspector.documents.packing.packing import is_file
from trace_inspector.flows.opening.given_files import Given, open_given, recorded_in
from trace_inspector.flows.review.candidates import Judged
from trace_inspector.flows.runs.store_run import RunRecord, list_runs, load_run

EARLIER_RUNS = 4  # of each file, besides the one that is shown


def judged_in(paths: Iterable[Path]) -> Iterator[Judged]:
    """The conversations in order. A run counts where the file is still the one that it evaluated."""
    given = open_given(paths)
    runs = _newest_runs({file.digest for file in given})
    for file in given:
        record = runs.get(file.digest)
        scored = _of_file(record, file) if record else ()
        yield from judged_of(file, (*scored, *file.contents.reported))


class OpenJudged(Struct, frozen=True):
    """The conversations of open files as they are shown, and as earlier runs judged the same bytes."""

    shown: tuple[Judged, ...]
    earlier: tuple[Judged, ...]


def judged_open(paths: Iterable[Path], run_id: str = "") -> OpenJudged:
    """What the window shows of files: the verdicts of a run, or else of the newest, and those that files report."""
    given = open_given(paths)
    runs = _runs_on({file.digest for file in given})
    shown: list[Judged] = []
    earlier: list[Judged] = []
    for file in given:
        own = [record for record in runs if file.digest in record.inputs.values()]
        own.sort(key=lambda record: record.judged.id != run_id)  # the others stay in their order
        scored = _of_file(own[0], file) if own else ()
        shown += judged_of(file, (*scored, *file.contents.reported))
        for record in own[1 : 1 + EARLIER_RUNS]:
            earlier += judged_of(file, _of_file(record, file))
    return OpenJudged(tuple(shown), tuple(earlier))


def _runs_on(digests: set[str]) -> list[RunRecord]:
    """The newest runs on these files, the newest first, with as many of each as are compared."""
    counts = Counter[str]()
    found = []
    for line in list_runs().lines:
        meant = digests & {*line.inputs.values()}
        if line.cases <= MANY_CASES and any(counts[digest] <= EARLIER_RUNS for digest in meant):
            counts.update(meant)
            record = load_run(line.id)
            found += [record] if record is not None else []
    return found


def judged_by(record: RunRecord) -> Iterator[Judged]:
    """The conversations that a run is about, of the files that are still the same."""
    for path, digest in record.inputs.items():
        given = open_given([Path(path)]) if is_file(Path(path)) else ()
        for file in given:
            if file.digest == digest:
                yield from judged_of(file, _of_file(record, file))


def judged_of(file: Given, verdicts: Iterable[CaseVerdict]) -> Iterator[Judged]:
    """The conversations of a file, each with the verdicts on it."""
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
        for digest in digests & {*line.inputs.values()} if line.cases <= MANY_CASES else ():
            newest.setdefault(digest, line.id)
    records = {run_id: load_run(run_id) for run_id in {*newest.values()}}
    return {digest: record for digest, run_id in newest.items() if (record := records[run_id]) is not None}


def _of_file(record: RunRecord, file: Given) -> tuple[CaseVerdict, ...]:
    """The verdicts of a run on a file, under whatever path it was then, each with its criteria."""
    paths = {path for path, digest in record.inputs.items() if digest == file.digest}
    return tuple(
        replace(verdict, criteria=verdict.criteria or record.judged.criteria)
        for verdict in record.judged.cases
        if verdict.trace_path in paths
    )
