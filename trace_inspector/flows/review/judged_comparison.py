"""Two runs, and what people say of them and of their judges: what `compare-runs` and the window show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError
from trace_inspector.core.review.codebook import Codebook
from trace_inspector.core.review.failure_modes import Reading, reading
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.subjects import subjects_in
from trace_inspector.engine.calibration.calibration import Calibration
from trace_inspector.engine.run_comparison.compared_modes import compared_modes
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.run_comparison.judged_rates import compared_judges
from trace_inspector.flows.review.calibrating import calibrate, judged_results
from trace_inspector.flows.review.candidates import Judged
from trace_inspector.flows.review.codebook_file import load_codebook, own_codebook
from trace_inspector.flows.review.failures import codebook_beside
from trace_inspector.flows.review.opened_test_parts import was_opened
from trace_inspector.flows.review.stored_labels import known_labels
from trace_inspector.flows.runs.compare_stored import MOST_BYTES, compare_named


def compare_judged(
    base: str, new: str, label_paths: Sequence[Path] = (), codebook: Path | None = None
) -> RunsCompared:
    """Compare two runs, with what stored labels and those of files tell where there are any.

    The codebook is the one beside these files, else that of the data folder, where none is named.
    """
    compared = compare_named(base, new)
    labels = known_labels(compared.inputs, label_paths)
    if not labels or sum(map(_size, compared.inputs)) > MOST_BYTES:
        return compared
    book, notes = _codebook(codebook, label_paths)
    before, after = (_labelled(run, labels, book) for run in (base, new))
    return replace(
        compared,
        judges=compared_judges(before[0], after[0]),
        modes=compared_modes(before[1], after[1]),
        notes=(*compared.notes, *notes),
    )


def _codebook(path: Path | None, label_paths: Sequence[Path]) -> tuple[Codebook, tuple[str, ...]]:
    """The codebook; without one that can be read tags are modes as they are, which is told."""
    try:
        return load_codebook(path or codebook_beside(label_paths) or own_codebook()).book, ()
    except InspectorError as problem:
        return Codebook(), (f"Failure modes are called as they were tagged. {problem}",)


def _labelled(run: str, labels: Sequence[Label], book: Codebook) -> tuple[Sequence[Calibration], Reading]:
    """How far its judges are right, and how its outputs fail.

    Test parts count where they were opened: nobody asks here to open one.
    """
    subjects: set[str] = set()
    calibrated = calibrate(_noted(judged_results([run]), subjects), labels, may_open=was_opened)
    return calibrated.calibrations, reading((label for label in labels if label.subject in subjects), book)


def _noted(results: Iterable[Judged], subjects: set[str]) -> Iterator[Judged]:
    """The same, with the digests of their turns in `subjects`."""
    for judged in results:
        subjects.update(subjects_in(judged.trace.turns)[1])
        yield judged


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
