"""Two runs with what people say of their judges: the comparison that `compare-runs` and the window show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.review.label import Label
from trace_inspector.engine.calibration.calibration import Calibration
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.run_comparison.judged_rates import compared_judges
from trace_inspector.flows.review.calibrating import calibrate_run
from trace_inspector.flows.review.opened_test_parts import was_opened
from trace_inspector.flows.review.stored_labels import known_labels
from trace_inspector.flows.runs.compare_stored import MOST_BYTES, compare_named


def compare_judged(base: str, new: str, label_paths: Iterable[Path] = ()) -> RunsCompared:
    """Compare two runs, their judges corrected by stored labels and those of files, where there are any."""
    compared = compare_named(base, new)
    labels = known_labels(compared.inputs, label_paths)
    if not labels or sum(map(_size, compared.inputs)) > MOST_BYTES:
        return compared
    judges = compared_judges(_calibrated(base, labels), _calibrated(new, labels))
    return replace(compared, judges=judges)


def _calibrated(run: str, labels: Sequence[Label]) -> Sequence[Calibration]:
    """Test parts count where they were opened: nobody asks here to open one."""
    return calibrate_run(run, labels, may_open=was_opened).calibrations


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
