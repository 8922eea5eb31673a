"""Writes a report of a run in a child process."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild


def payload(cases: Iterable[CaseVerdict], bodies: Iterable[bytes]) -> Iterator[bytes]:
    """What `report` reads. Pickled one by one, as they are sent: all at once would hold the window."""
    for case in cases:
        yield pickle.dumps(case, pickle.HIGHEST_PROTOCOL)
    yield from bodies


def report(
    channel: Channel,
    kind: str,
    path: str,
    run: RunVerdict,
    cases: int,
    traces: Sequence[Bodies],
    goldens: Sequence[Bodies],
) -> None:
    """In the child: put run and files together again and write the report."""
    from trace_inspector.flows.review.judge_lines import judge_lines
    from trace_inspector.flows.runs.evaluate_files import Given, Request
    from trace_inspector.flows.runs.requested_reports import RequestedReport
    from trace_inspector.flows.runs.save_reports import save_report

    incoming = channel.incoming()
    whole = replace(run, cases=tuple(pickle.loads(next(incoming)) for _ in range(cases)))
    request = Request(
        tuple(Given(body.path, rebuild(body, incoming), body.digest) for body in traces),
        tuple(Given(body.path, rebuild(body, incoming), body.digest) for body in goldens),
    )
    save_report(RequestedReport(kind, Path(path)), whole, request, judges=judge_lines)


def report_stored_run(channel: Channel, kind: str, path: str, run_id: str) -> None:
    """In the child: a report of a stored run, with its overrules and those of its files that still exist."""
    from trace_inspector.core.errors import ReadError
    from trace_inspector.flows.review.judge_lines import judge_lines
    from trace_inspector.flows.runs.requested_reports import RequestedReport
    from trace_inspector.flows.runs.save_reports import save_stored_report
    from trace_inspector.flows.runs.store_run import load_run

    kept = load_run(run_id)
    if kept is None:
        raise ReadError("This run is no longer kept.")
    missing = save_stored_report(RequestedReport(kind, Path(path)), kept, judge_lines)
    if missing:
        channel.send(missing)
