"""Overrules that are not in the store yet: noted in files at once, so that they survive a sudden end of the process.

Without fsync, a written note survives the process; fsync waits for the disk, and is left to the
child that writes to the store a moment later.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.private_files import free_name, make_own_folder, open_private
from trace_inspector.regular_file import read_regular
from trace_inspector.settings import data_folder
from trace_inspector.work.runs.run_store import AddOverrule, WithdrawOverrule, Write

_FOLDER = "said"
_LONGEST = 64_000


def note(write: Write) -> None:
    """Note a write. An error is ignored here, because the store will report the same problem."""
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
    """Delete a note: the store has the write now, or refused it."""
    place = _place(write)
    if place is not None:
        place.unlink(missing_ok=True)


class PendingWrites(Struct, frozen=True):
    """Writes that an earlier process noted and did not store, in order.

    `problems` has a sentence for each unreadable note, whose file is renamed and kept.
    """

    writes: tuple[Write, ...] = ()
    problems: tuple[str, ...] = ()


def pending_writes() -> PendingWrites:
    """Read all notes."""
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


_UNREADABLE = "{}: A noted overruling cannot be read ({}). The file is kept; overrule the verdict again."


def _kept_aside(place: Path) -> Path:
    aside = free_name(place, "unreadable")
    try:
        return place.rename(aside)
    except OSError:
        return place


def _place(write: Write) -> Path | None:
    match write:
        case AddOverrule():
            return data_folder() / _FOLDER / f"{write.overrule.id}.json"
        case WithdrawOverrule():
            return data_folder() / _FOLDER / f"{write.overrule_id}-back.json"
    return None


def _as_json(write: Write) -> dict[str, object]:
    if isinstance(write, AddOverrule):
        return asdict(write) | {"overrule": asdict(write.overrule) | {"status": write.overrule.status.value}}
    return {"back": write.overrule_id} if isinstance(write, WithdrawOverrule) else {}


def _read(text: str) -> Write:
    body = json.loads(text)
    if "back" in body:
        return WithdrawOverrule(str(body["back"]))
    overrule = body["overrule"]
    made = Overrule(**overrule | {"status": Status(overrule["status"])})
    return AddOverrule(str(body["run_id"]), tuple(body["key"]), int(body["nth"]), made)
