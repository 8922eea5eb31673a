"""Choosing the runs to compare: among those that are kept, or a file or folder of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from trace_inspector.models.base.roles import MARK_OF
from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import figures as runs_figures
from trace_inspector.models.runs.run_pair_words import side_at, side_of
from trace_inspector.views.widgets.palette import Entry
from trace_inspector.views.window_context.desk import Desk
from trace_inspector.views.window_context.reporting import last_folder
from trace_inspector.work.runs.comparison_messages import RunSide
from trace_inspector.work.runs.run_store import ListedRun

Take = Callable[[RunSide], object]


def choose_side(desk: Desk, prompt: str, take: Take) -> None:
    """Offer every kept run, and files; `take` gets the one that is chosen."""
    kept = desk.workspace.runs.list
    entries = [_entry(run, take) for run in kept.runs if kept.is_kept(run.line.id)]
    entries += [
        Entry(tr("A file of results…"), partial(choose_file, desk, take)),
        Entry(tr("A folder of results…"), partial(choose_folder, desk, take)),
    ]
    desk.palette.ask(prompt, entries)


def choose_file(desk: Desk, take: Take) -> None:
    """Ask for a file of results."""
    name, _filter = QFileDialog.getOpenFileName(desk.window, tr("Compare with a file of results"), last_folder(desk))
    _take(desk, take, name)


def choose_folder(desk: Desk, take: Take) -> None:
    """Ask for a folder of them."""
    title = tr("Compare with a folder of results")
    _take(desk, take, QFileDialog.getExistingDirectory(desk.window, title, last_folder(desk)))


def _take(desk: Desk, take: Take, name: str) -> None:
    if name:
        path = Path(name)
        desk.settings.setValue("folder", str(path.parent))
        take(side_at(path))


def _entry(run: ListedRun, take: Take) -> Entry:
    side, mark = side_of(run), MARK_OF[runs_figures.status_of(run.line)]
    return Entry(side.title, lambda: take(side), side.caption, mark=mark)
