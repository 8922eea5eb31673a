"""What people said and the store does not have yet: noted at once, so that it outlives an end without warning.

What is written outlives the process without being handed to the disk; that waits for the disk, and is left to the
child that writes to the store a moment later.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.documents.text.regular_file import read_regular
from trace_inspector.private_files import free_name, make_own_folder, open_private
from trace_inspector.settings import data_folder
from trace_inspector.work.runs.run_store import Said, TakenBack, Write

_FOLDER = "said"
_LONGEST = 64_000


def note(write: Write) -> None:
    """Write it down. Where that cannot be, the store will say so when its turn comes."""
    place, body = _place(write), _as_json(write)
    if place is None:
        return
    try:
        make_own_folder(place.parent)
        with open_private(place, "x") as file:
            json.dump(body, file)
    except OSError:
        return


def drop(write: Write) -> None:
    """The store has it now, or never will."""
    place = _place(write)
    if place is not None:
        place.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class PendingWrites:
    """What an earlier process noted and did not come to write, in the order in which it was said.

    `problems` has a sentence for each note that cannot be read; it is kept aside.
    """

    writes: tuple[Write, ...] = ()
    problems: tuple[str, ...] = ()


def pending_writes() -> PendingWrites:
    """Look for notes."""
    writes: list[tuple[float, Write]] = []
    problems: list[str] = []
    for place in sorted((data_folder() / _FOLDER).glob("*.json")):
        try:
            writes.append((place.stat().st_mtime, _read(read_regular(place, _LONGEST).decode("utf-8"))))
        except OSError as problem:
            problems.append(_UNREADABLE.format(place, problem.strerror or problem))
        except (ValueError, TypeError, KeyError, AttributeError) as problem:
            problems.append(_UNREADABLE.format(_kept_aside(place), type(problem).__name__))
    return PendingWrites(
        tuple(write for _time, write in sorted(writes, key=lambda time_and_write: time_and_write[0])), tuple(problems)
    )


_UNREADABLE = "{}: What you said of a verdict was noted here and cannot be read ({}). It is kept; say it once more."


def _kept_aside(place: Path) -> Path:
    aside = free_name(place, "unreadable")
    try:
        return place.rename(aside)
    except OSError:
        return place


def _place(write: Write) -> Path | None:
    match write:
        case Said():
            return data_folder() / _FOLDER / f"{write.overrule.id}.json"
        case TakenBack():
            return data_folder() / _FOLDER / f"{write.overrule_id}-back.json"
    return None


def _as_json(write: Write) -> dict[str, object]:
    if isinstance(write, Said):
        return asdict(write) | {"overrule": asdict(write.overrule) | {"status": write.overrule.status.value}}
    return {"back": write.overrule_id} if isinstance(write, TakenBack) else {}


def _read(text: str) -> Write:
    body = json.loads(text)
    if "back" in body:
        return TakenBack(str(body["back"]))
    overrule = body["overrule"]
    made = Overrule(**overrule | {"status": Status(overrule["status"])})
    return Said(str(body["run_id"]), tuple(body["key"]), int(body["nth"]), made)
