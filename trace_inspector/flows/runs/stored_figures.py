"""What the traces of a kept run tell of its turns: read again, file by file, where they are as they were."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.reports.sources import Key
from trace_inspector.engine.run_comparison.measured import TurnFigures, figures_in
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.flows.runs.store_run import KeptRun

# So much is read within seconds; beyond it, times of calls are not worth the wait.
MOST_BYTES = 1 << 26


def figures_of_kept(kept: KeptRun) -> dict[Key, dict[int, TurnFigures]]:
    """By the trace. A file that is gone or changed tells nothing; of more than MOST_BYTES together, none is read."""
    named = kept.configuration.get("traces")
    traces = named if isinstance(named, list) else []
    there = {path: digest for path, digest in kept.inputs.items() if path in traces and Path(path).is_file()}
    found: dict[Key, dict[int, TurnFigures]] = {}
    if sum(map(_size, there)) <= MOST_BYTES:
        for path, digest in there.items():
            found |= _in_file(path, digest)
    return found


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:  # it went just now
        return 0


def _in_file(path: str, digest: str) -> dict[Key, dict[int, TurnFigures]]:
    try:
        given = [one for one in open_given([Path(path)]) if one.digest == digest]
    except (OSError, InspectorError):
        return {}
    return {
        (one.path, recorded.trace.place, recorded.trace.id): figures_in(recorded.trace)
        for one in given
        for recorded in recorded_in(one)
    }
