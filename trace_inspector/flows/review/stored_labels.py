"""Labels in the user's data folder: import them, and tell those that are about a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.review.label import Label, Level
from trace_inspector.core.review.label_lines import LabelsRead
from trace_inspector.core.review.label_sets import ordered
from trace_inspector.core.trace.summary import one_line
from trace_inspector.documents.packing.packing import is_file
from trace_inspector.flows.opening.given_files import Given, open_given
from trace_inspector.flows.review.candidates import candidates
from trace_inspector.flows.review.judged_files import judged_by
from trace_inspector.flows.review.label_files import read_label_files, sample_labels
from trace_inspector.flows.runs.store_run import RunRecord, label_overrules, load_run, open_store, runs_named
from trace_inspector.store import labels, overrules

_ANYTHING = "*"


def keep(given: Iterable[Label]) -> int:
    """Store labels that somebody answered. Returns how many were not there before."""
    with open_store() as store:
        return labels.add(store, (label for label in ordered(given) if label.value is not None))


def known_labels(paths: Iterable[str], others: Iterable[Path] = ()) -> list[Label]:
    """The stored labels, those in other files, and those of the samples where one of the paths is a sample."""
    return [*kept(), *read_label_files([*others, *map(Path, sample_labels(paths))]).labels]


def kept(runs: Sequence[str] = ()) -> list[Label]:
    """All stored labels by time, or those about the outputs of runs, each by id or name."""
    return [*read_kept(runs).labels]


def read_kept(runs: Sequence[str] = ()) -> LabelsRead:
    """The same, with a finding for each stored label that cannot be read, which is left out.

    Overrules that are bound to their run become labels first, where its files are still the same.
    """
    with open_store() as store:
        for inputs in overrules.runs_without_labels(store).values():
            label_overrules(store, [*_unchanged(inputs)])
        stored = labels.stored_labels(store)
    subjects = {subject for name in runs for subject in _subjects(_record(name))}
    wanted = (label for label in ordered(stored.labels) if not runs or label.subject in subjects)
    return LabelsRead(tuple(wanted), stored.findings)


def _unchanged(inputs: Mapping[str, str]) -> Iterator[Given]:
    for path, digest in inputs.items():
        if is_file(Path(path)):
            with suppress(InspectorError):  # another file now
                yield from (file for file in open_given([Path(path)]) if file.digest == digest)


def _record(name: str) -> RunRecord:
    ids = runs_named(name)
    record = load_run(ids[0]) if len(ids) == 1 else None
    if record is None:
        many = f"{len(ids):,} runs are" if len(ids) > 1 else "There is no run"
        raise UsageError(f"{many} named “{one_line(name, 80)}”. “Runs” in the window lists them.")
    return record


def _subjects(record: RunRecord) -> Iterable[str]:
    for judged in judged_by(record):
        for level in Level:
            yield from (candidate.label.subject for candidate in candidates([judged], level, _ANYTHING))
