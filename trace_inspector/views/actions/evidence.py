"""“Save evidence” in the File menu: a page for others, without secrets, of a selection, of all, or of two runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.evaluation import EXPORTING
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.runs.run_pair_words import side_in_pack
from trace_inspector.views.actions.action import Action
from trace_inspector.views.actions.comparing import has_pair, show_pair
from trace_inspector.views.actions.golden_menu import selected
from trace_inspector.views.saving.evidence_dialog import EvidenceDialog
from trace_inspector.views.widgets.centre_view import CentreView
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder
from trace_inspector.work.processes.jobs import Job, JobState
from trace_inspector.work.runs import evidence_writing
from trace_inspector.work.runs.evidence_writing import EvidenceOrder, EvidenceTarget, ShownPart

if TYPE_CHECKING:
    from trace_inspector.models.compare.comparison import Compare

_MENU = "File/Save evidence"
_TWO = 2
_RUN = re.compile(r"/sides/\d+")
Save = Callable[[Desk, EvidenceTarget], None]


def can_show_selected(desk: Desk) -> bool:
    """Whether a conversation or a golden is selected, in a file that is read."""
    selection, file = desk.workspace.selection.value, _file_of(desk)
    return selection is not None and file is not None and selection.row != TOP and bool(selected(desk))


def can_show_all(desk: Desk) -> bool:
    """Whether there is a finished run, or a file is selected."""
    return _finished_run(desk) is not None or _file_of(desk) is not None


def save_cases(desk: Desk, target: EvidenceTarget) -> None:
    """The conversations and goldens of the selected rows, with what the run says of them, else their file."""
    _save(desk, target, tuple(_location(picked, ()) for picked in selected(desk)))


def save_turns(desk: Desk, target: EvidenceTarget) -> None:
    """The selected turns alone; of a row that is a whole conversation all of them."""
    _save(desk, target, tuple(_location(picked, picked.turns) for picked in selected(desk)))


def save_all(desk: Desk, target: EvidenceTarget) -> None:
    """The run that is shown; without one the selected file."""
    _save(desk, target, ())


def save_two_runs(desk: Desk, target: EvidenceTarget) -> None:
    """Both runs of the comparison."""
    pair = desk.workspace.runs.pair
    if pair.base is not None and pair.new is not None:
        _start(desk, target, evidence_writing.of_two, (target, pair.base, pair.new))


def save_compared(desk: Desk, target: EvidenceTarget) -> None:
    """What Compare shows side by side, as it is on disk."""
    compare = _compare(desk)
    if compare is None:
        return
    files = [file for side in compare.sides if (file := desk.workspace.files.get(side.file)) is not None]
    changed = next((file for file in files if desk.workspace.saving.is_unsaved(file)), None)
    if changed is not None:
        desk.say(tr("Save {0} first (Ctrl+S): evidence shows what is on disk.").format(changed.name))
        return
    parts = tuple(ShownPart(str(file.path), side.place) for file, side in zip(files, compare.sides, strict=True))
    order = EvidenceOrder(target, " – ".join(dict.fromkeys(side.name for side in compare.sides)), parts)
    digests = tuple(dict.fromkeys((str(file.path), file.digest) for file in files))
    _start(desk, target, evidence_writing.of_compared, (order, digests, compare.verdict))


def can_show_compared(desk: Desk) -> bool:
    """Whether Compare is in front and shows something."""
    compare = _compare(desk)
    return compare is not None and bool(compare.sides)


def _compare(desk: Desk) -> Compare | None:
    if desk.centre is None or desk.centre.shown != "compare":
        return None
    return _shown_by(desk.centre.view("compare"))


def _shown_by(page: CentreView | None) -> Compare | None:
    from trace_inspector.views.compare.page import ComparePage

    return page.compare if isinstance(page, ComparePage) else None


def show_compared(desk: Desk, number: int, places: Sequence[str]) -> None:
    """Show what was compared when the evidence pack that was just opened was saved."""
    file = desk.workspace.files.get(number)
    if file is None or desk.centre is None or len(places) < _TWO:
        return
    if all(_RUN.fullmatch(place) for place in places):
        sides = (
            side_in_pack(file.path, place, f"{file.label}, {order + 1}") for order, place in enumerate(places[:_TWO])
        )
        show_pair(desk, *sides)
        return
    from trace_inspector.models.compare.sides import ref_of

    tops = [file.table.named.at_place(place) for place in places]
    if all(tops):
        compare = _shown_by(desk.centre.show_view("compare"))
        if compare is not None:
            compare.choose_sides(tuple(ref_of(file, rows[0]) for rows in tops))


def ask(desk: Desk, save: Save) -> None:
    """Ask what is to be in the page and for a name, and write it in the background."""
    EvidenceDialog(desk, partial(_ask_name, desk, save)).open()


def _ask_name(desk: Desk, save: Save, without_texts: bool) -> None:
    file = _file_of(desk)
    # The name of a file may tell as much as a text in it.
    named = "run" if file is None else file.path.stem
    proposed = Path(last_folder(desk)) / ("evidence.html" if without_texts else f"{named}.evidence.html")
    kind = tr("HTML page (*.html)")
    name, _kind = QFileDialog.getSaveFileName(desk.window, tr("Save evidence"), str(proposed), kind)
    if name:
        desk.settings.setValue("folder", str(Path(name).parent))
        save(desk, EvidenceTarget(name, without_texts))


def _location(picked: Picked, turns: tuple[int, ...]) -> ShownPart:
    return ShownPart(str(picked.file.path), picked.place or "", turns)


def _save(desk: Desk, target: EvidenceTarget, parts: tuple[ShownPart, ...]) -> None:
    """Of the run, where it is about the selected file, as it is in the window; else of the file on disk."""
    selection, file, run = desk.workspace.selection.value, _file_of(desk), _finished_run(desk)
    in_view = None
    if file is not None and selection is not None and selection.row != TOP:
        in_view = str(file.path), file.table.place_around(selection.row)
    if run is not None and run.verdict is not None and (not parts or _is_about(run, parts)):
        order = EvidenceOrder(target, tr("Run"), parts, in_view)
        files = [*run.given_traces(), *run.given_goldens()]
        cases = tuple(run.cases)
        payload = evidence_writing.payload(cases, run.bodies())
        _start(desk, target, evidence_writing.of_run, (order, run.verdict, len(cases), files), payload)
    elif file is not None:
        order = EvidenceOrder(target, file.label, parts, in_view)
        _start(desk, target, evidence_writing.of_file, (order, str(file.path), file.digest))


def _is_about(run: CurrentRun, parts: tuple[ShownPart, ...]) -> bool:
    paths = {body.path for body in (*run.given_traces(), *run.given_goldens())}
    return all(part.path in paths for part in parts)


def _start(
    desk: Desk,
    target: EvidenceTarget,
    write: Callable[..., None],
    arguments: Sequence[object],
    payload: Iterable[bytes] = (),
) -> None:
    name = Path(target.path).name
    words: list[str] = []

    def end(job: Job) -> None:
        if job.state is not JobState.STOPPED:
            desk.say(job.sentence or " ".join((tr("Saved {0}.").format(name), *words)))

    desk.jobs.start(
        EXPORTING,
        tr("Saving {0}").format(name),
        write,
        arguments,
        payload=payload,
        receive=words.append,
        end=end,
    )


def _file_of(desk: Desk) -> OpenFile | None:
    selection = desk.workspace.selection.value
    file = desk.workspace.files.get(selection.file) if selection is not None else None
    return file if file is not None and file.state is FileState.READY else None


def _finished_run(desk: Desk) -> CurrentRun | None:
    run = desk.workspace.run.value
    return run if run is not None and run.verdict is not None else None


_WHAT: tuple[tuple[str, str, Save, Callable[[Desk], bool]], ...] = (
    ("cases", N_("Evidence of the selected &cases…"), save_cases, can_show_selected),
    ("turns", N_("Evidence of the selected &turns…"), save_turns, can_show_selected),
    ("run", N_("Evidence of the whole &run or file…"), save_all, can_show_all),
    ("compared", N_("Evidence of what is c&ompared…"), save_compared, can_show_compared),
    ("two-runs", N_("Evidence of the t&wo compared runs…"), save_two_runs, has_pair),
)
ACTIONS: tuple[Action, ...] = tuple(
    Action(f"evidence-{name}", text, _MENU, partial(ask, save=save), enabled=enabled)
    for name, text, save, enabled in _WHAT
)
