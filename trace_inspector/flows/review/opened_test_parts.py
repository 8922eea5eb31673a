"""The log of test parts: a judge is tuned on the dev part, and what it is worth is read off the other part once.

Who looks at the test part, changes the judge and looks again tunes it to the test part too. So each judge that was
measured there is written down, and the next one is told of those before.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.review.label import Split, moment
from trace_inspector.core.values.values import Json
from trace_inspector.engine.calibration.calibration import Calibration, JudgeIdentity
from trace_inspector.private_files import open_private
from trace_inspector.settings import data_folder, ready_data_folder

FILE = "opened-test-parts.jsonl"
_MOST_LINES = 100_000
_LONGEST_LINE = 10_000


def with_openings(calibrations: Iterable[Calibration]) -> tuple[Calibration, ...]:
    """The calibrations, those on a test part with a note of judges that were measured on it before; and log them."""
    listed = tuple(calibrations)
    if not any(each.labels.split is Split.TEST for each in listed):
        return listed
    try:
        path = ready_data_folder() / FILE
        before = _read(path)
        told = tuple(_told(each, before) for each in listed)
        new = [line for each in listed if each.labels.split is Split.TEST and (line := _line(each)) not in before]
        if new:
            with open_private(path, "a") as file:
                now = moment(time.time())
                file.writelines(json.dumps([now, *line]) + "\n" for line in dict.fromkeys(new))
    except (OSError, RuntimeError) as problem:
        note = f"that the test part was opened could not be written down: {problem}"
        return tuple(
            replace(each, notes=(*each.notes, note)) if each.labels.split is Split.TEST else each for each in listed
        )
    return told


def was_opened(question: str, judge: JudgeIdentity) -> bool:
    """Whether a judge was measured on the test part of a question before."""
    try:
        return (_digest(question), judge.digest) in _read(data_folder() / FILE)
    except (OSError, RuntimeError):
        return False


def _told(found: Calibration, before: dict[tuple[str, str], str]) -> Calibration:
    question, judge = _line(found)
    times = [at for (other, by), at in before.items() if other == question and by != judge]
    if found.labels.split is not Split.TEST or not times:
        return found
    judges = "another judge was" if len(times) == 1 else f"{len(times)} other judges were"
    note = (
        f"{judges} measured on this test part before, last on {max(times)[:10]}: a judge that was changed since is "
        "tuned to it"
    )
    return replace(found, notes=(*found.notes, note))


def _line(found: Calibration) -> tuple[str, str]:
    return _digest(found.question), found.judge.digest


def _digest(question: str) -> str:
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> dict[tuple[str, str], str]:
    """When each judge was first measured on each question; lines that are none are passed over."""
    found: dict[tuple[str, str], str] = {}
    if not path.exists():
        return found
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in islice(iter(lambda: file.readline(_LONGEST_LINE), ""), _MOST_LINES):
            try:
                raw: Json = json.loads(line)
            except ValueError:
                continue
            if isinstance(raw, list) and len(raw) == 3 and all(isinstance(each, str) for each in raw):
                at, question, judge = map(str, raw)
                found.setdefault((question, judge), at)
    return found
