"""The log of test parts: a judge is tuned on the dev part, and what it is worth is read off the other part once.

Who looks at the test part, changes the judge and looks again tunes it to the test part too. So each judge that was
measured there is written down with some of the outputs, and the next one on any of these is told of those before: the
same question is asked in other projects too.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.review.label import Split, moment
from trace_inspector.core.values.values import Json
from trace_inspector.engine.calibration.calibration import Calibration, JudgeIdentity
from trace_inspector.private_files import open_private
from trace_inspector.settings import data_folder, ready_data_folder

FILE = "opened-test-parts.jsonl"
_MOST_LINES = 100_000
_LONGEST_LINE = 10_000
_OUTPUTS, _OUTPUT_CHARS = (
    64,
    16,
)  # of a line: the lowest digests, so that parts that share outputs share some of these

_Key: TypeAlias = tuple[str, str]  # digests of a question and of a judge


def with_openings(calibrations: Iterable[Calibration]) -> tuple[Calibration, ...]:
    """The calibrations, those on a test part with a note of judges that were measured on it before; and log them."""
    listed = tuple(calibrations)
    if not any(each.labels.split is Split.TEST for each in listed):
        return listed
    try:
        path = ready_data_folder() / FILE
        before = _read(path)
        told = tuple(_with_note(each, before) for each in listed)
        tested = [each for each in listed if each.labels.split is Split.TEST]
        new = {_key(each): _outputs(each) for each in tested if _is_new(each, before)}
        if new:
            with open_private(path, "a") as file:
                now = moment(time.time())
                lines = ([now, *key, " ".join(sorted(outputs))] for key, outputs in new.items())
                file.writelines(json.dumps(line) + "\n" for line in lines)
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


def _with_note(found: Calibration, before: Mapping[_Key, tuple[str, frozenset[str]]]) -> Calibration:
    question, judge = _key(found)
    own = _outputs(found)
    times = [
        at
        for (other, by), (at, outputs) in before.items()
        if other == question and by != judge and (own & outputs or not outputs)
    ]
    if found.labels.split is not Split.TEST or not times:
        return found
    judges = "another judge was" if len(times) == 1 else f"{len(times)} other judges were"
    note = (
        f"{judges} measured on this test part before, last on {max(times)[:10]}: a judge that was changed since is "
        "tuned to it"
    )
    return replace(found, notes=(*found.notes, note))


def _is_new(found: Calibration, before: Mapping[_Key, tuple[str, frozenset[str]]]) -> bool:
    key = _key(found)
    return key not in before or not _outputs(found) <= before[key][1]


def _key(found: Calibration) -> _Key:
    return _digest(found.question), found.judge.digest


def _outputs(found: Calibration) -> frozenset[str]:
    return frozenset(sorted(each.output.subject[:_OUTPUT_CHARS] for each in found.outputs)[:_OUTPUTS])


def _digest(question: str) -> str:
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> dict[_Key, tuple[str, frozenset[str]]]:
    """When each judge was first measured on each question, and some of the outputs; older lines name none.

    Lines that are none are passed over.
    """
    found: dict[_Key, tuple[str, frozenset[str]]] = {}
    if not path.exists():
        return found
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in islice(iter(lambda: file.readline(_LONGEST_LINE), ""), _MOST_LINES):
            try:
                raw: Json = json.loads(line)
            except ValueError:
                continue
            if isinstance(raw, list) and len(raw) in (3, 4) and all(isinstance(each, str) for each in raw):
                at, question, judge, *outputs = map(str, raw)
                first, known = found.get((question, judge), (at, frozenset[str]()))
                found[question, judge] = first, known.union(*(each.split() for each in outputs))
    return found
