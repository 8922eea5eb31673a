"""What the traces of a kept run tell of its turns: read again, file by file, where they are as they were."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.errors import InspectorError
from trace_inspector.engine.between_runs.measured import TurnFigures, figures_in
from trace_inspector.engine.reports.sources import Key
from trace_inspector.flows.given_files import open_given, recorded_in
from trace_inspector.flows.run_keeping import KeptRun

# A file of so much is read within seconds; beyond it, times of calls are not worth the wait.
MOST_BYTES = 1 << 26


def figures_of_kept(kept: KeptRun) -> dict[Key, dict[int, TurnFigures]]:
    """By the trace. A file that is gone, changed or larger than MOST_BYTES tells nothing."""
    named = kept.configuration.get("traces")
    found: dict[Key, dict[int, TurnFigures]] = {}
    for path, digest in kept.inputs.items():
        if isinstance(named, list) and path in named:
            found |= _in_file(Path(path), digest)
    return found


def _in_file(path: Path, digest: str) -> dict[Key, dict[int, TurnFigures]]:
    try:
        if path.stat().st_size > MOST_BYTES:
            return {}
        given = [one for one in open_given([path]) if one.digest == digest]
    except (OSError, InspectorError):
        return {}
    return {
        (one.path, recorded.trace.place, recorded.trace.id): figures_in(recorded.trace)
        for one in given
        for recorded in recorded_in(one)
    }
