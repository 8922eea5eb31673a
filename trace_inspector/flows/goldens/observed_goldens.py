"""Goldens written anew from what was observed: one of the same id is replaced where it stands, others are added."""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.core.golden.expectation_kinds import default_expectations
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_formats import USUAL_FORMAT
from trace_inspector.core.golden.promoting import PromotionChoice, promoted
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.pointer import resolve
from trace_inspector.documents.packing.packing import is_there
from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_files import Draft, drafted, new_suite, taken_ids, writable
from trace_inspector.flows.goldens.golden_session import Arranged, GoldenSession
from trace_inspector.flows.opening.convert_file import save_converted
from trace_inspector.flows.opening.open_file import open_file

_WAIT_S = 60.0
_LOOK_EVERY_S = 0.02


def write_observed(observed: Sequence[tuple[str, Trace]], into: Path) -> tuple[str, ...]:
    """Write conversations as goldens of these ids ("" for one of its own), by the rules of promoting.

    Of a golden that is replaced everything stays that a conversation does not tell, such as rubrics and notes.
    Returns the ids. Several processes may do so with the same file at the same time.
    """
    with _alone_with(into):
        return _replaced(observed, into) if is_there(into) else _as_new_suite(observed, into)


def _as_new_suite(observed: Sequence[tuple[str, Trace]], into: Path) -> tuple[str, ...]:
    cases: list[Case] = []
    for case_id, trace in observed:
        cases.append(_golden(case_id, trace, USUAL_FORMAT, [case.id for case in cases]))
    made = new_suite(cases, USUAL_FORMAT, into.name.partition(".")[0] or "goldens")
    _refuse_losses(Draft((), made.losses), into)
    into.parent.mkdir(parents=True, exist_ok=True)
    save_converted(made, into)
    return tuple(case.id for case in cases)


def _replaced(observed: Sequence[tuple[str, Trace]], into: Path) -> tuple[str, ...]:
    opened = open_file(into)
    target = writable(opened.contents.format)
    with closing(EditSession(replace(opened.document), lambda _journal: None)) as session:
        goldens = GoldenSession(session, target)
        places = {goldens.case(place).id: place for place in goldens.places}
        arranged: dict[str, Arranged] = {place: place for place in goldens.places}
        ids: list[str] = []
        for case_id, trace in observed:
            place = places.get(case_id)
            taken = {*taken_ids(goldens), *ids} - {case_id}
            case = _golden(case_id, trace, target.name, taken)
            draft = drafted([case], target, taken)
            _refuse_losses(draft, into)
            before = resolve(goldens.value, place) if place is not None else None
            merged = {**before, **draft.goldens[0]} if isinstance(before, dict) else draft.goldens[0]
            arranged[place if place is not None else f"new {len(ids)}"] = merged
            ids.append(case.id)
        goldens.arrange([*arranged.values()])
        session.save()
    return tuple(ids)


def _golden(case_id: str, trace: Trace, format_name: str, taken: Sequence[str] | set[str]) -> Case:
    case = promoted(trace, PromotionChoice(None, default_expectations(format_name)), taken)
    return replace(case, id=case_id) if case_id else case


def _refuse_losses(draft: Draft, into: Path) -> None:
    if draft.gone:
        first = draft.gone[0].message
        raise UsageError(
            f"The golden was not written, because something would be lost for good: {first}", path=str(into)
        )


@contextmanager
def _alone_with(path: Path) -> Iterator[None]:
    """Others that write the same file so wait; the lock ends with the process, and its file lies in no project."""
    name = hashlib.sha256(os.fsencode(real_path(path))).hexdigest()[:32]
    owner = os.getuid() if hasattr(os, "getuid") else 0
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(Path(tempfile.gettempdir(), f"trace-inspector-{owner}-{name}.lock"), flags, 0o600)
    try:
        until_s = time.monotonic() + _WAIT_S
        while not lock(handle):
            if time.monotonic() > until_s:
                raise SaveError("Another process has been writing this file for a minute.", path=str(path))
            time.sleep(_LOOK_EVERY_S)
        yield
    finally:
        os.close(handle)
