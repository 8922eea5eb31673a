"""Saving under another name: a fitting name, not that of an open file, and a warning about renewed items."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.saving import notes_of
from trace_inspector.resources import is_sample
from trace_inspector.views.saving.dialog import SavingDialog
from trace_inspector.views.widgets.controls import Button, ButtonKind
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder
from trace_inspector.work.golden.requests import Forecast, ForecastSave
from trace_inspector.work.processes.request_child import Answer

NAME = "becomes-new"


def save_as(desk: Desk, file: OpenFile) -> None:
    """Ask for a name, and save under it; of a sample, in a folder of the person."""
    ending = ending_of(file.path)
    folder = last_folder(desk) if is_sample(file.path) else str(file.path.parent)
    dialog = QFileDialog(desk.window, tr("Save {0} as").format(file.name), folder)
    dialog.setObjectName("save-as")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters([f"{ending} (*{ending})", tr("All files (*)")])
    dialog.setDefaultSuffix(ending.removeprefix("."))
    dialog.selectFile(file.path.name)
    dialog.fileSelected.connect(lambda name: save_under(desk, file, with_ending(Path(name), ending)))
    dialog.open()


def save_under(desk: Desk, file: OpenFile, path: Path) -> None:
    """Save there, unless the file is open here; renewed items are confirmed first."""
    other = desk.workspace.files.by_path(path)
    if other is not None and other is not file:
        desk.say(tr("{0} is open here. Close it first, or choose another name.").format(other.name))
        return
    if is_sample(path):
        desk.say(tr("The samples stay as they are. Choose another folder."))
        return
    goldens = desk.workspace.goldens
    goldens.begin(file.number)
    goldens.ask(file.number, ForecastSave(file.number, str(path)), partial(_ahead, desk, file, path))


def with_notes(words: str, answer: Answer) -> str:
    """The same, with a remark about a save that succeeded."""
    return " ".join((words, *notes_of(answer)))


def ending_of(path: Path) -> str:
    """The endings that tell the contents of a file: “.evalset.json”, “.json.gz”; not the dots of a name."""
    endings = path.suffixes[-2:]
    return "".join(endings) if len(endings) == 2 and endings[0][1:].isalpha() else path.suffix or ".json"


def with_ending(path: Path, ending: str) -> Path:
    """A name without any ending gets one that fits."""
    return path if path.suffix else path.with_name(path.name + ending)


def _ahead(desk: Desk, file: OpenFile, path: Path, answer: Answer) -> None:
    if isinstance(answer.value, Forecast) and answer.value.renewed:
        RenewalDialog(desk, file, path, answer.value).open()
    elif isinstance(answer.value, Forecast):
        _save(desk, file, path)


def _save(desk: Desk, file: OpenFile, path: Path) -> None:
    def saved(answer: Answer) -> None:
        if not answer.sentence:
            desk.say(with_notes(tr("Saved as {0}.").format(path.name), answer))
            desk.recent.add([path])

    desk.workspace.goldens.save(file.number, path, then=saved)


class RenewalDialog(SavingDialog):
    """Warns before the save."""

    def __init__(self, desk: Desk, file: OpenFile, path: Path, forecast: Forecast) -> None:
        words = tr(
            "{0} of {1} changed. In a file of another name, what changed counts as new, so the names and "
            "times that {3} gave are left out of {2}. {1} stays as it is, and you can undo this."
        ).format(counted(forecast.renewed, "item"), file.name, path.name, forecast.system)
        super().__init__(desk, NAME, tr("Save as new items?"), words, (520, 180))
        save = Button(desk.theme, tr("Save as {0}").format(path.name), ButtonKind.FILLED, clicked=self.accept)
        self.add_buttons(Button(desk.theme, tr("Cancel"), clicked=self.reject), save)
        self.accepted.connect(partial(_save, desk, file, path))
        save.setFocus()
