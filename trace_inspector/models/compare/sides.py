"""The sides of a comparison: conversations of open files by their places, and the sides chosen by default."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.values.value_edits import ValueStep
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.models.base.edited_file import bodies_of
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.fallback_golden import guessed_partner
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.files.files import Files
from trace_inspector.models.golden.sessions import Goldens


class SideRef(Struct, frozen=True):
    """A conversation of an open file by its place, because rows get other numbers when a file is read again."""

    file: int
    place: str
    name: str
    is_case: bool


GONE = "/-"  # no place of a case

GOLDEN, OBSERVED, BASELINE, CANDIDATE = "golden", "observed", "baseline", "candidate"
OTHER_GOLDEN = "other golden"
_ROLES = {
    (True, 2): (GOLDEN, OBSERVED),
    (False, 2): (BASELINE, CANDIDATE),
    (True, 3): (GOLDEN, BASELINE, CANDIDATE),
    (False, 3): (GOLDEN, BASELINE, CANDIDATE),
}
INKS = {
    GOLDEN: "golden", OBSERVED: "candidate", BASELINE: "baseline", CANDIDATE: "candidate", OTHER_GOLDEN: "candidate",
}  # fmt: skip
TITLES = {
    GOLDEN: "Golden", OBSERVED: "Observed", BASELINE: "Baseline", CANDIDATE: "Candidate",
    OTHER_GOLDEN: "Other golden",
}  # fmt: skip


def roles(sides: tuple[SideRef, ...]) -> tuple[str, ...]:
    """The name of each side, in the order of the columns."""
    if len(sides) == len(_ROLES[True, 2]) and all(ref.is_case for ref in sides):
        return GOLDEN, OTHER_GOLDEN
    return _ROLES[bool(sides) and sides[0].is_case, len(sides)] if len(sides) in (2, 3) else ()


def ref_of(file: OpenFile, top: int) -> SideRef:
    """The conversation of a row."""
    is_case = file.has_cases and isinstance(file.table.body(top), Case)
    place = file.table.place_now(top)
    return SideRef(file.number, GONE if place is None else place, file.table.name(top), is_case)


def followed(sides: tuple[SideRef, ...], file: int, steps: Sequence[ValueStep]) -> tuple[SideRef, ...]:
    """The sides at their places after an edit of a file; none when one of them was deleted."""
    now = all_after([ref.place for ref in sides if ref.file == file], steps)
    places = [now[ref.place] if ref.file == file else ref.place for ref in sides]
    return tuple(replace(ref, place=place) for ref, place in zip(sides, places, strict=True) if place is not None)


def verdict_on(files: Files, run: CurrentRun | None, sides: tuple[SideRef, ...]) -> CaseVerdict | None:
    """The run's verdict on the last side, where the first side is the golden that the run compared it with."""
    golden = files.get(sides[0].file) if sides else None
    file = files.get(sides[-1].file) if sides else None
    if run is None or golden is None or file is None or not sides[0].is_case or sides[-1].is_case:
        return None
    path, own = run.path_of(golden), sides[0]
    verdicts = [verdict for verdict in run.on(file).cases(top_of(files, sides[-1])) if verdict.golden_path == path]
    named = own.name if len(golden.table.named.called(own.name)) == 1 else None
    here = (verdict for verdict in verdicts if verdict.golden_place == own.place)
    return next(here, None) or next(
        (verdict for verdict in verdicts if not verdict.golden_place and verdict.case_id == named), None
    )


def top_of(files: Files, ref: SideRef) -> int:
    """The row of a side now; TOP where it was deleted."""
    file = files.get(ref.file)
    if file is None:
        return TOP
    table = file.table
    was = table.unshown_edits.was(ref.place)
    there = table.named.at_place(was) if was is not None else ()
    return next((top for top in there if table.name(top) == ref.name), there[0] if there else TOP)


def bodies(files: Files, goldens: Goldens, ref: SideRef) -> tuple[bytes, ...]:
    """The pickled bodies for the child process; of an edited case, its current state. Empty where it was deleted."""
    edited = goldens.edited(ref.file)
    if ref.is_case and edited is not None:
        if edited.process and ref.place not in edited.places:
            return ()
        if ref.place in edited.cases:
            return (pickle.dumps(edited.cases[ref.place], pickle.HIGHEST_PROTOCOL),)
    file, top = files.get(ref.file), top_of(files, ref)
    return bodies_of(file.table, top) if file is not None and top != TOP else ()


def label(files: Files, ref: SideRef) -> str:
    """The file and conversation of a side, as text."""
    file, top = files.get(ref.file), top_of(files, ref)
    if file is None:
        return ""
    return f"{file.name} › {file.table.label(top)}" if top != TOP else file.name


class DefaultSides(Struct, frozen=True):
    """The golden and the conversation of the selection; without them, a notice and the next step."""

    sides: tuple[SideRef, ...] = ()
    guessed: bool = False  # by their case id: no run paired them
    notice: tuple[str, str] = ("", "")


def sides_for(files: Files, run: CurrentRun | None, selection: Selection | None) -> DefaultSides:
    """The sides that the run paired with the selection, else those of the same case id."""
    file = files.get(selection.file) if selection is not None else None
    if file is None or selection is None:
        return _none(tr("Nothing is selected."), tr("Choose a case or a trace in the tree (Ctrl+1)."))
    if file.state is FileState.LOADING:
        return _none(tr("{0} is being read.").format(file.name), tr("It is compared as soon as it has been read."))
    top = _chosen_top(file, selection.row)
    if top == TOP:
        return _no_top(file)
    here = ref_of(file, top)
    if here.place == GONE:
        return _none(tr("This golden is gone."), tr("Ctrl+Z brings it back."))
    verdict = run.on(file).case(top) if run is not None else None
    other = _partner(files, run, here, verdict) if verdict is not None and run is not None else None
    guess = guessed_partner(files, file, top) if other is None else None
    if guess is not None:
        other = ref_of(*guess)
    if other is not None and other.place != GONE:
        return DefaultSides((here, other) if here.is_case else (other, here), guess is not None)
    return _none(
        tr("No trace belongs to this case yet.")
        if here.is_case
        else tr("No golden belongs to this conversation yet."),
        tr("Evaluate (F5) pairs them, or choose one with “Compare with…”."),
    )


def _no_top(file: OpenFile) -> DefaultSides:
    """The notice for a selected file, which has no conversation or several."""
    count = len(file.table.tops)
    if count < 2:
        return _none(tr("There is no conversation in {0}.").format(file.name), tr("Choose a case or a trace."))
    return _none(
        tr("{0} holds {1} conversations.").format(file.name, f"{count:,}"),
        tr("Choose one in the tree (Ctrl+1), or with “Choose a conversation…”."),
    )


def _none(what: str, step: str) -> DefaultSides:
    return DefaultSides(notice=(what, step))


def selected_side(files: Files, selection: Selection | None) -> SideRef | None:
    """The conversation that is selected."""
    file = files.get(selection.file) if selection is not None else None
    if file is None or selection is None:
        return None
    top = _chosen_top(file, selection.row)
    return ref_of(file, top) if top != TOP else None


def conversations(files: Files) -> Iterator[tuple[OpenFile, int]]:
    """All conversations that can be compared."""
    for file in files:
        if file.state is FileState.READY:
            for top in file.table.tops:
                yield file, top


def _chosen_top(file: OpenFile, row: int) -> int:
    table = file.table
    if row == TOP:
        return table.tops[0] if len(table.tops) == 1 else TOP
    return table.top_of(row) if table.has(row) else TOP


def _partner(files: Files, run: CurrentRun, here: SideRef, verdict: CaseVerdict) -> SideRef | None:
    path, place, name = verdict.golden_path, verdict.golden_place, verdict.case_id
    if here.is_case:
        path, place, name = verdict.trace_path, verdict.trace_place, verdict.trace_id or ""
    file = next((file for file in files if str(file.path) == path), None) if path else None
    if file is None:
        return None
    top = run.on(file).row_at(place, name)
    return ref_of(file, top) if top != TOP else None
