"""The File menu: saving what was edited."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import FileState, OnDisk, OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.golden_finder import golden_file
from trace_inspector.resources import is_sample
from trace_inspector.views.actions.action import Action
from trace_inspector.views.saving.conflict_dialog import show_clash
from trace_inspector.views.saving.save_as import save_as, with_notes
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.work.golden.requests import Clash
from trace_inspector.work.processes.request_child import Answer


def current(desk: Desk) -> OpenFile | None:
    """The file that the selection lies in."""
    selection = desk.workspace.selection.value
    return desk.workspace.files.get(selection.file) if selection is not None else None


def edited(desk: Desk) -> OpenFile | None:
    """The current file if it was edited; else the one of the golden beside it, else the only one that was."""
    selection, file, unsaved = desk.workspace.selection.value, current(desk), desk.workspace.saving.unsaved
    if file in unsaved:
        return file
    files, run = desk.workspace.files, desk.workspace.run.value
    golden = golden_file(files, run, selection) if selection is not None and unsaved else None
    return golden if golden in unsaved else unsaved[0] if len(unsaved) == 1 else None


def can_save(desk: Desk) -> bool:
    """Whether a file was edited since it was saved, and it is clear which."""
    return edited(desk) is not None


def can_save_as(desk: Desk) -> bool:
    """Whether the file holds goldens that were read to their end."""
    file = current(desk)
    return file is not None and file.state is FileState.READY and file.has_suites


def can_save_all(desk: Desk) -> bool:
    """Whether any file was edited since it was saved."""
    return bool(desk.workspace.saving.unsaved)


def save(desk: Desk) -> None:
    """Save the file; where another program changed it meanwhile, both versions are shown."""
    file = edited(desk)
    if file is not None:
        desk.workspace.saving.save(file.number, partial(_saved, desk, file))


def save_all(desk: Desk) -> None:
    """Save every edited file."""
    unsaved = desk.workspace.saving.unsaved
    desk.workspace.saving.save_all([file.number for file in unsaved], partial(_all_saved, desk, len(unsaved)))


def ask_name(desk: Desk) -> None:
    """Save under another name, and continue with that file."""
    file = current(desk)
    if file is not None:
        save_as(desk, file)


def revert(desk: Desk) -> None:
    """Back to what was saved, as a step that can be undone."""
    file = edited(desk)
    if file is not None:
        desk.workspace.goldens.revert(file.number)
        desk.say(tr("{0} is back as it was last saved. Ctrl+Z brings the edits back.").format(file.name))


def _saved(desk: Desk, file: OpenFile, answer: Answer) -> None:
    if isinstance(answer.value, Clash):
        desk.say(answer.value.sentence)
        show_clash(desk, file)
    elif answer.sentence and (file.on_disk is OnDisk.GONE or is_sample(file.path)):
        desk.say(answer.sentence)
        save_as(desk, file)
    elif answer.sentence:
        desk.say(answer.sentence)
    elif desk.workspace.saving.is_unsaved(file):
        desk.say(with_notes(tr("Saved {0}, without what was typed since.").format(file.name), answer))
    else:
        desk.say(with_notes(tr("Saved {0}.").format(file.name), answer))


def _all_saved(desk: Desk, count: int, refused: Mapping[int, str]) -> None:
    if refused:
        desk.say(next(iter(refused.values())))
    else:
        desk.say(" ".join((tr("Saved {0}.").format(counted(count, "file")), *desk.workspace.saving.notes)))


ACTIONS: tuple[Action, ...] = (
    Action("save", N_("&Save"), "|File", save, "Ctrl+S", "save", "icon", enabled=can_save),
    Action("save-as", N_("Save &as…"), "File", ask_name, "Ctrl+Shift+S", enabled=can_save_as),
    Action("save-all", N_("Save a&ll"), "File", save_all, "Ctrl+Alt+S", enabled=can_save_all),
    Action("revert", N_("Re&vert to what was saved"), "File", revert, enabled=can_save),
)
