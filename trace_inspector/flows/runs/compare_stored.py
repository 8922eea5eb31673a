"""Compare two runs by name: stored runs, files of results, or folders of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.engine.reports.sources import Key
from trace_inspector.engine.run_comparison.compared_runs import compare_runs
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.run_comparison.latency_and_tokens import TurnFigures, figures_in, measured, median_seconds
from trace_inspector.engine.run_comparison.other_options import Stated
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.flows.opening.input_notes import input_notes
from trace_inspector.flows.opening.sides_of_packs import is_in_side, side_of_pack
from trace_inspector.flows.runs.comparability import Comparability
from trace_inspector.flows.runs.compared_run import ANY_FILE, ComparedRun
from trace_inspector.flows.runs.golden_digests import digests_in
from trace_inspector.flows.runs.store_run import RunRecord
from trace_inspector.flows.runs.stored_inputs import record_named

# Read within seconds; beyond it, the times of calls are not worth the wait.
MOST_BYTES = 1 << 26


def stored_figures(record: RunRecord) -> dict[Key, dict[int, TurnFigures]]:
    """Figures by trace. Files that are gone or changed are skipped; beyond MOST_BYTES in total, none is read."""
    named = record.configuration.get("traces")
    traces = named if isinstance(named, list) else []
    there = {path: digest for path, digest in record.inputs.items() if path in traces and Path(path).is_file()}
    figures: dict[Key, dict[int, TurnFigures]] = {}
    if sum(map(_size, there)) <= MOST_BYTES:
        for path, digest in there.items():
            figures |= _in_file(path, digest)
    return figures


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:  # removed meanwhile
        return 0


def _in_file(path: str, digest: str) -> dict[Key, dict[int, TurnFigures]]:
    try:
        given = [file for file in open_given([Path(path)]) if file.digest == digest]
    except (OSError, InspectorError):
        return {}
    return {
        (file.path, recorded.trace.place, recorded.trace.id): figures_in(recorded.trace)
        for file in given
        for recorded in recorded_in(file)
    }


def compare_named(base: str, new: str) -> RunsCompared:
    """Compare two runs, each a file or folder of results, else a stored run by id or name."""
    return compare_sides(named_side(base), named_side(new))


def compare_sides(before: ComparedRun, after: ComparedRun) -> RunsCompared:
    """The same of runs that are read already."""
    apart = Comparability(before, after)
    files_apart = before.files_apart or after.files_apart
    compared = compare_runs(before.cases, after.cases, apart.why, files_apart=files_apart)
    figures = {id(verdict): side.figures(verdict) for side in (before, after) for verdict in side.cases}
    measurements = measured(compared.cases, lambda verdict: figures[id(verdict)])
    seconds = tuple((_median(case.base, figures), _median(case.new, figures)) for case in compared.cases)
    inputs = before.inputs + after.inputs
    return RunsCompared(before.name, after.name, compared, measurements, tuple(apart.notes()), seconds, inputs=inputs)


def _median(verdicts: Sequence[CaseVerdict], figures: Mapping[int, tuple[TurnFigures, ...]]) -> float | None:
    return median_seconds(figures[id(verdict)] for verdict in verdicts)


def named_side(name: str) -> ComparedRun:
    """The run of a file or folder of results, else a stored one."""
    path, place = side_of_pack(Path(name))
    if not is_there(path):
        return _stored_side(name)
    given = open_given([path])
    cases = tuple(
        replace(verdict, trace_path=file.path)
        for file in given
        for verdict in file.contents.reported
        if is_in_side(verdict, place)
    )
    if not cases:
        sentence = "It contains no verdicts. Name a result file, a folder of result files, or a stored run."
        raise UsageError(sentence, path=name)
    notes = tuple(input_notes((file.path, file.contents) for file in given))
    turn_figures = {
        (file.path, trace.place, trace.id): figures_in(trace) for file in given for trace in file.contents.traces
    }
    criteria = _one_of_each({file.path: _stated(file.contents) for file in given})
    return ComparedRun(name, cases, turn_figures=turn_figures, inputs=(str(path),), notes=notes, criteria=criteria)


def _stated(contents: Contents) -> Stated:
    """The options that a file of results states by metric; without any, they are unknown."""
    by_metric: dict[str, list[JsonObject]] = {}
    of_file = contents.criteria.items if contents.criteria is not None else ()
    for item in chain(of_file, *(trace.criteria for trace in contents.traces)):
        options = by_metric.setdefault(item.metric, [])
        if item.options and item.options not in options:
            options.append(item.options)
    return {metric: tuple(options) for metric, options in by_metric.items() if options}


def _one_of_each(stated: Mapping[str, Stated]) -> dict[str, Stated]:
    distinct: list[Stated] = []
    for options in stated.values():
        if options not in distinct:
            distinct.append(options)
    return {path: distinct[distinct.index(options)] for path, options in stated.items()}


def _stated_by(run: RunVerdict) -> Stated:
    """The options of a stored run by metric, for all golden files together."""
    by_metric: dict[str, list[JsonObject]] = {}
    for metric, _threshold, options in run.criteria:
        by_metric.setdefault(metric, []).append(options)
    return by_metric


def _stored_side(name: str) -> ComparedRun:
    record = record_named(name)
    listed = record.configuration.get("goldens")
    files = {path: digest for path, digest in record.inputs.items() if isinstance(listed, list) and path in listed}
    digests, turn_figures = digests_in(record.configuration), stored_figures(record)
    criteria = {ANY_FILE: _stated_by(record.shown)}
    return ComparedRun(
        name, tuple(record.shown.cases), record.configuration, files, digests, turn_figures, criteria,
        tuple(record.inputs),
        files_apart=record.shown.files_apart,
    )  # fmt: skip
