"""Measures judges by people's labels, in a child that ends with its answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from trace_inspector.work.processes.child import Channel

if TYPE_CHECKING:
    from trace_inspector.flows.review.open_calibration import OpenCalibration


class CalibrateOpen(Struct, frozen=True):
    """Measure the judges of open files: by the verdicts of the run that is shown, and by labels.

    `opened` are the questions whose test part somebody wants to see.
    """

    paths: tuple[str, ...]
    run_id: str = ""
    label_folders: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()


def calibration_service() -> Callable[[CalibrateOpen], OpenCalibration]:
    """Answers with what was measured."""
    from trace_inspector.flows.review.open_calibration import calibrate_open

    return lambda asked: calibrate_open(asked.paths, asked.run_id, asked.label_folders, asked.opened)


def save_calibration(_channel: Channel, path: str, asked: CalibrateOpen) -> None:
    """In the child: the page that the command writes."""
    from trace_inspector.flows.review.open_calibration import save_open

    save_open(Path(path), asked.paths, asked.run_id, asked.label_folders)
