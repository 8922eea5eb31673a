"""Runs in the user's data folder: save, list, load, overrule, rename and delete them."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from trace_inspector.core.errors import InspectorError, ReadError, SaveError
from trace_inspector.core.review.subjects import subjects_in
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.overrule import Overrule, with_overrules
from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict, RunVerdict
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.engine.reports.run_summary import summarise
from trace_inspector.engine.scoring.metric_names import GROUNDING_MODEL
from trace_inspector.flows.judges.judge_files import LiveChoice
from trace_inspector.flows.opening.given_files import Given, recorded_in
from trace_inspector.flows.runs.evaluate_files import Request
from trace_inspector.flows.runs.golden_digests import NAME, golden_digests
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import overrules, runs
from trace_inspector.store.database import Database, begun_anew, database
from trace_inspector.store.runs import WHOLE_CASE, RunLine, Unasked

MOST_LISTED = 1000
_LEAST_CHARS = 3  # of an id, for a prefix to stand for all of it
_MOST_OF_SUITE = 100  # of its files: enough to recognise it
_MOST_MADE = 10  # a run of a thousand cases takes half a second to read; the next list makes more of them


class RunList(Struct, frozen=True):
    """The stored runs, the newest first. `problem` is a sentence when something is wrong with the store."""

    lines: tuple[RunLine, ...]
    problem: str = ""


class RunRecord(Struct, frozen=True):
    """A stored run: as it was judged, its overrules, and the run with these applied."""

    judged: RunVerdict
    overrules: tuple[Overrule, ...]
    shown: RunVerdict
    configuration: JsonObject
    inputs: Mapping[str, str]  # the SHA-256 of what it read, by path


def save_run(run: RunVerdict, request: Request, unasked: Unasked | None = None) -> str:
    """Store a run with its configuration and input hashes. Returns a sentence when that failed, else ""."""
    inputs = {given.path: given.digest for given in (*request.traces, *request.goldens)}
    subjects = [*_subjects(run, request.traces)]
    configuration = configuration_of(run, request)
    if len(run.cases) <= MANY_CASES:  # one of more cases is never opened to be compared
        configuration[NAME] = golden_digests(request.goldens)
    if unasked is not None:
        configuration[runs.BY_ITSELF] = True
    given = configuration, inputs, summarise(run), subjects
    try:
        folder = ready_data_folder()
    except (OSError, RuntimeError) as problem:
        return f"This run is not stored, because the data folder cannot be made: {problem}."
    with database(folder) as store:
        try:
            not_stored = runs.save(store, run, *given)
            _use_labels(store, run, request.traces)
            if unasked is not None and unasked.instead_of and not not_stored:
                _replace(store, unasked, run.id)
            return not_stored
        except sqlite3.DatabaseError as problem:
            damage = problem
    with begun_anew(folder, store, damage) as fresh:
        return runs.save(fresh, run, *given)


def list_runs(also: Sequence[str] = ()) -> RunList:
    """The newest runs, and those with the ids in `also`, with what a list shows of them.

    Summaries that are missing, or outdated by an overrule, are made for the newest few.
    """
    with open_store() as store:
        lines = runs.recent(store, MOST_LISTED, also)
        waiting = [index for index, line in enumerate(lines) if line.summary is None]
        for index in waiting[:_MOST_MADE]:
            lines[index] = _summarised(store, lines[index])
        return RunList(tuple(lines), store.problem)


def runs_named(name: str) -> list[str]:
    """The ids of all stored runs with a name, however old."""
    with open_store() as store:
        return runs.named(store, name, _LEAST_CHARS)


def load_run(run_id: str) -> RunRecord | None:
    """One complete run; None where it is not stored."""
    with open_store() as store:
        stored = runs.load(store, run_id)
        run_overrules = overrules.overrules_of(store, run_id)
    if stored is None:
        return None
    return RunRecord(
        stored.run, run_overrules, with_overrules(stored.run, run_overrules), stored.configuration, stored.inputs
    )


def overrules_on(run_id: str) -> tuple[Overrule, ...]:
    """What people say of a stored run; nothing where it is not stored."""
    with open_store() as store:
        return overrules.overrules_of(store, run_id)


def overrule(run_id: str, decision: Overrule) -> None:
    """Store the overrule of a verdict."""
    with open_store() as store:
        overrules.add(store, run_id, decision)


def withdraw(overrule_id: str) -> None:
    """Withdraw an overrule."""
    with open_store() as store:
        overrules.withdraw(store, overrule_id, time.time())


def rename(run_id: str, name: str) -> None:
    """Name a run; "" removes the name."""
    with open_store() as store:
        runs.rename(store, run_id, name)


def forget(run_id: str) -> None:
    """Delete a run and its overrules."""
    with open_store() as store:
        runs.delete(store, run_id)


def _replace(store: Database, unasked: Unasked, run_id: str) -> None:
    """Where that fails there is a run more in the list, which people can delete."""
    with contextlib.suppress(SaveError):
        runs.give_way(store, unasked, run_id)


def _use_labels(store: Database, run: RunVerdict, files: Sequence[Given]) -> None:
    """Apply to a new run what people said of the same outputs before; what cannot be read waits for the next run."""
    with contextlib.suppress(InspectorError):
        label_overrules(store, files)
        if said := overrules.overrules_of(store, run.id):
            runs.put_summary(store, run.id, summarise(with_overrules(run, said)))


def label_overrules(store: Database, files: Sequence[Given]) -> None:
    """Make labels of the overrules of runs on these very files, which were bound to their run until now."""
    by_digest = {file.digest: file for file in files if file.digest}
    for run_id, inputs in overrules.runs_without_labels(store).items():
        then = {by_digest[digest].path: path for path, digest in inputs.items() if digest in by_digest}
        try:
            stored = runs.load(store, run_id) if then else None
        except ReadError:  # of too many cases to be opened as a whole: its overrules stay bound to it
            continue
        if stored is not None:
            overrules.make_labels(
                store, stored.run, _subjects(stored.run, by_digest.values(), then), {*then.values()}
            )


@contextlib.contextmanager
def open_store() -> Iterator[Database]:
    """The store in the data folder; SaveError where there can be none."""
    try:
        folder = ready_data_folder()
    except (OSError, RuntimeError) as problem:
        raise SaveError(f"The data folder cannot be made: {problem}.") from problem
    with database(folder) as store:
        yield store


def _summarised(store: Database, line: RunLine) -> RunLine:
    """The line with its summary; without one where the run cannot be read, so that the others still come."""
    with contextlib.suppress(InspectorError):
        stored = runs.load(store, line.id)
        if stored is not None:
            summary = summarise(with_overrules(stored.run, overrules.overrules_of(store, line.id)))
            line = replace(line, summary=summary)
            runs.put_summary(store, line.id, summary)
    return line


def _subjects(
    run: RunVerdict, files: Iterable[Given], renamed: Mapping[str, str] | None = None
) -> Iterator[tuple[tuple[int, int], str]]:
    """The digest of each case and turn of a run whose conversation is in these files.

    `renamed` has the path that a file had then, by the one it has now. Of files too large for memory nothing is told.
    """
    then = renamed or {}
    traces = {
        (then.get(file.path, file.path), recorded.trace.place, recorded.trace.id): recorded.trace
        for file in files
        if not file.outlined
        for recorded in recorded_in(file)
    }
    for number, case in enumerate(run.cases) if traces else ():
        trace = traces.get((case.trace_path, case.trace_place, case.trace_id or ""))
        if trace is not None:
            yield from (((number, turn), subject) for turn, subject in _of_case(case, trace))


def _of_case(case: CaseVerdict, trace: Trace) -> Iterator[tuple[int, str]]:
    of_case, of_turns = subjects_in(trace.turns)
    by_index = {turn.index: subject for turn, subject in zip(trace.turns, of_turns, strict=True)}
    yield WHOLE_CASE, of_case
    for place, verdict in enumerate(case.turns):
        subject = by_index.get(verdict.index) if verdict.index is not None else None
        if subject is not None:
            yield place, subject


def configuration_of(run: RunVerdict, request: Request) -> JsonObject:
    """What was asked for, as it is kept with the run."""
    choices, judge = request.choices, request.judge
    labels = any(metric == GROUNDING_MODEL for metric, _threshold, _options in run.criteria)
    classifier = judge.classifier if labels and isinstance(judge, LiveChoice) else None
    return {
        "traces": [given.path for given in request.traces],
        "goldens": [given.path for given in request.goldens],
        "only": list(request.only),
        "rules": choices.rules,
        "pair_by": choices.pair_by,
        "pairs": list(choices.pairs),
        "pairs_by_hand": [asdict(pair) for pair in choices.by_hand],
        "cases": list(choices.cases),
        "tags": list(choices.tags),
        "extra_turns_fail": choices.extra_turns_fail,
        "files_are_repeats": choices.files_are_repeats,
        "judge": (judge.name or None) if judge else None,
        "grounding_model": classifier.endpoint if classifier else None,
        "suite": _suite(request),
    }


def _suite(request: Request) -> list[Json]:
    """What makes runs belong together: the same goldens; without any, traces from the same folders.

    By real path: the command line may name a file by a relative path or a link.
    """
    goldens = {str(real_path(Path(given.path))) for given in request.goldens}
    members = goldens or {str(real_path(Path(given.path)).parent) for given in request.traces}
    return list(sorted(members)[:_MOST_OF_SUITE])
