"""What each judge was last measured at, in the user's data folder: how far a verdict elsewhere can be trusted.

A judge that was changed since is told from the one that was measured by its digest, also where nothing that it judged
was ever labelled.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.review.label import LONGEST_NAME, Level, moment
from trace_inspector.core.review.subjects import OVERALL
from trace_inspector.engine.calibration.calibration import LEAST_LABELS, Calibration, JudgeIdentity
from trace_inspector.private_files import replace_private
from trace_inspector.regular_file import opened
from trace_inspector.settings import data_folder, ready_data_folder

FILE = "calibrations.jsonl"
_MOST_LINES = 2_000  # judges of questions, the newest
_LONGEST_LINE = 20_000


class KeptCalibration(Struct, frozen=True):
    """One judge of one question: of how many outputs it said what people say."""

    question: str
    level: Level
    judge: JudgeIdentity
    compared: int
    agreeing: int
    kappa: float | None = None
    at: str = ""


def kept_of(found: Calibration) -> KeptCalibration:
    """What is kept of a calibration. κ of one class alone says nothing."""
    kappa = found.agreement.kappa
    told = None if kappa.reason.startswith("one class") else kappa.value
    agreeing = found.agreement.counts.agreeing
    return KeptCalibration(found.question, found.level, found.judge, found.compared, agreeing, told)


def keep(calibrations: Iterable[Calibration]) -> None:
    """Keep those that compare anything, in place of what was kept of the same judges. It may fail: it is no loss."""
    new = {
        _key(each): each
        for found in calibrations
        if found.compared >= LEAST_LABELS and found.judge.provenance != OVERALL
        for each in [kept_of(found)]
    }
    before = {_key(each): each for each in read()}
    changed = [key for key, each in new.items() if key not in before or not _is_same(before[key], each)]
    if not changed:
        return
    now = moment(time.time())
    for key in changed:
        before.pop(key, None)
        before[key] = replace(new[key], at=now)
    with suppress(OSError, RuntimeError, ValueError):
        lines = (msgspec.json.encode(each).decode() for each in [*before.values()][-_MOST_LINES:])
        replace_private(ready_data_folder() / FILE, lines)


def read() -> list[KeptCalibration]:
    """What was kept, the oldest first; lines that are none are passed over."""
    path = data_folder() / FILE
    found: list[KeptCalibration] = []
    with suppress(OSError), opened(path) as file:
        for line in islice(iter(lambda: file.readline(_LONGEST_LINE), b""), _MOST_LINES):
            with suppress(msgspec.MsgspecError, ValueError):
                found.append(msgspec.json.decode(line, type=KeptCalibration))
    return [each for each in found if len(each.question) <= LONGEST_NAME]


def _key(each: KeptCalibration) -> tuple[str, Level, str]:
    return each.question, each.level, each.judge.digest


def _is_same(before: KeptCalibration, now: KeptCalibration) -> bool:
    return (before.compared, before.agreeing, before.kappa) == (now.compared, now.agreeing, now.kappa)
